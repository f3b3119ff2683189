package ontology

import (
	"context"
	"fmt"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// Decide applies a person's decision. A decided suggestion is not made again. An accepted one adds its
// statements to the ontology, a removal deletes its own; learned state is kept by IRI. A suggestion that is
// withdrawn is as it was before it was decided: the statements that it had added go, and with an entity that
// goes, what was learned of it. A postponed one changes nothing. Pages prepared before
// the decision and judged after it are prepared again, so that read-ahead has no effect: the same decisions
// after the same outcomes give the same judgements. Decide is idempotent: a restored focus may replay all
// decisions of its crawl, in order, before it loads its snapshot.
//
// An error wraps orbweaver.ErrInput and leaves the focus unchanged. It is returned for a removal that would
// leave an entity without statements, and for a verdict on a page, from which this focus does not learn.
func (f *Focus) Decide(_ context.Context, d orbweaver.Decision) (orbweaver.Lesson, error) {
	var to *kb.Ontology
	switch {
	case d.Page != "":
		return orbweaver.Lesson{}, fmt.Errorf("ontology focus: %s: a verdict on a page teaches this focus nothing; "+
			"accept a suggestion, or remove statements from the ontology: %w", d.Page, orbweaver.ErrInput)
	case d.Later:
		return orbweaver.Lesson{}, nil
	case len(d.Removed) > 0:
		to = f.Ontology().Without(d.Removed)
	case d.Accepted && len(d.Added) > 0:
		to = f.Ontology().With(d.Added)
	}
	if to != nil {
		if err := f.know(to, d.Withdrawn); err != nil {
			return orbweaver.Lesson{}, fmt.Errorf("ontology focus: decision %s: %w", d.Name(), err)
		}
	}
	switch {
	case d.ID == "":
	case d.Withdrawn:
		delete(f.decided, d.ID)
	default:
		f.decided[d.ID] = true
	}
	return orbweaver.Lesson{}, nil
}

// gone stands for the number of an entity that another ontology lacks.
const gone = -1

// know replaces the ontology by another one, which must have all its entities unless they may go.
func (f *Focus) know(o *kb.Ontology, mayGo bool) error {
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
		switch {
		case ok:
			to[i] = int32(at)
		case mayGo:
			to[i] = gone
		default:
			return fmt.Errorf("%s would no longer be an entity: %w", before.Entity(i).IRI, orbweaver.ErrInput)
		}
	}
	again := newIDF(opts)
	again.pages = f.idf.pages
	for i, df := range f.idf.df {
		if to[i] != gone {
			again.df[to[i]] = df
		}
	}
	f.idf = again
	f.gaps.renumber(to, known.targets[0])
	f.telling = f.telling.renumbered(to, o.Len())
	f.now.Store(known)
	return nil
}
