package pipeline

import (
	"strings"

	"orbweaver/text"
	"orbweaver/text/link"
	"orbweaver/text/segment"
	"orbweaver/text/tag"
)

// A Noun is a noun of a text or an entity that it mentions.
type Noun struct {
	Lemma       string  // a common noun's in lower case; a name's or abbreviation's as written; of a Phrase, its words' lemmas
	Folded      string  // the lemma that an abbreviation would have if its capitals did not matter; else empty
	Tag         tag.Tag // of a Phrase, its last noun's
	Type        string  // a name's or entity's: PER, ORG, LOC, DATE, MISC, or what Options.Type returns; else empty
	IRI         string  // of the entity; empty: not linked
	Phrase      bool    // several tokens that mention one entity
	First, Last int     // tokens, both inclusive
}

// Nouns returns the nouns of the text in order: tokens tagged as nouns that are no stop words and contain a letter,
// and all mentions, one noun each. No token counts twice.
func (d *Document) Nouns() []Noun {
	most := len(d.Mentions)
	for i := range d.Tokens {
		if isNoun(d.Tokens[i].Tag) && !d.Tokens[i].Stop {
			most++
		}
	}
	nouns := make([]Noun, 0, most)
	mentions := d.Mentions
	for _, s := range d.Sentences {
		run := run{end: int(s.First)}
		for i := int(s.First); i < int(s.End); i++ {
			if len(mentions) > 0 && mentions[0].First == i {
				m := mentions[0]
				mentions = mentions[1:]
				nouns = append(nouns, d.mentioned(m, s, &run))
				i = m.Last
				continue
			}
			t := &d.Tokens[i]
			if t.Stop || !isNoun(t.Tag) || !hasLetter(d.Of(i)) {
				continue
			}
			n := Noun{Lemma: t.Lemma, Tag: t.Tag, First: i, Last: i}
			if t.Tag.Class() == tag.Name {
				n.Lemma = cased(d.Of(i), t.Lemma)
				n.Type = run.typeOf(d, s, i)
			}
			d.abbreviate(&n)
			nouns = append(nouns, n)
		}
	}
	return nouns
}

// mentioned returns the noun for a mention in a sentence.
func (d *Document) mentioned(m link.Mention, s segment.Sentence, run *run) Noun {
	n := Noun{IRI: m.IRI, Phrase: m.Last > m.First, First: m.First, Last: m.Last, Tag: d.Tokens[m.Last].Tag}
	named := -1 // its last token that is part of a name
	for i := m.First; i <= m.Last; i++ {
		switch t := d.Tokens[i].Tag; {
		case t.Class() == tag.Name:
			named = i
			n.Tag = t
		case isNoun(t):
			n.Tag = t
		}
	}
	if n.Lemma = d.Tokens[m.First].Lemma; n.Phrase {
		n.Lemma = d.lemmas(m.First, m.Last)
	} else if named >= 0 {
		n.Lemma = cased(d.Of(named), n.Lemma)
	}
	d.abbreviate(&n)
	if d.typeOf != nil {
		n.Type = d.typeOf(m.IRI)
	}
	if n.Type == misc && named < 0 { // what is of another class is a name only where it is written as one
		n.Type = ""
	}
	if n.Type == "" && named >= 0 {
		n.Type = run.typeOf(d, s, named)
	}
	return n
}

// abbreviate keeps meaningful capitals in the lemma of a one-token noun: AIDS is no form of aid, URLs are one URL.
func (d *Document) abbreviate(n *Noun) {
	if n.Phrase {
		return
	}
	t := d.Tokens[n.First]
	word, ok := text.AsWritten(d.Text, int(t.Start), int(t.End))
	if ok && word != n.Lemma {
		n.Lemma, n.Folded = word, n.Lemma
	}
}

// lemmas joins the lemmas of tokens by blanks.
func (d *Document) lemmas(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		if i > first {
			b.WriteByte(' ')
		}
		b.WriteString(d.Tokens[i].Lemma)
	}
	return b.String()
}

// cased writes a name's lemma in the name's casing.
func cased(form, lemma string) string {
	if len(lemma) <= len(form) && strings.EqualFold(form[:len(lemma)], lemma) {
		return form[:len(lemma)]
	}
	return lemma
}
