package store

import (
	"cmp"
	"context"
	"errors"
	"runtime"

	"orbweaver/internal/database"
	"orbweaver/internal/job"
	"orbweaver/ledger"
	"orbweaver/rdf/quads"
	"orbweaver/search"
)

// indexInMemory indexes the names of data in memory.
func indexInMemory(r quads.Reader) func(context.Context) (*Index, error) {
	return func(ctx context.Context) (_ *Index, err error) {
		db, err := database.Open("", database.Options{Memory: true})
		if err != nil {
			return nil, err
		}
		store, err := search.Open(db.DB, []byte{'n'})
		if err == nil {
			err = indexNames(ctx, r, db, store)
		}
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		names := store.Over(db.DB)
		return &Index{names: &names, close: db.Close}, nil
	}
}

// indexNames indexes all names of a store.
func indexNames(ctx context.Context, r quads.Reader, db *database.DB, store *search.Store) error {
	naming, err := ledger.NamingIn(r)
	if err != nil {
		return err
	}
	w, err := store.Writer()
	if err != nil {
		return err
	}
	b, c, done := db.NewBatch(), r.Cursor(), map[quads.ID]bool{}
	w.Begin(b)
	flush := func() error {
		err := cmp.Or(w.Finish(), db.Apply(b, nil))
		if err == nil {
			w.Committed()
			b = db.NewBatch()
			w.Begin(b)
		}
		return err
	}
	err = ledger.Named(r, naming, func(s quads.ID) error {
		if done[s] {
			return ctx.Err()
		}
		done[s] = true
		texts, err := ledger.NamesOf(r, c, naming, s)
		if err == nil && len(texts) > 0 {
			err = w.Put(search.Document{ID: uint64(s), Texts: texts})
		}
		if err == nil && len(done)%4096 == 0 {
			err = flush()
		}
		return err
	})
	if err == nil {
		err = flush()
	}
	return errors.Join(err, c.Close(), b.Close())
}

// indexOf returns the indexes of a ledger as snapshots.
func indexOf(l *ledger.Ledger) *Index {
	names, pages := l.Texts()
	return &Index{names: &names.Reader, pages: &pages.Reader, wordless: l.Wordless(), of: l.Outcomed(), close: func() error { return errors.Join(names.Close(), pages.Close()) }}
}

// Work done between two steps of a crawl.
const (
	pagesAtOnce    = 16
	textAtOnce     = 256 << 10 // bytes
	outcomesAtOnce = 1000
)

// Owner runs a function while it has exclusive use of a ledger. It is nil where no other goroutine uses it: then more is done at a time.
type Owner func(ctx context.Context, f func() error) error

// run runs a function.
func (own Owner) run(ctx context.Context, f func() error) error {
	if own == nil {
		return f()
	}
	return own(ctx, f)
}

// A pace is how much is done at a time.
type pace struct {
	names   int   // subjects whose names are indexed
	places  int64 // outcomes whose pages are read and indexed
	bytes   int64 // of their answers
	readers int   // that read them
}

// pace is smaller beside a crawl, which has its own pages in memory, than at rest, where larger parts make for less writing.
func (own Owner) pace() pace {
	if own != nil {
		return pace{names: 250, places: 64, bytes: 1 << 20, readers: 1}
	}
	return pace{names: 4096, places: 1024, bytes: 64 << 20, readers: runtime.GOMAXPROCS(0)}
}

// IndexBase brings the indexes of a folder up to date, or, with a most that is not zero, nearer to it by the pages of so many outcomes.
// Only outcomes that are materialized are indexed.
func IndexBase(ctx context.Context, a *job.Job, dir string, l *ledger.Ledger, own Owner, most int64) (*Index, error) {
	if err := indexNamesOf(ctx, l, own, most, toldNames(a, dir)); err != nil {
		return nil, err
	}
	if err := indexPages(ctx, a, dir, l, own, most); err != nil {
		return nil, err
	}
	var x *Index
	err := own.run(ctx, func() error {
		x = indexOf(l)
		return nil
	})
	return x, err
}

// indexNamesOf indexes names that changed, all or about most, and tells how many are indexed.
func indexNamesOf(ctx context.Context, l *ledger.Ledger, own Owner, most int64, told func(done int64)) error {
	some := own.pace().names
	for more, n := true, int64(0); more && (most == 0 || n < most); n += int64(some) {
		told(n)
		if err := own.run(ctx, func() (err error) {
			more, err = l.IndexNames(some)
			return cmp.Or(err, ctx.Err())
		}); err != nil {
			return err
		}
	}
	return nil
}

// toldNames tells how many names are indexed.
func toldNames(a *job.Job, dir string) func(done int64) {
	return toldEach(a, dir, "indexing the names of what pages describe: %d done")
}

// indexPages indexes the pages that were added to the archive since the last call, or those of the next most outcomes.
func indexPages(ctx context.Context, a *job.Job, dir string, l *ledger.Ledger, own Owner, most int64) error {
	var after, upTo int64
	if err := own.run(ctx, func() error { after, upTo = l.Unindexed(); return nil }); err != nil || after == upTo {
		return err
	}
	if most > 0 {
		upTo = min(upTo, after+most)
	}
	if err := indexAtPlaces(ctx, dir, l, own, after, upTo, toldEach(a, dir, "indexing the words of pages: %d requests to go")); !errors.Is(err, errElsewhere) {
		return err
	}
	var pages []ledger.PageText
	size := 0
	flush := func() error {
		err := own.run(ctx, func() error { return l.IndexPages(pages) })
		pages, size = pages[:0], 0
		return err
	}
	journal, err := journalNow(dir)
	if err != nil {
		return err
	}
	var failed error
	between := func(l ledger.Line) bool { return l.N > after && l.N <= upTo && !l.NoIndex }
	if err := eachText(ctx, a, dir, journal, between, func(p ledger.PageText) bool {
		pages = append(pages, p)
		if size += len(p.Text); len(pages) >= pagesAtOnce || size >= textAtOnce {
			failed = flush()
		}
		return failed == nil
	}); err != nil {
		return err
	}
	if err := cmp.Or(failed, flush()); err != nil {
		return err
	}
	for ; after < upTo && err == nil; after += outcomesAtOnce {
		err = own.run(ctx, func() error { return l.Indexed(min(after+outcomesAtOnce, upTo)) })
	}
	return err
}
