package text

import (
	"slices"
	"strings"
	"sync"
)

// maxPhrase bounds the words of a phrase; a longer one is no term and never matches.
const maxPhrase = 32

// A Phrase is one or more words that denote something.
type Phrase struct {
	Text   string
	Lang   string // language tag; empty: serves every language
	ID     int32  // the denoted thing, as the caller numbers it
	Origin Origin
}

// An Origin is the source of a phrase; it decides how a first capital is interpreted.
type Origin uint8

// The origins of phrases.
const (
	Term     Origin = iota // a term for a kind of thing: most share one casing, the others are names
	Name                   // a term for one thing: capitals mean what they mean in terms
	Relation               // a term for a relation: like terms, but a list of its own
	Coined                 // derived from an identifier: a first capital means nothing
)

// A Lexicon finds phrases in texts, n:m: a phrase may stand for several ids, an id may have several phrases. It is
// immutable and safe for concurrent use.
//
// Text and phrases are stemmed by the language of the text. A text is searched for the phrases tagged with its
// language and for those without a tag; a text of unknown language is taken for English. Words match in any case,
// except in phrases whose capitals matter:
//
//   - Two capitals or more, one that is not the first letter, or a digit and a capital (AIDS, MySQL, B52):
//     the word, or its plain plural, stands as written. "aids" and "Mysql" are other words.
//   - A digit and small letters (mp3): its letters, or their plural, in any case.
//   - A first capital that is that of a name (Polish): the word has it, and in English no ending but a
//     plural's. It is that of a name where three of four terms of the language start with small letters, or
//     where it stands behind a word in small letters ("history of Poland").
//   - A first capital in texts of a language that writes nouns so (German): the word has it.
//
// Where most phrases of a language, three or more, are all in capitals, not only abbreviations, capitals are ignored.
// Some positions are uninformative: the start of a sentence, a title, a line all in capitals, a text without
// capitals. There the other occurrences on the page decide: see Matcher.Match.
type Lexicon struct {
	phrases []Phrase
	tagged  map[string]bool // primary subtags that phrases have
	folded  bool            // case does not matter
	habits  habits
	careful bool

	mu     sync.Mutex // guards tables; locked once per text
	tables map[string]*table
}

// NewLexicon makes a lexicon of phrases. Phrases without a word in them, or with more than 32, never
// match.
func NewLexicon(phrases []Phrase) *Lexicon { return newLexicon(phrases, false) }

// NewFoldedLexicon is NewLexicon without case rules: it compares words by stem alone, and stems with Snowball even in
// languages for which NewLexicon has its own rules.
func NewFoldedLexicon(phrases []Phrase) *Lexicon { return newLexicon(phrases, true) }

func newLexicon(phrases []Phrase, folded bool) *Lexicon {
	l := &Lexicon{
		phrases: slices.Clone(phrases),
		tagged:  map[string]bool{},
		folded:  folded,
		tables:  map[string]*table{},
	}
	for i := range l.phrases {
		l.phrases[i].Lang = Primary(l.phrases[i].Lang)
		l.tagged[l.phrases[i].Lang] = true
	}
	if !folded {
		l.habits = habitsOf(l.phrases)
		l.careful = slices.ContainsFunc(l.phrases, func(p Phrase) bool { return strings.ToLower(p.Text) != p.Text })
	}
	return l
}

// Careful reports whether capitals matter in some phrase. If so, reading the running text of a page before its links
// resolves more matches.
func (l *Lexicon) Careful() bool { return l.careful }

// Matcher returns a matcher for the texts of a page in a language; return it with Release.
func (l *Lexicon) Matcher(lang string) *Matcher {
	m := l.table(Primary(lang)).matchers.Get().(*Matcher)
	m.Forget()
	return m
}

// unserved names the table shared by all languages without a stemmer or phrases of their own, so that pages cannot
// grow the lexicon by inventing languages.
const unserved = "mis"

// table returns the lexicon compiled for a language, compiling it on first use.
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
		t = l.compile(lang)
		l.tables[lang] = t
	}
	return t
}

// A table is a lexicon for one language: a trie over stems, kept in a hash map from (node, stem) to node, its size
// proportional to the phrases' distinct prefixes. Node 0 is the root.
type table struct {
	lang     string
	folded   bool
	stems    map[string]uint32 // stem to its number, from 1
	aliases  map[string]uint32 // alternative spellings, to the number of the stem
	first    []uint32          // by stem: the root's child, 0 for none
	next     map[uint64]uint32 // node<<32 | stem: child
	starts   *starts           // prefix filter of the stems; nil where a stem and its word may start differently
	nodes    []node
	forms    forms
	careful  []spelling
	matchers sync.Pool
}

type node struct {
	form    int32 // the form ending here in any case, -1 for none
	careful int32 // the first spelling ending here, -1 for none
	more    bool  // a longer phrase continues here
}

// A spelling is a form that requires a certain spelling of its words.
type spelling struct {
	words  []written
	form   int32
	next   int32 // the next spelling at the same node, -1 for none
	common bool  // a word that is a function word without its capitals, such as US and IT
	dense  bool  // in a script without spaces: label must occur literally, where a word may stand
	label  string
}

// compile makes the table of a language.
func (l *Lexicon) compile(lang string) *table {
	t := &table{
		lang:   lang,
		folded: l.folded,
		stems:  map[string]uint32{},
		first:  []uint32{0},
		next:   map[uint64]uint32{},
		nodes:  []node{{form: -1, careful: -1}},
		forms:  forms{phrases: l.phrases},
	}
	if keepsStarts(lang) {
		t.starts = new(starts)
	}
	in := &insertion{table: t, stemmer: t.newStemmer(cacheSize)}
	for i, p := range l.phrases {
		if p.Lang != "" && p.Lang != lang {
			continue
		}
		var words []written
		if !l.folded {
			words = l.habits.carefully(p, lang)
		}
		in.insert(int32(i), words)
	}
	t.forms.sort()
	t.matchers.New = func() any { return newMatcher(t) }
	return t
}

// newStemmer returns a stemmer of the table's words.
func (t *table) newStemmer(size int) *Stemmer {
	if t.lang == "ar" && !t.folded {
		return &Stemmer{arabic: true}
	}
	return newStemmer(t.lang, size)
}

// find returns the number of a stem, 0 for one of no phrase.
func (t *table) find(stem []byte) uint32 {
	n := t.stems[string(stem)]
	if n == 0 && t.aliases != nil {
		n = t.aliases[string(stem)]
	}
	return n
}

func (t *table) grow() uint32 {
	t.nodes = append(t.nodes, node{form: -1, careful: -1})
	return uint32(len(t.nodes) - 1)
}
