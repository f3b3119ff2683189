package text

import (
	"cmp"
	"slices"
	"strings"
)

// forms are what phrases with the same stems, and the same required spelling, have in common, by number: one after another, the ids that
// each denotes, ascending and distinct, and beside each id the first of its phrases.
type forms struct {
	ends    []uint32 // by form: where its ids end
	ids     []int32
	labels  []int32 // in phrases
	phrases []Phrase
	added   []denotation // until they are sorted
}

// A denotation is a form with a phrase.
type denotation struct{ form, phrase int32 }

// grow adds a form and returns its number.
func (f *forms) grow() int32 {
	f.ends = append(f.ends, 0)
	return int32(len(f.ends) - 1)
}

// add gives a form another phrase.
func (f *forms) add(form, phrase int32) { f.added = append(f.added, denotation{form, phrase}) }

// sort orders what was added, and ends the adding.
func (f *forms) sort() {
	for _, d := range f.added {
		f.ends[d.form]++
	}
	sum := uint32(0)
	for i, n := range f.ends {
		f.ends[i] = sum
		sum += n
	}
	f.ids, f.labels = make([]int32, len(f.added)), make([]int32, len(f.added))
	for _, d := range f.added { // ends are where the next phrase of a form goes, and then its end
		f.labels[f.ends[d.form]] = d.phrase
		f.ends[d.form]++
	}
	f.added = nil
	from, kept := uint32(0), uint32(0)
	for i, end := range f.ends {
		kept += f.settle(f.labels[from:end], kept)
		from, f.ends[i] = end, kept
	}
	f.ids, f.labels = f.ids[:kept], f.labels[:kept]
}

// settle moves the phrases of a form to an offset, the first of each id, and returns their number.
func (f *forms) settle(row []int32, to uint32) (kept uint32) {
	if len(row) > 1 {
		slices.SortStableFunc(row, func(a, b int32) int { return cmp.Compare(f.phrases[a].ID, f.phrases[b].ID) })
	}
	for _, phrase := range row {
		id := f.phrases[phrase].ID
		if kept > 0 && f.ids[to+kept-1] == id {
			continue
		}
		f.ids[to+kept], f.labels[to+kept] = id, phrase
		kept++
	}
	return kept
}

func (f *forms) row(form int32) (from, to uint32) {
	if form > 0 {
		from = f.ends[form-1]
	}
	return from, f.ends[form]
}

// of returns the ids of a form.
func (f *forms) of(form int32) []int32 {
	from, to := f.row(form)
	return f.ids[from:to:to]
}

// label returns the phrase at a position of a form's ids.
func (f *forms) label(form int32, at int) string {
	from, _ := f.row(form)
	return strings.TrimSpace(f.phrases[f.labels[from+uint32(at)]].Text)
}
