package ontology

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"

	"orbweaver/text"
)

// A named is a lexical entry of one entity.
type named struct {
	text, lang string
	entity     int32
	coined     bool
}

// lexicalise sets the names of the entities and builds the lexicon. numbers are the entities by node, -1 for none.
func (o *Ontology) lexicalise(numbers []int32, labels []label) {
	all := make([]named, 0, len(labels))
	best := make([]int32, len(o.entities)) // in labels, from 1
	for n, l := range labels {
		i := numbers[l.node]
		if i < 0 {
			continue
		}
		o.entities[i].Labelled = true
		all = append(all, named{text: l.text, lang: l.lang, entity: i})
		if best[i] == 0 || compareLabels(l, labels[best[i]-1]) < 0 {
			best[i] = int32(n + 1)
		}
	}
	for i := range o.entities {
		e := &o.entities[i]
		if e.Labelled {
			e.Name = labels[best[i]-1].text
		} else {
			e.Name = localWords(e.IRI)
			all = append(all, named{text: e.Name, entity: int32(i), coined: true})
		}
	}
	o.enter(all)
}

// enter makes entries of what is named.
func (o *Ontology) enter(all []named) {
	order := ordered(len(all), func(i int32) string { return all[i].text }, func(i, j int32) int {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(a.lang, b.lang), compareBools(a.coined, b.coined), compareNumbers(a.entity, b.entity))
	})
	entities := make([]int32, 0, len(all)) // of all entries, one after another
	naming := make([]edge[int32], 0, len(all))
	var last named
	from := 0
	for n, i := range order {
		now := all[i]
		same := n > 0 && now.text == last.text && now.lang == last.lang && now.coined == last.coined
		if same && now.entity == last.entity {
			continue
		}
		if !same {
			o.entries = append(o.entries, Entry{Text: now.text, Lang: now.lang, Coined: now.coined})
			from = len(entities)
		}
		entities = append(entities, now.entity)
		o.entries[len(o.entries)-1].Entities = entities[from:len(entities):len(entities)]
		naming = append(naming, edge[int32]{now.entity, int32(len(o.entries) - 1)})
		last = now
	}
	o.naming = newEdges(len(o.entities), naming, compareNumbers)
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
	if a.rank != b.rank {
		return cmp.Compare(a.rank, b.rank)
	}
	return cmp.Or(cmp.Compare(foreign(a.lang), foreign(b.lang)), cmp.Compare(a.text, b.text), cmp.Compare(a.lang, b.lang))
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
