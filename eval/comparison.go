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

// WebFacts is the size of what all runs of a comparison crawled.
type WebFacts struct {
	Documents         int // distinct URLs in scope that answered 2xx: what shares of the web are of
	Reachable         int // of these, what links and redirects lead to from the seeds
	Relevant          int // documents that are relevant; 0 where each item has its own truth
	RelevantReachable int // of these, the reachable; 0 where each item has its own truth
}

// A Run is one focus's crawl of a comparison, or its crawls where the comparison repeats them.
type Run struct {
	Name   string // unique among the runs
	Focus  string // what it was, for people: the crawl file's focus on one line
	Oracle bool   // it knows the truth: a ceiling, not a rival
	Ended  string // why it ended, for people
	Round  int    // requests of its focus's rounds; 0 or 1: it has none
	Curves []*Curve
	Links  *LinkFigures // how it predicted the classes of links; nil: it predicts none, or is repeated
}

// A Comparison is a set of runs over one web from the same seeds, measured by one truth. Every run
// has as many curves as the others: one, or one for each repetition ("each" in a comparison file),
// in the same order. Then all its figures are means over the repetitions, and rates are means of
// rates.
type Comparison struct {
	Name        string
	Truth       string // what counts as relevant, for people
	Web         WebFacts
	Seeds       []string  // of every run; empty where each item has its own
	Budget      int       // requests a run may make; 0: as many as the longest run made
	Checkpoints []float64 // shares of the web, above 0 and at most 1; nil: DefaultCheckpoints
	Facts       []Fact    // more that a reader should know; no wall-clock time
	Runs        []Run     // in the order of the file
}

// DefaultCheckpoints returns the shares of the web at which runs are compared unless the comparison
// names others: 5, 10, 20 and 50 %.
func DefaultCheckpoints() []float64 { return []float64{0.05, 0.10, 0.20, 0.50} }

// maxCheckpoints bounds how many shares of the web a comparison may name.
const maxCheckpoints = 1000

// Check reports all that makes a comparison impossible to write, in an error that wraps
// orbweaver.ErrInput. The writers check by themselves.
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

// Items returns how often the runs were repeated: 1 for a plain comparison.
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

// Requests returns how many requests a share of the web is, rounded to the nearest and at least 1.
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

// spread returns at most n numbers from 1 to total at even distances, ascending, the last being total.
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

// A Figure is where a run stood at a mark, on average over its repetitions.
type Figure struct {
	Mark     int      // requests the run could have made
	Requests Estimate // it had made: fewer where it ended early
	Pages    Estimate
	Relevant Estimate
	Accepted Estimate

	HarvestRate         Estimate
	Recall              Estimate // over the repetitions that have something relevant to reach
	AcceptanceRate      Estimate
	AcceptancePrecision Estimate
	AcceptanceRecall    Estimate
}

// Figures returns where the run stood at each mark; marks ascend.
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

// reaching leaves out the points of crawls that have nothing relevant to reach: their recall says
// nothing.
func reaching(at []Point) []Point {
	kept := make([]Point, 0, len(at))
	for _, p := range at {
		if p.Reachable > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// best returns which figures are the best of their runs, the oracle left out: of highest mean recall,
// then of highest harvest rate; several when they are equal, none when nothing relevant was found.
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
