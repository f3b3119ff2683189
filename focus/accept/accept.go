// Package accept derives the acceptance threshold of a crawl from the scores of its own pages. It needs
// neither labels nor a user's choice.
//
// Scores of a focused crawl form two groups: many pages off the topic and fewer on it. Otsu's method ("A
// Threshold Selection Method from Gray-Level Histograms", 1979) splits them where the means of the groups lie
// furthest apart. It is applied to the odds s/(1-s), on which off-topic scores lie close together. Without
// two such groups, as on a site of uniform pages, the split means nothing. The threshold is therefore shrunk
// towards one half, which every calibrated focus assigns to a page that is as much on its topic as off it. In
// log odds it is
//
//	¾ · n/(n+20) · log odds of Otsu's split
//
// after n pages. A crawl takes what looks best first: its early pages are nearly all about its topic, and their split
// would divide good pages from better ones. So 50 more pages that score 0.05 stand for the rest of the Web, unless all
// pages score alike. The threshold is one half at first, and always within 0.26 to 0.74. The factor ¾ was chosen on thirteen
// topics of an encyclopaedia and seven chapters of two manuals; between ½ and 1 the mean F1 varies by 1 point
// on the topics and by 3 on the chapters. The package neither defines scores nor selects requests.
//
// This package is not part of the stable API.
package accept

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"orbweaver"
)

const (
	bins   = 1000 // of scores, each a thousandth wide
	trust  = 0.75 // share of Otsu's split, in log odds, after many pages
	few    = 20   // pages after which the split has half of its final weight
	lowest = 0.2  // lowest split; the highest is 1 - lowest

	others      = 50   // pages of the rest of the Web, counted with those of the crawl
	othersScore = 0.05 // of each of them
)

// A Calibration is a histogram of scores, filled page by page, with the resulting threshold. The zero
// Calibration is empty. It is not safe for concurrent use; the same scores in any order give the same
// threshold.
type Calibration struct {
	counts [bins]int64
	pages  int64
	now    Threshold
	known  bool // now is up to date
}

// A Threshold is an acceptance threshold with the two groups it separates.
type Threshold struct {
	Score float64 // from which a page is accepted: a multiple of 0.001
	Pages int64   // number of pages it is computed from
	Below float64 // mean score of pages below it; 0 if none
	Above float64 // mean score of the others; 0 if none
}

// Add counts the score, 0 to 1, of a page.
func (c *Calibration) Add(score float64) {
	c.counts[bin(score)]++
	c.pages++
	c.known = false
}

// Count counts n pages of the same score, 0 to 1.
func (c *Calibration) Count(score float64, n int64) {
	c.counts[bin(score)] += n
	c.pages += n
	c.known = false
}

// bin returns the bin of a score. A threshold is the lower end of a bin.
func bin(score float64) int {
	if !(score > 0) {
		return 0
	}
	return int(min(bins-1, score*bins+1e-9))
}

// middle returns the score at the middle of a bin.
func middle(bin int) float64 { return (float64(bin) + 0.5) / bins }

// Threshold returns the threshold for the pages added so far.
func (c *Calibration) Threshold() Threshold {
	if !c.known {
		c.now, c.known = c.threshold(), true
	}
	return c.now
}

func (c *Calibration) threshold() Threshold {
	split := min(1-lowest, max(lowest, c.otsu()))
	belief := trust * float64(c.pages) / float64(c.pages+few)
	score := 1 / (1 + math.Exp(-belief*math.Log(split/(1-split))))
	t := Threshold{Score: math.Round(score*bins) / bins, Pages: c.pages}
	var below, above, under, over float64
	for i, n := range c.counts {
		if n == 0 {
			continue
		}
		if i < bin(t.Score) {
			below, under = below+float64(n)*middle(i), under+float64(n)
		} else {
			above, over = above+float64(n)*middle(i), over+float64(n)
		}
	}
	if under > 0 {
		t.Below = below / under
	}
	if over > 0 {
		t.Above = above / over
	}
	return t
}

// otsu returns the score of Otsu's split of the pages and the others; one half where all pages are alike.
func (c *Calibration) otsu() float64 {
	var all float64
	filled := 0
	for i, n := range c.counts {
		all += float64(n) * odds[i]
		filled += int(min(n, 1))
	}
	if filled < 2 {
		return 0.5
	}
	rest := bin(othersScore)
	all += others * odds[rest]
	pages := c.pages + others
	split, best := 0.5, 0.0
	var sum float64
	var below int64
	for i, n := range c.counts {
		if i == rest {
			n += others
		}
		if n == 0 {
			continue
		}
		if above := pages - below; below > 0 {
			apart := sum/float64(below) - (all-sum)/float64(above)
			if between := float64(below) * float64(above) * apart * apart; between > best {
				split, best = float64(i)/bins, between
			}
		}
		below, sum = below+n, sum+float64(n)*odds[i]
	}
	return split
}

// mostOdds bounds the odds of a score, so that one page with 0.99 does not outweigh a hundred others.
const mostOdds = 9

// odds are the odds of a score, by bin; read-only.
var odds = func() (t [bins]float64) {
	for i := range t {
		t[i] = min(mostOdds, middle(i)/(1-middle(i)))
	}
	return t
}()

// Judge sets a judgement's verdict by the threshold and appends the reason. A score of 0 needs no reason: the
// threshold is always above it.
func (c *Calibration) Judge(j *orbweaver.Judgement) {
	if j.Accepted = false; !(j.Score > 0) {
		return
	}
	t := c.Threshold()
	j.Accepted = j.Score >= t.Score
	j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: orbweaver.RuleThreshold, Evidence: t.String(), Weight: t.Score})
}

// String describes the threshold and the groups it follows from.
func (t Threshold) String() string {
	from := "accepted from " + strconv.FormatFloat(t.Score, 'g', 3, 64) + " on: "
	switch {
	case t.Pages == 0:
		return from + "no page was judged before"
	case t.Above == 0:
		return from + fmt.Sprintf("the %d pages before score %.2f on average, none as much", t.Pages, t.Below)
	case t.Below == 0:
		return from + fmt.Sprintf("the %d pages before score %.2f on average, none less", t.Pages, t.Above)
	}
	return from + fmt.Sprintf("of %d pages before, those below average %.2f, the others %.2f", t.Pages, t.Below, t.Above)
}

// Append appends the encoded calibration to b.
func (c *Calibration) Append(b []byte) []byte {
	filled := 0
	for _, n := range c.counts {
		if n > 0 {
			filled++
		}
	}
	b = binary.AppendUvarint(b, uint64(filled))
	last := 0
	for i, n := range c.counts {
		if n > 0 {
			b = binary.AppendUvarint(b, uint64(i-last))
			b = binary.AppendUvarint(b, uint64(n))
			last = i
		}
	}
	return b
}

// Read decodes a calibration that Append encoded; b holds nothing else. Invalid bytes wrap
// orbweaver.ErrDamaged.
func Read(b []byte) (*Calibration, error) {
	c, damaged := &Calibration{}, fmt.Errorf("calibration of acceptance: %w", orbweaver.ErrDamaged)
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			b, size = nil, 0
			n = math.MaxUint64
		}
		b = b[size:]
		return n
	}
	filled, at := next(), uint64(0)
	if filled > bins {
		return nil, damaged
	}
	for k := range filled {
		step, n := next(), next()
		if step >= bins || k > 0 && step == 0 || n == 0 || n > 1<<40 {
			return nil, damaged
		}
		if at += step; at >= bins {
			return nil, damaged
		}
		c.counts[at] = int64(n)
		c.pages += int64(n)
	}
	if len(b) > 0 {
		return nil, damaged
	}
	return c, nil
}

// Plus returns the scores of both.
func (c *Calibration) Plus(more *Calibration) *Calibration {
	sum := &Calibration{}
	for i := range sum.counts {
		sum.counts[i] = c.counts[i] + more.counts[i]
		sum.pages += sum.counts[i]
	}
	return sum
}

// Less returns the scores without some of them.
func (c *Calibration) Less(some *Calibration) *Calibration {
	rest := &Calibration{}
	for i := range rest.counts {
		rest.counts[i] = max(0, c.counts[i]-some.counts[i])
		rest.pages += rest.counts[i]
	}
	return rest
}
