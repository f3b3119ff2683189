package quads

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf"
)

// ErrTaken reports a stage with a term whose ID another term took meanwhile: two terms have the same hash. The stage
// must be made again.
var ErrTaken = errors.New("quad store: a term took the ID of a staged one")

// Staging says what a Stage is of.
type Staging struct {
	Graph  rdf.Term // whose whole content the quads become: a named graph; those of other graphs are an error
	Folder string   // of the stage's own, beside the database, which survives a power cut
	Memory int64    // as Options.Memory
	Scope  string   // as in Add
}

// A Stage is the content of a named graph, made into tables of the database beside it. Nothing of it is in the store
// before the tables are ingested. A store has one stage at most.
type Stage struct {
	Tables  []string // files, to be ingested together
	Added   int64    // quads that are not in the store
	Removed int64    // quads of the graph that are no more

	writer *Writer
	names  names // of the new terms
	folder string
}

// Stage reads quads, once unless hashes collide, and makes a Stage of them: the long part of Replace. It may run beside
// everything else that the store and the writer do, except changes of the graph. It uses bounded memory, and ends with
// ctx.
func (w *Writer) Stage(ctx context.Context, o Staging, quads iter.Seq2[rdf.Quad, error]) (*Stage, error) {
	graph, known, err := lookUp(w.db.namer(), o.Graph, w.db.content)
	if err != nil {
		return nil, fmt.Errorf("stage: %w", err)
	}
	size := int64(0)
	if known {
		size, err = w.db.graph(graph)
	}
	if size == 0 {
		graph = Default // nothing to remove
	}
	wanted, wrong := w.watchedIDs()
	if err = errors.Join(err, wrong); err != nil {
		return nil, fmt.Errorf("stage: %w", err)
	}
	w.fresh.begin()
	s := &Stage{writer: w, folder: o.Folder}
	moved := map[string]uint64{}
	for range 8 {
		l := newLoad(w, o.Scope, moved, o.Folder, o.Memory)
		l.replaced, l.staged, l.number, l.watched, l.wanted = graph, &s.names, stageNumber(), w.watcher, wanted
		err = l.prepare(ctx, quads)
		s.Tables, s.Added, s.Removed = l.tables, l.added[sideNamed], int64(len(l.stale))
		if err == nil {
			err = syncFolder(w.store.opts.FS, o.Folder)
		}
		if err == nil {
			err = syncFolder(w.store.opts.FS, w.store.opts.FS.PathDir(o.Folder))
		}
		if err == nil {
			err = s.catchUp(ctx)
		}
		if err == nil {
			return s, nil
		}
		err = errors.Join(err, s.names.close(), w.store.opts.FS.RemoveAll(o.Folder))
		if !errors.Is(err, errCollision) && !errors.Is(err, ErrTaken) {
			break
		}
	}
	w.fresh.end()
	return nil, fmt.Errorf("stage: %w", err)
}

// syncFolder makes the files of a folder survive a power cut.
func syncFolder(fs vfs.FS, path string) error {
	folder, err := fs.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// watchedIDs returns the IDs of the predicates that are watched, as the database has them, or will.
func (w *Writer) watchedIDs() (map[ID]bool, error) {
	ids, naming := map[ID]bool{}, w.db.namer()
	for iri := range w.wanted {
		id, _, err := lookUp(naming, rdf.NewIRI(iri), w.db.content)
		if err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, nil
}

// catchUp compares the terms that the writer named while the stage was made.
func (s *Stage) catchUp(ctx context.Context) error {
	const few = 64
	for {
		all := s.writer.fresh.take()
		if err := s.disjoint(all); err != nil {
			return err
		}
		if len(all) <= few || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// disjoint returns ErrTaken if one of some terms has the ID of another term of the stage.
func (s *Stage) disjoint(all []named) error {
	for _, n := range all {
		check, found, err := s.names.find(n.id)
		if err != nil {
			return err
		}
		if found && check != n.check {
			return ErrTaken
		}
	}
	return nil
}

// Close removes what is left of a stage that was not landed, or was.
func (s *Stage) Close() error {
	s.writer.fresh.end()
	return errors.Join(s.names.close(), s.writer.store.opts.FS.RemoveAll(s.folder))
}

// Fits returns ErrTaken if the stage must be made again: see there.
func (s *Stage) Fits() error { return s.disjoint(s.writer.fresh.take()) }

// Take counts a stage that fits in the batch, between Begin and Finish. The caller commits the batch with a note to
// itself that the tables are to be ingested, and lands them then.
func (w *Writer) Take(s *Stage) {
	w.totals[sideNamed] += s.Added - s.Removed
	w.retotal = true
}

// Land ingests the tables of a stage whose batch was committed. The same tables may be landed again if the process was
// killed meanwhile and nothing else was written since.
func (w *Writer) Land(ctx context.Context, tables []string) error {
	if w.batch != nil {
		return errBusy
	}
	if len(tables) > 0 {
		w.store.parted.Store(true)
		w.store.columns.unsettle(Any)
		if err := w.store.db.Ingest(ctx, tables); err != nil {
			return fmt.Errorf("quad store: %w", err)
		}
	}
	return w.Discard() // the counts must be read again
}

// A named is an ID with further bits of its term's hash.
type named struct {
	id    ID
	check uint64
}

// fresh are the terms that a writer named since its last commit or, while there is a stage, since the stage began.
type fresh struct {
	mu   sync.Mutex
	on   bool
	list []named
	seen int // of list: compared with the stage
}

func (f *fresh) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on, f.seen = true, 0
}

func (f *fresh) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on = false
}

func (f *fresh) note(id ID, check uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, named{id, check})
}

// committed forgets the terms, unless there is a stage, which may not see them in the database.
func (f *fresh) committed() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.on {
		f.list, f.seen = f.list[:0], 0
	}
}

// take returns the terms that were not compared.
func (f *fresh) take() []named {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Clone(f.list[f.seen:])
	f.seen = len(f.list)
	return all
}

// names is a file of the terms of a stage: IDs, ascending, with further bits of their hashes.
type names struct {
	file  vfs.File
	first []ID // of each block
	count int
	block []byte
	path  string
	out   vfs.File
}

// Sizes of names, in bytes, and in entries of a block.
const (
	nameSize  = 16
	nameBlock = 256
)

// create begins the file.
func (n *names) create(fs vfs.FS, path string) (err error) {
	*n = names{path: path, block: make([]byte, 0, nameSize*nameBlock)}
	n.out, err = fs.Create(path, vfs.WriteCategoryUnspecified)
	return err
}

// add adds a term.
func (n *names) add(id ID, check uint64) error {
	if n.count%nameBlock == 0 {
		n.first = append(n.first, id)
	}
	n.count++
	n.block = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(n.block, uint64(id)), check)
	if len(n.block) < cap(n.block) {
		return nil
	}
	return n.flush()
}

func (n *names) flush() error {
	_, err := n.out.Write(n.block)
	n.block = n.block[:0]
	return err
}

// finish ends the file, and opens it for find.
func (n *names) finish(fs vfs.FS) error {
	err := errors.Join(n.flush(), n.out.Close())
	n.out = nil
	if err == nil {
		n.file, err = fs.Open(n.path, vfs.RandomReadsOption)
	}
	return err
}

// find returns the further bits of the term at an ID.
func (n *names) find(id ID) (check uint64, found bool, err error) {
	at := blockOf(n.first, id)
	if at < 0 {
		return 0, false, nil
	}
	size := min(nameBlock, n.count-at*nameBlock)
	b := n.block[:size*nameSize]
	if _, err := n.file.ReadAt(b, int64(at)*nameBlock*nameSize); err != nil {
		return 0, false, fmt.Errorf("quad store: %w", err)
	}
	low, high := 0, size
	for low < high {
		middle := (low + high) / 2
		switch have := ID(binary.BigEndian.Uint64(b[middle*nameSize:])); {
		case have == id:
			return binary.BigEndian.Uint64(b[middle*nameSize+8:]), true, nil
		case have < id:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, false, nil
}

// close closes the file.
func (n *names) close() error {
	var err error
	for _, f := range [...]vfs.File{n.file, n.out} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	n.file, n.out = nil, nil
	return err
}

// blockOf is the index of the block that an ID belongs to, by the first ID of each; -1: before all.
func blockOf(first []ID, id ID) int {
	at, found := slices.BinarySearch(first, id)
	if found {
		return at
	}
	return at - 1
}

// partKey is the key of one stage's part of a predicate's statistics.
func (s *Store) partKey(of side, p ID, stage uint64) []byte {
	return binary.BigEndian.AppendUint64(s.partsOf(of, p), stage)
}

// partsOf is what the keys of the parts of a predicate's statistics begin with.
func (s *Store) partsOf(of side, p ID) []byte {
	return binary.BigEndian.AppendUint64(append(s.key(partLetter), byte(of)), uint64(p))
}

// appendPart writes what a stage adds to the statistics of a predicate: the number of quads, which may be negative, and
// the sketches.
func appendPart(b []byte, st *stat) []byte {
	return st.appendSketches(binary.AppendVarint(b, st.quads))
}

// readPart adds a part to the statistics.
func (s *stat) readPart(b []byte) bool {
	n, w := binary.Varint(b)
	var part stat
	if w <= 0 || !part.readSketches(b[w:]) {
		return false
	}
	s.quads += n
	s.subjects.merge(part.subjects)
	s.objects.merge(part.objects)
	return true
}

// parts adds the parts of a predicate's statistics to those of its own record. It returns their keys.
func (s *stored) parts(of side, p ID, st *stat) (keys [][]byte, err error) {
	if !s.parted.Load() {
		return nil, nil
	}
	from := s.partsOf(of, p)
	it, err := s.reader.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: s.partsOf(of, p+1)})
	if err != nil {
		return nil, fmt.Errorf("quad store: %w", err)
	}
	for valid := it.First(); valid; valid = it.Next() {
		if !st.readPart(it.Value()) {
			return nil, errors.Join(fmt.Errorf("quad store: key %x: %w", it.Key(), ErrDamaged), it.Close())
		}
		keys = append(keys, append([]byte(nil), it.Key()...))
	}
	if st.quads == 0 {
		*st = stat{} // as after the removal of the last one
	}
	return keys, errors.Join(it.Error(), it.Close())
}

// anyParts reports whether the store has parts of statistics.
func (s *stored) anyParts() (bool, error) {
	it, err := s.reader.NewIter(&pebble.IterOptions{LowerBound: s.key(partLetter), UpperBound: s.key(partLetter + 1)})
	if err != nil {
		return false, fmt.Errorf("quad store: %w", err)
	}
	found := it.First()
	return found, errors.Join(it.Error(), it.Close())
}

// stageNumber draws what tells the parts of one stage from those of others; it is not 0.
func stageNumber() uint64 { return rand.Uint64() | 1 }
