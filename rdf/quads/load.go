package quads

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"orbweaver/rdf"
)

// Loaded is the result of a load.
type Loaded struct {
	Read    int64 // quads
	Added   int64 // those that were new
	Removed int64 // only by Replace
}

var (
	errCollision = errors.New("two terms with one ID")
	errNoTemp    = errors.New("quad store: there is no folder to sort in")
	errBusy      = errors.New("quad store: a batch is open")
)

// Load adds many quads at once, between two batches. It sorts them on disk, in bounded memory, and adds them to
// the database in one synced step after all are read. Until then, and after an error, the store is unchanged.
// Readers continue meanwhile. The scope is as in Add.
//
// The quads are ranged over once; a second time only if two of the terms have the same hash, which happens in
// one load in a hundred thousand of ten million terms.
func (w *Writer) Load(ctx context.Context, quads iter.Seq2[rdf.Quad, error], scope string) (done Loaded, err error) {
	return w.loadInto(ctx, Default, quads, scope)
}

// loadInto is Load, or Replace if there is a graph.
func (w *Writer) loadInto(ctx context.Context, graph ID, quads iter.Seq2[rdf.Quad, error], scope string) (done Loaded, err error) {
	switch {
	case w.store.opts.Temp == "":
		return done, errNoTemp
	case w.batch != nil:
		return done, errBusy
	}
	moved := map[string]uint64{}
	for range 8 {
		l := newLoad(w, scope, moved, w.store.opts.Temp, w.store.opts.Memory)
		l.replaced = graph
		done, err = l.run(ctx, quads)
		err = errors.Join(err, w.store.opts.FS.RemoveAll(w.store.opts.Temp))
		if !errors.Is(err, errCollision) {
			break
		}
	}
	if err != nil {
		return Loaded{}, fmt.Errorf("load: %w", err)
	}
	return done, w.Discard() // the counts must be read again
}

// A load sorts quads and terms into files.
type load struct {
	store  *Store
	db     *stored
	naming *namer
	moved  map[string]uint64 // kind and content → offset of a term's ID from its hash, due to collisions
	folder string
	memory int64

	chunks     [sides][]Quad // read and not yet in a file
	contents   contents
	seen       []seen // some terms that are in files
	known      [4]known
	read       int64
	spills     errgroup.Group // one at a time
	spare      chan []Quad    // written chunks, for reuse
	keys       []key          // scratch of the spill
	quadFiles  [tables][]string
	termFiles  []string
	files      int
	tables     []string // finished, to be ingested
	added      [sides]int64
	collisions bool

	replaced ID                      // graph whose other quads are removed; Default: none
	stale    []Quad                  // quads to remove
	staged   *names                  // of new terms, for a Stage; nil: the load is ingested at once
	number   uint64                  // of the Stage
	watched  func(s ID) (key []byte) // see Writer.Watch; nil: nothing is watched
	wanted   map[ID]bool             // predicates that are watched
}

// seen is a term by 120 bits of its hash.
type seen struct {
	id    ID
	check uint64
}

// known is the last term of a position: most terms repeat in a row.
type known struct {
	term rdf.Term
	id   ID
}

// Shares of the memory budget. A quad takes 32 bytes in each of the chunk being filled, the chunk being
// written, and its sort buffer; contents take their size twice.
const (
	quadShare    = 32 * 3 * 2
	contentShare = 8
	seenShare    = 16 * 16
)

func newLoad(w *Writer, scope string, moved map[string]uint64, folder string, memory int64) *load {
	slots := 1
	for int64(slots)*seenShare < memory {
		slots *= 2
	}
	l := &load{
		store: w.store, db: w.db, naming: &namer{mask: w.store.mask, scope: scope},
		moved: moved, folder: folder, memory: memory, seen: make([]seen, slots), spare: make(chan []Quad, sides),
	}
	l.spills.SetLimit(1)
	return l
}

// run reads and ingests quads.
func (l *load) run(ctx context.Context, quads iter.Seq2[rdf.Quad, error]) (done Loaded, err error) {
	if err := l.prepare(ctx, quads); err != nil {
		return done, err
	}
	if len(l.tables) > 0 {
		l.store.columns.unsettle(Any)
		if err := l.store.db.Ingest(ctx, l.tables); err != nil {
			return done, err
		}
	}
	return Loaded{Read: l.read, Added: l.added[sideDefault] + l.added[sideNamed], Removed: int64(len(l.stale))}, nil
}

// prepare reads quads and makes the tables.
func (l *load) prepare(ctx context.Context, quads iter.Seq2[rdf.Quad, error]) error {
	if err := l.store.opts.FS.MkdirAll(l.folder, 0o777); err != nil {
		return err
	}
	if err := l.readAll(ctx, quads); err != nil {
		return errors.Join(err, l.spills.Wait())
	}
	for s := range sides {
		l.spillQuads(s)
	}
	l.spillTerms()
	if err := l.spills.Wait(); err != nil {
		return err
	}
	l.chunks, l.seen, l.contents, l.keys, l.spare = [sides][]Quad{}, nil, contents{}, nil, nil
	if err := l.merge(ctx); err != nil {
		return err
	}
	if l.collisions {
		return errCollision
	}
	return l.tidy()
}

// tidy removes the sorted files, which the tables replace.
func (l *load) tidy() (err error) {
	for _, name := range l.termFiles {
		err = errors.Join(err, l.store.opts.FS.Remove(name))
	}
	for _, list := range l.quadFiles {
		for _, name := range list {
			err = errors.Join(err, l.store.opts.FS.Remove(name))
		}
	}
	return err
}

// readAll assigns IDs to all terms and writes full chunks.
func (l *load) readAll(ctx context.Context, quads iter.Seq2[rdf.Quad, error]) error {
	full := int(max(l.memory/quadShare, 1))
	for q, err := range quads {
		if err != nil {
			return err
		}
		if l.read%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l.read++
		position := -1
		ids, err := internQuad(q, func(t rdf.Term) (ID, error) {
			position++
			return l.intern(&l.known[position], t)
		})
		if err != nil {
			return err
		}
		s := sideOf(ids.G)
		if l.chunks[s] = append(l.chunks[s], ids); len(l.chunks[s]) >= full {
			l.spillQuads(s)
		}
	}
	return nil
}

// intern returns the ID of a term and queues the term for a file.
func (l *load) intern(last *known, t rdf.Term) (id ID, err error) {
	if t == last.term {
		return last.id, nil
	}
	if id, ok := Inline(t); ok || t.Kind == rdf.None {
		return id, nil
	}
	defer func(t rdf.Term) { *last = known{t, id} }(t)
	if t.Kind == rdf.TripleTerm {
		one := known{}
		if t, err = relabelled(t, always(func(node rdf.Term) (ID, error) { return l.intern(&one, node) })); err != nil {
			return 0, err
		}
	}
	if t.Kind == rdf.Blank && l.naming.scope == "" {
		if id, ok := labelled(t.Value); ok {
			if _, found, err := l.db.content(id); found || err != nil {
				return id, err
			}
		}
	}
	id = l.naming.name(t)
	if len(l.moved) > 0 {
		id = newID(id.Kind(), id.value()+l.moved[movedKey(id, string(l.naming.content))])
	}
	slot := &l.seen[uint64(id)&uint64(len(l.seen)-1)]
	if *slot == (seen{id, l.naming.check}) {
		return id, nil
	}
	*slot = seen{id, l.naming.check}
	l.contents.add(id, l.naming.content)
	if int64(len(l.contents.bytes)+16*len(l.contents.entries)) >= l.memory/contentShare {
		l.spillTerms()
	}
	return id, nil
}

func movedKey(id ID, content string) string { return string(byte('0'+id.Kind())) + content }

// spillQuads sorts the quads of a side for each of its tables, and writes them to files.
func (l *load) spillQuads(s side) {
	chunk := l.chunks[s]
	if len(chunk) == 0 {
		return
	}
	l.chunks[s] = nil
	select {
	case l.chunks[s] = <-l.spare:
	default:
	}
	first, last := s.tables()
	var names [tables]string
	for t := first; t <= last; t++ {
		names[t] = l.file("quads")
		l.quadFiles[t] = append(l.quadFiles[t], names[t])
	}
	l.spills.Go(func() error {
		l.keys = slices.Grow(l.keys[:0], len(chunk))[:len(chunk)]
		keys := l.keys
		for t := first; t <= last; t++ {
			o := t.order()
			for i := range chunk {
				keys[i] = o.key(chunk[i])
			}
			slices.SortFunc(keys, func(a, b key) int { return a.compare(&b) })
			if err := writeKeys(l.store.opts.FS, names[t], t, keys); err != nil {
				return err
			}
		}
		select {
		case l.spare <- chunk[:0]:
		default:
		}
		return nil
	})
}

// spillTerms sorts the terms read so far into a file.
func (l *load) spillTerms() {
	if len(l.contents.entries) == 0 {
		return
	}
	chunk := l.contents
	l.contents = contents{}
	name := l.file("terms")
	l.termFiles = append(l.termFiles, name)
	l.spills.Go(func() error { return chunk.write(l.store.opts.FS, name) })
}

// file returns a name for a new file.
func (l *load) file(what string) string {
	l.files++
	return l.store.opts.FS.PathJoin(l.folder, fmt.Sprintf("%s-%06d", what, l.files))
}

// merge builds database tables from the sorted files: of each ordering, the terms, and their counts.
func (l *load) merge(ctx context.Context) error {
	if err := l.findStale(ctx); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(l.parallel())
	small, err := l.small()
	if err != nil {
		return err
	}
	outputs := make([]*output, tables+1)
	for i := range outputs {
		outputs[i] = &output{store: l.store, small: small, format: l.store.db.TableFormat(), name: l.file("table")}
	}
	g.Go(func() error { return l.mergeTerms(ctx, outputs[tables]) })
	for t := range tables {
		if len(l.quadFiles[t]) > 0 || t.side() == sideNamed && len(l.stale) > 0 {
			g.Go(func() error { return l.mergeTable(ctx, t, outputs[t]) })
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if l.staged == nil {
		if err := l.writeTotals(); err != nil {
			return err
		}
	}
	for _, o := range outputs {
		l.tables = append(l.tables, o.done...)
	}
	return nil
}

// smallLoad is the size of sorted files, in bytes, up to which zstd is not worth the memory that it takes for each table.
const smallLoad = 4 << 20

// small reports whether little is loaded.
func (l *load) small() (bool, error) {
	var size int64
	for _, list := range append(l.quadFiles[:], l.termFiles) {
		for _, name := range list {
			info, err := l.store.opts.FS.Stat(name)
			if err != nil {
				return false, err
			}
			size += info.Size()
		}
	}
	return size <= smallLoad, nil
}

// parallel is how many tables are made at a time. A stage is made beside a crawl.
func (l *load) parallel() int {
	if l.staged != nil {
		return 1
	}
	return max(2, min(4, runtime.GOMAXPROCS(0)))
}
