package spell

import (
	"cmp"
	"slices"
)

// forget makes room where a word comes that finds none: it drops a quarter of the words that may be forgotten, and
// one at least, those counted least first, of these those met first. A taught word stays.
//
// Between two such moments a quarter of Words new words came: a word that is counted less than others in that
// window is one that a correction needs neither as known nor as what is meant.
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

// load takes over words and makes what is found by them anew.
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
