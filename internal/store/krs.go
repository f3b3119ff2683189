package store

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
)

// krsStore is the RDF of a KRS. Its sfwc:idfValue is computed when a query asks for it.
type krsStore struct {
	dir   string
	store *krs.Store
}

// openKRS opens the KRS in a folder. The error wraps ErrBusy while another process uses it: a crawl that
// begins, or orbweaver serve.
func openKRS(dir string) (*krsStore, error) {
	store, err := krsdb.Open(dir, "")
	switch {
	case errors.Is(err, orbweaver.ErrBusy):
		return nil, fmt.Errorf("%w: if orbweaver serve has it open, query its address", err)
	case err != nil:
		return nil, err
	}
	return &krsStore{dir, store}, nil
}

// Snapshot returns the current RDF and the function that releases it.
func (s *krsStore) Snapshot() (quads.Reader, func() error, error) {
	view, err := s.store.View()
	if err != nil {
		return nil, nil, err
	}
	return view, view.Close, nil
}

// Update changes nothing: the counts of a KRS are those of its documents.
func (s *krsStore) Update(context.Context, func(eval.Store) error) error { return unchangeable(s.dir) }

// unchangeable says how a KRS is changed.
func unchangeable(dir string) error {
	return fmt.Errorf("%s: SPARQL cannot change a KRS, whose counts are those of its documents: orbweaver krs build --add adds a document (%w)", console.Relative(dir), orbweaver.ErrInput)
}

// computed adds the computed predicates of a KRS to the options of an evaluation, if r is the RDF of one.
func computed(r quads.Reader, o eval.Options) eval.Options {
	if view, is := r.(*krs.View); is {
		for iri, predicate := range view.Magic() {
			o.Magic[iri] = predicate
		}
	}
	return o
}

// queryKRS queries a KRS.
func queryKRS(ctx context.Context, a *job.Job, q *algebra.Query, opts QueryOptions) error {
	s, err := openKRS(opts.Data.Crawl)
	if err != nil {
		return err
	}
	view, release, err := s.Snapshot()
	if err == nil {
		err = errors.Join(answer(ctx, a, view, indexInMemory(view), q, opts), release())
	}
	return errors.Join(err, s.store.Close())
}
