package ledger

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver"
)

// Bounds of titles and snippets.
const (
	maxTitle   = 300      // bytes of a title
	maxSnippet = 240      // bytes of a snippet, its ellipses apart
	searched   = 16 << 10 // bytes of the main text to search
	maxPhrases = 64       // of the reasons
	maxPhrase  = 100      // bytes of one
	before     = 60       // most bytes before the first phrase
	maxEnding  = 3        // letters that may follow the phrase in its last word
	repetition = 0.05     // weight of a repeated phrase, relative to a new one
	ellipsis   = "…"
)

// snippetOf returns the snippet of a page; empty for pages that score 0 or duplicate another.
func snippetOf(o *orbweaver.Outcome) string {
	if o.Page == nil || o.Actual.Score <= 0 || o.Duplicate.URL != "" {
		return ""
	}
	return Snippet(o.Page.Text, heaviest(o.Actual.Reasons, MaxReasons))
}

// Snippet returns the excerpt of a text that covers the most phrases of the reasons: at most 240 bytes of
// whole words, white space collapsed, with ellipses for omitted text. Among equal excerpts the first wins;
// without any phrase it is the beginning. Only the first 16 KiB are searched. The result depends only on the
// text and the reasons.
func Snippet(text string, reasons []orbweaver.Reason) string {
	text = cutRunes(text, searched)
	start := 0
	if found := findPhrases(text, phrasesOf(reasons)); len(found) > 0 {
		start = wordStart(text, bestStart(found), before)
	}
	end := wordEnd(text, start+maxSnippet)
	piece := strings.Join(strings.FieldsFunc(text[start:end], isBlank), " ")
	if piece != "" && strings.TrimSpace(text[:start]) != "" {
		piece = ellipsis + " " + piece
	}
	if piece != "" && strings.TrimSpace(text[end:]) != "" {
		piece += " " + ellipsis
	}
	return strings.ToValidUTF8(piece, "\ufffd")
}

// A Mark is a half-open byte range of a text.
type Mark struct{ Start, End int }

// Marks returns the disjoint parts of a snippet or a title that reasons name, in order.
func Marks(text string, reasons []orbweaver.Reason) []Mark {
	var marks []Mark
	for _, f := range findPhrases(text, phrasesOf(reasons)) {
		if n := len(marks); n > 0 && f.start < marks[n-1].End {
			marks[n-1].End = max(marks[n-1].End, f.end)
			continue
		}
		marks = append(marks, Mark{f.start, f.end})
	}
	return marks
}

// A phrase is a sequence of words named by a reason.
type phrase struct {
	runes   []rune // case-folded unless exact; one blank between words
	exact   bool   // case counts
	endless bool   // of a script without blanks: any character may follow
	weight  float64
}

// phrasesOf returns the phrases of a page's text that reasons name, the heaviest first. Rules whose evidence is not
// words of the text, such as a media type, yield none.
func phrasesOf(reasons []orbweaver.Reason) (phrases []phrase) {
	room := make([]rune, 512) // of all phrases together, usually
	for _, r := range reasons {
		if !namesWords(r.Rule) || r.Weight <= 0 {
			continue
		}
		for text := range strings.FieldsFuncSeq(withoutTags(r.Evidence), breaksPhrase) {
			if text, _, _ = strings.Cut(text, "×"); len(phrases) == maxPhrases {
				return phrases
			}
			p, ok := phraseOf(room, text, r.Weight)
			if ok && !slices.ContainsFunc(phrases, func(q phrase) bool { return slices.Equal(p.runes, q.runes) && p.exact == q.exact }) {
				phrases, room = append(phrases, p), room[min(len(p.runes), len(room)):]
			}
		}
	}
	return phrases
}

// namesWords reports whether a rule's evidence is words of the page.
func namesWords(rule string) bool {
	switch rule {
	case "entity", "term", "keyword", "noun", "terms", "labels", "title", "heading":
		return true
	}
	return false
}

// withoutTags removes text between < and >, which are IRIs.
func withoutTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(s, "<")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, ">")
	}
}

// breaksPhrase reports whether a character ends a phrase of a reason's evidence.
func breaksPhrase(c rune) bool {
	switch c {
	case ',', ':', ';', '"', '“', '”', '„', '«', '»', '(', ')', '[', ']', '{', '}', '\n':
		return true
	}
	return false
}

// phraseOf returns the phrase of a text, in a buffer if there is room in it; none without a letter.
func phraseOf(room []rune, text string, weight float64) (phrase, bool) {
	p, size, letters := phrase{runes: room[:0:len(room)], weight: weight}, 0, false
	gap := false // since the last character of a word
	for _, r := range text {
		if !isWordRune(r) {
			gap = true
			continue
		}
		if gap && size > 0 {
			p.runes = append(p.runes, ' ')
			size++
		}
		p.exact = p.exact || unicode.IsUpper(r) && size > 0 && !gap
		letters = letters || unicode.IsLetter(r)
		p.runes = append(p.runes, r)
		size, gap = size+utf8.RuneLen(r), false
	}
	if size > maxPhrase || !letters {
		return phrase{}, false
	}
	p.endless = isEndless(p.runes[len(p.runes)-1])
	if !p.exact {
		for i, r := range p.runes {
			p.runes[i] = unicode.ToLower(r)
		}
	}
	return p, true
}

// A find is an occurrence of a phrase.
type find struct {
	start, end int
	phrase     int
	weight     float64
}

// findPhrases returns the occurrences of phrases in a text, the longest at each place.
func findPhrases(text string, phrases []phrase) (found []find) {
	if len(phrases) == 0 {
		return nil
	}
	byFirst := map[rune][]int{}
	var begin [utf8.RuneSelf]uint32 // by first letter, in either case: the set of second letters
	for i := range phrases {
		first := unicode.ToLower(phrases[i].runes[0])
		byFirst[first] = append(byFirst[first], i)
		if first < utf8.RuneSelf {
			second := otherLetter
			if len(phrases[i].runes) > 1 && phrases[i].runes[1] < utf8.RuneSelf {
				second = letterBit(byte(phrases[i].runes[1]))
			}
			begin[first] |= second
			begin[unicode.ToUpper(first)&(utf8.RuneSelf-1)] |= second
		}
	}
	inWord := false
	for i := 0; i < len(text); {
		if i+8 < len(text) {
			if words, ascii := wordBytes(text[i:]); ascii {
				starts := words &^ (words << 8)
				if inWord {
					starts &^= 0x80
				}
				for ; starts != 0; starts &= starts - 1 {
					at := i + bits.TrailingZeros64(starts)/8
					c := text[at]
					if begin[c&(utf8.RuneSelf-1)]&(letterBit(text[at+1])|otherLetter) == 0 {
						continue
					}
					if f, ok := longest(text, at, phrases, byFirst[unicode.ToLower(rune(c))]); ok {
						found = append(found, f)
					}
				}
				inWord = words>>63 != 0
				i += 8
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		starts, word := !inWord || isEndless(r), isWordRune(r)
		inWord = word && !isEndless(r)
		if word && starts {
			if f, ok := longest(text, i, phrases, byFirst[unicode.ToLower(r)]); ok {
				found = append(found, f)
			}
		}
		i += size
	}
	return found
}

// wordBytes reports whether the first eight bytes of a text are ASCII, and sets the top bit of those that are letters or digits.
func wordBytes(text string) (words uint64, ascii bool) {
	const each, top = 0x0101010101010101, 0x8080808080808080
	_ = text[7]
	x := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
	small := x | each*0x20
	letters := (small + each*(0x80-'a')) &^ (small + each*(0x7f-'z'))
	digits := (x + each*(0x80-'0')) &^ (x + each*(0x7f-'9'))
	return (letters | digits) & top, x&top == 0
}

// otherLetter is the bit of all characters other than ASCII letters.
const otherLetter uint32 = 1 << 31

// letterBit returns the bit of an ASCII letter, in either case.
func letterBit(c byte) uint32 {
	if c |= 0x20; 'a' <= c && c <= 'z' {
		return 1 << (c - 'a')
	}
	return otherLetter
}

// longest returns the longest of some phrases that occurs at a place.
func longest(text string, at int, phrases []phrase, some []int) (f find, ok bool) {
	for _, n := range some {
		if end := phrases[n].at(text, at); end > f.end {
			f, ok = find{at, end, n, phrases[n].weight}, true
		}
	}
	return f, ok
}

// at returns the end of the phrase at a place, 0 if it does not occur there. Its last word may be a few
// letters longer, for plurals.
func (p *phrase) at(text string, i int) (end int) {
	last := ' '
	for _, want := range p.runes {
		r, size := utf8.DecodeRuneInString(text[i:])
		if want == ' ' {
			gap := i
			for size > 0 && !isWordRune(r) && i-gap < 4 {
				i += size
				r, size = utf8.DecodeRuneInString(text[i:])
			}
			if i == gap && !isEndless(last) {
				return 0
			}
			continue
		}
		if last = r; !p.exact {
			r = unicode.ToLower(r)
		}
		if r != want || size == 0 {
			return 0
		}
		i += size
	}
	if p.endless {
		return i
	}
	for more := 0; i < len(text); more++ {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) || isEndless(r) {
			break
		}
		if more == maxEnding || p.exact && r != 's' || len(p.runes) < 4 && more == 1 {
			return 0
		}
		i += size
	}
	return i
}

// bestStart returns the first phrase's place in the best window: the largest sum of weights, where each
// phrase counts fully once and its repetitions a little.
func bestStart(found []find) (start int) {
	times := map[int]int{}
	worth := func(f find) float64 {
		if times[f.phrase] == 0 {
			return f.weight
		}
		return f.weight * repetition
	}
	best, sum, next := 0.0, 0.0, 0
	for _, first := range found {
		for ; next < len(found) && found[next].end <= first.start+maxSnippet-before; next++ {
			sum += worth(found[next])
			times[found[next].phrase]++
		}
		if cmp.Compare(sum, best) > 0 && sum-best > 1e-12*best {
			best, start = sum, first.start
		}
		times[first.phrase]--
		sum -= worth(first)
	}
	return start
}

// wordStart returns the start of the sentence around a place, if it is at most n bytes before; otherwise the
// start of a word some bytes before.
func wordStart(text string, at, n int) int {
	if at <= n {
		return 0
	}
	start := at
	for i := at; i > at-n; i-- {
		switch {
		case text[i-1] == '\n', text[i-1] == ' ' && strings.IndexByte(".!?", text[i-2]) >= 0:
			return i
		case text[i-1] == ' ':
			start = i
		}
	}
	return start
}

// wordEnd returns the end of the last word at or before a place; in a run without blanks, of the last rune.
func wordEnd(text string, at int) int {
	if at >= len(text) {
		return len(text)
	}
	for i := at; i > at-before; i-- {
		if isBlank(rune(text[i])) {
			return i
		}
	}
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// titleOf returns a title for pages.jsonl: white space collapsed, at most 300 bytes.
func titleOf(p *orbweaver.Page) string {
	title := strings.Join(strings.FieldsFunc(cutRunes(p.Title, 4*maxTitle), isBlank), " ")
	if len(title) > maxTitle {
		title = cutRunes(title, maxTitle) + ellipsis
	}
	return title
}

// cutRunes returns the longest prefix of whole runes of at most n bytes.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// isBlank reports whether r is white space or a control character.
func isBlank(r rune) bool { return r <= ' ' || r == 0x7f || r > 0x7f && unicode.IsSpace(r) }

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordByte(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isEndless reports whether a rune belongs to a script without blanks between words.
func isEndless(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
