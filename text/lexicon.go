package text

import (
	"slices"
	"strings"
	"sync"
)

// maxPhrase bounds the words of a phrase; a longer one is no term and never matches.
const maxPhrase = 32

// A Phrase is one or more words that stand for something.
type Phrase struct {
	Text string
	Lang string // language tag; empty: serves every language
	ID   int32  // what it stands for: the caller's number
}

// A Lexicon finds phrases in texts, n:m: a phrase may stand for several ids, an id may have several
// phrases. It never changes and may be shared by any number of goroutines.
//
// Both sides are stemmed alike, by the language of the text. A text is searched for the phrases
// tagged with its language and for those without a tag; a text of unknown language is taken for
// English.
type Lexicon struct {
	phrases []Phrase
	tagged  map[string]bool // primary subtags that phrases have

	mu     sync.Mutex // guards tables, asked for once a text
	tables map[string]*table
}

// NewLexicon makes a lexicon of phrases. Phrases without a word in them, or with more than 32, never
// match.
func NewLexicon(phrases []Phrase) *Lexicon {
	l := &Lexicon{
		phrases: slices.Clone(phrases),
		tagged:  map[string]bool{},
		tables:  map[string]*table{},
	}
	for i := range l.phrases {
		l.phrases[i].Lang = Primary(l.phrases[i].Lang)
		l.tagged[l.phrases[i].Lang] = true
	}
	return l
}

// Matcher returns a matcher for texts of a language; give it back with Release.
func (l *Lexicon) Matcher(lang string) *Matcher {
	return l.table(Primary(lang)).matchers.Get().(*Matcher)
}

// unserved is the table of all languages that have neither a stemmer nor phrases of their own, so
// that pages cannot make the lexicon grow by inventing languages.
const unserved = "mis"

// table returns the lexicon as compiled for a language, compiling it the first time.
func (l *Lexicon) table(lang string) *table {
	switch {
	case lang == "":
		lang = "en"
	case !Stemmable(lang) && !l.tagged[lang]:
		lang = unserved
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tables[lang]
	if t == nil {
		t = compile(l.phrases, lang)
		l.tables[lang] = t
	}
	return t
}

// A table is a lexicon for one language: a trie over stems, kept in a hash map from (node, stem) to
// node, so that its size is that of the phrases' distinct prefixes. Node 0 is the root.
type table struct {
	stems    map[string]uint32 // stem to its number, from 1
	first    []uint32          // by stem: the root's child, 0 for none
	next     map[uint64]uint32 // node<<32 | stem: child
	starts   *starts           // of the stems; nil where a stem may start otherwise than its word
	nodes    []node
	forms    []form
	matchers sync.Pool
}

type node struct {
	form int32 // what ends here, -1 for nothing
	more bool  // longer phrases go on from here
}

// A form is what the phrases that stem alike have in common.
type form struct {
	ids  []int32 // ascending, distinct
	text string  // of the first of the phrases, in lower case
}

func compile(phrases []Phrase, lang string) *table {
	t := &table{
		stems: map[string]uint32{},
		first: []uint32{0},
		next:  map[uint64]uint32{},
		nodes: []node{{form: -1}},
	}
	if keepsStarts(lang) {
		t.starts = new(starts)
	}
	stemmer := NewStemmer(lang)
	var words Scanner
	var stems []uint32
	for _, p := range phrases {
		if p.Lang == "" || p.Lang == lang {
			stems = t.number(stems[:0], &words, stemmer, p.Text)
			t.insert(stems, p)
		}
	}
	for i := range t.forms {
		slices.Sort(t.forms[i].ids)
		t.forms[i].ids = slices.Compact(t.forms[i].ids)
	}
	t.matchers.New = func() any { return newMatcher(t, lang) }
	return t
}

// number turns a phrase into the numbers of its stems, giving new ones where needed.
func (t *table) number(dst []uint32, words *Scanner, stemmer *Stemmer, phrase string) []uint32 {
	for words.Reset(phrase); words.Next(); {
		if len(dst) == maxPhrase {
			return nil
		}
		stem := stemmer.Stem(words.Word())
		n := t.stems[stem]
		if n == 0 {
			n = uint32(len(t.first))
			t.stems[stem] = n
			if t.starts != nil {
				t.starts.add(stem)
			}
			t.first = append(t.first, 0)
		}
		dst = append(dst, n)
	}
	return dst
}

func (t *table) insert(stems []uint32, p Phrase) {
	if len(stems) == 0 {
		return
	}
	at := t.first[stems[0]]
	if at == 0 {
		at = t.grow()
		t.first[stems[0]] = at
	}
	for _, stem := range stems[1:] {
		t.nodes[at].more = true
		key := uint64(at)<<32 | uint64(stem)
		child := t.next[key]
		if child == 0 {
			child = t.grow()
			t.next[key] = child
		}
		at = child
	}
	if t.nodes[at].form < 0 {
		t.nodes[at].form = int32(len(t.forms))
		t.forms = append(t.forms, form{text: strings.ToLower(strings.TrimSpace(p.Text))})
	}
	f := &t.forms[t.nodes[at].form]
	f.ids = append(f.ids, p.ID)
}

func (t *table) grow() uint32 {
	t.nodes = append(t.nodes, node{form: -1})
	return uint32(len(t.nodes) - 1)
}
