package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scene is a word with the context that decides what its capitals mean.
type scene struct {
	text       string
	start, end int
}

const (
	around     = 80  // bytes of the block examined on either side of a word
	maxHeading = 120 // maximum bytes of a heading
)

// before returns up to so many bytes of the block before the word, and whether they begin the block.
func (v scene) before(most int) (string, bool) {
	from := max(0, v.start-most)
	s := v.text[from:v.start]
	if i := strings.LastIndex(s, "\n\n"); i >= 0 {
		return s[i+2:], true
	}
	return s, from == 0
}

// behind returns up to so many bytes of the block behind the word, and whether they end the block.
func (v scene) behind(most int) (string, bool) {
	to := min(len(v.text), v.end+most)
	s := v.text[v.end:to]
	if i := strings.Index(s, "\n\n"); i >= 0 {
		return s[:i], true
	}
	return s, to == len(v.text)
}

// starts reports whether the word begins its block, or a sentence in it.
func (v scene) starts() bool {
	before, begins := v.before(8)
	before = strings.TrimRightFunc(before, func(r rune) bool { return !wordRune(r) && !ends(r) })
	if before == "" {
		return begins
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return ends(r)
}

// heading reports whether the block is short and does not end as a sentence does.
func (v scene) heading() bool {
	before, begins := v.before(maxHeading)
	behind, closes := v.behind(maxHeading)
	return begins && closes && len(before)+v.end-v.start+len(behind) <= maxHeading &&
		!endsSentence(v.text[v.start:v.end+len(behind)])
}

// title reports whether the other content words start with capitals.
func (v scene) title() bool {
	return v.all(func(c casing, letters int) (counts, is bool) { return letters >= content, c != lowerCase })
}

// loud reports whether the other words are all in capitals.
func (v scene) loud() bool {
	return v.all(func(c casing, letters int) (counts, is bool) { return letters >= 2, c == upperCase })
}

// all reports whether there are relevant words around, and all of them satisfy the test.
func (v scene) all(of func(c casing, letters int) (counts, is bool)) bool {
	behind, _ := v.behind(around)
	before, begins := v.before(around)
	if !begins { // possibly half a word
		before = before[max(0, strings.IndexFunc(before, func(r rune) bool { return !wordRune(r) })):]
	}
	some := false
	for _, s := range [...]string{behind, before} {
		for len(s) > 0 {
			at := strings.IndexFunc(s, unicode.IsLetter)
			if at < 0 {
				break
			}
			s = s[at:]
			n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
			if n < 0 {
				n = len(s)
			}
			c, letters := casingOf(s[:n])
			s = s[n:]
			if counts, is := of(c, letters); counts && c != uncased {
				if !is {
					return false
				}
				some = true
			}
		}
	}
	return some
}

// endsSentence reports whether a block ends as a sentence does.
func endsSentence(block string) bool {
	block = strings.TrimRightFunc(block, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"')]”’»", r) })
	r, _ := utf8.DecodeLastRuneInString(block)
	return ends(r) || r == ',' || r == ';'
}

func ends(r rune) bool {
	switch r {
	case '.', '!', '?', ':', '…', '。', '！', '？', '؟':
		return true
	}
	return false
}
