// Package record is what the workers of a crawl keep of themselves where all can read it: their ledgers' entries, in the order in which they came, and their archives.
// Who takes the partitions of a worker that is gone reads its record, as does who gathers a crawl.
package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"orbweaver/fetch/archive"
	"orbweaver/internal/cluster/storage"
	"orbweaver/ledger"
)

// A Record is that of all workers of a crawl.
type Record struct {
	store storage.Store
	crawl string
}

// Open opens the record of a crawl at a location of package storage, whose errors are its.
func Open(ctx context.Context, location, crawl string) (*Record, error) {
	store, err := storage.Open(ctx, location)
	if err != nil {
		return nil, err
	}
	return &Record{store, crawl}, nil
}

// Remove removes what a location has of a crawl.
func Remove(ctx context.Context, location, crawl string) error {
	store, err := storage.Open(ctx, location)
	if err != nil {
		return err
	}
	var names []string
	for o, err := range store.List(ctx, crawl+"/") {
		if err != nil {
			return errors.Join(err, store.Close())
		}
		names = append(names, o.Name)
	}
	for _, name := range names {
		if err := store.Delete(ctx, name); err != nil {
			return errors.Join(err, store.Close())
		}
	}
	return store.Close()
}

// A Failure is an error of the storage, and not of what is in it or is to be put there: the same may succeed later.
type Failure struct{ error }

// Unwrap returns the error.
func (f Failure) Unwrap() error { return f.error }

// failed marks an error of the storage.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return Failure{err}
}

// Close closes it.
func (r *Record) Close() error { return r.store.Close() }

func (r *Record) log(worker string) string { return path.Join(r.crawl, "log", worker) + "/" }

// indexName stands for the index of an archive among its files.
const indexName = "index.cdxj.part"

func (r *Record) file(worker, name string) string {
	return path.Join(r.crawl, "archive", worker, name) + "/"
}

// A Writer writes the record of one worker, of which there is one at a time.
type Writer struct {
	record *Record
	worker string
	next   int64
	at     ledger.Position
	folder string           // of the archive
	files  map[string]int64 // length of the archive's files in the record
	mark   archive.Mark
}

// Writer returns a writer that goes on where the last one ended. folder has the worker's archive.
func (r *Record) Writer(ctx context.Context, worker, folder string) (*Writer, error) {
	w := &Writer{record: r, worker: worker, folder: folder, files: map[string]int64{}}
	last := ""
	for o, err := range r.store.List(ctx, r.log(worker)) {
		if err != nil {
			return nil, err
		}
		last = o.Name
	}
	if last != "" {
		x, err := r.read(ctx, last)
		if err != nil {
			return nil, err
		}
		n, err := strconv.ParseInt(path.Base(last), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("record: %s is none of a worker's: %w", last, err)
		}
		w.next, w.at = n+1, x.To
	}
	for o, err := range r.store.List(ctx, path.Join(r.crawl, "archive", worker)+"/") {
		if err != nil {
			return nil, err
		}
		name := path.Base(path.Dir(o.Name))
		from, err := strconv.ParseInt(path.Base(o.Name), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("record: %s is none of a worker's: %w", o.Name, err)
		}
		w.files[name] = max(w.files[name], from+o.Size)
	}
	return w, nil
}

// partSize is the size of the parts in which entries and archives are written, in bytes.
const partSize = 8 << 20

// Write writes what a ledger, and the archive, have that the record has not. It is in the storage when Write returns. grown is false if there was nothing.
func (w *Writer) Write(ctx context.Context, book *ledger.Ledger) (grown bool, err error) {
	for more := true; more; {
		x, err := book.Since(w.at, partSize)
		if err != nil {
			return grown, err
		}
		more = x.More
		if len(x.Entries) == 0 {
			break
		}
		if err := w.archive(ctx, x.Archive); err != nil {
			return grown, err
		}
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err == nil {
			err = errors.Join(x.Write(z), z.Close())
		}
		if err == nil {
			err = w.record.put(ctx, fmt.Sprintf("%s%012d", w.record.log(w.worker), w.next), b.Bytes())
		}
		if err != nil {
			return grown, err
		}
		w.next, w.at, grown = w.next+1, x.To, true
	}
	return grown, nil
}

// put puts an object of any size: the entries of one page are in one.
func (r *Record) put(ctx context.Context, name string, body []byte) error {
	if len(body) <= storage.MaxBody {
		return failed(r.store.Put(ctx, name, body))
	}
	f, err := os.CreateTemp("", "orbweaver-record-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(body)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return failed(r.store.PutFile(ctx, name, f.Name()))
}

// archive writes what the archive has up to a mark.
func (w *Writer) archive(ctx context.Context, text []byte) error {
	if text == nil {
		return nil
	}
	var m archive.Mark
	if err := json.Unmarshal(text, &m); err != nil || m.File == "" {
		return err
	}
	for _, f := range append(w.whole(m), part{m.File, m.Length}, part{indexName, m.Index}) {
		if err := w.put(ctx, f.name, f.length); err != nil {
			return err
		}
	}
	w.mark = m
	return nil
}

// A part is a file of an archive up to a length.
type part struct {
	name   string
	length int64
}

// whole returns the files before that of a mark that are not whole in the record.
func (w *Writer) whole(m archive.Mark) (all []part) {
	names, _ := filepath.Glob(filepath.Join(w.folder, "*.warc.gz")) // the pattern is one
	slices.Sort(names)
	for _, path := range names {
		name := filepath.Base(path)
		if info, err := os.Stat(path); err == nil && name < m.File && info.Size() > w.files[name] {
			all = append(all, part{name, info.Size()})
		}
	}
	return all
}

// put writes what a file has up to a length.
func (w *Writer) put(ctx context.Context, name string, length int64) error {
	for at := w.files[name]; at < length; at = w.files[name] {
		f, err := os.Open(filepath.Join(w.folder, name))
		if err != nil {
			return err
		}
		b := make([]byte, min(length-at, partSize))
		_, err = f.ReadAt(b, at)
		if err = errors.Join(err, f.Close()); err == nil {
			err = failed(w.record.store.Put(ctx, fmt.Sprintf("%s%015d", w.record.file(w.worker, name), at), b))
		}
		if err != nil {
			return err
		}
		w.files[name] += int64(len(b))
	}
	return nil
}

// Workers returns the workers that have a record.
func (r *Record) Workers(ctx context.Context) (names []string, err error) {
	root := path.Join(r.crawl, "log") + "/"
	for o, err := range r.store.List(ctx, root) {
		if err != nil {
			return nil, failed(err)
		}
		if name, _, _ := strings.Cut(strings.TrimPrefix(o.Name, root), "/"); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names, nil
}

// read reads one part of a log.
func (r *Record) read(ctx context.Context, name string) (*ledger.Excerpt, error) {
	body, err := r.store.Get(ctx, name)
	if err != nil {
		return nil, failed(err)
	}
	defer body.Close()
	z, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	x, err := ledger.ReadExcerpt(z)
	if err != nil {
		err = fmt.Errorf("record: %s: %w", name, err)
	}
	return x, err
}

// Read ranges over the parts of a worker's log.
func (r *Record) Read(ctx context.Context, worker string) iter.Seq2[*ledger.Excerpt, error] {
	return func(yield func(*ledger.Excerpt, error) bool) {
		for o, err := range r.store.List(ctx, r.log(worker)) {
			err = failed(err)
			var x *ledger.Excerpt
			if err == nil {
				x, err = r.read(ctx, o.Name)
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
	}
}

// A Source is the record of one worker, of which a folder is gathered. It is for one goroutine.
type Source struct {
	record *Record
	worker string
	parts  []string // of the log
	next   int      // to be returned
	begun  bool
}

// Source returns that of a worker.
func (r *Record) Source(worker string) *Source { return &Source{record: r, worker: worker} }

// Name is the worker's.
func (s *Source) Name() string { return s.worker }

// Since returns the first part of the log that goes beyond a position; from then on, one after the other.
func (s *Source) Since(ctx context.Context, p ledger.Position) (*ledger.Excerpt, error) {
	if !s.begun {
		s.begun = true
		for o, err := range s.record.store.List(ctx, s.record.log(s.worker)) {
			if err != nil {
				return nil, err
			}
			s.parts = append(s.parts, o.Name)
		}
		if err := s.skip(ctx, p); err != nil {
			return nil, err
		}
	}
	if s.next == len(s.parts) {
		return &ledger.Excerpt{To: p}, nil
	}
	x, err := s.record.read(ctx, s.parts[s.next])
	if err != nil {
		return nil, err
	}
	s.next++
	x.More = s.next < len(s.parts)
	return x, nil
}

// skip leaves out the parts before a position: what is read again counts once.
func (s *Source) skip(ctx context.Context, p ledger.Position) error {
	low, high := 0, len(s.parts) // the first part that ends beyond the position is among these
	for low < high {
		middle := (low + high) / 2
		x, err := s.record.read(ctx, s.parts[middle])
		if err != nil {
			return err
		}
		if x.To.Outcomes < p.Outcomes || x.To.Outcomes == p.Outcomes && x.To.Requests <= p.Requests {
			low = middle + 1
		} else {
			high = middle
		}
	}
	s.next = low
	return nil
}

// File copies a file of the archive, of which there may be a beginning.
func (s *Source) File(ctx context.Context, name, into string, length int64) error {
	f, err := os.OpenFile(into, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	have, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		err = s.copy(ctx, name, have, length, f)
	}
	return errors.Join(err, f.Close())
}

// copy copies bytes of a file of the archive from one place to another, -1 for its end.
func (s *Source) copy(ctx context.Context, name string, from, to int64, w io.Writer) error {
	for o, err := range s.record.store.List(ctx, s.record.file(s.worker, name)) {
		if err != nil {
			return err
		}
		at, err := strconv.ParseInt(path.Base(o.Name), 10, 64)
		if err != nil {
			return err
		}
		if end := at + o.Size; end <= from || to >= 0 && from >= to {
			continue
		}
		take := at + o.Size - from
		if to >= 0 {
			take = min(take, to-from)
		}
		b, err := s.record.store.Range(ctx, o.Name, from-at, take)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		from += int64(len(b))
	}
	return nil
}

// Index returns a part of the archive's index.
func (s *Source) Index(ctx context.Context, from, to int64) ([]byte, error) {
	var b bytes.Buffer
	err := s.copy(ctx, indexName, from, to, &b)
	if err == nil && int64(b.Len()) < to-from {
		err = fmt.Errorf("record of %s: the archive's index ends before %d", s.worker, to)
	}
	return b.Bytes(), err
}

// Model returns nothing: a record has no models.
func (s *Source) Model(context.Context, bool) ([]byte, error) { return nil, nil }
