package swget

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/kb/nautilod"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
)

// maxHops bounds the redirects from a node to its document.
const maxHops = 20

// The limits of a test.
const (
	testSteps = 1_000_000 // quads and rows examined
	testBytes = 64 << 20  // memory used by it
)

// settle finds the document of a node; false while the outcome of its request is unknown.
func (f *Focus) settle(known orbweaver.Known, n *node) (bool, error) {
	if n.document != "" || n.why != "" {
		return true, nil
	}
	url := n.url
	for range maxHops + 1 {
		o, err := known.Outcome(url)
		switch {
		case errors.Is(err, orbweaver.ErrUnknown):
			return false, nil
		case err != nil:
			return false, err
		case o.Err != nil:
			n.why = string(orbweaver.FailureOf(o.Err))
			return true, nil
		case o.Redirect == "":
			n.document = url
			return true, nil
		}
		url = o.Redirect
	}
	n.why = string(orbweaver.ErrRedirects)
	return true, nil
}

// graphOf returns the named graph of a document's statements, as the ledger names it.
func graphOf(document string) rdf.Term { return rdf.NewIRI(iri.Encode(document)) }

// A neighbour is a node at the other end of a statement.
type neighbour struct {
	iri, property string
	inverse       bool
}

// neighbours returns the neighbours of a node in its document, distinct and sorted. Literals and blank nodes
// are only counted.
func (f *Focus) neighbours(known orbweaver.Known, n *node, step *nautilod.Step) (all []neighbour, err error) {
	g, self := graphOf(n.document), rdf.NewIRI(n.iri)
	var p rdf.Term
	if step.Predicate != "" {
		p = rdf.NewIRI(step.Predicate)
	}
	left := f.opts.MaxQuads
	take := func(matching iter.Seq2[rdf.Quad, error], inverse bool) {
		for q, wrong := range matching {
			if err = cmp.Or(err, wrong); err != nil {
				return
			}
			if left--; left < 0 {
				f.cut[cutQuads]++
				return
			}
			to := q.O
			if inverse {
				to = q.S
			}
			if f.isNode(to) {
				all = append(all, neighbour{to.Value, q.P.Value, inverse})
			}
		}
	}
	if step.Direction != nautilod.Inverse {
		take(known.Quads(self, p, rdf.Term{}, g), false)
	}
	if step.Direction != nautilod.Forward && err == nil {
		take(known.Quads(rdf.Term{}, p, self, g), true)
	}
	order.By(all, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.iri, b.iri), cmp.Compare(a.property, b.property), direction(a)-direction(b))
	})
	return slices.Compact(all), err
}

func direction(n neighbour) int {
	if n.inverse {
		return 1
	}
	return 0
}

// isNode reports whether a term is a node of the Web.
func (f *Focus) isNode(t rdf.Term) bool {
	switch t.Kind {
	case rdf.Blank:
		f.omitted[0]++
	case rdf.Literal:
		f.omitted[1]++
	}
	return t.Kind == rdf.IRI
}

// tested is the document tested last, as a store.
type tested struct {
	url   string
	store stored
}

// A stored is a document against which tests are evaluated.
type stored struct {
	quads quads.Reader
	at    time.Time // when it was received
}

// stored returns a document as a store.
func (f *Focus) stored(known orbweaver.Known, url string) (stored, error) {
	if f.tested.url == url {
		return f.tested.store, nil
	}
	o, err := known.Outcome(url)
	if err != nil {
		return stored{}, err
	}
	s, whole, err := f.load(known.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, graphOf(url)))
	if err != nil {
		return stored{}, err
	}
	if !whole {
		f.cut[cutQuads]++
	}
	s.at = o.At
	f.tested = tested{url, s}
	return s, nil
}

// load loads quads into the default graph of a store; whole is false if the limit was exceeded.
func (f *Focus) load(all iter.Seq2[rdf.Quad, error]) (s stored, whole bool, err error) {
	m, n := quads.NewMemory(), 0
	for q, err := range all {
		if err != nil {
			return s, false, err
		}
		if n++; n > f.opts.MaxQuads {
			break
		}
		if _, err := m.Add(rdf.Quad{S: q.S, P: q.P, O: q.O}, ""); err != nil && !errors.Is(err, quads.ErrTerm) {
			return s, false, err
		}
	}
	return stored{quads: m.Snapshot()}, n <= f.opts.MaxQuads, nil
}

// passes reports whether a document passes a node's test; without an answer it does not. The answer depends
// on the document alone: NOW() is the time of receipt, and RAND() is constant.
func passes(ctx context.Context, test *nautilod.Test, document stored, node string) (passed, answered bool) {
	ok, err := test.Holds(ctx, document.quads, node, eval.Options{
		MaxSteps: testSteps, MaxBytes: testBytes, MaxRows: 1, Now: document.at,
		Random: func() float64 { return 0.5 },
	})
	return ok && err == nil, err == nil
}
