package online

import (
	"math/bits"
	"strconv"
)

// The histories of a link, in the order of the keys at the start of its features.
const (
	ofDomain = iota
	ofHost
	ofShape
	keys // their number
)

// pastKeys are the prefixes of the histories' keys.
var pastKeys = [keys]string{"domain:", "host:", "shape:"}

// Keys appends the groups of a request with these features: those of its shape and its host. A key identifies
// its group by a hash.
func Keys(dst []string, features []uint32) []string {
	if len(features) < keys {
		return dst
	}
	return append(dst, pastKey(ofShape, features[ofShape]), pastKey(ofHost, features[ofHost]))
}

func pastKey(kind int, key uint32) string {
	return pastKeys[kind] + strconv.FormatUint(uint64(key), 36)
}

// pasts are the histories of all three kinds.
type pasts [keys]past

// A past holds the histories of one kind, by hash. Colliding hashes share a history.
type past struct {
	list  []history // in order of first occurrence
	index map[uint32]int32
}

// maxPasts bounds the histories of a kind. Later ones are not counted.
const maxPasts = 1 << 17

// A history counts the classes of outcomes.
type history struct {
	key    uint32
	counts [classes]uint32
	level  uint16 // quantized level by which links are currently ranked: see levelOf
}

func newPasts() (p pasts) {
	for i := range p {
		p[i].index = map[uint32]int32{}
	}
	return p
}

// The quantization steps of a history.
const (
	shareSteps = 5 // none, up to a third, up to two thirds, below all, all
	countSteps = 6 // 1, 2, 4, 8, 16, 32 outcomes and more
	pastStats  = 3 // the shares of R, HR and N
	maxLevel   = countSteps * shareSteps * shareSteps * shareSteps

	pastEach  = 1 + pastStats*countSteps*shareSteps // cells per kind: untried, and all quantized histories
	pastCells = keys * pastEach
	maxPast   = keys * pastStats // features of a link
)

// total returns the number of outcomes.
func (h *history) total() (n uint64) {
	for _, count := range h.counts {
		n += uint64(count)
	}
	return n
}

// levelOf encodes the quantized count and shares of R, HR and N in one number.
func levelOf(h *history) uint16 {
	n := h.total()
	level := min(bits.Len64(n)-1, countSteps-1)
	for _, c := range [pastStats]Class{R, HR, N} {
		level = level*shareSteps + shareStep(uint64(h.counts[c]), n)
	}
	return uint16(level)
}

func shareStep(count, of uint64) int {
	switch {
	case count == 0:
		return 0
	case count == of:
		return 4
	case 3*count <= of:
		return 1
	case 3*count <= 2*of:
		return 2
	}
	return 3
}

// recomputed reports whether a history's feature is recomputed at its n-th outcome: at the first eight, then four
// times per doubling of n.
func recomputed(n uint64) bool {
	return n <= 8 || bits.TrailingZeros64(n) >= bits.Len64(n)-3
}

// features appends the codes of a link's histories.
func (p *pasts) features(dst, of []uint32) []uint32 {
	for kind := range p {
		first := uint32(firstPast + kind*pastEach)
		i, known := p[kind].index[of[kind]]
		if !known {
			dst = append(dst, codeOf(groupPast, first))
			continue
		}
		level := int(p[kind].list[i].level)
		count := level / (shareSteps * shareSteps * shareSteps)
		shares := [pastStats]int{level / (shareSteps * shareSteps) % shareSteps, level / shareSteps % shareSteps, level % shareSteps}
		for stat, share := range shares {
			at := 1 + (stat*countSteps+count)*shareSteps + share
			dst = append(dst, codeOf(groupPast, first+uint32(at)))
		}
	}
	return dst
}

// add counts an outcome and returns the keys of histories whose feature changed.
func (p *pasts) add(of []uint32, actual Class) (stale []string) {
	for kind := range p {
		if p[kind].add(of[kind], actual) {
			stale = append(stale, pastKey(kind, of[kind]))
		}
	}
	return stale
}

func (p *past) add(key uint32, actual Class) bool {
	i, known := p.index[key]
	if !known {
		if len(p.list) == maxPasts {
			return false
		}
		i = int32(len(p.list))
		p.put(history{key: key})
	}
	h := &p.list[i]
	if h.counts[actual] == 1<<32-1 {
		return false
	}
	h.counts[actual]++
	if !recomputed(h.total()) {
		return false
	}
	before := h.level
	h.level = levelOf(h)
	return !known || h.level != before
}

func (p *past) put(h history) {
	p.index[h.key] = int32(len(p.list))
	p.list = append(p.list, h)
}

// of returns the history of a key, or nil.
func (p *past) of(key uint32) *history {
	i, known := p.index[key]
	if !known {
		return nil
	}
	return &p.list[i]
}
