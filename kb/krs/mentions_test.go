package krs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMostFrequentForm: Words is the form that was first to occur as often as it does, as a count of all forms says.
func TestMostFrequentForm(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var nouns []Noun
		for range random.IntN(30) {
			nouns = append(nouns, Noun{Lemma: []string{"plane", "wing"}[random.IntN(2)], Words: []string{"", "plane", "Plane", "planes", "PLANE"}[random.IntN(5)]})
		}
		var want []Mention
		counts := map[[2]string]int{}
		for _, n := range nouns {
			at := slices.IndexFunc(want, func(m Mention) bool { return m.Lemma == n.Lemma })
			if at < 0 {
				at = len(want)
				want = append(want, Mention{Key: Key{Lemma: n.Lemma}})
			}
			m := &want[at]
			m.Times++
			if n.Words == "" {
				continue
			}
			if counts[[2]string{n.Lemma, n.Words}]++; counts[[2]string{n.Lemma, n.Words}] > counts[[2]string{n.Lemma, m.Words}] {
				m.Words = n.Words
			}
		}
		if got := Mentions(nouns); !slices.Equal(got, want) {
			t.Fatalf("%+v: %+v, not %+v", nouns, got, want)
		}
	}
}
