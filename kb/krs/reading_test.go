package krs

import (
	"math"
	"testing"
)

// TestAlgol is equation 6: log(1151/14) is 6.36 in the paper, which is base 2.
func TestAlgol(t *testing.T) {
	if got := idf(1151, 14); math.Abs(got-6.36) > 0.005 {
		t.Error(got)
	}
}

// four is a corpus of four documents: IDF is 0 for all, 1 for half, 2 for rare, which is mentioned five times.
func four() []Document {
	return []Document{say("d0", "all rare*5 -bare"), say("d1", "all half"), say("d2", "all half"), say("d3", "all -bare")}
}

// TestMomentsByHand computes equations 2 and 3 by hand in each reading of what a value is.
func TestMomentsByHand(t *testing.T) {
	s := compiled(t, inMemory(t, four(), nil), Options{})
	for _, tc := range []struct {
		name           string
		count          Count
		mean, variance float64
	}{
		{"4 × 0, 2 × 1, 1 × 2", ByDocument, 4. / 7, 6./7 - 16./49},
		{"4 × 0, 2 × 1, 5 × 2", ByMention, 12. / 11, 22./11 - 144./121},
		{"0, 1, 2", ByNoun, 1, 5./3 - 1},
	} {
		mean, deviation := s.Moments(tc.count)
		if math.Abs(mean-tc.mean) > 1e-12 || math.Abs(deviation*deviation-tc.variance) > 1e-12 {
			t.Errorf("%s: μ %v, σ² %v", tc.name, mean, deviation*deviation)
		}
	}
	grown := s.With([][]Mention{Mentions(say("d4", "half*2 new").Nouns)}, nil)
	// N is 5: 4 × log 5/4, 3 × log 5/3, 2 × log 5, each noun once a document
	want := (4*math.Log2(5./4) + 3*math.Log2(5./3) + 2*math.Log2(5)) / 9
	if mean, _ := grown.Moments(ByDocument); math.Abs(mean-want) > 1e-11 {
		t.Errorf("with another document: %v, not %v", mean, want)
	}
	want = (4*math.Log2(5./4) + 4*math.Log2(5./3) + 6*math.Log2(5)) / 14
	if mean, _ := grown.Moments(ByMention); math.Abs(mean-want) > 1e-12 {
		t.Errorf("with another document, by mention: %v, not %v", mean, want)
	}
}

// TestMeasure computes μ_doc by hand in each reading of a noun that the corpus lacks.
func TestMeasure(t *testing.T) {
	s := compiled(t, inMemory(t, four(), nil), Options{})
	// by document μ_C ± σ is 0.57 ± 0.73, by mention 1.09 ± 0.90, by noun 1 ± 0.82
	for _, tc := range []struct {
		name, words string
		reading     Reading
		want        Measure
	}{
		{"nothing linked", "-bare -x", Reading{}, Measure{}},
		{"none known", "x y", Reading{}, Measure{Linked: 2}},
		{"none known, as 0", "x y", Reading{Unknown: Zero}, Measure{2, 0, 2, 0, true}},
		{"none known, as 0, by noun", "x y", Reading{Zero, ByNoun}, Measure{2, 0, 2, 0, false}},
		{"none known, as the rarest", "x y", Reading{Unknown: Once}, Measure{2, 0, 2, 2, false}},
		{"none known, as infinite", "x y", Reading{Unknown: Reject}, Measure{Linked: 2}},
		{"left out", "rare x y", Reading{}, Measure{3, 1, 1, 2, false}},
		{"as 0", "rare x y z", Reading{Unknown: Zero}, Measure{4, 1, 4, 0.5, true}},
		{"as the rarest", "half x", Reading{Once, ByNoun}, Measure{2, 1, 2, 1.5, true}},
		{"one is enough", "half x", Reading{Unknown: Reject}, Measure{2, 1, 1, 1, false}},
		{"all known", "half all -x", Reading{Unknown: Reject}, Measure{2, 2, 2, 0.5, true}},
		{"mentions", "half*3 rare", Reading{Count: ByMention}, Measure{2, 2, 4, 1.25, true}},
		{"mentions of one that is not known", "half x*3", Reading{Zero, ByMention}, Measure{2, 1, 4, 0.25, true}},
		{"once a page", "half*3 rare", Reading{Count: ByNoun}, Measure{2, 2, 2, 1.5, true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := s.Measure(Mentions(say("page", tc.words).Nouns), tc.reading); got != tc.want {
				t.Errorf("%+v, not %+v", got, tc.want)
			}
		})
	}
}

func TestParseReading(t *testing.T) {
	for i, unknown := range []string{"drop", "zero", "once", "reject"} {
		for k, count := range []string{"documents", "mentions", "nouns"} {
			if r, ok := ParseReading(unknown, count); !ok || r != (Reading{Unknown(i), Count(k)}) {
				t.Errorf("%s, %s: %v", unknown, count, r)
			}
		}
	}
	if _, ok := ParseReading("", "nouns"); ok {
		t.Error("no reading is empty")
	}
}
