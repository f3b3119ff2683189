// Package accept finds the score from which a crawl's pages are accepted, from the scores of its own pages alone: it
// needs neither a user's choice nor labels.
//
// Scores of a focused crawl fall into two groups, many pages that are not about the topic and fewer that are. Otsu's
// method ("A Threshold Selection Method from Gray-Level Histograms", 1979) puts the split where the groups' means lie
// furthest apart. It is applied to the odds s/(1-s) of scores, in which pages that are hardly about the topic lie
// close together. Where no such groups are, as on a web of one kind of pages, Otsu's split means nothing: so the
// threshold is shrunk towards one half, which every focus that calibrates makes the score of a page as much about its
// topic as not. In log odds it is
//
//	¾ · n/(n+20) · log odds of Otsu's split
//
// after n pages: one half at first, and never outside 0.26 to 0.74. The share of three quarters was chosen on
// thirteen topics of an encyclopaedia and seven chapters of two manuals; from one half to one, the mean F1 moves by 1
// point on the topics, and by 3 on the chapters. What a score means, and which pages are fetched, is not its
// business.
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
	few    = 20   // pages after which half of that is believed
	lowest = 0.2  // split that is believed at least; 1 - lowest at most
)

// A Calibration is a histogram of scores, filled page by page, and the threshold that follows. The zero Calibration
// is one of no page. It is not safe for concurrent use; the same scores in any order give the same threshold.
type Calibration struct {
	counts [bins]int64
	pages  int64
	now    Threshold
	known  bool // now is that of the pages so far
}

// A Threshold is what pages are accepted by, and the two groups that it stands between.
type Threshold struct {
	Score float64 // from which a page is accepted: a multiple of 0.001
	Pages int64   // whose scores it follows from
	Below float64 // mean score of those below it; 0 where there are none
	Above float64 // mean score of the others; 0 where there are none
}

// Add counts the score, 0 to 1, of a page.
func (c *Calibration) Add(score float64) {
	c.counts[bin(score)]++
	c.pages++
	c.known = false
}

// bin is where a score is counted: that of a threshold begins at it.
func bin(score float64) int {
	if !(score > 0) {
		return 0
	}
	return int(min(bins-1, score*bins+1e-9))
}

// middle is the score that stands for those of a bin.
func middle(bin int) float64 { return (float64(bin) + 0.5) / bins }

// Threshold returns the threshold as of the pages added so far.
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

// otsu is the score of Otsu's split, one half where all scores are alike.
func (c *Calibration) otsu() float64 {
	var all float64
	for i, n := range c.counts {
		all += float64(n) * odds[i]
	}
	split, best := 0.5, 0.0
	var sum float64
	var below int64
	for i, n := range c.counts {
		if n == 0 {
			continue
		}
		if above := c.pages - below; below > 0 {
			apart := sum/float64(below) - (all-sum)/float64(above)
			if between := float64(below) * float64(above) * apart * apart; between > best {
				split, best = float64(i)/bins, between
			}
		}
		below, sum = below+n, sum+float64(n)*odds[i]
	}
	return split
}

// mostOdds bounds the odds of a score: one page that scores 0.99 is not to outweigh a hundred.
const mostOdds = 9

// odds are those of a score, by bin. They are never written.
var odds = func() (t [bins]float64) {
	for i := range t {
		t[i] = min(mostOdds, middle(i)/(1-middle(i)))
	}
	return t
}()

// Judge gives a judgement its verdict by the threshold, and the reason for it. A score of 0 needs none: no
// threshold is as low.
func (c *Calibration) Judge(j *orbweaver.Judgement) {
	if j.Accepted = false; !(j.Score > 0) {
		return
	}
	t := c.Threshold()
	j.Accepted = j.Score >= t.Score
	j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: orbweaver.RuleThreshold, Evidence: t.String(), Weight: t.Score})
}

// String says what the threshold is and why.
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

// Append writes the calibration behind b.
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

// Read is the calibration that Append wrote, all of b. Bytes that it cannot have written wrap
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
