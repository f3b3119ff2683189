package frontier

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A Spill is a scratch file: its content is worthless after the session.
type Spill interface {
	io.ReaderAt
	io.WriterAt
	Close() error
}

// Sizes in the file and in memory.
const (
	slotSize   = 12  // bytes of an entry
	blockSlots = 128 // slots read at once
	blockSize  = slotSize * blockSlots
	least      = 2 * blockSlots // least entries in memory of a host that may be written
	pieceSize  = 1 << 16        // requests sorted at once

	entryCost = 14 // bytes of a request in a heap
	placeCost = 9  // bytes of any request in the index
)

var (
	errClosed = errors.New("it is closed")
	errFull   = errors.New("it is full")
	errOther  = errors.New("it holds something else")
)

// A file holds waiting requests beyond the memory budget, in blocks of slots. A block belongs to one run of one host
// until it is read or outdated; then it is free.
type file struct {
	limit  int64  // bytes in memory; 0: no limit
	next   int64  // bytes in memory beyond which requests go to the file
	spill  Spill  // nil until opened
	closed bool   // permanently
	live   int    // requests
	blocks uint32 // including free ones
	free   []uint32
	buf    [blockSize]byte
	block  [blockSlots]entry
	piece  []entry
}

// held returns the bytes that waiting requests occupy.
func (f *Frontier) held() int64 {
	return int64(f.waiting.n-f.file.live)*entryCost + int64(f.waiting.n)*placeCost
}

// relieve writes the worst requests of large hosts to the file when the memory budget is exceeded, until a
// quarter of it is free or no host is large. In the latter case it runs again when memory grows by an eighth.
func (f *Frontier) relieve() {
	s := &f.file
	if s.limit <= 0 || f.opts.Spill == nil || f.held() <= max(s.limit, s.next) || f.err != nil {
		return
	}
	for enough := s.limit * 3 / 4; f.held() > enough && f.err == nil; {
		large := f.large()
		if len(large) == 0 {
			break
		}
		for _, h := range large {
			if f.unload(h); f.held() <= enough || f.err != nil {
				break
			}
		}
	}
	s.next = f.held() + s.limit/8
}

// large returns the hosts with the most requests in memory, down to half as many as the first has.
func (f *Frontier) large() []*host {
	var hosts []*host
	most := 0
	for _, h := range f.order {
		if n := h.queue.len(); n >= least {
			hosts = append(hosts, h)
			most = max(most, n)
		}
	}
	hosts = slices.DeleteFunc(hosts, func(h *host) bool { return h.queue.len() < most/2 })
	slices.SortFunc(hosts, func(a, b *host) int {
		return cmp.Or(cmp.Compare(b.queue.len(), a.queue.len()), cmp.Compare(a.number, b.number))
	})
	return hosts
}

// fileReady opens the file on first use and reports whether it is usable.
func (f *Frontier) fileReady() bool {
	s := &f.file
	if s.spill == nil && f.err == nil {
		err := errClosed
		if !s.closed {
			s.spill, err = f.opts.Spill()
		}
		f.failFile("open", err)
	}
	return f.err == nil
}

// failFile records a failure of the file, if err is not nil.
func (f *Frontier) failFile(what string, err error) {
	if err != nil {
		f.fail(fmt.Errorf("frontier: %s the file of waiting requests: %w", what, err))
	}
}

// Close closes the spill file, if it was opened.
func (f *Frontier) Close() error {
	s := &f.file
	if s.closed = true; s.spill == nil {
		return nil
	}
	err := s.spill.Close()
	if s.spill = nil; err != nil {
		return fmt.Errorf("frontier: close the file of waiting requests: %w", err)
	}
	return nil
}

// slotOf returns the number of a slot of a block.
func slotOf(block uint32, i int) uint32 { return block*blockSlots + uint32(i) }

// valid reports whether a request waits in a slot.
func (x *index) valid(id, slot uint32) bool {
	p := x.find(id)
	return p != nil && p.list() == inFile && p.at == slot
}

// decode reads an entry from a slot's bytes.
func decode(b []byte) entry {
	return entry{
		low: binary.LittleEndian.Uint32(b), high: binary.LittleEndian.Uint32(b[4:]),
		id: binary.LittleEndian.Uint32(b[8:]),
	}
}

// slot reads the entry of a request in a slot.
func (f *Frontier) slot(id, slot uint32) entry {
	if !f.fileReady() {
		return entryOf(0, id)
	}
	b := f.file.buf[:slotSize]
	_, err := f.file.spill.ReadAt(b, int64(slot)*slotSize)
	e := decode(b)
	if err == nil && e.id != id {
		err = errOther
	}
	if err != nil {
		f.failFile("read", err)
		return entryOf(0, id)
	}
	return e
}

// read returns the requests of a block that still wait, in order, in scratch.
func (f *Frontier) read(b fence) []entry {
	if !f.fileReady() {
		return nil
	}
	buf := f.file.buf[:b.n*slotSize]
	if _, err := f.file.spill.ReadAt(buf, int64(b.block)*blockSize); err != nil {
		f.failFile("read", err)
		return nil
	}
	kept := f.file.block[:0]
	for i := range int(b.n) {
		if e := decode(buf[i*slotSize:]); f.waiting.valid(e.id, slotOf(b.block, i)) {
			kept = append(kept, e)
		}
	}
	return kept
}

// write appends up to a block of a host's requests, in order, to a run; false if it fails.
func (f *Frontier) write(h *host, r *run, entries []entry) bool {
	if !f.fileReady() {
		return false
	}
	s := &f.file
	var block uint32
	switch free := len(s.free); {
	case free > 0:
		block, s.free = s.free[free-1], s.free[:free-1]
	case s.blocks > math.MaxUint32/blockSlots-1:
		f.failFile("write", errFull)
		return false
	default:
		block = s.blocks
		s.blocks++
	}
	for i, e := range entries {
		b := s.buf[i*slotSize:]
		binary.LittleEndian.PutUint32(b, e.low)
		binary.LittleEndian.PutUint32(b[4:], e.high)
		binary.LittleEndian.PutUint32(b[8:], e.id)
	}
	if _, err := s.spill.WriteAt(s.buf[:len(entries)*slotSize], int64(block)*blockSize); err != nil {
		s.free = append(s.free, block)
		f.failFile("write", err)
		return false
	}
	for i, e := range entries {
		*f.waiting.find(e.id) = place{placeOf(h.number, inFile), slotOf(block, i)}
	}
	r.fences = append(r.fences, fence{first: entries[0], block: block, n: uint32(len(entries))})
	r.slots += len(entries)
	return true
}
