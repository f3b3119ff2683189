package store

import (
	"strings"
	"unicode/utf8"

	"orbweaver/internal/console"
	"orbweaver/internal/order"
	"orbweaver/search"
)

// snippet is a part of a text with highlighted words.
type snippet struct {
	Text  string   `json:"text"`
	Marks [][2]int `json:"marks,omitempty"` // byte offsets in Text: start, end (exclusive)
}

// window is the approximate length of a snippet, in bytes.
const window = 240

// snippetOf returns the part of a text with the most highlighted words, the first one on a tie. Without
// any it returns the beginning.
func snippetOf(text string, spans []search.Span) snippet {
	best, most := 0, 0
	for i, j := 0, 0; i < len(spans); i++ {
		for j = max(i, j); j < len(spans) && spans[j].End <= spans[i].Start+window; j++ {
		}
		if j-i > most {
			best, most = i, j-i
		}
	}
	from := 0
	if most > 0 {
		from = wordStart(text, max(0, spans[best].Start-window/6))
	}
	to := wordEnd(text, min(len(text), from+window))
	s := snippet{Text: text[from:to]}
	for _, span := range spans[best : best+most] {
		if span.Start >= from && span.End <= to {
			s.Marks = append(s.Marks, [2]int{span.Start - from, span.End - from})
		}
	}
	return s
}

// nearby is how far the end of a word is searched, in bytes.
const nearby = 32

// wordStart returns where a word begins, at or shortly after an offset.
func wordStart(text string, at int) int {
	if at == 0 {
		return 0
	}
	if i := strings.IndexAny(text[at:min(len(text), at+nearby)], " \n\t"); i >= 0 {
		return at + i + 1
	}
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// wordEnd returns where a word ends, at or shortly after an offset.
func wordEnd(text string, at int) int {
	if at == len(text) {
		return at
	}
	if i := strings.IndexAny(text[at:min(len(text), at+nearby)], " \n\t"); i >= 0 {
		return at + i
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// String returns a snippet on one line, with highlighted words between asterisks.
func (s snippet) String() string {
	var b strings.Builder
	last := 0
	for _, m := range s.Marks {
		b.WriteString(s.Text[last:m[0]] + "*" + s.Text[m[0]:m[1]] + "*")
		last = m[1]
	}
	return console.Visible(b.String()+s.Text[last:], 2*window)
}

// rank sorts the hits, best first, and keeps top of them; 0: all.
func (f *Found) rank(top int) {
	order.By(f.Hits, FoundPage.Order)
	if top > 0 {
		f.Hits = f.Hits[:min(top, len(f.Hits))]
	}
}
