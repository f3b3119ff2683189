package text

import (
	"math/bits"
	"slices"
	"strings"
)

// maxBlock is how many words that stand in phrases are looked at together; a phrase across such a seam
// is not found.
const maxBlock = 1 << 14

// A Match is an occurrence of phrases that stem alike.
type Match struct {
	Form  int32 // which phrases: see Matcher.IDs
	Start int   // byte offset of its first word
	End   int   // byte offset behind its last word
}

// A Matcher searches texts of one language, for one goroutine at a time.
type Matcher struct {
	table   *table
	stemmer *Stemmer
	stem    []byte // of a word that was not known
	known   numbers
	words   Scanner
	run     []token // the last words, all of them in phrases and in one block
	found   []Match
	tokens  int

	text    string  // being searched
	uncased bool    // it says nothing by capitals
	doubts  []doubt // among found
	signs   []sign  // by spelling
	touched []int32 // of signs
}

type token struct {
	stem       uint32
	start, end int
}

func newMatcher(t *table) *Matcher {
	return &Matcher{table: t, stemmer: t.newStemmer(0), known: newNumbers(), signs: make([]sign, len(t.careful))}
}

// Release gives the matcher back to its lexicon. Neither it nor what it returned may be used after.
func (m *Matcher) Release() { m.table.matchers.Put(m) }

// Match returns the occurrences of phrases in a text, in its order: at every word the longest phrase
// that starts there wins, and the search goes on behind it, so that occurrences do not overlap. A
// blank line ends a match. The answer is valid until the next call.
//
// Where capitals matter and the text does not tell by them, at the start of a sentence for example, the word
// counts if the texts of the page so far, this one included, write it as the phrase does at least as often as
// otherwise; one that in small letters says nothing (US, IT), if they do so at all. The texts of a
// page are all since Lexicon.Matcher or Forget: read its running text first.
func (m *Matcher) Match(text string) []Match { return m.match(text, false) }

// MatchHeading is Match for a title: one without capitals does not tell by them.
func (m *Matcher) MatchHeading(text string) []Match {
	return m.match(text, strings.ToLower(text) == text)
}

// MatchAddress is Match for the words of a URL, whose case says nothing.
func (m *Matcher) MatchAddress(path string) []Match { return m.match(path, true) }

func (m *Matcher) match(text string, uncased bool) []Match {
	m.found, m.run, m.tokens = m.found[:0], m.run[:0], 0
	m.text, m.uncased, m.doubts = text, uncased, m.doubts[:0]
	m.words.Reset(text)
	if m.table.starts != nil {
		m.sift(text)
	} else {
		for m.words.Next() {
			m.take(m.number(), m.words.start, m.words.end)
		}
	}
	m.matchRun()
	if len(m.doubts) > 0 {
		m.settle()
	}
	return m.found
}

// sift takes the words of a text as the scanner would give them. It sees where plain words stand without
// reading them, and reads those only that starts admits: most words cost no more than being counted.
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
			case i+n == 64 && i > 0 && end < len(s): // the next window shows it whole
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
				plain &= plain + plain&-plain // without its first run
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

// take counts a word, by the number of its stem, and adds it to the run if it is in a phrase.
func (m *Matcher) take(stem uint32, start, end int) {
	m.tokens++
	if stem == 0 || len(m.run) == maxBlock || len(m.run) > 0 && m.parted(start) {
		m.matchRun() // no phrase goes on over a word that is in none
	}
	if stem != 0 {
		m.run = append(m.run, token{stem, start, end})
	}
}

// parted reports whether a blank line stands between the run and the next word, which starts at start.
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

// short returns the number of a word of n bytes that its key holds.
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

// Tokens returns the number of words in the text last searched.
func (m *Matcher) Tokens() int { return m.tokens }

// IDs returns what a form stands for, ascending and distinct. It is not to be changed.
func (m *Matcher) IDs(form int32) []int32 { return m.table.forms[form].ids }

// Label returns the phrase by which a form stands for an id, as written: the first, if several do.
func (m *Matcher) Label(form, id int32) string {
	f := &m.table.forms[form]
	if i, ok := slices.BinarySearch(f.ids, id); ok {
		return f.labels[i]
	}
	return f.labels[0]
}

// Forms returns how many forms there are: they are numbered from 0.
func (m *Matcher) Forms() int { return len(m.table.forms) }

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

// An end is where a phrase ends.
type end struct {
	form      int32
	n         int   // its words, 0 for no phrase
	doubt     int32 // the spelling that may be meant, -1 where it surely is
	otherwise int32 // the form if it is not, -1 for none
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
