package krs

import (
	"maps"
	"math"
	"slices"
)

// Unknown selects the IDF of a linked noun that the corpus lacks. Step 3 of the paper's measure takes the
// mean over "all enriched nouns whose URL value is not empty", and equation 1 is undefined for n = 0.
type Unknown uint8

// The readings of n = 0.
const (
	Drop   Unknown = iota // it does not count
	Zero                  // 0: no document is found, and nothing is added to the sum
	Once                  // log2 N, as if one document had it: the rarest noun there is
	Reject                // infinite: a page with such a noun is outside of every range
)

// Count selects the values of which μ and σ are taken; equations 2 and 3 leave it open.
type Count uint8

// The readings of a value.
const (
	ByDocument Count = iota // a noun once a document
	ByMention               // a noun as often as it is mentioned
	ByNoun                  // a noun once in the corpus, and once on a page
)

// A Reading settles what the paper's measure leaves open. The zero value leaves unknown nouns out and
// counts a noun once a document.
type Reading struct {
	Unknown Unknown
	Count   Count
}

// ParseReading returns the reading of the names in a crawl file; false for a name of none.
func ParseReading(unknown, count string) (Reading, bool) {
	u := slices.Index([]string{"drop", "zero", "once", "reject"}, unknown)
	c := slices.Index([]string{"documents", "mentions", "nouns"}, count)
	if u < 0 || c < 0 {
		return Reading{}, false
	}
	return Reading{Unknown(u), Count(c)}, true
}

// A Measure is the paper's similarity measure of a page (equations 1 to 4) in one reading.
type Measure struct {
	Linked int // distinct linked nouns of the page
	Known  int // those that the corpus has

	Values  int     // how many values the mean is of
	Mean    float64 // μ_doc, without nouns of infinite IDF; 0 if Values is 0
	InRange bool    // equation 4: μ_C − σ ≤ μ_doc ≤ μ_C + σ; false if Values is 0
}

// Measure returns the paper's measure of a page.
func (s *Snapshot) Measure(mentions []Mention, r Reading) Measure {
	var m Measure
	sum := 0.0
	for i := range mentions {
		if !mentions[i].Linked() {
			continue
		}
		m.Linked++
		idf, known := s.IDF(mentions[i].Key)
		switch {
		case known:
			m.Known++
		case r.Unknown == Once:
			idf = math.Log2(float64(s.documents))
		case r.Unknown != Zero:
			continue
		}
		times := 1
		if r.Count == ByMention {
			times = mentions[i].Times
		}
		m.Values += times
		sum += idf * float64(times)
	}
	if m.Values == 0 {
		return m
	}
	m.Mean = sum / float64(m.Values)
	mean, deviation := s.Moments(r.Count)
	m.InRange = mean-deviation <= m.Mean && m.Mean <= mean+deviation
	if r.Unknown == Reject && m.Known < m.Linked {
		m.InRange = false
	}
	return m
}

// A moment is the mean and the standard deviation of some values.
type moment struct{ mean, deviation float64 }

// moments computes μ_C and σ for every Count. Mentions and nouns are counted by n, so that the result does not
// depend on the order of documents.
func (s *Snapshot) moments() (all [3]moment) {
	mentions, nouns := tally{}, tally{}
	for _, t := range s.corpus {
		for _, m := range t {
			if s.keys[m.at].Linked() {
				mentions[s.n[m.at]] += int64(m.times)
			}
		}
	}
	for i, n := range s.n {
		if n > 0 && s.keys[i].Linked() {
			nouns[n]++
		}
	}
	all[ByDocument].mean, all[ByDocument].deviation = s.sums.moments(s.documents)
	all[ByMention], all[ByNoun] = mentions.moment(s.documents), nouns.moment(s.documents)
	return all
}

// A tally has the number of values of each n.
type tally map[int32]int64

// moment returns the mean and the deviation of IDF of the values; zero without any.
func (t tally) moment(documents int64) moment {
	var values, sum, square float64
	for _, n := range slices.Sorted(maps.Keys(t)) {
		x, times := idf(documents, int64(n)), float64(t[n])
		values += times
		sum += times * x
		square += times * x * x
	}
	if values == 0 {
		return moment{}
	}
	mean := sum / values
	return moment{mean, math.Sqrt(max(0, square/values-mean*mean))}
}
