package metadata

import "slices"

// An Order is the order in which found terms are truncated and processed.
type Order uint8

// The orders.
const (
	Sorted    Order = iota // term by term of the stage, what each led to by IRI; a class found twice counts once
	Prepended              // as Appendix 1 prints it: see prepend
)

// prepend is the truncation of Appendix 1 for one term: the results of each dataset, in the order of the answer,
// are cut to PerDataset and put in front of those of the datasets before; the list is cut to PerTerm. A class that
// several datasets or properties lead to stands, and counts, several times.
func (l Limits) prepend(found []Found) (kept []Found) {
	groups, at := [][]Found{}, map[string]int{}
	for _, one := range found {
		i, known := at[one.Step.Dataset]
		if !known {
			i = len(groups)
			at[one.Step.Dataset], groups = i, append(groups, nil)
		}
		if len(groups[i]) < l.PerDataset {
			groups[i] = append(groups[i], one)
		}
	}
	for _, group := range slices.Backward(groups) {
		kept = append(kept, group...)
	}
	return kept[:min(len(kept), l.PerTerm)]
}

// followPrepended is follow in the order of Appendix 1: what a term led to goes before what the terms before it
// led to. Of a class that stands there several times the first place counts, and no term is processed twice
// (section 5.2), which the printed code does not check.
func (f *Focus) followPrepended(found []Found) (next []string) {
	for of := range byTerm(found) {
		kept := f.opts.Limits.prepend(of)
		var items []string
		for _, one := range kept {
			f.reached(one)
			items = append(items, one.Item)
		}
		next = append(items, next...)
	}
	return slices.DeleteFunc(distinct(next), func(item string) bool { return f.state.Terms[item].Processed })
}

// byTerm yields the findings of each term.
func byTerm(found []Found) func(yield func([]Found) bool) {
	return func(yield func([]Found) bool) {
		for len(found) > 0 {
			n := 1
			for n < len(found) && found[n].Term == found[0].Term {
				n++
			}
			if !yield(found[:n]) {
				return
			}
			found = found[n:]
		}
	}
}
