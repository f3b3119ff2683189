// Package scratch maps 64-bit keys, such as hashes, to a few numbers, in bounded memory: the latest keys are in
// a map, the others in sorted files.
//
// This package is not part of the stable API.
package scratch

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// A Value is the value of a key.
type Value [2]uint64

const (
	usualRecent = 1 << 17
	recordSize  = 24  // bytes: key and value
	stride      = 128 // records between two keys of the sparse index in memory
)

// A Map takes about five megabytes, plus a byte per sixteen keys on disk. It is not safe for concurrent use.
// The zero value keeps everything in memory, without bound.
type Map struct {
	// Open opens a file for keys beyond the memory limit; see In. Close closes it.
	Open   func() (File, error)
	Recent int // keys in memory; 0: 131 072

	recent map[uint64]Value
	runs   []run // each at least twice as long as the next
	n      int
	err    error
}

// A File holds keys.
type File interface {
	io.ReaderAt
	io.Writer
	io.Closer
}

// A run is a file of records sorted by key, with a sparse index.
type run struct {
	file   File
	n      int
	fences []uint64
}

// In opens a temporary file in a folder. The file disappears when it is closed or the process ends, unless the
// platform cannot remove a file in use.
func In(dir string) func() (File, error) {
	return func() (File, error) {
		file, err := os.CreateTemp(dir, "scratch-*.tmp")
		if err != nil {
			return nil, err
		}
		_ = os.Remove(file.Name())
		return file, nil
	}
}

// Len is the number of calls of Put.
func (m *Map) Len() int { return m.n }

// InMemory is the number of keys in memory.
func (m *Map) InMemory() int {
	n := len(m.recent)
	for _, r := range m.runs {
		n += len(r.fences)
	}
	return n
}

// Put stores a value under a key and replaces an earlier one. After an error, which every later call returns,
// the map is unusable.
func (m *Map) Put(key uint64, v Value) error {
	if m.err != nil {
		return m.err
	}
	if m.recent == nil {
		m.recent = map[uint64]Value{}
	}
	m.recent[key] = v
	m.n++
	if m.Open != nil && len(m.recent) >= cmp.Or(m.Recent, usualRecent) {
		m.err = m.spill()
	}
	return m.err
}

// Get returns the value of a key.
func (m *Map) Get(key uint64) (v Value, ok bool, err error) {
	if v, ok = m.recent[key]; ok || m.err != nil {
		return v, ok, m.err
	}
	for i := len(m.runs) - 1; i >= 0; i-- {
		if v, ok, err = m.runs[i].get(key); ok || err != nil {
			return v, ok, err
		}
	}
	return v, false, nil
}

// Close closes the files.
func (m *Map) Close() error {
	var errs []error
	for _, r := range m.runs {
		errs = append(errs, r.file.Close())
	}
	m.runs = nil
	return errors.Join(errs...)
}

// spill writes the keys in memory to a file, and merges files of similar size.
func (m *Map) spill() error {
	order := make([]uint64, 0, len(m.recent))
	for key := range m.recent {
		order = append(order, key)
	}
	slices.Sort(order)
	next, err := m.write(func(yield func(key uint64, v Value) bool) {
		for _, key := range order {
			if !yield(key, m.recent[key]) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	clear(m.recent)
	m.runs = append(m.runs, next)
	for n := len(m.runs); n > 1 && m.runs[n-2].n < 2*m.runs[n-1].n; n = len(m.runs) {
		if err := m.merge(n - 2); err != nil {
			return err
		}
	}
	return nil
}

// merge merges a run with the next.
func (m *Map) merge(at int) error {
	a, b := reader{run: m.runs[at]}, reader{run: m.runs[at+1]}
	merged, err := m.write(func(yield func(key uint64, v Value) bool) {
		a.next()
		b.next()
		for a.more || b.more {
			if a.more && b.more && a.key == b.key {
				a.next() // b is the newer one
				continue
			}
			from := &a
			if !a.more || b.more && b.key < a.key {
				from = &b
			}
			if !yield(from.key, from.value) {
				return
			}
			from.next()
		}
	})
	err = errors.Join(err, a.err, b.err)
	if err != nil {
		return err
	}
	err = errors.Join(m.runs[at].file.Close(), m.runs[at+1].file.Close())
	m.runs = append(m.runs[:at], merged)
	return err
}

// write makes a run of sorted records.
func (m *Map) write(all func(yield func(key uint64, v Value) bool)) (r run, err error) {
	if r.file, err = m.Open(); err != nil {
		return r, err
	}
	out := bufio.NewWriterSize(r.file, 1<<16)
	all(func(key uint64, v Value) bool {
		if r.n%stride == 0 {
			r.fences = append(r.fences, key)
		}
		r.n++
		var record [recordSize]byte
		for i, number := range [...]uint64{key, v[0], v[1]} {
			binary.LittleEndian.PutUint64(record[8*i:], number)
		}
		_, err = out.Write(record[:])
		return err == nil
	})
	if err = errors.Join(err, out.Flush()); err != nil {
		return r, errors.Join(err, r.file.Close())
	}
	return r, nil
}

// get looks a key up in a file.
func (r *run) get(key uint64) (v Value, ok bool, err error) {
	at, found := slices.BinarySearch(r.fences, key)
	if !found {
		at--
	}
	if at < 0 {
		return v, false, nil
	}
	var room [stride * recordSize]byte
	block := room[:recordSize*min(stride, r.n-at*stride)]
	if _, err := r.file.ReadAt(block, int64(at)*stride*recordSize); err != nil && err != io.EOF {
		return v, false, err
	}
	for ; len(block) > 0; block = block[recordSize:] {
		if binary.LittleEndian.Uint64(block) == key {
			return valueOf(block), true, nil
		}
	}
	return v, false, nil
}

func valueOf(record []byte) Value {
	return Value{binary.LittleEndian.Uint64(record[8:]), binary.LittleEndian.Uint64(record[16:])}
}

// A reader reads a run from its beginning.
type reader struct {
	run
	in    *bufio.Reader
	read  int
	more  bool
	key   uint64
	value Value
	err   error
}

func (r *reader) next() {
	if r.in == nil {
		r.in = bufio.NewReaderSize(io.NewSectionReader(r.file, 0, int64(r.n)*recordSize), 1<<16)
	}
	if r.more = r.read < r.n && r.err == nil; !r.more {
		return
	}
	var record [recordSize]byte
	if _, r.err = io.ReadFull(r.in, record[:]); r.err != nil {
		r.more = false
		return
	}
	r.read++
	r.key, r.value = binary.LittleEndian.Uint64(record[:]), valueOf(record[:])
}
