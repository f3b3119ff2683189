package swget

import (
	"context"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/kb/nautilod"
	"orbweaver/weburl"
)

// Why a node was not dereferenced. Node.Why may also name a failure.
const (
	NotNeeded   = "not-needed"   // nothing follows from its document
	OtherDomain = "other-domain" // its host is in none of the domains
	TooFar      = "too-far"      // it is at the maximum distance from the start
	NoAddress   = "no-address"   // its IRI is not an HTTP IRI
	Unanswered  = "unanswered"   // requested without an answer yet: it waits, or the crawl may not request it
)

// The limits that cut a search short.
const (
	cutNodes  = "nodes"
	cutVisits = "visits"
	cutLevels = "levels"
	cutQuads  = "quads"
	cutTests  = "tests" // aborted by their own limits, or not applicable to a node
)

// A node is an IRI that was reached.
type node struct {
	iri      string
	url      string // of its document; empty: it cannot be requested
	why      string // why it has no document; empty once it has one
	document string // URL of the document after redirects
	asked    bool
	saved    bool    // by an action
	visits   []int32 // positions of its search states
}

// A visit is a search state: a node in a state of the automaton.
type visit struct {
	node, state int32
	origin      int32 // position in from; 0 unless the expression is a command
	parent      int32 // the visit it was reached from; -1: none
	property    int32 // of the statement that leads here, position in properties; -1: none does
	inverse     bool  // the statement is traversed against its direction
	level       int32
}

// identity is the key by which search states are distinct.
type identity struct{ node, state, origin int32 }

// A search is the state of a search.
type search struct {
	nodes      []node
	byIRI      map[string]int32
	byURL      map[string][]int32 // nodes by the URL of their document
	properties []string
	byProperty map[string]int32
	visits     []visit
	met        map[identity]struct{}
	asked      map[string]struct{} // URLs of requested documents

	current, next []int32 // visits of the current level still to expand, and of the next level
	late          []int32 // visits of nodes whose documents did not arrive

	omitted [2]int64       // blank nodes and literals met
	cut     map[string]int // number of times each limit was reached
}

func newSearch() search {
	return search{
		byIRI: map[string]int32{}, byURL: map[string][]int32{}, byProperty: map[string]int32{},
		met: map[identity]struct{}{}, asked: map[string]struct{}{}, cut: map[string]int{},
	}
}

// begin resets the search to level 0.
func (f *Focus) begin() {
	f.search = newSearch()
	for i, start := range f.from {
		first := visit{parent: -1, property: -1}
		if f.query.Command { // a term is not a result of its own search, but may be one of another's
			first.origin = int32(i)
		}
		f.reach(start, first)
	}
	f.current, f.next = f.next, nil
}

// reach adds a visit unless it exists. A visit without a statement belongs to the current level.
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

// addNode adds a node with the URL of its document.
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

// propertyOf returns the position of a property, adding it if necessary.
func (f *Focus) propertyOf(iri string) int32 {
	p, known := f.byProperty[iri]
	if !known {
		p = int32(len(f.properties))
		f.byProperty[iri] = p
		f.properties = append(f.properties, iri)
	}
	return p
}

// advance expands the search as far as the known documents allow, and proposes the documents needed next.
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
		for i := 0; i < len(f.current); i++ { // tests and actions extend it
			if err := f.goOn(ctx, known, f.current[i]); err != nil {
				return nil, err
			}
		}
		f.current, f.next = f.next, nil
	}
	return nil, nil
}

// needs reports whether expanding a visit requires the document of its node.
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

// tooFar reports whether only the level limit prevents a visit's node from being expanded.
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

// goOn expands a visit.
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

// follow reaches the neighbours of a node.
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

// test reaches a node's next state if its document passes.
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
	case ctx.Err() != nil: // canceled: the document gave no answer
		return ctx.Err()
	case !answered:
		f.cut[cutTests]++
	}
	return nil
}
