package text

import (
	"hash/maphash"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/porter"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

const (
	cacheSize = 1 << 14 // capacity of a stemmer's cache
	maxStem   = 64      // bytes; a longer word is its own stem, since stemming is quadratic in its length
)

// A Stemmer reduces the words of one language to stems and caches some thousand of them. It is not safe for
// concurrent use; make one per worker.
type Stemmer struct {
	algorithm func(*snowballstem.Env) bool // nil: words are their own stems
	porter    bool                         // use Porter's algorithm
	arabic    bool                         // use appendArabic
	env       *snowballstem.Env
	seed      maphash.Seed
	cache     []stemmed // direct-mapped: a word evicts the one in its slot
}

type stemmed struct{ word, stem string }

// NewStemmer returns a stemmer for a language tag: Porter's of 1980 for English and for "" (unknown language);
// Snowball's where it has one; none, which leaves words as they are, for any other language.
func NewStemmer(lang string) *Stemmer { return newStemmer(lang, cacheSize) }

// newStemmer returns a stemmer with a cache of so many words, a power of two or 0.
func newStemmer(lang string, size int) *Stemmer {
	lang = Primary(lang)
	return &Stemmer{
		algorithm: algorithm(lang),
		porter:    lang == "" || lang == "en",
		env:       snowballstem.NewEnv(""),
		seed:      maphash.MakeSeed(),
		cache:     make([]stemmed, size),
	}
}

// Stem returns the stem of a word in lower case, as a Scanner gives it. It may be empty: Porter's
// algorithm takes the whole of "s" for an ending.
func (s *Stemmer) Stem(word []byte) string {
	if len(s.cache) == 0 {
		return s.compute(string(word))
	}
	slot := &s.cache[maphash.Bytes(s.seed, word)&uint64(len(s.cache)-1)]
	if slot.word == string(word) {
		return slot.stem
	}
	w := string(word)
	*slot = stemmed{w, s.compute(w)}
	return slot.stem
}

// Append appends the stem of a word to dst. Stems that are cheap to compute, such as English ones, bypass the cache
// and cost no allocation.
func (s *Stemmer) Append(dst, word []byte) []byte {
	switch {
	case s.arabic && len(word) <= maxStem:
		return appendArabic(dst, word)
	case s.algorithm == nil || len(word) > maxStem:
		return append(dst, word...)
	case s.porter && isSmall(word):
		return appendPorter(dst, word)
	}
	return append(dst, s.Stem(word)...)
}

// isSmall reports whether a word is ASCII without capitals.
func isSmall(word []byte) bool {
	for _, c := range word {
		if c >= utf8.RuneSelf || class(c) == upper {
			return false
		}
	}
	return true
}

// compute stems without the cache. Snowball's runtime panics on unexpected offsets; a word that triggers this is its
// own stem.
func (s *Stemmer) compute(word string) (stem string) {
	if s.algorithm == nil || len(word) > maxStem {
		return word
	}
	defer func() {
		if recover() != nil {
			s.env = snowballstem.NewEnv("")
			stem = word
		}
	}()
	s.env.SetCurrent(word)
	s.algorithm(s.env)
	return s.env.Current()
}

// Stemmable reports whether words of the language (a primary subtag, or "" for unknown) are stemmed.
func Stemmable(lang string) bool { return algorithm(lang) != nil }

func algorithm(lang string) func(*snowballstem.Env) bool {
	switch lang {
	case "", "en":
		return porter.Stem
	case "ar":
		return arabic.Stem
	case "da":
		return danish.Stem
	case "de":
		return german.Stem
	case "es":
		return spanish.Stem
	case "fi":
		return finnish.Stem
	case "fr":
		return french.Stem
	case "ga":
		return irish.Stem
	case "hu":
		return hungarian.Stem
	case "it":
		return italian.Stem
	case "nl":
		return dutch.Stem
	case "no", "nb", "nn":
		return norwegian.Stem
	case "pt":
		return portuguese.Stem
	case "ro":
		return romanian.Stem
	case "ru":
		return russian.Stem
	case "sv":
		return swedish.Stem
	case "ta":
		return tamil.Stem
	case "tr":
		return turkish.Stem
	}
	return nil
}
