package frontier

import "math/bits"

// Draw returns the waiting request that 64 random bits name: if the bits are uniformly distributed, each number that
// waits is named with the same probability, but for 2^-32 of it. ok is false if that request cannot be drawn: its host
// gets no request in this session, or has one waiting that precedes the ranked ones. A caller that asks again with
// other bits therefore draws uniformly among the requests that can be drawn. Nothing changes.
//
// Which request the bits name depends on the numbers that wait alone, not on scores, on the layout of heaps or on what
// lies in the file. A draw reads a count for each 262 144 numbers, at most 1024 counts among these, and one page of
// the index.
func (f *Frontier) Draw(random uint64) (id uint64, ok bool) {
	if f.waiting.n == 0 || f.err != nil {
		return 0, false
	}
	nth, _ := bits.Mul64(random, uint64(f.waiting.n))
	named := f.waiting.nth(int(nth))
	p := f.waiting.find(named)
	h := f.order[p.owner()]
	busy := h.side != nil && h.side.ahead.len() > 0
	return uint64(named), !busy && h.down() == "" && !f.spent(h)
}

// nth returns the number of the waiting request that n smaller numbers precede; at least n+1 wait.
func (x *index) nth(n int) uint32 {
	d := 0
	for x.dirs[d] == nil || n >= x.dirs[d].n {
		if x.dirs[d] != nil {
			n -= x.dirs[d].n
		}
		d++
	}
	at := 0
	for waits := &x.dirs[d].waits; n >= int(waits[at]); at++ {
		n -= int(waits[at])
	}
	p, word := x.dirs[d].pages[at], words-1
	for int(p.below[word]) > n {
		word--
	}
	rest := p.waits[word]
	for range n - int(p.below[word]) {
		rest &= rest - 1
	}
	return uint32((d<<dirBits|at)<<pageBits | word<<6 | bits.TrailingZeros64(rest))
}
