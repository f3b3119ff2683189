package text

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
	known   numbers
	words   Scanner
	run     []token // the last words, all of them in phrases and in one block
	found   []Match
	tokens  int
}

type token struct {
	stem       uint32
	start, end int
}

func newMatcher(t *table, lang string) *Matcher {
	return &Matcher{table: t, stemmer: newStemmer(lang, 0), known: newNumbers()}
}

// Release gives the matcher back to its lexicon. Neither it nor what it returned may be used after.
func (m *Matcher) Release() { m.table.matchers.Put(m) }

// Match returns the occurrences of phrases in a text, in its order: at every word the longest phrase
// that starts there wins, and the search goes on behind it, so that occurrences do not overlap. A
// blank line ends a match. The answer is valid until the next call.
func (m *Matcher) Match(text string) []Match {
	m.found, m.run, m.tokens = m.found[:0], m.run[:0], 0
	for m.words.Reset(text); m.words.Next(); m.tokens++ {
		if m.words.block {
			m.matchRun()
		}
		stem := uint32(0)
		if !m.words.plain || m.table.starts == nil || m.table.starts.admit(m.words.key) {
			stem = m.number()
		}
		if stem == 0 || len(m.run) == maxBlock {
			m.matchRun() // no phrase goes on over a word that is in none
		}
		if stem != 0 {
			m.run = append(m.run, token{stem, m.words.start, m.words.end})
		}
	}
	m.matchRun()
	return m.found
}

// number returns the number of the current word's stem in the table, 0 for a stem of no phrase.
func (m *Matcher) number() uint32 {
	word := m.words.word
	var slot *slot
	if len(word) <= maxKey {
		if slot = m.known.short(m.words.key); slot.holdsShort(m.words.key) {
			return slot.number
		}
	} else if slot = m.known.long(word); slot.holdsLong(word) {
		return slot.number
	}
	number := m.table.stems[m.stemmer.Stem(word)]
	slot.fill(word, number)
	return number
}

// Tokens returns the number of words in the text last searched.
func (m *Matcher) Tokens() int { return m.tokens }

// IDs returns what a form stands for, ascending and distinct. It is not to be changed.
func (m *Matcher) IDs(form int32) []int32 { return m.table.forms[form].ids }

// Text returns a form as its first phrase was written, in lower case.
func (m *Matcher) Text(form int32) string { return m.table.forms[form].text }

// Forms returns how many forms there are: they are numbered from 0.
func (m *Matcher) Forms() int { return len(m.table.forms) }

// matchRun finds the phrases in the run, and ends it.
func (m *Matcher) matchRun() {
	for i := 0; i < len(m.run); {
		form, n := m.longest(m.run[i:])
		if n == 0 {
			i++
			continue
		}
		m.found = append(m.found, Match{form, m.run[i].start, m.run[i+n-1].end})
		i += n
	}
	m.run = m.run[:0]
}

// longest returns the longest phrase that the tokens start with, and its number of words.
func (m *Matcher) longest(tokens []token) (form int32, n int) {
	t := m.table
	at := t.first[tokens[0].stem]
	if at == 0 {
		return -1, 0
	}
	form = -1
	for i := 1; ; i++ {
		if f := t.nodes[at].form; f >= 0 {
			form, n = f, i
		}
		if i == len(tokens) || !t.nodes[at].more {
			return form, n
		}
		if at = t.next[uint64(at)<<32|uint64(tokens[i].stem)]; at == 0 {
			return form, n
		}
	}
}
