package ontology

import "math"

// A mass is a number of pages in thousandths: each page counts with its score as on-topic and with the rest
// as off-topic, so that no threshold has to classify pages.
type mass struct{ on, off int64 }

const (
	thousand = 1000    // of a page
	maxMass  = 1 << 60 // beyond any crawl
)

// massOf returns the mass of a page with a score.
func massOf(score float64) mass {
	on := int64(math.Round(thousand * min(max(score, 0), 1)))
	return mass{on, thousand - on}
}

func (m *mass) add(of mass) {
	m.on += of.on
	m.off += of.off
}

func (m mass) plus(of mass) mass { return mass{m.on + of.on, m.off + of.off} }

func (m mass) less(of mass) mass { return mass{m.on - of.on, m.off - of.off} }

// share returns the on-topic share of the mass.
func (m mass) share() float64 {
	if m.on+m.off == 0 {
		return 0
	}
	return float64(m.on) / float64(m.on+m.off)
}

// contrast returns the log-likelihood ratio of a phrase on on-topic pages against the others; some is the
// mass of pages with the phrase, all that of all pages (Dunning, "Accurate Methods for the Statistics of
// Surprise and Coincidence", CL 19:1, 1993). It is 0 if the phrase is not more frequent on on-topic pages.
func contrast(some, all mass) float64 {
	a, b := float64(some.on)/thousand, float64(some.off)/thousand
	on, off := float64(all.on)/thousand, float64(all.off)/thousand
	if on <= 0 || off <= 0 || a*off <= b*on {
		return 0
	}
	g := xlogx(a) + xlogx(on-a) + xlogx(b) + xlogx(off-b) + xlogx(on+off) -
		xlogx(a+b) - xlogx(on+off-a-b) - xlogx(on) - xlogx(off)
	return max(0, 2*g)
}

func xlogx(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}

// A tally counts the pages with a word or pair since it got its slot, and all pages before that: earlier
// occurrences are unknown.
type tally struct{ met, before mass }

// contrast returns the contrast over the pages since then; all is the mass up to now.
func (t *tally) contrast(all mass) float64 { return contrast(t.met, all.less(t.before)) }

func (t tally) plus(of tally) tally { return tally{t.met.plus(of.met), t.before.plus(of.before)} }
