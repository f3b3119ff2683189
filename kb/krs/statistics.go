package krs

import (
	"cmp"

	"orbweaver/internal/order"
)

// Statistics are the figures of the paper's Tables 3 and 8, and the values that judgements depend on.
type Statistics struct {
	Topic      string `json:"topic"`
	Documents  int64  `json:"documents"`
	Background int64  `json:"background"`
	Nouns      int64  `json:"nouns"`    // as mentioned
	Linked     int64  `json:"linked"`   // linked ones among Nouns
	Entities   int64  `json:"entities"` // one per document and noun
	Links      int64  `json:"links"`    // linked ones among Entities
	Distinct   int64  `json:"distinct"` // distinct nouns by lemma and IRI

	Mean        float64     `json:"mean"`      // μ_C
	Deviation   float64     `json:"deviation"` // σ
	Low         float64     `json:"low"`       // μ_C − σ
	High        float64     `json:"high"`      // μ_C + σ
	Calibration Calibration `json:"calibration"`
	Heaviest    []Heavy     `json:"heaviest"`
}

// A Heavy is a noun with much influence on coverage.
type Heavy struct {
	Lemma     string  `json:"lemma"`
	IRI       string  `json:"iri,omitempty"`
	Documents int64   `json:"documents"`  // n
	Others    int64   `json:"background"` // documents of the background
	IDF       float64 `json:"idf"`
	Share     float64 `json:"share"`  // the topic's share of it
	Weight    float64 `json:"weight"` // n × weight in coverage × share
}

// Statistics returns the corpus statistics, with the heaviest nouns, at most heaviest.
func (s *Snapshot) Statistics(heaviest int) Statistics {
	all := make([]Heavy, 0, len(s.keys))
	for i, k := range s.keys {
		if s.n[i] > 0 {
			all = append(all, Heavy{
				k.Lemma, k.IRI, int64(s.n[i]), int64(s.b[i]), s.idf[i], s.share[i],
				float64(s.n[i]) * s.weight[i] * s.share[i],
			})
		}
	}
	mean, deviation := s.Moments(ByDocument)
	st := Statistics{
		Topic: s.topic, Documents: s.documents, Background: s.background, Distinct: int64(len(all)),
		Nouns: s.count.Nouns, Linked: s.count.Linked, Entities: s.count.Entities, Links: s.count.Links,
		Mean: mean, Deviation: deviation, Low: mean - deviation, High: mean + deviation,
		Calibration: s.calibration,
	}
	order.By(all, func(a, b Heavy) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), Key{a.Lemma, a.IRI}.compare(Key{b.Lemma, b.IRI}))
	})
	st.Heaviest = all[:min(len(all), max(heaviest, 0))]
	return st
}
