package ontology

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"orbweaver/text"
)

// lexicalise sets the names of the entities and builds the lexicon.
func (o *Ontology) lexicalise(index map[string]int32, labels []label) {
	type key struct {
		text, lang string
		coined     bool
	}
	named := map[key][]int32{}
	best := make([]label, len(o.entities))
	for _, l := range labels {
		i, ok := index[l.node]
		if !ok {
			continue
		}
		o.entities[i].Labelled = true
		k := key{l.text, l.lang, false}
		named[k] = append(named[k], i)
		if best[i].rank == 0 || compareLabels(l, best[i]) < 0 {
			best[i] = l
		}
	}
	for i := range o.entities {
		e := &o.entities[i]
		e.Name = best[i].text
		if !e.Labelled {
			e.Name = localWords(e.IRI)
			k := key{e.Name, "", true}
			named[k] = append(named[k], int32(i))
		}
	}
	for k, entities := range named {
		o.entries = append(o.entries, Entry{k.text, k.lang, distinct(entities), k.coined})
	}
	slices.SortFunc(o.entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Lang, b.Lang), compareBools(a.Coined, b.Coined))
	})
	o.naming = make([][]int32, len(o.entities))
	for i, e := range o.entries {
		for _, named := range e.Entities {
			o.naming[named] = append(o.naming[named], int32(i))
		}
	}
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// compareLabels orders the labels of an entity, best name first: by predicate, then English and untagged ones
// before others, then by text.
func compareLabels(a, b label) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(foreign(a.lang), foreign(b.lang)),
		cmp.Compare(a.text, b.text), cmp.Compare(a.lang, b.lang))
}

func foreign(lang string) int {
	switch text.Primary(lang) {
	case "", "en":
		return 0
	}
	return 1
}

// localWords splits the local name of an IRI into words, at case and punctuation: "PassengerPlane",
// "passenger_plane" and "passenger%20plane" all end in passenger and plane.
func localWords(iri string) string {
	var b strings.Builder
	runes := []rune(LocalName(iri))
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			b.WriteByte(' ')
			continue
		case i > 0 && unicode.IsUpper(r) && startsWord(runes, i):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	if words := strings.Join(strings.Fields(b.String()), " "); words != "" {
		return words
	}
	return iri
}

// startsWord reports whether the capital at i starts a word: after a lower-case letter, or before one within
// capitals, like the S of HTTPServer.
func startsWord(runes []rune, i int) bool {
	return unicode.IsLower(runes[i-1]) ||
		unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// LocalName returns the part of an IRI after its last "#", "/" or ":", percent-decoded; the whole IRI if that
// part is empty.
func LocalName(iri string) string {
	trimmed := strings.TrimRight(iri, "#/:")
	name := trimmed[strings.LastIndexAny(trimmed, "#/:")+1:]
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if name == "" {
		return iri
	}
	return name
}
