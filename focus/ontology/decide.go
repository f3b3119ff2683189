package ontology

import (
	"context"
	"fmt"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// Decide takes up what a person decided. The suggestion is not made again; the statements that were
// added, if it was accepted, become part of the ontology, and what was learned stays, by IRI. Pages
// prepared before and judged after are prepared again, so that what was read ahead changes nothing:
// the same decisions after the same outcomes give the same judgements. What is known already changes
// nothing, so that a focus restored may be told all decisions of its crawl again, in order, before it
// gets its snapshot.
//
// An error wraps orbweaver.ErrInput, and leaves the focus as it was.
func (f *Focus) Decide(_ context.Context, d orbweaver.Decision) (orbweaver.Lesson, error) {
	if d.Accepted && len(d.Added) > 0 {
		if err := f.know(f.Ontology().With(d.Added)); err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("ontology focus: decision %s: %w", d.ID, err)
		}
	}
	f.decided[d.ID] = true
	return orbweaver.Lesson{}, nil
}

// know puts another ontology in place of the one there is. It has all entities of that.
func (f *Focus) know(o *kb.Ontology) error {
	opts := f.opts
	opts.Ontology = o
	known, problems := newKnowledge(opts)
	if len(problems) > 0 {
		return problems[0]
	}
	before := f.Ontology()
	to := make([]int32, before.Len())
	for i := range to {
		at, ok := o.Find(before.Entity(i).IRI)
		if !ok {
			return fmt.Errorf("%s would be an entity no more: %w", before.Entity(i).IRI, orbweaver.ErrInput)
		}
		to[i] = int32(at)
	}
	again := newIDF(opts)
	again.pages = f.idf.pages
	for i, df := range f.idf.df {
		again.df[to[i]] = df
	}
	f.idf = again
	f.gaps.renumber(to)
	f.now.Store(known)
	return nil
}
