package ontology

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"

	"orbweaver/text"
)

// coinedRank is the rank of a label that is derived from a local name.
const coinedRank = 0

// lexicalise sets the names of the entities and builds the lexicon. numbers are the entities by node, -1 for none, and nodes the nodes by entity.
func (o *Ontology) lexicalise(numbers []int32, nodes []node, labels []label) {
	best := make([]int32, len(o.entities)) // in labels, from 1
	for n := range labels {
		i := numbers[labels[n].node]
		if i < 0 {
			continue
		}
		o.entities[i].Labelled = true
		if best[i] == 0 || compareLabels(&labels[n], &labels[best[i]-1]) < 0 {
			best[i] = int32(n + 1)
		}
	}
	for i := range o.entities {
		e := &o.entities[i]
		if e.Labelled {
			e.Name = labels[best[i]-1].text
		} else {
			e.Name = localWords(e.IRI)
			labels = append(labels, label{text: e.Name, node: nodes[i], rank: coinedRank})
		}
	}
	o.enter(numbers, labels)
}

// enter makes entries of labels.
func (o *Ontology) enter(numbers []int32, labels []label) {
	order := orderLabels(numbers, labels)
	count := 0
	for n, i := range order {
		if n == 0 || !sameEntry(&labels[i], &labels[order[n-1]]) {
			count++
		}
	}
	o.entries = make([]Entry, 0, count)
	entities := make([]int32, 0, len(order)) // of all entries, one after another
	naming := make([]edge[int32], 0, len(order))
	from := 0
	for n, i := range order {
		l := &labels[i]
		entity := numbers[l.node]
		if n == 0 || !sameEntry(l, &labels[order[n-1]]) {
			o.entries = append(o.entries, Entry{Text: l.text, Lang: l.lang, Coined: l.rank == coinedRank})
			from = len(entities)
		} else if entity == entities[len(entities)-1] {
			continue
		}
		entities = append(entities, entity)
		o.entries[len(o.entries)-1].Entities = entities[from:len(entities):len(entities)]
		naming = append(naming, edge[int32]{entity, int32(len(o.entries) - 1)})
	}
	o.naming = newEdges(len(o.entities), naming, compareNumbers)
}

// orderLabels returns the labels of entities in the order of their entries, and those of one entry in the order of the entities.
func orderLabels(numbers []int32, labels []label) []int32 {
	var at []int32
	for i := range labels {
		if numbers[labels[i].node] >= 0 {
			at = with(at, int32(i))
		}
	}
	return ordered(at, func(i int32) string { return labels[i].text }, func(i, j int32) int {
		a, b := &labels[i], &labels[j]
		if c := cmp.Or(cmp.Compare(a.lang, b.lang), compareBools(a.rank == coinedRank, b.rank == coinedRank)); c != 0 {
			return c
		}
		return compareNumbers(numbers[a.node], numbers[b.node])
	})
}

// sameEntry reports whether two labels are one entry.
func sameEntry(a, b *label) bool {
	return a.text == b.text && a.lang == b.lang && (a.rank == coinedRank) == (b.rank == coinedRank)
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
func compareLabels(a, b *label) int {
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
