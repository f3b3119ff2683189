package search

import (
	"slices"
	"strings"

	"orbweaver/text"
)

// A Span is a byte range of a text, end exclusive.
type Span struct{ Start, End int }

// Highlights returns the parts of a text that match a query, in order and without overlap: words, and phrases
// as a whole. The text must be one of an indexed document.
func (r Reader) Highlights(q Query, t Text) []Span {
	h := newHighlighter(q, t.Field)
	if len(h.parts) == 0 {
		return nil
	}
	stemmers := &r.store.stemmers
	stemmer := stemmers.Get(langOf(t.Lang))
	defer stemmers.Put(langOf(t.Lang), stemmer)
	var scanner text.Scanner
	var stem []byte
	for scanner.Reset(t.Text); scanner.Next(); {
		if stem = stemmer.Append(stem[:0], scanner.Word()); len(stem) == 0 {
			stem = append(stem, scanner.Word()...)
		}
		if written, ok := scanner.AsWritten(); ok {
			h.match([]byte(written))
		}
		h.word(stem, scanner.Word(), Span{scanner.Start(), scanner.End()}, scanner.NewBlock())
	}
	return h.merged()
}

// A highlighter matches all clauses at once by bit parallelism: the i-th bit is set if the last words are the
// first i+1 words of the clause (Baeza-Yates and Gonnet, "A New Approach to Text Searching", CACM 1992).
type highlighter struct {
	parts    []progress
	stems    map[string][]slot
	prefixes []string       // of prefix clauses
	last     [maxPhrase]int // starts of the last words
	n        int            // number of words
	spans    []Span
}

// A progress is the matching state of a clause.
type progress struct {
	state, match, end uint32
	words             int
}

// A slot is a word of a clause.
type slot struct {
	part int
	bit  uint32
}

func newHighlighter(q Query, field string) *highlighter {
	h := &highlighter{stems: map[string][]slot{}}
	for _, c := range q.Clauses {
		if c.Need == Forbidden || c.Field != "" && c.Field != field || len(c.Words) == 0 || len(c.Words) > maxPhrase {
			continue
		}
		h.parts = append(h.parts, progress{end: 1 << (len(c.Words) - 1), words: len(c.Words)})
		for i, w := range c.Words {
			if w.Prefix {
				h.prefixes = append(h.prefixes, w.Text)
				continue
			}
			for _, s := range w.Stems {
				h.stems[s] = append(h.stems[s], slot{len(h.parts) - 1, 1 << i})
			}
		}
	}
	return h
}

// match updates the clauses with the next word.
func (h *highlighter) match(term []byte) {
	for _, s := range h.stems[string(term)] {
		h.parts[s.part].match |= s.bit
	}
}

func (h *highlighter) word(stem, form []byte, at Span, newBlock bool) {
	h.last[h.n%maxPhrase] = at.Start
	h.n++
	h.match(stem)
	for i := range h.parts {
		p := &h.parts[i]
		if newBlock {
			p.state = 0
		}
		p.state = (p.state<<1 | 1) & p.match
		p.match = 0
		if p.state&p.end != 0 {
			h.spans = append(h.spans, Span{h.last[(h.n-p.words)%maxPhrase], at.End})
		}
	}
	if slices.ContainsFunc(h.prefixes, func(p string) bool { return strings.HasPrefix(string(form), p) }) {
		h.spans = append(h.spans, at)
	}
}

// merged returns the spans without overlaps.
func (h *highlighter) merged() (all []Span) {
	slices.SortFunc(h.spans, func(a, b Span) int { return a.Start - b.Start })
	for _, s := range h.spans {
		if n := len(all); n > 0 && s.Start < all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, s)
	}
	return all
}
