package swget

import (
	"context"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/kb/nautilod"
	"orbweaver/weburl"
)

// Why a node was not dereferenced. Beside these it may be a failure's word.
const (
	NotNeeded   = "not-needed"   // nothing follows from its document
	OtherDomain = "other-domain" // its host is of none of the domains
	TooFar      = "too-far"      // it is as many statements from the start as may be
	NoAddress   = "no-address"   // its IRI is none of HTTP
	Unanswered  = "unanswered"   // asked for, and nothing came yet: it waits, or the crawl may not ask
)

// What a search was cut short by.
const (
	cutNodes  = "nodes"
	cutVisits = "visits"
	cutLevels = "levels"
	cutQuads  = "quads"
	cutTests  = "tests" // ended by their own limits, or not applicable to a node
)

// A node is an IRI that was reached.
type node struct {
	iri      string
	url      string // of its document; empty: it has none that can be requested
	why      string // not; empty where it was settled and has a document
	document string // URL of what the url led to in the end
	asked    bool
	saved    bool    // by an action
	visits   []int32 // of it
}

// A visit is of a node in a state of the automaton.
type visit struct {
	node, state int32
	origin      int32 // by place in from; 0 unless the expression is a command
	parent      int32 // the visit from which it was reached; -1: none
	property    int32 // of the statement that leads here, by place in properties; -1: none does
	inverse     bool  // the statement is against its direction
	level       int32
}

// identity is what a visit is made once for.
type identity struct{ node, state, origin int32 }

// A search is all that was found so far.
type search struct {
	nodes      []node
	byIRI      map[string]int32
	byURL      map[string][]int32 // nodes by their documents' URL
	properties []string
	byProperty map[string]int32
	visits     []visit
	met        map[identity]struct{}
	asked      map[string]struct{} // URLs of documents

	current, next []int32 // visits of a level that are to be gone on from, and of the one after
	late          []int32 // visits of nodes whose documents did not come

	omitted [2]int64       // blank nodes and literals that were met
	cut     map[string]int // how often, by what
}

func newSearch() search {
	return search{
		byIRI: map[string]int32{}, byURL: map[string][]int32{}, byProperty: map[string]int32{},
		met: map[identity]struct{}{}, asked: map[string]struct{}{}, cut: map[string]int{},
	}
}

// begin starts anew, at level 0.
func (f *Focus) begin() {
	f.search = newSearch()
	for i, start := range f.from {
		first := visit{parent: -1, property: -1}
		if f.query.Command { // a term is no result of its own search, but may be one of another's
			first.origin = int32(i)
		}
		f.reach(start, first)
	}
	f.current, f.next = f.next, nil
}

// reach makes a visit of a node, unless it was made. One without a statement is of the level at hand.
func (f *Focus) reach(iri string, v visit) {
	n, known := f.byIRI[iri]
	id := identity{n, v.state, v.origin}
	if _, before := f.met[id]; known && before {
		return
	}
	switch {
	case len(f.visits) == f.opts.MaxVisits:
		f.cut[cutVisits]++
		return
	case !known && len(f.nodes) == f.opts.MaxNodes:
		f.cut[cutNodes]++
		return
	case !known:
		f.addNode(node{iri: iri})
		n = f.byIRI[iri]
		id.node = n
	}
	v.node = n
	at := int32(len(f.visits))
	f.met[id] = struct{}{}
	f.visits = append(f.visits, v)
	f.nodes[n].visits = append(f.nodes[n].visits, at)
	if f.tooFar(v) {
		f.cut[cutLevels]++
	}
	if v.property < 0 && v.parent >= 0 {
		f.current = append(f.current, at)
	} else {
		f.next = append(f.next, at)
	}
}

// addNode adds a node, with the address of its document.
func (f *Focus) addNode(n node) {
	at := int32(len(f.nodes))
	switch url, err := weburl.Canonical(n.iri); {
	case err != nil:
		n.why = NoAddress
	case !f.within(url):
		n.why = OtherDomain
	default:
		n.url = url
		f.byURL[url] = append(f.byURL[url], at)
	}
	f.byIRI[n.iri] = at
	f.nodes = append(f.nodes, n)
}

// propertyOf returns the place of a property.
func (f *Focus) propertyOf(iri string) int32 {
	p, known := f.byProperty[iri]
	if !known {
		p = int32(len(f.properties))
		f.byProperty[iri] = p
		f.properties = append(f.properties, iri)
	}
	return p
}

// advance continues as far as the documents known allow, and proposes those that it needs then.
func (f *Focus) advance(ctx context.Context, known orbweaver.Known) ([]orbweaver.Proposal, error) {
	late := f.late
	f.late = nil
	for _, v := range late {
		if err := f.goOn(ctx, known, v); err != nil {
			return nil, err
		}
	}
	for len(f.current)+len(f.next) > 0 {
		proposals, err := f.needed(known)
		if err != nil || len(proposals) > 0 {
			return proposals, err
		}
		for i := 0; i < len(f.current); i++ { // tests and actions make it grow
			if err := f.goOn(ctx, known, f.current[i]); err != nil {
				return nil, err
			}
		}
		f.current, f.next = f.next, nil
	}
	return nil, nil
}

// needs reports whether the document of a visit's node is needed.
func (f *Focus) needs(v visit) bool {
	if f.opts.Save && f.ends(v) {
		return true
	}
	for _, next := range f.walks.Next(int(v.state)) {
		if !f.isStep(next) || int(v.level) < f.opts.MaxLevels {
			return true
		}
	}
	return false
}

// tooFar reports whether statements of a visit's node would be followed, were it not for the bound.
func (f *Focus) tooFar(v visit) bool {
	return int(v.level) >= f.opts.MaxLevels && f.nodes[v.node].url != "" && slices.ContainsFunc(f.walks.Next(int(v.state)), f.isStep)
}

// isStep reports whether a statement leads into a state.
func (f *Focus) isStep(state int) bool {
	_, step := f.walks.Label(state).(*nautilod.Step)
	return step
}

// ends reports whether a visit's node is a result.
func (f *Focus) ends(v visit) bool {
	return f.walks.Final(int(v.state)) && !(f.query.Command && f.from[v.origin] == f.nodes[v.node].iri)
}

// needed proposes the documents that the current level needs and that were not yet requested.
func (f *Focus) needed(known orbweaver.Known) (all []orbweaver.Proposal, err error) {
	for _, at := range f.current {
		v := f.visits[at]
		n := &f.nodes[v.node]
		if n.asked || n.url == "" || !f.needs(v) {
			continue
		}
		settled, err := f.settle(known, n)
		if err != nil {
			return nil, err
		}
		if settled {
			continue
		}
		n.asked = true
		if _, asked := f.asked[n.url]; !asked {
			f.asked[n.url] = struct{}{}
			all = append(all, f.proposal(v, n))
		}
	}
	return all, nil
}

// goOn visits what follows from a visit.
func (f *Focus) goOn(ctx context.Context, known orbweaver.Known, at int32) error {
	v := f.visits[at]
	if !f.needs(v) || f.nodes[v.node].url == "" {
		return nil
	}
	settled, err := f.settle(known, &f.nodes[v.node])
	if err != nil {
		return err
	}
	if !settled {
		f.late = append(f.late, at)
		return nil
	}
	if f.nodes[v.node].document == "" {
		return nil
	}
	for _, next := range f.walks.Next(int(v.state)) {
		then := visit{state: int32(next), origin: v.origin, parent: at, property: -1, level: v.level}
		switch label := f.walks.Label(next).(type) {
		case *nautilod.Step:
			err = f.follow(known, label, then)
		case *nautilod.Test:
			err = f.test(ctx, known, label, then)
		case *nautilod.Action:
			f.nodes[v.node].saved = true
			f.reach(f.nodes[v.node].iri, then)
		}
		if err != nil {
			return fmt.Errorf("document of %s: %w", f.nodes[v.node].iri, err)
		}
	}
	return nil
}

// follow visits the neighbours of a node.
func (f *Focus) follow(known orbweaver.Known, step *nautilod.Step, then visit) error {
	if int(then.level) >= f.opts.MaxLevels {
		return nil
	}
	around, err := f.neighbours(known, &f.nodes[f.visits[then.parent].node], step)
	if err != nil {
		return err
	}
	then.level++
	for _, to := range around {
		then.property, then.inverse = f.propertyOf(to.property), to.inverse
		f.reach(to.iri, then)
	}
	return nil
}

// test visits a node's next state where its document passes.
func (f *Focus) test(ctx context.Context, known orbweaver.Known, test *nautilod.Test, then visit) error {
	n := &f.nodes[f.visits[then.parent].node]
	document, err := f.stored(known, n.document)
	if err != nil {
		return err
	}
	passed, answered := passes(ctx, test, document, n.iri)
	switch {
	case passed:
		f.reach(n.iri, then)
	case ctx.Err() != nil: // no answer of the document's
		return ctx.Err()
	case !answered:
		f.cut[cutTests]++
	}
	return nil
}
