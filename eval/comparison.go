package eval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"orbweaver"
)

// A Fact is a line of a report's list of facts.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// WebFacts is the size of the web that all runs of a comparison crawled.
type WebFacts struct {
	Documents         int // distinct URLs in scope that answered 2xx: the denominator of shares of the web
	Reachable         int // of these, those reachable from the seeds by links and redirects
	Relevant          int // relevant documents; 0 if each item has its own truth
	RelevantReachable int // of these, the reachable; 0 if each item has its own truth
}

// A Run is the crawl of one focus in a comparison, or its crawls if the comparison repeats them.
type Run struct {
	Name   string // unique among the runs
	Focus  string // the crawl file's focus on one line
	Oracle bool   // it knows the truth: an upper bound
	Ended  string // why it ended, as text
	Round  int    // requests per round of its focus; 0 or 1: none
	Curves []*Curve
	Links  *LinkFigures // prediction of link classes; nil: none, or the run is repeated
}

// A Comparison is a set of runs over one web from the same seeds, measured by one truth. Every run has the same
// number of curves: one, or one for each repetition ("each" in a comparison file), in the same order. With
// repetitions all figures are means over them, and rates are means of rates.
type Comparison struct {
	Name        string
	Truth       string // what counts as relevant, as text
	Web         WebFacts
	Seeds       []string  // of every run; empty if each item has its own
	Budget      int       // maximal requests of a run; 0: those of the longest run
	Checkpoints []float64 // shares of the web, above 0 and at most 1; nil: DefaultCheckpoints
	Facts       []Fact    // further facts; no wall-clock time
	Runs        []Run     // in the order of the file
	Units       []string  // names of the repetitions; empty: numbers
	Pairing     Pairing   // how repeated runs are compared with each other
	Schedule    *Schedule // how hours are computed; nil: there are none
}

// DefaultCheckpoints returns the shares of the web at which runs are compared by default: 5, 10, 20 and 50 %.
func DefaultCheckpoints() []float64 { return []float64{0.05, 0.10, 0.20, 0.50} }

// maxCheckpoints bounds how many shares of the web a comparison may name.
const maxCheckpoints = 1000

// Check reports every problem that prevents writing a comparison, in an error that wraps orbweaver.ErrInput.
// The writers call it.
func (c *Comparison) Check() error {
	var problems []error
	problem := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("comparison %s: "+format, append([]any{c.Name}, args...)...))
	}
	if len(c.Checkpoints) > maxCheckpoints {
		problem("%d checkpoints; at most %d", len(c.Checkpoints), maxCheckpoints)
	}
	for _, share := range c.Checkpoints {
		if !(share > 0 && share <= 1) {
			problem("checkpoint %v is no share of the web; it is above 0 and at most 1", share)
		}
	}
	if len(c.Runs) == 0 {
		problem("no runs")
	}
	names := map[string]bool{}
	for _, run := range c.Runs {
		switch {
		case run.Name == "":
			problem("a run without a name")
		case names[run.Name]:
			problem("two runs are called %q", run.Name)
		case len(run.Curves) == 0 || len(run.Curves) != len(c.Runs[0].Curves):
			problem("run %q has %d crawls, run %q %d", run.Name, len(run.Curves), c.Runs[0].Name, len(c.Runs[0].Curves))
		}
		names[run.Name] = true
	}
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%w\n%w", errors.Join(problems...), orbweaver.ErrInput)
}

// Items returns the number of repetitions: 1 for a plain comparison.
func (c *Comparison) Items() int {
	if len(c.Runs) == 0 {
		return 0
	}
	return len(c.Runs[0].Curves)
}

// budget is the number of requests the marks are spread over.
func (c *Comparison) budget() int {
	budget := c.Budget
	if budget > 0 {
		return budget
	}
	for _, run := range c.Runs {
		budget = max(budget, run.requests())
	}
	return budget
}

// requests is the length of the run's longest crawl.
func (r *Run) requests() int {
	n := 0
	for _, curve := range r.Curves {
		n = max(n, curve.Requests())
	}
	return n
}

// Requests returns the number of requests that a share of the web is, rounded to the nearest and at least 1.
func (c *Comparison) Requests(share float64) int {
	return max(1, int(math.Round(share*float64(c.Web.Documents))))
}

func (c *Comparison) checkpoints() []float64 {
	if c.Checkpoints == nil {
		return DefaultCheckpoints()
	}
	shares := slices.Clone(c.Checkpoints)
	slices.Sort(shares)
	return slices.Compact(shares)
}

// Marks returns the numbers of requests at which figures are written, ascending: every 1 % of the
// budget, rounded to the nearest, and the checkpoints, also those beyond the budget.
func (c *Comparison) Marks() []int {
	marks := spread(c.budget(), 100)
	if c.Web.Documents > 0 {
		for _, share := range c.checkpoints() {
			marks = append(marks, c.Requests(share))
		}
	}
	slices.Sort(marks)
	return slices.Compact(marks)
}

// spread returns at most n evenly spaced numbers from 1 to total, ascending, the last being total.
func spread(total, n int) []int {
	marks := make([]int, 0, n)
	for i := 1; i <= n; i++ {
		mark := int((2*int64(i)*int64(total) + int64(n)) / (2 * int64(n))) // i·total/n to the nearest
		if mark > 0 && (len(marks) == 0 || mark > marks[len(marks)-1]) {
			marks = append(marks, mark)
		}
	}
	return marks
}

// A Figure is the state of a run at a mark, averaged over its repetitions.
type Figure struct {
	Mark     int      // requests that the run may have made
	Requests Estimate // requests that it made: fewer if it ended early
	Pages    Estimate
	Relevant Estimate
	Accepted Estimate

	HarvestRate         Estimate
	Recall              Estimate // over the repetitions with a reachable relevant page
	AcceptanceRate      Estimate
	AcceptancePrecision Estimate
	AcceptanceRecall    Estimate
}

// Figures returns the state of the run at each mark; marks ascend.
func (r *Run) Figures(marks []int) []Figure {
	crawls := make([][]Point, len(r.Curves))
	for i, curve := range r.Curves {
		crawls[i] = curve.Points(marks)
	}
	figures := make([]Figure, len(marks))
	at := make([]Point, len(crawls))
	for m, mark := range marks {
		for i, points := range crawls {
			at[i] = points[m]
		}
		figures[m] = figureOf(mark, at)
	}
	return figures
}

func figureOf(mark int, at []Point) Figure {
	return Figure{
		Mark:     mark,
		Requests: estimate(at, func(p Point) float64 { return float64(p.Requests) }),
		Pages:    estimate(at, func(p Point) float64 { return float64(p.Pages) }),
		Relevant: estimate(at, func(p Point) float64 { return float64(p.Relevant) }),
		Accepted: estimate(at, func(p Point) float64 { return float64(p.Accepted) }),

		HarvestRate:         estimate(at, Point.HarvestRate),
		Recall:              estimate(reaching(at), Point.Recall),
		AcceptanceRate:      estimate(at, Point.AcceptanceRate),
		AcceptancePrecision: estimate(at, Point.AcceptancePrecision),
		AcceptanceRecall:    estimate(at, Point.AcceptanceRecall),
	}
}

func estimate(at []Point, of func(Point) float64) Estimate {
	values := make([]float64, len(at))
	for i, p := range at {
		values[i] = of(p)
	}
	return EstimateOf(values)
}

// reaching leaves out the points of crawls without a reachable relevant page, whose recall is undefined.
func reaching(at []Point) []Point {
	kept := make([]Point, 0, len(at))
	for _, p := range at {
		if p.Reachable > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// best reports which figures are the best of all runs but the oracle: of highest mean recall, then of highest
// harvest rate; several if equal, none if nothing relevant was found.
func (c *Comparison) best(figures []Figure) []bool {
	top := -1
	compare := func(a, b Figure) int {
		return cmp.Or(cmp.Compare(a.Recall.Mean, b.Recall.Mean), cmp.Compare(a.HarvestRate.Mean, b.HarvestRate.Mean))
	}
	for i, f := range figures {
		if !c.Runs[i].Oracle && f.Relevant.Mean > 0 && (top < 0 || compare(f, figures[top]) > 0) {
			top = i
		}
	}
	best := make([]bool, len(figures))
	for i, f := range figures {
		best[i] = top >= 0 && !c.Runs[i].Oracle && compare(f, figures[top]) == 0
	}
	return best
}
