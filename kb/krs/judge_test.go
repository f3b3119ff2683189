package krs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func judged(s *Snapshot, words string) Verdict { return s.Judge(Mentions(say("page", words).Nouns)) }

// eight is a corpus of eight documents: n is 8 for all, 4 for half, 2 for two, and 1 for one and for the
// other words. IDF is 0, 1, 2 and 3.
func eight() (docs []Document) {
	for i, words := range []string{"all half two", "all half two", "all half", "all half", "all", "all", "all", "all one -bare"} {
		docs = append(docs, say(fmt.Sprintf("d%d", i), words))
	}
	return docs
}

func TestRange(t *testing.T) {
	s := compiled(t, inMemory(t, eight(), nil), Options{})
	// μ = (8·0 + 4·1 + 2·2 + 1·3)/15, σ² = (4·1 + 2·4 + 1·9)/15 − μ²
	mean, deviation := s.Moments(ByDocument)
	if math.Abs(mean-11./15) > 1e-12 || math.Abs(deviation-math.Sqrt(21./15-11.*11/225)) > 1e-12 {
		t.Fatalf("μ %v, σ %v", mean, deviation)
	}
	for _, tc := range []struct {
		name, words string
		mean        float64
		known       int
		in          bool
	}{
		{"nothing", "", 0, 0, false},
		{"nothing known", "x y z", 0, 0, false},
		{"known, but not linked", "-all -bare", 0, 0, false},
		{"what every document has", "all", 0, 1, true},
		{"a noun counts once", "half*5 two", 1.5, 2, true},
		{"unknown ones are left out", "half x y z", 1, 1, true},
		{"too rare", "one two", 2.5, 2, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := s.Measure(Mentions(say("page", tc.words).Nouns), Reading{})
			if v.Mean != tc.mean || v.Known != tc.known || v.InRange != tc.in {
				t.Errorf("μ %v of %d, in range %v", v.Mean, v.Known, v.InRange)
			}
		})
	}
}

func TestCoverage(t *testing.T) {
	back := []Document{say("b1", "all x"), say("b2", "all y"), say("b3", "all z*3"), say("b4", "x")}
	bare := compiled(t, inMemory(t, eight(), nil), Options{})
	with := compiled(t, inMemory(t, eight(), back), Options{})
	for _, tc := range []struct {
		name      string
		s         *Snapshot
		low, high string // pages of lower and higher coverage
	}{
		{"known nouns", bare, "two x y z", "two half x"},
		{"rare ones count more", bare, "half x", "one x"},
		{"mentions count", bare, "two x*3", "two*3 x"},
		{"of one noun little is known", bare, "two", "two two two one half"},
		{"nouns of the background are not the topic's", with, "all x", "half x"},
		{"nor those that both have", with, "all two", "half two"},
		{"an unknown noun is not covered", with, "half nobody", "half"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			low, high := judged(tc.s, tc.low), judged(tc.s, tc.high)
			if !(low.Coverage < high.Coverage) || high.Coverage > 1 {
				t.Errorf("%s: %v, %s: %v", tc.low, low.Coverage, tc.high, high.Coverage)
			}
			sum := 0.0
			for _, j := range high.Judged {
				sum += j.Covers
			}
			if math.Abs(sum-high.Coverage) > 1e-12 {
				t.Errorf("nouns add up to %v, not %v", sum, high.Coverage)
			}
		})
	}
	linked := compiled(t, inMemory(t, eight(), nil), Options{Linked: true})
	if a, b := judged(linked, "one -x -y"), judged(linked, "one"); a.Coverage != b.Coverage {
		t.Errorf("of linked nouns: %v with others, %v without", a.Coverage, b.Coverage)
	}
	if v := judged(bare, ""); v.Coverage != 0 || v.Covered {
		t.Errorf("nothing: %+v", v)
	}
}

func TestLikeness(t *testing.T) {
	back := []Document{say("b1", "all x"), say("b2", "all y"), say("b3", "all z*3"), say("b4", "x")}
	s := compiled(t, inMemory(t, eight(), back), Options{})
	for _, tc := range []struct{ name, low, high string }{
		{"nouns of the background speak against", "half x", "half nobody"},
		{"unknown ones do not speak for", "half nobody", "half"},
		{"what more documents have speaks more", "one nobody", "half nobody"},
		{"what both have does not matter as much", "all", "half"},
		{"mentions count", "half nobody*3", "half*3 nobody"},
		{"the background is below nothing", "x y z", "nobody"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			low, high := judged(s, tc.low), judged(s, tc.high)
			if !(low.Likeness < high.Likeness) || high.Likeness > 1 {
				t.Errorf("%s: %v, %s: %v", tc.low, low.Likeness, tc.high, high.Likeness)
			}
			sum := 0.0
			for _, j := range low.Judged {
				sum += j.Adds
			}
			if math.Abs(sum-low.Likeness) > 1e-12 {
				t.Errorf("nouns add up to %v, not %v", sum, low.Likeness)
			}
		})
	}
	if v := judged(s, ""); v.Likeness != 0 || v.Covered {
		t.Errorf("nothing: %+v", v)
	}
	if v := judged(compiled(t, inMemory(t, eight(), nil), Options{}), "half x"); v.Likeness != v.Coverage || v.Coverage == 0 {
		t.Errorf("without a background: %+v", v)
	}
	linked := compiled(t, inMemory(t, eight(), back), Options{Linked: true})
	if a, b := judged(linked, "half -bare -y"), judged(linked, "half"); a.Likeness != b.Likeness {
		t.Errorf("of linked nouns: %v with others, %v without", a.Likeness, b.Likeness)
	}
}

// TestLeaveOneOut: a document is judged as if it were not in the corpus, and the threshold follows from that.
func TestLeaveOneOut(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var docs, back []Document
	for i := range 20 {
		d := randomDocument(r, i)
		for k := range 8 {
			d.Nouns = append(d.Nouns, Noun{Lemma: fmt.Sprintf("topic%d", (i+k)%16)})
		}
		docs = append(docs, d)
		back = append(back, randomDocument(r, 100+i))
	}
	s := compiled(t, inMemory(t, docs, back), Options{})
	var in, bareIn, out []float64
	for i, d := range docs {
		rest := append(slices.Clone(docs[:i]), docs[i+1:]...)
		in = append(in, compiled(t, inMemory(t, rest, back), Options{}).Judge(Mentions(d.Nouns)).Likeness)
		bareIn = append(bareIn, compiled(t, inMemory(t, rest, nil), Options{}).Judge(Mentions(d.Nouns)).Likeness)
	}
	for i, d := range back {
		rest := append(slices.Clone(back[:i]), back[i+1:]...)
		out = append(out, compiled(t, inMemory(t, docs, rest), Options{}).Judge(Mentions(d.Nouns)).Likeness)
	}
	near, far := s.likeness()
	for i, score := range descending(s.withoutOther(near, far)) {
		if want := descending(out)[i]; math.Abs(score-want) > 0.02 {
			t.Errorf("background document %d: %v, want %v", i, score, want)
		}
	}
	in, bareIn = descending(in), descending(bareIn)
	c := s.Calibration()
	if math.Abs(c.Threshold-in[13]) > 1e-12 || math.Abs(c.Tenth-in[17]) > 1e-12 || c.Threshold <= leastLikeness || c.Recall != 0.7 {
		t.Errorf("%+v, want threshold %v, tenth %v", c, in[13], in[17])
	}
	bare := compiled(t, inMemory(t, docs, nil), Options{}).Calibration()
	if bare.Threshold != bare.Tenth || math.Abs(bare.Tenth-bareIn[17]) > 1e-12 || bare.Recall != 0.9 || bare.Precision != 1 {
		t.Errorf("without a background: %+v, want %v", bare, bareIn[17])
	}
	mixed := compiled(t, inMemory(t, docs, append(back, docs[:4]...)), Options{}).Calibration()
	if mixed.Recall != 0.7 || mixed.Precision >= 1 {
		t.Errorf("a background with documents of the topic: %+v", mixed)
	}
}

// TestWith: learned documents count as if they were in the KRS.
func TestWith(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var docs, back []Document
	for i := range 30 {
		docs, back = append(docs, randomDocument(r, i)), append(back, randomDocument(r, 100+i))
	}
	mentions := func(docs []Document) (all [][]Mention) {
		for _, d := range docs {
			all = append(all, Mentions(d.Nouns))
		}
		return all
	}
	few := compiled(t, inMemory(t, docs[:10], back[:5]), Options{})
	before := judged(few, "n1 n2 x")
	grown := few.With(mentions(docs[10:]), mentions(back[5:]))
	same(t, grown, compiled(t, inMemory(t, docs, back), Options{}))
	if after := judged(few, "n1 n2 x"); after.Coverage != before.Coverage || few.Documents() != 10 {
		t.Error("the snapshot before changed")
	}
	if grown.Digest() != few.Digest() {
		t.Error("the digest is that of the KRS")
	}
}
