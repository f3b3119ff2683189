package quads

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// runBuffer is how much of a sorted file is read, and written, at once.
const runBuffer = 128 << 10

// create writes a file.
func create(fs vfs.FS, name string, write func(*bufio.Writer) error) error {
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, runBuffer)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}

// writeKeys writes sorted keys, each once.
func writeKeys(fs vfs.FS, name string, t table, keys []key) error {
	return create(fs, name, func(w *bufio.Writer) error {
		var b []byte
		for i := range keys {
			if i > 0 && keys[i] == keys[i-1] {
				continue
			}
			b = t.appendKey(b[:0], &keys[i])
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// contents are terms that are to be sorted.
type contents struct {
	bytes   []byte
	entries []entry
}

type entry struct {
	id         ID
	start, end int
}

func (c *contents) add(id ID, content []byte) {
	start := len(c.bytes)
	c.bytes = append(c.bytes, content...)
	c.entries = append(c.entries, entry{id, start, len(c.bytes)})
}

func (c *contents) of(e entry) []byte { return c.bytes[e.start:e.end] }

// write sorts the terms, by ID and then by content, into a file: ID, length and content of each.
func (c *contents) write(fs vfs.FS, name string) error {
	slices.SortFunc(c.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.id, b.id), bytes.Compare(c.of(a), c.of(b)))
	})
	return create(fs, name, func(w *bufio.Writer) error {
		var b []byte
		for _, e := range c.entries {
			b = binary.BigEndian.AppendUint64(b[:0], uint64(e.id))
			b = binary.AppendUvarint(b, uint64(e.end-e.start))
			if _, err := w.Write(b); err != nil {
				return err
			}
			if _, err := w.Write(c.of(e)); err != nil {
				return err
			}
		}
		return nil
	})
}

// A run is a sorted file that is read.
type run[T any] struct {
	in   *bufio.Reader
	at   T
	read func(*bufio.Reader, *T) error // io.EOF at the end
}

// runs are the sorted files that are merged: a heap of those that have something left.
type runs[T any] struct {
	list    []*run[T]
	compare func(a, b *T) int
}

func (r *runs[T]) Len() int           { return len(r.list) }
func (r *runs[T]) Less(i, j int) bool { return r.compare(&r.list[i].at, &r.list[j].at) < 0 }
func (r *runs[T]) Swap(i, j int)      { r.list[i], r.list[j] = r.list[j], r.list[i] }
func (r *runs[T]) Push(any)           {}
func (r *runs[T]) Pop() any {
	r.list = r.list[:len(r.list)-1]
	return nil
}

// merged calls f with the records of sorted files, in order; duplicates are repeated.
func merged[T any](fs vfs.FS, files []string, read func(*bufio.Reader, *T) error, compare func(a, b *T) int, f func(*T) error) (err error) {
	r := &runs[T]{compare: compare}
	var open []vfs.File
	defer func() {
		for _, file := range open {
			err = errors.Join(err, file.Close())
		}
	}()
	for _, name := range files {
		file, err := fs.Open(name, vfs.SequentialReadsOption)
		if err != nil {
			return err
		}
		open = append(open, file)
		one := &run[T]{in: bufio.NewReaderSize(file, runBuffer), read: read}
		if err := one.read(one.in, &one.at); err == nil {
			r.list = append(r.list, one)
		} else if !errors.Is(err, io.EOF) {
			return err
		}
	}
	heap.Init(r)
	for len(r.list) > 0 {
		top := r.list[0]
		if err := f(&top.at); err != nil {
			return err
		}
		switch err := top.read(top.in, &top.at); {
		case err == nil:
			heap.Fix(r, 0)
		case errors.Is(err, io.EOF):
			heap.Pop(r)
		default:
			return err
		}
	}
	return nil
}

// keyReader reads the output of writeKeys.
func keyReader(t table) func(*bufio.Reader, *key) error {
	size := 8 * t.width()
	return func(in *bufio.Reader, k *key) error {
		b, err := in.Peek(size)
		if err != nil {
			if len(b) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		t.readKey(b, k)
		_, err = in.Discard(size)
		return err
	}
}

// A content is a term of a sorted file.
type content struct {
	id    ID
	bytes []byte
}

// readContent reads the output of contents.write.
func readContent(in *bufio.Reader, c *content) error {
	var head [8]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return err
	}
	c.id = ID(binary.BigEndian.Uint64(head[:]))
	n, err := binary.ReadUvarint(in)
	if err == nil {
		c.bytes = slices.Grow(c.bytes[:0], int(n))[:n]
		_, err = io.ReadFull(in, c.bytes)
	}
	if err != nil {
		return fmt.Errorf("sorted terms: %w", io.ErrUnexpectedEOF)
	}
	return nil
}

func compareContents(a, b *content) int {
	return cmp.Or(cmp.Compare(a.id, b.id), bytes.Compare(a.bytes, b.bytes))
}

func compareKeys(a, b *key) int { return a.compare(b) }
