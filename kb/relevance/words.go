package relevance

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver/text"
)

// The limits of what is read of one class, which bound the cost of a verdict.
const (
	maxNameWords    = 24
	maxCommentWords = 300
	maxNeighbours   = 40
	maxStemmers     = 64 // languages cached at a time
)

// A name is the distinct stems of a class's labels in one language. Those of its IRI belong to the English
// and the untagged ones.
type name struct{ words []string }

// A profile is the words of a class. All but the words of names are sorted and distinct.
type profile struct {
	iri     string
	sub     []string        // IRIs of its subclasses
	names   map[string]name // by language; "" counts as English too
	english bool            // it has a label in English or without a language
	comment []string
	around  []string // names of its subclasses and equivalents
	above   []string // names of its superclasses
}

// all returns the distinct words of all names, sorted.
func (p *profile) all() (words []string) {
	for _, n := range p.names {
		words = append(words, n.words...)
	}
	return distinct(words)
}

// compared returns the languages, sorted, in which names are compared: only English if it is there, since the
// best of many languages matches too often by chance. Without labels, an IRI counts as English.
func (p *profile) compared() []string {
	if p.english {
		return []string{""}
	}
	return slices.Sorted(maps.Keys(p.names))
}

// reader converts classes to words. It is not safe for concurrent use.
type reader struct {
	scanner  text.Scanner
	stemmers map[string]*text.Stemmer
}

func newReader() *reader { return &reader{stemmers: map[string]*text.Stemmer{}} }

// profile returns the profile of a class without some neighbours: words that a class above a term shares with
// those are not evidence.
func (r *reader) profile(c Class, without map[string]bool) profile {
	p := profile{iri: c.IRI, names: map[string]name{}, sub: c.Sub}
	r.name(&p, "", localName(c.IRI))
	for _, l := range c.Labels {
		r.name(&p, l.Lang, l.Text)
		p.english = p.english || slices.Contains([]string{"", "en"}, text.Primary(l.Lang))
	}
	for _, t := range c.Comments {
		p.comment = append(p.comment, r.stems(t.Text, t.Lang, maxCommentWords-len(p.comment))...)
	}
	p.comment = distinct(p.comment)
	p.around = r.locals(without, c.Equivalent, c.Sub)
	p.above = r.locals(nil, c.Super)
	return p
}

// locals returns the words of the local names of classes, except those left out.
func (r *reader) locals(without map[string]bool, classes ...[]string) (words []string) {
	for _, iris := range classes {
		for _, iri := range iris[:min(len(iris), maxNeighbours)] {
			if !without[iri] {
				words = append(words, r.stems(split(localName(iri)), "", maxNameWords)...)
			}
		}
	}
	return distinct(words)
}

// name adds a label to the names of its language.
func (r *reader) name(p *profile, lang, label string) {
	if lang = text.Primary(lang); lang == "en" {
		lang = ""
	}
	stems := r.stems(split(label), lang, maxNameWords)
	if len(stems) == 0 {
		return
	}
	n := p.names[lang]
	for _, s := range stems {
		if len(n.words) < maxNameWords && !slices.Contains(n.words, s) {
			n.words = append(n.words, s)
		}
	}
	p.names[lang] = n
}

// stems returns the stems of up to most words of a text, without stop words and numbers.
func (r *reader) stems(s, lang string, most int) (stems []string) {
	lang = text.Primary(lang)
	stemmer := r.stemmers[lang]
	if stemmer == nil {
		if len(r.stemmers) >= maxStemmers {
			clear(r.stemmers)
		}
		stemmer = text.NewStemmer(lang)
		r.stemmers[lang] = stemmer
	}
	for r.scanner.Reset(s); len(stems) < most && r.scanner.Next(); {
		word := r.scanner.Word()
		if text.StopWord(lang, word) || utf8.RuneCount(word) < 2 || len(word) > 64 || number(word) {
			continue
		}
		if stem := stemmer.Stem(word); stem != "" {
			stems = append(stems, stem)
		}
	}
	return stems
}

// number reports whether a word is a number or a code, such as Q4022.
func number(word []byte) bool {
	digits := 0
	for _, b := range word {
		if '0' <= b && b <= '9' {
			digits++
		}
	}
	return digits*2 >= len(word)
}

// split inserts spaces at changes of case: "TrainStation", "HTTPServer".
func split(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && startsWord(runes, i) {
			b.WriteByte(' ')
		}
		if r == '_' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// startsWord reports whether a word starts at i: an upper-case letter after a lower-case one, or before one
// within capitals; a letter after digits, or a digit after lower-case letters. Q4022 stays whole, and does
// not count as a word.
func startsWord(runes []rune, i int) bool {
	a, b := runes[i-1], runes[i]
	switch {
	case unicode.IsUpper(b):
		return unicode.IsLower(a) || unicode.IsDigit(a) || unicode.IsUpper(a) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
	case unicode.IsDigit(b):
		return unicode.IsLetter(a) && !unicode.IsUpper(a)
	}
	return unicode.IsDigit(a) && unicode.IsLetter(b)
}
