package ontology

import "math"

// A mass is how many pages there are, in thousandths: each page counts with its score for the topic,
// and with the rest against it. So no threshold decides what a page is about.
type mass struct{ on, off int64 }

const (
	thousand = 1000    // of a page
	maxMass  = 1 << 60 // no crawl has as many pages
)

// massOf is the mass of a page by its score.
func massOf(score float64) mass {
	on := int64(math.Round(thousand * min(max(score, 0), 1)))
	return mass{on, thousand - on}
}

func (m *mass) add(of mass) {
	m.on += of.on
	m.off += of.off
}

func (m mass) less(of mass) mass { return mass{m.on - of.on, m.off - of.off} }

// share is the part of the mass that is for the topic.
func (m mass) share() float64 {
	if m.on+m.off == 0 {
		return 0
	}
	return float64(m.on) / float64(m.on+m.off)
}

// contrast is the log-likelihood ratio of a phrase on pages about the topic against the others, some
// of all of them (Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", CL 19:1,
// 1993): how sure it is that the phrase stands on them more often. It is 0 where it does not.
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

// A tally counts the pages on which something was met, since a moment: what was met before it had a
// slot is not known, nor are the pages there were.
type tally struct{ met, before mass }

// contrast is the contrast over the pages since then; all is the mass up to now.
func (t *tally) contrast(all mass) float64 { return contrast(t.met, all.less(t.before)) }
