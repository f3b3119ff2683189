package online

import (
	"testing"

	"orbweaver"
)

// usual is a typical link.
func usual() *Sight {
	return &Sight{
		Link: &orbweaver.Link{
			To:     "https://data.example.co.uk/people/staff/2024/anna-smith.html?lang=en&view=full",
			Rel:    "alternate nofollow",
			Title:  "The profile of Anna Smith, with all her data",
			Anchor: "Anna Smith (RDF, Turtle)",
			Context: "Members of the group are listed here in the order in which they joined it, with their " +
				"publications and projects; see also what they taught in the last years and where " +
				"their data can be had: as tables, as triples, or from the endpoint of the department",
			Origin: orbweaver.FromAnchor,
		},
		Rules: []string{"anchor-term", "context-term"}, FromHTML: true, PageClass: H,
	}
}

func BenchmarkFeatures(b *testing.B) {
	m, s := New(1, rules()), usual()
	var features []uint32
	b.ReportAllocs()
	for b.Loop() {
		features = m.Features(features[:0], s)
	}
}

// trained returns a model that has learned, and the features of many links in turn.
func trained() (*Model, [][]uint32) {
	m := New(1, rules())
	var all [][]uint32
	for _, e := range web(1, 4096) {
		context := usual().Link.Context
		e.sight.Link.Context += context
		f := m.Features(nil, &e.sight)
		m.Learn(f, e.class)
		all = append(all, f)
	}
	return m, all
}

func BenchmarkPredict(b *testing.B) {
	m, all := trained()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Predict(all[i%len(all)], 0)
	}
}

func BenchmarkLearn(b *testing.B) {
	m, all := trained()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Learn(all[i%len(all)], Class(i&3))
	}
}

func BenchmarkNote(b *testing.B) {
	m := New(1, rules())
	features := m.Features(nil, usual())
	note := AppendNote(nil, features)
	b.ReportAllocs()
	for b.Loop() {
		note = AppendNote(note[:0], features)
		features, _, _ = ReadNote(features[:0], note)
	}
	b.ReportMetric(float64(len(note)), "B/note")
	b.ReportMetric(float64(len(features)), "features")
}
