package knowledge

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"orbweaver/kb/krs"
	"orbweaver/kb/offer"
)

// The limits of the nouns of a KRS.
const (
	fewDocuments = 3    // documents of the corpus that have a noun, at least
	pages        = 0.05 // share of pages that are of the topic, where nothing is known
	maxNouns     = 5000 // nouns offered, the surest; others are anchors
)

// nounsOf returns the nouns of a KRS that three documents have. On and Off are their shares of documents in corpus and
// background. Score is the root of the log-likelihood ratio of corpus against background (Dunning 1993), times the chance
// that a page with the noun is of the topic, On/(On + 19·Off), where one page in twenty is: a noun that any page may have
// makes a poor lexical entry. Nouns that are no more frequent in the corpus are anchors only; without a background there is
// no Score. A linked noun has the IRI of its entity. Items are the documents, background included.
func nounsOf(k *krs.Snapshot) *offer.Source {
	t := newTally(k)
	s := &offer.Source{Items: float64(t.documents)}
	n, b := float64(k.Documents()), float64(k.Background())
	var sets [][]uint64
	for _, c := range t.counted {
		if c.own < fewDocuments {
			continue
		}
		o := offer.Offer{Text: c.key.Lemma, IRI: c.key.IRI, Count: c.own, Examples: c.examples}
		if b > 0 {
			o.On, o.Off = float64(c.own)/n, float64(c.others)/b
			o.Score = math.Sqrt(offer.Likelihood(float64(c.own), float64(c.own+c.others), n, n+b))
			o.Score *= o.On / (o.On + (1/pages-1)*o.Off)
			o.Anchor = o.Score == 0
		}
		s.Offers, sets = append(s.Offers, o), append(sets, c.in)
	}
	keepBest(s.Offers)
	s.Together = func(i, j int) float64 { return shared(sets[i], sets[j]) }
	return s
}

// keepBest leaves the surest offers, and makes anchors of the others.
func keepBest(all []offer.Offer) {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(all[j].Score, all[i].Score), cmp.Compare(all[j].Count, all[i].Count))
	})
	for _, i := range order[min(len(order), maxNouns):] {
		all[i].Anchor = true
	}
}

// A counted is a noun with the documents that have it.
type counted struct {
	key         krs.Key
	own, others int64    // documents of the corpus and of the background
	in          []uint64 // a set of documents
	examples    []string
}

// A tally is the nouns of a KRS, in the order of their first document.
type tally struct {
	counted   []*counted
	documents int
}

func newTally(k *krs.Snapshot) *tally {
	t := &tally{}
	words := int(k.Documents()+k.Background()+63) / 64
	at := map[krs.Key]*counted{}
	note := func(d krs.Stored, own bool) {
		for _, m := range d.Nouns {
			c := at[m.Key]
			if c == nil {
				if !own {
					continue
				}
				c = &counted{key: m.Key, in: make([]uint64, words)}
				at[m.Key], t.counted = c, append(t.counted, c)
			}
			c.in[t.documents/64] |= 1 << (t.documents % 64)
			if !own {
				c.others++
				continue
			}
			if c.own++; len(c.examples) < maxExamples {
				c.examples = append(c.examples, d.ID)
			}
		}
		t.documents++
	}
	for d := range k.Stored() {
		note(d, true)
	}
	for d := range k.Others() {
		note(d, false)
	}
	return t
}

// shared returns the number of documents in both sets.
func shared(a, b []uint64) float64 {
	n := 0
	for i := range a {
		n += bits.OnesCount64(a[i] & b[i])
	}
	return float64(n)
}
