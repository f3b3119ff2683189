package text

import (
	"math/bits"
	"slices"
	"strings"
)

// maxBlock is the number of consecutive phrase words searched together; a phrase across a block boundary is not
// found.
const maxBlock = 1 << 14

// A Match is an occurrence of phrases with the same stems.
type Match struct {
	Form  int32 // the phrases: see Matcher.IDs
	Start int   // byte offset of its first word
	End   int   // byte offset behind its last word
}

// A Matcher searches texts of one language, for one goroutine at a time.
type Matcher struct {
	table   *table
	stemmer *Stemmer
	stem    []byte // for a word not in the cache
	known   numbers
	words   Scanner
	run     []token // the last words, all in phrases and in one block
	found   []Match
	tokens  int

	text    string  // being searched, in normal form
	uncased bool    // the text's capitals are uninformative
	doubts  []doubt // matches in found whose case is unresolved
	signs   []sign  // by spelling
	touched []int32 // into signs
}

type token struct {
	stem       uint32
	start, end int
}

func newMatcher(t *table) *Matcher {
	return &Matcher{table: t, stemmer: t.newStemmer(0), known: newNumbers(), signs: make([]sign, len(t.careful))}
}

// Release returns the matcher to its lexicon. Neither it nor its results may be used afterwards.
func (m *Matcher) Release() { m.table.matchers.Put(m) }

// Match returns the occurrences of phrases in a text, in its order: the longest phrase starting at a word wins and
// the search continues behind it, so occurrences do not overlap. A blank line ends a match. The result is valid until
// the next call.
//
// Where capitals matter and the position is uninformative (the start of a sentence, for example), the word matches if
// the texts of the page so far, this one included, write it as the phrase does at least as often as otherwise; a word
// that is a function word in small letters (US, IT) matches if they do so at all. The texts of a page are all those
// since Lexicon.Matcher or Forget: read its running text first.
func (m *Matcher) Match(text string) []Match { return m.match(text, false) }

// MatchHeading is Match for a title: the casing of a title without capitals is uninformative.
func (m *Matcher) MatchHeading(text string) []Match {
	return m.match(text, strings.ToLower(text) == text)
}

// MatchAddress is Match for the words of a URL, whose case is ignored.
func (m *Matcher) MatchAddress(path string) []Match { return m.match(path, true) }

func (m *Matcher) match(text string, uncased bool) []Match {
	m.found, m.run, m.tokens = m.found[:0], m.run[:0], 0
	m.words.Reset(text)
	m.text, m.uncased, m.doubts = m.words.src, uncased, m.doubts[:0]
	if m.table.starts != nil {
		m.sift(m.text)
	} else {
		for m.words.Next() {
			m.take(m.number(), m.words.start, m.words.end)
		}
	}
	m.matchRun()
	if len(m.doubts) > 0 {
		m.settle()
	}
	if edits := m.words.edits; len(edits) > 0 {
		for i, f := range m.found {
			m.found[i].Start, m.found[i].End = inText(edits, f.Start, true), inText(edits, f.End, false)
		}
	}
	return m.found
}

// sift yields the words of a text as the scanner would. It locates plain words without reading them and reads only
// those that starts admits: most words cost no more than being counted.
func (m *Matcher) sift(s string) {
	starts := m.table.starts
	for pos, next := 0, 0; pos < len(s); pos = next {
		plain, high := window(s, pos)
		next = pos + 64
		for plain|high != 0 {
			i := bits.TrailingZeros64(plain|high) & 63
			n := run(plain, i)
			at, end := pos+i, pos+i+n
			switch {
			case i+n == 64 && i > 0 && end < len(s): // the next window contains it whole
				next, plain, high = at, 0, 0
			case n == 0 || n > maxKey || end < len(s) && goesOn(s[end], s[end-1]):
				m.words.pos = at
				if !m.words.Next() {
					return
				}
				m.take(m.number(), m.words.start, m.words.end)
				end = m.words.pos
				plain, high = plain>>(end-pos)<<(end-pos), high>>(end-pos)<<(end-pos)
				next = max(next, end)
			default:
				low := lowered(s, at, n)
				if starts.begins.has(low) && starts.admit(low) {
					m.take(m.short(key{low, lowered(s, at+8, n-8)}, n), at, end)
				} else if m.tokens++; len(m.run) > 0 {
					m.matchRun()
				}
				plain &= plain + plain&-plain // without its first run of letters
			}
		}
	}
}

// lowered returns the first n of the ASCII letters and digits at offset i of a text, at most eight, in
// lower case, the first the lowest.
func lowered(s string, i, n int) uint64 {
	if n <= 0 {
		return 0
	}
	return (load(s, i) | each*0x20) & (1<<(8*n) - 1)
}

// take counts a word given the number of its stem, and adds it to the run if it is in a phrase.
func (m *Matcher) take(stem uint32, start, end int) {
	m.tokens++
	if stem == 0 || len(m.run) == maxBlock || len(m.run) > 0 && m.parted(start) {
		m.matchRun() // no phrase spans a word that is in none
	}
	if stem != 0 {
		m.run = append(m.run, token{stem, start, end})
	}
}

// parted reports whether a blank line separates the run from the next word, which begins at start.
func (m *Matcher) parted(start int) bool {
	end := m.run[len(m.run)-1].end
	if start <= end+1 {
		return false
	}
	gap := Scanner{src: m.words.src[:start], pos: end}
	gap.skip()
	return gap.block
}

// number returns the number of the current word's stem in the table, 0 for a stem of no phrase.
func (m *Matcher) number() uint32 {
	word := m.words.word
	if len(word) <= maxKey {
		return m.short(m.words.key, len(word))
	}
	slot := m.known.long(word)
	if slot.holdsLong(word) {
		return slot.number
	}
	m.stem = m.stemmer.Append(m.stem[:0], word)
	number := m.table.find(m.stem)
	slot.fill(word, number)
	return number
}

// short returns the number of a word of n bytes that fits its key.
func (m *Matcher) short(k key, n int) uint32 {
	slot := m.known.short(k)
	if !slot.holdsShort(k) {
		var b [maxKey]byte
		k.put(b[:])
		m.stem = m.stemmer.Append(m.stem[:0], b[:n])
		slot.fill(b[:n], m.table.find(m.stem))
	}
	return slot.number
}

// Tokens returns the number of words in the last searched text.
func (m *Matcher) Tokens() int { return m.tokens }

// IDs returns the ids of a form, ascending and distinct. The caller must not change them.
func (m *Matcher) IDs(form int32) []int32 { return m.table.forms.of(form) }

// Label returns the first phrase, as written, by which a form denotes an id.
func (m *Matcher) Label(form, id int32) string {
	at, ok := slices.BinarySearch(m.table.forms.of(form), id)
	if !ok {
		at = 0
	}
	return m.table.forms.label(form, at)
}

// Forms returns the number of forms; they are numbered from 0.
func (m *Matcher) Forms() int { return len(m.table.forms.ends) }

// matchRun finds the phrases in the run, and ends it.
func (m *Matcher) matchRun() {
	for i := 0; i < len(m.run); {
		e := m.longest(m.run[i:])
		if e.n == 0 {
			i++
			continue
		}
		if e.doubt >= 0 {
			m.doubts = append(m.doubts, doubt{at: int32(len(m.found)), spelling: e.doubt, otherwise: e.otherwise})
		}
		m.found = append(m.found, Match{e.form, m.run[i].start, m.run[i+e.n-1].end})
		i += e.n
	}
	m.run = m.run[:0]
}

// An end is the end of a possible match.
type end struct {
	form      int32
	n         int   // its words, 0 for no phrase
	doubt     int32 // the spelling that may be meant, -1 if the form is certain
	otherwise int32 // the form if the spelling is not meant, -1 for none
}

// longest returns the longest phrase that the tokens start with.
func (m *Matcher) longest(tokens []token) (e end) {
	t := m.table
	at := t.first[tokens[0].stem]
	if at == 0 {
		return e
	}
	for i := 1; ; i++ {
		node := &t.nodes[at]
		if node.form >= 0 && (i > 1 || !m.outcries(node.form, tokens[0])) {
			e = end{node.form, i, -1, -1}
		}
		if node.careful >= 0 {
			m.spelled(node, tokens[:i], &e)
		}
		if i == len(tokens) || !node.more {
			return e
		}
		if at = t.next[uint64(at)<<32|uint64(tokens[i].stem)]; at == 0 {
			return e
		}
	}
}
