package krs

import (
	"cmp"

	"orbweaver/internal/order"
)

// A Standing is how typical a document is of its corpus: its likeness as if it had been left out. Documents
// that are not of the topic stand low, as far as they are few: together they are a part of the corpus that
// they are compared with.
type Standing struct {
	ID       string  `json:"id"` // IRI
	Title    string  `json:"title"`
	Likeness float64 `json:"likeness"`
}

// Standings returns the documents of the corpus, the least typical first.
func (s *Snapshot) Standings() []Standing {
	all := make([]Standing, len(s.names))
	for i, name := range s.names {
		all[i] = Standing{name[0], name[1], s.alone[i]}
	}
	order.Stably(all, func(a, b Standing) int { return cmp.Compare(a.Likeness, b.Likeness) })
	return all
}
