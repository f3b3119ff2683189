// Package editing is an ontology while people edit it: a draft of the statements of one file, with a tree, forms and neighbourhoods of its
// entities, edits in the terms of an ontology, and undo and redo without end.
//
// A Draft is a value in memory. A File keeps one beside the file that it is of, step by step, and saves it there with as few changes of the
// text as there are changes of statements. The kinds of entities and the words that name them are those of package kb/ontology, whose
// Ontology of the draft is what crawls judge by.
//
// This package is not part of the stable API.
package editing

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// A Step is one edit: the statements that it removes and adds.
type Step struct {
	Says   string       `json:"says"` // for people
	By     string       `json:"by,omitempty"`
	At     time.Time    `json:"at"`
	Remove []rdf.Triple `json:"remove,omitempty"`
	Add    []rdf.Triple `json:"add,omitempty"`
}

// A Draft is the statements of a file, and the steps that led to them. It is not safe for concurrent use.
type Draft struct {
	g     *graph
	steps []Step
	at    int // steps done; those after it were undone

	natures map[string]nature   // of all IRIs that have one
	words   map[string]string   // what entities are found by
	roots   map[string][]string // by kind, as far as they were asked for
	whole   *ontology.Ontology  // of the statements as they are; nil: not built
}

// New returns the draft of some statements. They are not kept.
func New(statements []rdf.Triple) *Draft {
	d := &Draft{g: newGraph(), natures: map[string]nature{}, words: map[string]string{}, roots: map[string][]string{}}
	for _, t := range statements {
		d.g.add(t)
	}
	touched := map[string]bool{}
	for _, t := range statements {
		touch(touched, t)
	}
	d.refresh(touched)
	return d
}

// touch notes the IRIs of which a statement may say what they are.
func touch(touched map[string]bool, t rdf.Triple) {
	for _, term := range []rdf.Term{t.S, t.O} {
		if term.Kind == rdf.IRI {
			touched[term.Value] = true
		}
	}
}

// refresh derives again what is known of some IRIs.
func (d *Draft) refresh(touched map[string]bool) {
	for iri := range touched {
		n := d.g.natureOf(iri)
		if n.kind() == "" {
			delete(d.natures, iri)
			delete(d.words, iri)
			continue
		}
		d.natures[iri], d.words[iri] = n, d.g.words(iri)
	}
	clear(d.roots)
	d.whole = nil
}

// apply changes the statements.
func (d *Draft) apply(remove, add []rdf.Triple) {
	touched := map[string]bool{}
	for _, t := range remove {
		d.g.remove(t)
		touch(touched, t)
	}
	for _, t := range add {
		d.g.add(t)
		touch(touched, t)
	}
	d.refresh(touched)
}

// step does a step: it keeps of it what changes something. Steps that were undone are forgotten. The error wraps ErrNothing if the step
// changes nothing.
func (d *Draft) step(s Step) (Step, error) {
	removed := map[rdf.Triple]bool{}
	for _, t := range s.Remove {
		removed[t] = d.g.has(t)
	}
	var add []rdf.Triple
	for _, t := range distinct(s.Add) {
		switch gone, named := removed[t]; {
		case named && gone: // it stays
			removed[t] = false
		case !d.g.has(t):
			add = append(add, t)
		}
	}
	s.Remove = slices.DeleteFunc(distinct(s.Remove), func(t rdf.Triple) bool { return !removed[t] })
	s.Add = add
	if len(s.Remove)+len(s.Add) == 0 {
		return s, fmt.Errorf("%s: %w", s.Says, ErrNothing)
	}
	d.apply(s.Remove, s.Add)
	d.steps = append(d.steps[:d.at:d.at], s)
	d.at++
	return s, nil
}

func distinct(all []rdf.Triple) []rdf.Triple {
	seen := make(map[rdf.Triple]bool, len(all))
	return slices.DeleteFunc(slices.Clone(all), func(t rdf.Triple) bool {
		again := seen[t]
		seen[t] = true
		return again
	})
}

// Undo undoes the last step that is done; ok is false if there is none.
func (d *Draft) Undo() (s Step, ok bool) {
	if d.at == 0 {
		return s, false
	}
	d.at--
	s = d.steps[d.at]
	d.apply(s.Add, s.Remove)
	return s, true
}

// Redo does again the step that was undone last; ok is false if there is none.
func (d *Draft) Redo() (s Step, ok bool) {
	if d.at == len(d.steps) {
		return s, false
	}
	s = d.steps[d.at]
	d.at++
	d.apply(s.Remove, s.Add)
	return s, true
}

// Steps returns the steps that are done, and those that were undone and can be done again, in the order in which they were done.
func (d *Draft) Steps() (done, undone []Step) { return d.steps[:d.at], d.steps[d.at:] }

// Has reports whether the draft has a statement.
func (d *Draft) Has(t rdf.Triple) bool { return d.g.has(t) }

// Len is the number of statements.
func (d *Draft) Len() int { return d.g.size }

// Statements yields the statements, in no order.
func (d *Draft) Statements() iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		for s, links := range d.g.out {
			for _, l := range links {
				if !yield(rdf.Triple{S: s, P: rdf.NewIRI(l.predicate), O: l.to}) {
					return
				}
			}
		}
	}
}

// Ontology returns the ontology of the statements as they are: what a crawl with the draft as its file would judge by.
func (d *Draft) Ontology() *ontology.Ontology {
	if d.whole == nil {
		whole, _ := ontology.Build(func(yield func(rdf.Triple, error) bool) { // there is no error to return
			for t := range d.Statements() {
				if !yield(t, nil) {
					return
				}
			}
		})
		d.whole = whole
	}
	return d.whole
}
