package crossref

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// Feedback is what fetched pages teach about words near links: the relevance of the pages that were linked to
// beside a word. It is recomputed at the end of a round from the current standing of the kept items; its only
// source of relevance is their similarity to the layers.
type feedback struct {
	mean  standing // of all kept items
	words map[uint32]experience
}

// An experience is the evidence on one word: the number of kept items with it near links to them, and the
// sums of their relevance to each layer.
type experience struct {
	pages float64
	sum   [maxLayers]float64
}

// caution is the pseudo-count of pages with mean relevance that every word starts with: a word near links to
// few pages is weak evidence.
const caution = 3

// learnWords recomputes the feedback.
func (f *Focus) learnWords() {
	f.taught = feedback{words: map[uint32]experience{}}
	if !f.opts.learns() || len(f.known.items) == 0 {
		return
	}
	var all experience
	for i := range f.known.items {
		k := &f.known.items[i]
		all.add(k.standing)
		for _, d := range k.near {
			x := f.taught.words[d.id]
			x.add(k.standing)
			f.taught.words[d.id] = x
		}
	}
	for i, sum := range all.sum {
		f.taught.mean[i] = float32(sum / all.pages)
	}
}

func (x *experience) add(s standing) {
	x.pages++
	for i, r := range s {
		x.sum[i] += float64(r)
	}
}

// value returns the expected relevance to a layer of a page with a word near the links to it.
func (b *feedback) value(word uint32, layer int) float64 {
	x, mean := b.words[word], float64(b.mean[layer])
	return (x.sum[layer] + caution*mean) / (x.pages + caution)
}

// expects returns the expected relevance to a layer of a page with these words near the links to it: the
// weighted mean of their values; without words, the mean of all pages.
func (b *feedback) expects(words vector, layer int) float64 {
	if len(b.words) == 0 {
		return float64(b.mean[layer])
	}
	var sum, weights float64
	for _, d := range words {
		sum += float64(d.weight) * b.value(d.id, layer)
		weights += float64(d.weight)
	}
	if weights <= 0 {
		return float64(b.mean[layer])
	}
	return sum / weights
}

// telling returns the n words that contribute most to the expectation, each above the mean.
func (b *feedback) telling(words vector, layer, n int) vector {
	type share struct {
		dim
		more float64
	}
	var shares []share
	for _, d := range words {
		if more := float64(d.weight) * (b.value(d.id, layer) - float64(b.mean[layer])); more > 0 {
			shares = append(shares, share{d, more})
		}
	}
	order.By(shares, func(a, b share) int { return cmp.Or(cmp.Compare(b.more, a.more), cmp.Compare(a.id, b.id)) })
	var best vector
	for _, s := range shares[:min(n, len(shares))] {
		best = append(best, s.dim)
	}
	return best
}

func (e *encoder) feedback(b *feedback) {
	e.standing(b.mean)
	e.uint(uint64(len(b.words)))
	for _, id := range slices.Sorted(maps.Keys(b.words)) {
		x := b.words[id]
		e.b = binary.LittleEndian.AppendUint32(e.b, id)
		e.uint(uint64(x.pages))
		for _, sum := range x.sum {
			e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(sum))
		}
	}
}

func (d *decoder) feedback() feedback {
	b := feedback{mean: d.standing(), words: map[uint32]experience{}}
	for range d.count(4 + 1 + 8*maxLayers) {
		id := uint32(d.fixed(4))
		x := experience{pages: float64(d.uint())}
		for i := range x.sum {
			x.sum[i] = math.Float64frombits(d.fixed(8))
		}
		b.words[id] = x
	}
	return b
}

func (e *encoder) standing(s standing) {
	for _, r := range s {
		e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(r))
	}
}

func (d *decoder) standing() (s standing) {
	for i := range s {
		s[i] = math.Float32frombits(uint32(d.fixed(4)))
	}
	return s
}

// fixed reads a number of size bytes, at most 8.
func (d *decoder) fixed(size int) (n uint64) {
	if len(d.b) < size {
		d.failed, d.b = true, nil
		return 0
	}
	var b [8]byte
	copy(b[:], d.b[:size])
	d.b = d.b[size:]
	return binary.LittleEndian.Uint64(b[:])
}
