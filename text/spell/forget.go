package spell

import (
	"cmp"
	"slices"
)

// forget makes room for a new word in a full dictionary: it drops a quarter of the untaught words, at least one,
// lowest count first, then oldest. Taught words stay.
//
// A quarter of Words new words arrive between two calls: a word with a low count in that window matters neither as a
// known word nor as a correction.
func (d *Dictionary) forget() {
	var order []int32
	for at := range d.words {
		if !d.words[at].taught {
			order = append(order, int32(at))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(d.words[a].count, d.words[b].count) })
	gone := make([]bool, len(d.words))
	for _, at := range order[:max(1, len(order)/4)] {
		gone[at] = true
	}
	kept := make([]entry, 0, len(d.words))
	for at, e := range d.words {
		if !gone[at] {
			kept = append(kept, e)
		}
	}
	d.load(kept)
}

// load replaces the words and rebuilds the index.
func (d *Dictionary) load(words []entry) {
	d.words, d.learned = words, 0
	d.at = make(map[string]int32, len(words))
	d.index = newDeletes()
	for at, e := range words {
		d.at[e.word] = int32(at)
		if !e.taught {
			d.learned++
		}
		if e.ordinary >= d.opts.Ratio {
			d.index.add(e.word, int32(at))
		}
	}
}
