package metadata

import (
	"errors"
	"fmt"
	"iter"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/weburl"
)

// maxHops bounds the redirects followed from a URL to its document.
const maxHops = 50

// settled returns the final document of a URL after redirects, and its outcome.
func settled(known orbweaver.Known, url string) (string, orbweaver.Outcome, error) {
	for range maxHops {
		o, err := known.Outcome(url)
		if err != nil || o.Err != nil || o.Redirect == "" {
			return url, o, err
		}
		url = o.Redirect
	}
	return url, orbweaver.Outcome{}, fmt.Errorf("follow %s: %w", url, orbweaver.ErrRedirects)
}

// look applies the processors to the document of a term and records problems with it.
func (f *Focus) look(known orbweaver.Known, name string) (found []Found, err error) {
	if len(f.lookers) == 0 {
		return nil, nil
	}
	t := f.state.Terms[name]
	url, err := weburl.Canonical(name)
	if err != nil {
		t.Problem = fmt.Sprintf("%s: its IRI is no address on the Web", orbweaver.ErrBadURL)
		return nil, nil
	}
	at, o, err := settled(known, url)
	switch {
	case errors.Is(err, orbweaver.ErrUnknown):
		t.Problem = "not asked for, by robots.txt or scope"
		return nil, nil
	case errors.Is(err, orbweaver.ErrRedirects):
		t.Problem = err.Error()
		return nil, nil
	case err != nil:
		return nil, err
	case o.Err != nil:
		t.Problem = o.Err.Error()
		return nil, nil
	}
	t.Document = at
	match := within(known, at)
	if !any(match(rdf.Term{}, rdf.Term{}, rdf.Term{})) {
		t.Problem = "no RDF in its document"
		return nil, nil
	}
	for _, l := range f.lookers {
		more, err := l.Look(name, match)
		if err != nil {
			return nil, err
		}
		for _, one := range more {
			one.Step.Dataset = at
			found = append(found, one)
		}
	}
	t.Label = f.labelOf(name, match)
	return found, nil
}

// any reports whether there is at least one statement.
func any(quads iter.Seq2[rdf.Quad, error]) bool {
	for _, err := range quads {
		return err == nil
	}
	return false
}

// within returns a Matcher over the statements of one document.
func within(known orbweaver.Known, url string) Matcher {
	graph := rdf.NewIRI(iri.Encode(url))
	return func(s, p, o rdf.Term) iter.Seq2[rdf.Quad, error] { return known.Quads(s, p, o, graph) }
}

// labelOf returns a class's label in a document. English labels come before labels without a language, and
// those before any others; the first counts.
func (f *Focus) labelOf(name string, match Matcher) string {
	best, rank := "", 3
	for q, err := range match(rdf.NewIRI(name), rdf.NewIRI(rdfsNS+"label"), rdf.Term{}) {
		if err != nil {
			break
		}
		r := 2
		switch {
		case q.O.Kind != rdf.Literal:
			continue
		case q.O.Lang == "en":
			r = 0
		case q.O.Lang == "":
			r = 1
		}
		if r < rank || r == rank && q.O.Value < best {
			best, rank = q.O.Value, r
		}
	}
	return best
}
