package discover

import (
	"cmp"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/order"
)

// Bounds of what is kept of words.
const (
	mostWords   = 2048 // names and words
	longestTerm = 60   // bytes
	fewestUses  = 1    // accepted pages with a word of a title
)

// A use counts the pages that have a term.
type use struct {
	On   int64 `json:"on,omitempty"`   // accepted
	Off  int64 `json:"off,omitempty"`  // others
	Name bool  `json:"name,omitempty"` // a reason names it
}

// words are the terms of pages: what the reasons of judgements name, and words of titles.
type words struct {
	Accepted int64           `json:"accepted"`
	Others   int64           `json:"others"`
	Counts   map[string]*use `json:"counts"`
}

func newWords() *words { return &words{Counts: map[string]*use{}} }

// add counts the terms of a page.
func (w *words) add(o orbweaver.Outcome, names func(orbweaver.Reason) string) {
	if o.Actual.Accepted {
		w.Accepted++
	} else {
		w.Others++
	}
	seen := map[string]bool{}
	for _, r := range o.Actual.Reasons {
		if names == nil {
			break
		}
		w.count(names(r), o.Actual.Accepted, true, seen)
	}
	for _, word := range strings.FieldsFunc(o.Page.Title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(word) >= 3 {
			w.count(strings.ToLower(word), o.Actual.Accepted, false, seen)
		}
	}
}

// count counts a term of a page, once.
func (w *words) count(term string, accepted, name bool, seen map[string]bool) {
	term = strings.Join(strings.Fields(term), " ")
	if term == "" || len(term) > longestTerm || !utf8.ValidString(term) || seen[term] {
		return
	}
	seen[term] = true
	u := w.Counts[term]
	if u == nil {
		if !accepted {
			return // a term is of use only once an accepted page has it
		}
		if len(w.Counts) >= mostWords {
			w.drop()
		}
		u = &use{}
		w.Counts[term] = u
	}
	u.Name = u.Name || name
	if accepted {
		u.On++
	} else {
		u.Off++
	}
}

// drop forgets half of the terms, those of least worth.
func (w *words) drop() {
	for _, term := range w.ranked()[mostWords/2:] {
		delete(w.Counts, term)
	}
}

// worth returns how much a term tells accepted pages from others: the pages that have it, times its log-odds.
func (w *words) worth(u *use) float64 {
	on := (float64(u.On) + 0.5) / (float64(w.Accepted) + 1)
	off := (float64(u.Off) + 0.5) / (float64(w.Others) + 1)
	return float64(u.On) * math.Log(on/off)
}

// ranked returns the terms, best first.
func (w *words) ranked() []string {
	terms := make([]string, 0, len(w.Counts))
	for t := range w.Counts {
		terms = append(terms, t)
	}
	order.By(terms, func(a, b string) int {
		return cmp.Or(cmp.Compare(w.worth(w.Counts[b]), w.worth(w.Counts[a])), cmp.Compare(a, b))
	})
	return terms
}

// next returns the best term that was not asked for; names come before words of titles. Empty: there is none.
func (w *words) next(asked []string) string {
	word := ""
	for _, t := range w.ranked() {
		u := w.Counts[t]
		if w.worth(u) <= 0 || contains(asked, t) {
			continue
		}
		if u.Name {
			return t
		}
		if word == "" && u.On >= fewestUses {
			word = t
		}
	}
	return word
}
