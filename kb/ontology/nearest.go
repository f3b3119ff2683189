package ontology

import (
	"cmp"

	"orbweaver/internal/order"
	"orbweaver/text"
)

// maxCompared bounds the runes of a name that are compared.
const maxCompared = 64

// Nearest returns the IRIs of up to n entities whose local name or lexical entries are most similar to those
// of an unknown IRI, most similar first.
func (o *Ontology) Nearest(iri string, n int) []string {
	wanted := plain(LocalName(iri))
	type candidate struct {
		entity   int32
		distance float64
	}
	near := make([]candidate, len(o.entities))
	for i, e := range o.entities {
		near[i] = candidate{int32(i), unlikeness(wanted, plain(LocalName(e.IRI)))}
	}
	for _, entry := range o.entries {
		d := unlikeness(wanted, plain(entry.Text))
		for _, i := range entry.Entities {
			near[i].distance = min(near[i].distance, d)
		}
	}
	order.Stably(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, c := range near[:max(0, min(n, len(near)))] {
		names = append(names, o.entities[c.entity].IRI)
	}
	return names
}

// plain reduces a name to its letters and digits in lower case.
func plain(name string) []rune {
	var runes []rune
	for _, r := range text.Key(name) {
		if r != ' ' && r != '_' && r != '-' && len(runes) < maxCompared {
			runes = append(runes, r)
		}
	}
	return runes
}

// unlikeness returns the edit distance (Levenshtein) relative to the longer name, 0..1.
func unlikeness(a, b []rune) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ca := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, cb := range b {
			change := diagonal
			if ca != cb {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return float64(row[len(b)]) / float64(max(len(a), len(b)))
}
