package text

// maxBlock is how many words are looked at together; a phrase across such a seam is not found.
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
	block   []token // the words of the block being read
	found   []Match
	tokens  int
}

type token struct {
	stem       uint32 // 0: in no phrase
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
	m.found, m.block, m.tokens = m.found[:0], m.block[:0], 0
	for m.words.Reset(text); m.words.Next(); {
		if m.words.NewBlock() || len(m.block) == maxBlock {
			m.matchBlock()
		}
		m.block = append(m.block, token{m.number(m.words.Word()), m.words.Start(), m.words.End()})
		m.tokens++
	}
	m.matchBlock()
	return m.found
}

// number returns the number of a word's stem in the table, 0 for a stem of no phrase.
func (m *Matcher) number(word []byte) uint32 {
	slot := m.known.slot(word)
	if slot.holds(word) {
		return slot.number
	}
	stem := m.table.stems[m.stemmer.Stem(word)]
	slot.fill(word, stem)
	return stem
}

// Tokens returns the number of words in the text last searched.
func (m *Matcher) Tokens() int { return m.tokens }

// IDs returns what a form stands for, ascending and distinct. It is not to be changed.
func (m *Matcher) IDs(form int32) []int32 { return m.table.forms[form].ids }

// Text returns a form as its first phrase was written, in lower case.
func (m *Matcher) Text(form int32) string { return m.table.forms[form].text }

// Forms returns how many forms there are: they are numbered from 0.
func (m *Matcher) Forms() int { return len(m.table.forms) }

func (m *Matcher) matchBlock() {
	for i := 0; i < len(m.block); {
		form, n := m.longest(m.block[i:])
		if n == 0 {
			i++
			continue
		}
		m.found = append(m.found, Match{form, m.block[i].start, m.block[i+n-1].end})
		i += n
	}
	m.block = m.block[:0]
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
		if i == len(tokens) || tokens[i].stem == 0 || !t.nodes[at].more {
			return form, n
		}
		if at = t.next[uint64(at)<<32|uint64(tokens[i].stem)]; at == 0 {
			return form, n
		}
	}
}
