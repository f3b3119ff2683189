package metadata

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/kb/relevance"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// A judged expansion also considers superclasses and siblings as candidates, and accepts those that are close
// to the given terms as a whole (kb/relevance). A stage then has three rounds. The first finds related
// classes. The second obtains missing descriptions of candidates, from the datasets and then from their own
// documents. The third judges them, together with the candidates of earlier stages. Accepted candidates are
// truncated as in the paper, but the closest go first.

// A candidacy is the evidence for judging classes.
type candidacy struct {
	Wanted     []Found                     `json:"wanted,omitempty"`     // candidates without a verdict yet
	Looked     bool                        `json:"looked,omitempty"`     // their documents were requested
	Asked      map[string]bool             `json:"asked,omitempty"`      // classes whose descriptions were requested from datasets
	Described  map[string]*relevance.Class `json:"described,omitempty"`  // by datasets
	Background []byte                      `json:"background,omitempty"` // Focus.large, in a snapshot
	Rejected   map[string]*term            `json:"rejected,omitempty"`   // candidates, by the latest verdict
	Answers    map[string]bool             `json:"answers,omitempty"`    // of a person, about classes
	Question   *relevance.Question         `json:"question,omitempty"`   // to a person, by the latest verdicts
}

// newCandidacy returns an empty candidacy.
func newCandidacy() (c candidacy) {
	c.fill()
	return c
}

// fill allocates missing maps.
func (c *candidacy) fill() {
	if c.Asked == nil {
		c.Asked = map[string]bool{}
	}
	if c.Described == nil {
		c.Described = map[string]*relevance.Class{}
	}
	if c.Rejected == nil {
		c.Rejected = map[string]*term{}
	}
}

// maxDocuments bounds the documents of candidates requested in a stage.
const maxDocuments = 100

// candidates starts judging the candidates of a stage.
func (f *Focus) candidates(known orbweaver.Known, found []Found) ([]orbweaver.Proposal, error) {
	s := &f.state
	s.Wanted = slices.DeleteFunc(found, func(one Found) bool {
		return relevance.Top(one.Item) || one.Sibling != "" && relevance.Top(one.Sibling)
	})
	var ask []string
	for _, one := range s.Wanted {
		ask = append(ask, one.Item)
	}
	ask = slices.DeleteFunc(sortedSet(append(ask, f.opts.Terms...)), func(iri string) bool { return s.Asked[iri] })
	for _, iri := range ask {
		s.Asked[iri] = true
	}
	s.Phase, s.Looked = judging, false
	proposals := f.ask(func(a Asker, _ int) []string {
		if a.Name() == DescribeName {
			return ask
		}
		return nil
	})
	if len(proposals) > 0 {
		return proposals, nil
	}
	return f.judge(known)
}

// judge judges the candidates and begins the next stage. Documents of candidates without a label are
// requested first.
func (f *Focus) judge(known orbweaver.Known) ([]orbweaver.Proposal, error) {
	s := &f.state
	f.tidy()
	classes, err := f.classes(known)
	if err != nil {
		return nil, err
	}
	if !s.Looked {
		s.Looked = true
		if proposals := f.nameless(classes); len(proposals) > 0 {
			return proposals, nil
		}
	}
	verdicts, err := f.verdicts(known, classes)
	if err != nil {
		return nil, err
	}
	accepted := f.sortOut(verdicts)
	s.Wanted = nil
	next := f.follow(accepted, func(iri string) float64 { return verdicts[iri].Score })
	for _, one := range accepted {
		if t, v := s.Terms[one.Item], verdicts[one.Item]; t != nil && t.Stage > 0 {
			t.Verdict = &v
		}
	}
	return next, nil
}

// nameless requests the documents of candidates without a label.
func (f *Focus) nameless(classes map[string]relevance.Class) (proposals []orbweaver.Proposal) {
	for _, iri := range slices.Sorted(maps.Keys(classes)) {
		if len(classes[iri].Labels) > 0 || len(proposals) >= maxDocuments {
			continue
		}
		if url, err := weburl.Canonical(iri); err == nil {
			proposals = append(proposals, proposal(orbweaver.Request{URL: url}, "candidate", iri, 0.8))
		}
	}
	return proposals
}

// classes returns the candidates of all stages and the given terms, as datasets and documents describe them.
func (f *Focus) classes(known orbweaver.Known) (map[string]relevance.Class, error) {
	s, all := &f.state, map[string]relevance.Class{}
	names := slices.Collect(maps.Keys(s.Rejected))
	names = append(names, s.Order...)
	for _, one := range s.Wanted {
		names = append(names, one.Item)
	}
	for _, iri := range sortedSet(names) {
		c, err := f.class(known, iri)
		if err != nil {
			return nil, err
		}
		all[iri] = c
	}
	return all, nil
}

// class is the description of one class.
func (f *Focus) class(known orbweaver.Known, iri string) (relevance.Class, error) {
	d := relevance.NewDescriptions(maxBackground)
	if c := f.state.Described[iri]; c != nil {
		for _, q := range quadsOf(*c) {
			describeBy(d, q)
		}
	}
	name := rdf.NewIRI(iri)
	if t := f.state.Terms[iri]; t != nil && t.Stage == 0 {
		if err := join(d, known, name); err != nil {
			return relevance.Class{}, err
		}
	}
	for _, p := range describers() {
		for q, err := range known.Quads(name, rdf.NewIRI(p), rdf.Term{}, rdf.Term{}) {
			if err != nil {
				return relevance.Class{}, err
			}
			d.Add(q)
		}
	}
	for _, p := range [...]string{subClassOf, equivalentClass} {
		for q, err := range known.Quads(rdf.Term{}, rdf.NewIRI(p), name, rdf.Term{}) {
			if err != nil {
				return relevance.Class{}, err
			}
			d.Add(q)
		}
	}
	return d.Class(iri), nil
}

// quadsOf returns a class description as statements.
func quadsOf(c relevance.Class) (all []rdf.Quad) {
	s := rdf.NewIRI(c.IRI)
	text := func(property string, texts []relevance.Text) {
		for _, t := range texts {
			o := rdf.NewString(t.Text)
			if t.Lang != "" {
				o = rdf.NewLang(t.Text, t.Lang)
			}
			all = append(all, rdf.Quad{S: s, P: rdf.NewIRI(property), O: o})
		}
	}
	text(rdfsLabel, c.Labels)
	text(rdfsComment, c.Comments)
	for _, super := range c.Super {
		all = append(all, rdf.Quad{S: s, P: rdf.NewIRI(subClassOf), O: rdf.NewIRI(super)})
	}
	for _, sub := range c.Sub {
		all = append(all, rdf.Quad{S: rdf.NewIRI(sub), P: rdf.NewIRI(subClassOf), O: s})
	}
	for _, same := range c.Equivalent {
		all = append(all, rdf.Quad{S: s, P: rdf.NewIRI(equivalentClass), O: rdf.NewIRI(same)})
	}
	for _, other := range c.Linked {
		all = append(all, rdf.Quad{S: s, P: rdf.NewIRI(joinedWith), O: rdf.NewIRI(other)})
	}
	return all
}

// tidy moves statements about classes received in this round into the state.
func (f *Focus) tidy() {
	s := &f.state
	d := relevance.NewDescriptions(1_000_000)
	for iri := range s.Described {
		for _, q := range quadsOf(*s.Described[iri]) {
			describeBy(d, q)
		}
	}
	for place := range s.Datasets {
		one := &s.Datasets[place]
		for _, q := range one.Said {
			describeBy(d, q)
		}
		one.Said = nil
	}
	for iri := range s.Asked {
		if c := d.Class(iri); len(c.Labels)+len(c.Comments)+len(c.Super)+len(c.Sub)+len(c.Equivalent)+len(c.Linked) > 0 {
			s.Described[iri] = &c
		}
	}
}

// verdicts judges all candidates so far. The given terms are accepted.
func (f *Focus) verdicts(known orbweaver.Known, classes map[string]relevance.Class) (map[string]terms.Verdict, error) {
	large := relevance.NewBackground() // from datasets, and from the documents received so far
	if b, err := f.large.MarshalBinary(); err != nil || large.UnmarshalBinary(b) != nil {
		return nil, fmt.Errorf("metadata focus: background: %w", orbweaver.ErrDamaged)
	}
	if err := f.documentsAtLarge(known, large); err != nil {
		return nil, err
	}
	var given, asked []relevance.Class
	verdicts := map[string]terms.Verdict{}
	for _, iri := range slices.Sorted(maps.Keys(classes)) {
		if t := f.state.Terms[iri]; t != nil && t.Stage == 0 {
			verdicts[iri] = terms.Verdict{Accepted: true, Score: 1, Reasons: []terms.Reason{{Rule: "given", Evidence: iri, Weight: 1}}}
			given = append(given, classes[iri])
			continue
		}
		asked = append(asked, classes[iri])
	}
	judge, err := relevance.NewJudge(large, given)
	if err != nil {
		return nil, err
	}
	for iri, yes := range f.state.Answers {
		judge.Answer(iri, yes)
	}
	for i, v := range judge.Verdicts(asked) {
		verdicts[asked[i].IRI] = v
	}
	f.inquire(judge, asked)
	return verdicts, nil
}

// documentsAtLarge adds the classes that documents describe to the background, each once.
func (f *Focus) documentsAtLarge(known orbweaver.Known, large *relevance.Background) error {
	d := relevance.NewDescriptions(maxBackground)
	for _, kind := range [...]string{owlClass, rdfsClass} {
		for q, err := range known.Quads(rdf.Term{}, rdf.NewIRI(rdfType), rdf.NewIRI(kind), rdf.Term{}) {
			if err != nil {
				return err
			}
			d.Add(q)
		}
	}
	for _, iri := range d.IRIs() {
		c, err := f.class(known, iri)
		if err != nil {
			return err
		}
		large.Add(c)
	}
	return nil
}

// reconsider judges again what earlier stages accepted. A class that no longer qualifies becomes a rejected
// candidate.
func (f *Focus) reconsider(verdicts map[string]terms.Verdict) {
	s := &f.state
	s.Order = slices.DeleteFunc(s.Order, func(iri string) bool {
		t, v := s.Terms[iri], verdicts[iri]
		if t.Stage == 0 {
			return false
		}
		if t.Verdict = &v; v.Accepted {
			return false
		}
		t.Found = false
		s.Rejected[iri] = t
		delete(s.Terms, iri)
		return true
	})
	s.Current = slices.DeleteFunc(slices.Clone(s.Current), func(iri string) bool { return s.Terms[iri] == nil })
}

// sortOut records verdicts with their classes and returns the accepted candidates.
func (f *Focus) sortOut(verdicts map[string]terms.Verdict) (accepted []Found) {
	s := &f.state
	f.reconsider(verdicts)
	pending := s.Wanted
	for _, iri := range slices.Sorted(maps.Keys(s.Rejected)) {
		if t := s.Rejected[iri]; verdicts[iri].Accepted { // accepted by later evidence
			for _, e := range t.Edges {
				if e.To == iri {
					one := Found{Item: iri, Term: e.From, Step: e}
					if len(s.Answers) > 0 {
						one.since = t.Stage
					}
					pending = append(pending, one)
				}
			}
			delete(s.Rejected, iri)
		}
	}
	for _, one := range pending {
		v := verdicts[one.Item]
		if v.Accepted {
			accepted = append(accepted, one)
			continue
		}
		t := s.Rejected[one.Item]
		if t == nil {
			t = &term{Stage: s.Stage}
			s.Rejected[one.Item] = t
		}
		t.Verdict = &v
		for _, step := range one.steps() {
			if !slices.Contains(t.Edges, step) && len(t.Edges) < maxEdges {
				t.Edges = append(t.Edges, step)
			}
		}
	}
	place := map[string]int{}
	for i, t := range s.Order {
		place[t] = i
	}
	order.Stably(accepted, func(a, b Found) int { return cmp.Compare(place[a.Term], place[b.Term]) })
	return accepted
}
