package eval

import (
	"iter"
	"time"

	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A Point is the state of a crawl after a number of requests. Counts are of distinct pages.
type Point struct {
	Requests int // made so far
	Pages    int // distinct URLs that answered 2xx
	Relevant int // pages that are relevant by the truth
	Accepted int // pages that the focus accepted
	Right    int // accepted pages that are relevant

	Reachable int // relevant pages reachable from the seeds: the same at every point
}

// HarvestRate is the share of the pages that is relevant, 0..1.
func (p Point) HarvestRate() float64 { return ratio(p.Relevant, p.Pages) }

// Recall is the share of the reachable relevant pages that was found, 0..1.
func (p Point) Recall() float64 { return ratio(p.Relevant, p.Reachable) }

// AcceptanceRate is the share of the pages that was accepted, 0..1.
func (p Point) AcceptanceRate() float64 { return ratio(p.Accepted, p.Pages) }

// AcceptancePrecision is the share of the accepted pages that is relevant, 0..1.
func (p Point) AcceptancePrecision() float64 { return ratio(p.Right, p.Accepted) }

// AcceptanceRecall is the share of the relevant pages found that was accepted, 0..1.
func (p Point) AcceptanceRecall() float64 { return ratio(p.Right, p.Relevant) }

// ratio is part ÷ whole, and 0 if whole is 0.
func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// gain is what one request added to the counts.
type gain uint8

const (
	stepPage gain = 1 << iota
	stepRelevant
	stepAccepted
	stepRight
	stepFailed
	stepAboveFirst // the cosine of a new page is above the first of CosineThresholds
	stepAboveSecond
)

// A Curve records one crawl, at a byte per request (five if it compares pages with an item), 12 bytes per link with
// a predicted chance, and at most 22 bytes per page (twice that for accepted ones). It is not safe for concurrent use.
type Curve struct {
	truth     Truth
	reachable int
	steps     []gain
	cosines   []float32 // by request: of a new page to the item, else noCosine; nil: no comparison
	pages     urlSet
	accepted  urlSet
	last      Point
	chances   ChanceTally
	times     *timetable      // nil: no hours
	spent     []time.Duration // by request: until all so far are answered
	ranked    bool            // scores are kept
	scores    []rankedPage    // of the pages, as fetched
}

// NewCurve returns a curve without requests. With a nil truth nothing is relevant; reachable is the number of
// relevant pages reachable from the seeds.
func NewCurve(truth Truth, reachable int) *Curve {
	return &Curve{truth: truth, reachable: reachable, last: Point{Reachable: reachable}}
}

// noCosine marks a request without a new page, or of the item itself.
const noCosine = -1

// ReadCurve records a whole crawl. With cosines it compares the pages with their item, and keeps only the
// result. With a schedule it computes hours, at eight bytes per request. It keeps the scores, at 16 bytes per page. The
// error is that of the lines.
func ReadCurve(lines iter.Seq2[ledger.Line, error], truth Truth, reachable int, to *Cosines, schedule *Schedule) (*Curve, error) {
	c := NewCurve(truth, reachable)
	c.ranked = true
	if schedule != nil {
		c.times, c.spent = newTimetable(schedule), []time.Duration{}
	}
	if to != nil {
		c.cosines = []float32{}
	}
	for l, err := range lines {
		if err != nil {
			return nil, err
		}
		if c.take(&l); to != nil {
			c.compare(l.URL, to)
		}
	}
	return c, nil
}

// compare records the cosine of a new page of the last request to the item.
func (c *Curve) compare(url string, to *Cosines) {
	s := &c.steps[len(c.steps)-1]
	cosine, another := to.Of(url)
	if *s&stepPage == 0 || !another {
		c.cosines = append(c.cosines, noCosine)
		return
	}
	c.cosines = append(c.cosines, float32(cosine))
	for i, threshold := range CosineThresholds() {
		if cosine > threshold { // in float64, as Likeness.Above: float32 might differ
			*s |= stepAboveFirst << i
		}
	}
}

// Add adds the next line of the crawl, in commit order.
func (c *Curve) Add(l ledger.Line) { c.take(&l) }

// take is Add, and returns what the line added to the counts.
func (c *Curve) take(l *ledger.Line) gain {
	c.chances.Add(l)
	s := c.stepOf(l)
	c.steps = append(c.steps, s)
	c.last.add(s)
	if c.times != nil {
		c.spent = append(c.spent, c.times.request(l.URL))
	}
	if c.ranked && s&stepPage != 0 {
		c.scores = append(c.scores, rankedPage{l.Score, s&stepRelevant != 0})
	}
	return s
}

// Chances returns the figures of the predicted chances of links; nil if there are none.
func (c *Curve) Chances() *ChanceFigures { return c.chances.Figures() }

func (c *Curve) stepOf(l *ledger.Line) gain {
	var s gain
	if l.Error != "" && l.Error != step.ErrSource {
		s |= stepFailed
	}
	if !isPage(l) {
		return s
	}
	relevant := c.truth != nil && c.truth.Relevant(l.URL)
	if c.pages.add(l.URL) {
		s |= stepPage
		if relevant {
			s |= stepRelevant
		}
	}
	if l.Accepted && c.accepted.add(l.URL) {
		s |= stepAccepted
		if relevant {
			s |= stepRight
		}
	}
	return s
}

// isPage reports whether a line is of a document that answered 2xx.
func isPage(l *ledger.Line) bool {
	return l.Status >= 200 && l.Status < 300 && l.Redirect == "" && l.Query == ""
}

func (p *Point) add(s gain) {
	p.Requests++
	p.Pages += int(s & stepPage)
	p.Relevant += int(s & stepRelevant / stepRelevant)
	p.Accepted += int(s & stepAccepted / stepAccepted)
	p.Right += int(s & stepRight / stepRight)
}

// Requests returns the number of lines added.
func (c *Curve) Requests() int { return len(c.steps) }

// Last returns the point after the last request.
func (c *Curve) Last() Point { return c.last }

// Points returns the state of the crawl after each of the given numbers of requests, which ascend. Beyond its
// end a crawl keeps its last values: then the point's Requests are below the mark.
func (c *Curve) Points(marks []int) []Point {
	points := make([]Point, 0, len(marks))
	at := Point{Reachable: c.reachable}
	for _, mark := range marks {
		for at.Requests < min(mark, len(c.steps)) {
			at.add(c.steps[at.Requests])
		}
		points = append(points, at)
	}
	return points
}
