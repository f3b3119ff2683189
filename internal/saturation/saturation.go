// Package saturation estimates how many pages a crawl would still accept, from when it accepted those that it has: a crawl that asks for
// the best first accepts more and more seldom.
//
// Acceptances are a Poisson process over requests. Each page that the crawl would accept at last is met at a rate of its own; with rates
// distributed as a gamma, the number met by request n is N·F(n), F(n) = 1 − (c/(c+n))^b: the Pareto process that Littlewood proposed for
// faults in software ("Stochastic reliability-growth: a model for fault-removal in computer programs and hardware-design", 1981, section 3).
// N, c and b are not fitted but averaged over: a grid of c and b, each with the likelihood that the counts of acceptances have, and N
// integrated out under the prior 1/N.
//
// What is accepted is decided by a threshold that moves while a crawl goes on (package accept). The estimate is of the pages that would be
// accepted by the threshold of the end, which is foreseen from the scores of the latest pages.
//
// The package reads no clock and touches no disk.
package saturation

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"orbweaver/focus/accept"
	"orbweaver/ledger"
)

// A Curve counts requests and the scores of the pages they brought. The zero value is ready. It keeps a number for each span of requests and
// each thousandth of a score that occurs in it; spans grow with the number of requests, to a thirty-second of it.
type Curve struct {
	requests int64
	spans    []map[uint16]uint32 // by span of requests: pages by score, in thousandths
	graded   bool                // scores decide, with a threshold that follows from all of them
}

// levels are the steps into which scores from 0 to 1 are divided.
const levels = 1000

func level(score float64) uint16 { return uint16(min(levels-1, max(0, score)*levels+1e-9)) }

// Add counts a request, by the line that it left: the page by its score, where the threshold decides what is accepted, and else by the verdict.
func (c *Curve) Add(l *ledger.Line) {
	at := span(c.requests)
	c.requests++
	score := 0.0
	switch {
	case l.Error != "" || l.Redirect != "" || l.NoIndex:
		return
	case l.Threshold > 0:
		c.graded, score = true, l.Score
	case l.Accepted:
		score = 1
	}
	for len(c.spans) <= at {
		c.spans = append(c.spans, nil)
	}
	if c.spans[at] == nil {
		c.spans[at] = map[uint16]uint32{}
	}
	c.spans[at][level(score)]++
}

// From returns the curve of what comes after so many requests, for Join.
func From(request int64) *Curve { return &Curve{requests: request} }

// Join adds the requests before those of a curve that From returned.
func (c *Curve) Join(earlier *Curve) {
	c.graded = c.graded || earlier.graded
	c.requests = max(c.requests, earlier.requests)
	for at, counts := range earlier.spans {
		for len(c.spans) <= at {
			c.spans = append(c.spans, nil)
		}
		if c.spans[at] == nil {
			c.spans[at] = map[uint16]uint32{}
		}
		for l, n := range counts {
			c.spans[at][l] += n
		}
	}
}

// Clone returns a copy.
func (c *Curve) Clone() *Curve {
	own := &Curve{requests: c.requests, graded: c.graded}
	for _, counts := range c.spans {
		own.spans = append(own.spans, maps.Clone(counts))
	}
	return own
}

// Requests returns the number of requests counted.
func (c *Curve) Requests() int64 { return c.requests }

// spanBits is the number of leading bits of a request's number that tell its span.
const spanBits = 5

// span returns the number of the span that a request is in, from 0.
func span(request int64) int {
	if request < 1<<spanBits {
		return int(request)
	}
	shift := bits.Len64(uint64(request)) - spanBits - 1
	return shift<<spanBits + int(request>>shift)
}

// begin returns the first request of a span.
func begin(span int) int64 {
	if span < 2<<spanBits {
		return int64(span)
	}
	shift := span>>spanBits - 1
	return int64(span-shift<<spanBits) << shift
}

// A Range is an estimate of a number of pages, and the interval that has the truth in nine of ten cases.
type Range struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// An Estimate is what a crawl may still accept.
type Estimate struct {
	Requests int64   `json:"requests"`            // made so far
	From     float64 `json:"threshold,omitempty"` // score from which on pages would be accepted at the end; 0: no score decides
	Accepted int64   `json:"accepted"`            // of the pages so far, those that would be accepted then
	Next     Range   `json:"next"`                // accepted by the next thousand requests
	Again    Range   `json:"again"`               // accepted by as many requests as so far, at least a thousand
	Left     Range   `json:"left"`                // accepted by all that wait, and as many that these lead to
}

// Text says what is left to accept.
func (e Estimate) Text() string {
	return fmt.Sprintf("%v if all went on; the next %d requests are expected to bring %v", e.Left, Ahead, e.Next)
}

// String is a range in words: "some 12 (4 to 28)".
func (r Range) String() string {
	return fmt.Sprintf("some %.0f (%.0f to %.0f)", math.Round(r.Mean), r.Low, r.High)
}

// A Test is what a rule compares: the crawl ends when fewer pages are expected of the next requests than Fewer.
type Test struct {
	Ahead    int64   `json:"ahead"`    // requests
	Expected float64 `json:"expected"` // accepted pages of them
	Fewer    float64 `json:"fewer"`
}

// By returns what stop.saturation of a crawl file compares: from 1 on it is a number of pages, below 1 a share of those accepted.
func (e Estimate) By(saturation float64) Test {
	if saturation < 1 && e.Next.Mean >= saturation {
		return Test{max(Ahead, e.Requests), e.Again.Mean, saturation * float64(e.Accepted)}
	}
	return Test{Ahead, e.Next.Mean, saturation}
}

// Met reports whether the crawl ends.
func (t Test) Met() bool { return t.Expected < t.Fewer }

// leads is the number of requests that a waiting one is taken to stand for: itself, and one that it leads to.
const leads = 2

// Ahead is the number of requests that Estimate.Next is about.
const Ahead = 1000

// Estimate returns what the next requests, and all that are left, would bring; false with fewer than five accepted pages. The threshold from
// which on the crawl accepts now is 0 if no score decides.
func (c *Curve) Estimate(threshold float64, waiting int64) (e Estimate, ok bool) {
	e.Requests = c.requests
	left := leads * waiting
	from := .5
	if c.graded && threshold > 0 {
		e.From = min(threshold, c.threshold(left))
		from = e.From
	}
	var steps []step
	steps, e.Accepted = c.steps(from)
	if e.Accepted < leastAccepted {
		return e, false
	}
	n, accepted := float64(c.requests), float64(e.Accepted)
	fits := fit(steps, n)
	e.Next = expect(fits, n, accepted, float64(min(Ahead, left)))
	e.Again = expect(fits, n, accepted, float64(min(max(Ahead, c.requests), left)))
	e.Left = expect(fits, n, accepted, float64(left))
	return e, true
}

// History returns the estimates of a crawl at up to so many numbers of requests, the last of them now: what was known then, with the threshold
// of then, about as many requests as came since and wait now.
func (c *Curve) History(points int, waiting int64) (list []Estimate) {
	for i := range points {
		n := FirstLook * math.Pow(float64(c.requests)/FirstLook, float64(i)/float64(max(1, points-1)))
		then := c.until(min(c.requests, int64(n+.5)))
		if c.requests < FirstLook || len(list) > 0 && then.requests == list[len(list)-1].Requests {
			continue
		}
		wait := (c.requests-then.requests)/leads + waiting
		if e, ok := then.Estimate(then.threshold(0), wait); ok {
			list = append(list, e)
		}
	}
	return list
}

// until returns the curve as it was after the span of a request.
func (c *Curve) until(request int64) *Curve {
	to := min(len(c.spans), span(request-1)+1)
	return &Curve{requests: min(c.requests, begin(to)), spans: c.spans[:to], graded: c.graded}
}

// leastAccepted is the number of accepted pages from which on there is an estimate.
const leastAccepted = 5

// threshold returns the threshold that the crawl would have in the end, if the pages that are left score as those of the latest third of the
// requests do: pages off the topic, of which there are more and more, move it down (package accept).
func (c *Curve) threshold(left int64) float64 {
	var all accept.Calibration
	var late [levels]float64
	sum := 0.0
	for at, counts := range c.spans {
		for l, n := range counts {
			all.Count(middle(l), int64(n))
			if 3*begin(at) >= 2*c.requests {
				late[l] += float64(n)
				sum += float64(n)
			}
		}
	}
	for l, n := range late {
		if n > 0 {
			all.Count(middle(uint16(l)), int64(min(maxCount, n/sum*float64(left))))
		}
	}
	return all.Threshold().Score
}

// maxCount bounds what is expected of one score.
const maxCount = 1 << 40

func middle(level uint16) float64 { return (float64(level) + .5) / levels }

// A step is a span of requests with acceptances.
type step struct {
	from, to float64
	count    float64
}

func (c *Curve) steps(from float64) (steps []step, accepted int64) {
	for at, counts := range c.spans {
		n := int64(0)
		for l, count := range counts {
			if l >= level(from) {
				n += int64(count)
			}
		}
		if n > 0 {
			steps = append(steps, step{float64(begin(at)), float64(min(begin(at+1), c.requests)), float64(n)})
			accepted += n
		}
	}
	return steps, accepted
}

// A fitted process: its parameters, and its weight among others.
type fitted struct{ c, b, weight float64 }

// beyond returns 1 − F(n): the share of pages that are met after request n.
func (f fitted) beyond(n float64) float64 { return math.Exp(-f.b * math.Log1p(n/f.c)) }

// The grid of processes: c from 1/500 to three times the number of requests, b from many that are hardly ever met to almost none.
const scales = 36

var shapes = [...]float64{.15, .25, .4, .6, .8, 1, 1.3, 1.7, 2.2, 3, 4, 6, 9, 14, 20}

// fit returns the processes of the grid with their posterior weights, which add up to 1.
func fit(steps []step, n float64) []fitted {
	fits := make([]fitted, 0, scales*len(shapes))
	most := math.Inf(-1)
	logs := make([]struct{ from, to float64 }, len(steps)) // of 1 + request/c: the same for each shape
	for i := range scales {
		c := max(3, n*math.Exp(math.Log(.002)+float64(i)/(scales-1)*(math.Log(12)-math.Log(.002))))
		for j, s := range steps {
			logs[j].from, logs[j].to = math.Log1p(s.from/c), math.Log1p(s.to/c)
		}
		for _, b := range shapes {
			f := fitted{c: c, b: b}
			met := math.Log(-math.Expm1(-b * math.Log1p(n/c)))
			last, beyond := math.NaN(), 0.0 // the step before mostly ends where this one begins
			for j, s := range steps {
				from := beyond
				if s.from != last {
					from = math.Exp(-b * logs[j].from)
				}
				last, beyond = s.to, math.Exp(-b*logs[j].to)
				f.weight += s.count * math.Log(from-beyond)
				f.weight -= s.count * met
			}
			most = max(most, f.weight)
			fits = append(fits, f)
		}
	}
	sum := 0.0
	for i := range fits {
		fits[i].weight = math.Exp(fits[i].weight - most)
		sum += fits[i].weight
	}
	for i := range fits {
		fits[i].weight /= sum
	}
	return slices.DeleteFunc(fits, func(f fitted) bool { return f.weight < 1e-6 })
}

// expect returns how many pages the requests after n bring, by all processes. Given a process, the number has a negative binomial
// distribution: a Poisson distribution whose mean is the gamma posterior of N, times the share that is met.
func expect(fits []fitted, n, accepted, requests float64) (r Range) {
	var parts []part
	for _, f := range fits {
		ratio := (f.beyond(n) - f.beyond(n+requests)) / (1 - f.beyond(n))
		parts = append(parts, part{weight: f.weight, k: accepted, ratio: ratio})
		r.Mean += f.weight * accepted * ratio
	}
	r.Low, r.High = quantile(parts, .05), quantile(parts, .95)
	return r
}

// A part of a mixture of negative binomial distributions: of k·ratio on average. It keeps what it has summed up, since a quantile is looked
// for near the one before.
type part struct {
	weight, k, ratio float64
	term             float64   // the probability of len(sums)−1
	sums             []float64 // the probabilities of at most 0, 1, …
	whole            bool      // further terms, which fall, are lost beside the last sum
}

// below returns the probability of at most x.
func (p *part) below(x float64) float64 {
	mean := p.k * p.ratio
	if mean > 200 {
		return .5 * math.Erfc(-(x+.5-mean)/math.Sqrt(2*mean*(1+p.ratio)))
	}
	if p.sums == nil {
		p.term = math.Exp(-p.k * math.Log1p(p.ratio))
		p.sums = append(p.sums, p.term)
	}
	for i, q := float64(len(p.sums)), p.ratio/(1+p.ratio); i <= x && !p.whole; i++ {
		sum, factor := p.sums[len(p.sums)-1], (p.k+i-1)/i*q
		p.term *= factor
		p.sums = append(p.sums, sum+p.term)
		p.whole = factor < 1 && sum+p.term == sum
	}
	return min(1, p.sums[int(min(x, float64(len(p.sums)-1)))])
}

// quantile returns the least number that is not exceeded with a probability.
func quantile(parts []part, q float64) float64 {
	below := func(x float64) (sum float64) {
		for i := range parts {
			sum += parts[i].weight * parts[i].below(x)
		}
		return sum
	}
	high := 1.0
	for below(high) < q && high < 1e15 {
		high *= 2
	}
	low := -1.0
	for high-low > 1 {
		if middle := math.Floor((low + high) / 2); below(middle) >= q {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
