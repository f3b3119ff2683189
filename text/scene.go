package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A scene is what stands around a word, as far as it tells what capitals mean there.
type scene struct {
	start   bool // the word begins its block, or a sentence in it
	heading bool // the block is short and does not end as a sentence does
	title   bool // the other words that say something start with capitals
	loud    bool // the other words are all in capitals
}

const (
	around     = 80  // bytes of a block that are looked at, either side of a word
	maxHeading = 120 // bytes of a heading
)

// sceneOf looks around the word at start to end in a text.
func sceneOf(s string, start, end int) scene {
	from, to := max(0, start-maxHeading), min(len(s), end+maxHeading)
	before, behind := s[from:start], s[end:to]
	begins, closes := from == 0, to == len(s)
	if i := strings.LastIndex(before, "\n\n"); i >= 0 {
		before, begins = before[i+2:], true
	}
	if i := strings.Index(behind, "\n\n"); i >= 0 {
		behind, closes = behind[:i], true
	}
	v := scene{start: startsSentence(before, begins)}
	v.heading = begins && closes && len(before)+end-start+len(behind) <= maxHeading && !sentenceEnds(s[start:end+len(behind)])
	if len(before) > around {
		before, begins = before[len(before)-around:], false
	}
	if !begins { // what may be half a word
		before = before[max(0, strings.IndexFunc(before, func(r rune) bool { return !wordRune(r) })):]
	}
	var n tally
	n.count(before)
	n.count(behind[:min(len(behind), around)])
	v.title = n.content > 0 && n.content == n.capital
	v.loud = n.cased > 0 && n.lower == 0
	return v
}

// startsSentence reports whether a word begins a sentence, by what stands before it in its block.
func startsSentence(before string, begins bool) bool {
	before = strings.TrimRightFunc(before, func(r rune) bool { return !wordRune(r) && !ends(r) })
	if before == "" {
		return begins
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return ends(r)
}

// sentenceEnds reports whether a block ends as a sentence does.
func sentenceEnds(block string) bool {
	block = strings.TrimRightFunc(block, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"')]”’»", r) })
	r, _ := utf8.DecodeLastRuneInString(block)
	return ends(r) || r == ',' || r == ';'
}

func ends(r rune) bool { return strings.ContainsRune(".!?:…。！？؟", r) }

// tally counts the words around another by how capitals stand in them.
type tally struct{ cased, lower, content, capital int }

func (t *tally) count(s string) {
	for len(s) > 0 {
		at := strings.IndexFunc(s, unicode.IsLetter)
		if at < 0 {
			return
		}
		s = s[at:]
		n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
		if n < 0 {
			n = len(s)
		}
		c, letters := casingOf(s[:n])
		s = s[n:]
		if c == uncased || letters < 2 {
			continue
		}
		t.cased++
		if c != upperCase {
			t.lower++
		}
		if letters >= content {
			t.content++
			if c != lowerCase {
				t.capital++
			}
		}
	}
}
