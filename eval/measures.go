package eval

import (
	"cmp"
	"math"
	"slices"

	"orbweaver/eval/paired"
	"orbweaver/internal/order"
)

// bestPages is how many pages precision_at_50 looks at.
const bestPages = 50

// A Measure is a single figure of a whole crawl.
type Measure int

// The measures, in the order of reports. Those by score rank the pages fetched by their score, in the order of their
// fetching where scores are equal, and are undefined if no two pages differ in score.
const (
	AveragePrecision      Measure = iota // Σ of relevant ÷ pages at each relevant page fetched, ÷ reachable relevant pages
	PrecisionAt50                        // relevant pages among the first 50 fetched ÷ 50
	Harvest                              // relevant pages ÷ pages
	Recall                               // relevant pages ÷ reachable relevant pages
	RequestsPerRelevant                  // requests ÷ relevant pages, or ÷ 1 if there are none
	HoursPerRelevant                     // hours of the Schedule ÷ the same
	ScoreAveragePrecision                // Σ of relevant ÷ pages at each relevant page by score, ÷ relevant pages fetched
	ScorePrecisionAt50                   // relevant pages among the 50 of highest score ÷ 50
	measures
)

// atMarks is the number of measures that are also written at each mark: those before the measures by score.
const atMarks = int(ScoreAveragePrecision)

// Measures returns all measures.
func Measures() []Measure {
	all := make([]Measure, measures)
	for m := range all {
		all[m] = Measure(m)
	}
	return all
}

// Name is the measure's name in files.
func (m Measure) Name() string {
	return [measures]string{"average_precision", "precision_at_50", "harvest_rate", "recall", "requests_per_relevant",
		"hours_per_relevant", "score_average_precision", "score_precision_at_50"}[m]
}

// Title is the measure's name in reports.
func (m Measure) Title() string {
	return [measures]string{"average precision", "precision at 50", "harvest rate", "recall", "requests per relevant page",
		"hours per relevant page", "average precision by score", "precision at 50 by score"}[m]
}

// Lower reports whether less is better.
func (m Measure) Lower() bool { return m == RequestsPerRelevant || m == HoursPerRelevant }

// definition defines a measure, for readers without this program.
func (m Measure) definition() string {
	return [measures]string{
		"pages in the order in which they were fetched: the sum, over the relevant ones, of relevant pages / pages so far, / relevant pages that can be reached",
		"relevant pages among the first 50 fetched / 50",
		"relevant pages / pages",
		"relevant pages / relevant pages that can be reached from the seeds",
		"requests / relevant pages, or / 1 where none was found",
		"hours that the requests would take on the live Web in their order / relevant pages, or / 1 where none was found",
		"pages in the order of their scores, of equal scores in the order of their fetching: the sum, over the relevant ones, of relevant pages / pages so far, / relevant pages fetched; undefined without different scores",
		"relevant pages among the 50 of highest score / 50; undefined without different scores",
	}[m]
}

// at returns the measures after each number of requests, ascending; those by score only at the end of the crawl. NaN:
// undefined.
func (c *Curve) at(marks []int) [][measures]float64 {
	all := make([][measures]float64, 0, len(marks))
	p, precisions, first := Point{Reachable: c.reachable}, 0.0, 0
	for _, mark := range marks {
		for p.Requests < min(mark, len(c.steps)) {
			s := c.steps[p.Requests]
			p.add(s)
			if s&stepRelevant == 0 {
				continue
			}
			precisions += p.HarvestRate()
			if p.Pages <= bestPages {
				first++
			}
		}
		all = append(all, c.valuesAt(p, precisions, first))
	}
	return all
}

// valuesAt are the measures at a point, given the sum of precisions and the relevant pages among the first.
func (c *Curve) valuesAt(p Point, precisions float64, first int) (v [measures]float64) {
	found := float64(max(1, p.Relevant))
	v[AveragePrecision], v[Recall] = math.NaN(), math.NaN()
	if c.reachable > 0 {
		v[AveragePrecision], v[Recall] = precisions/float64(c.reachable), p.Recall()
	}
	v[PrecisionAt50], v[Harvest] = float64(first)/bestPages, p.HarvestRate()
	v[RequestsPerRelevant], v[HoursPerRelevant] = float64(p.Requests)/found, math.NaN()
	if c.spent != nil {
		v[HoursPerRelevant] = 0
		if p.Requests > 0 {
			v[HoursPerRelevant] = c.spent[p.Requests-1].Hours() / found
		}
	}
	v[ScoreAveragePrecision], v[ScorePrecisionAt50] = math.NaN(), math.NaN()
	if p.Requests == len(c.steps) {
		v[ScoreAveragePrecision], v[ScorePrecisionAt50] = c.byScore()
	}
	return v
}

// A rankedPage is a page fetched with the score it got.
type rankedPage struct {
	score    float64
	relevant bool
}

// byScore ranks the pages by their scores.
func (c *Curve) byScore() (average, best float64) {
	ranked := slices.Clone(c.scores)
	order.Stably(ranked, func(a, b rankedPage) int { return cmp.Compare(b.score, a.score) })
	if len(ranked) == 0 || ranked[0].score == ranked[len(ranked)-1].score {
		return math.NaN(), math.NaN()
	}
	relevant, first, sum := 0, 0, 0.0
	for i, page := range ranked {
		if !page.relevant {
			continue
		}
		relevant++
		sum += float64(relevant) / float64(i+1)
		if i < bestPages {
			first++
		}
	}
	if relevant == 0 {
		return math.NaN(), 0
	}
	return sum / float64(relevant), float64(first) / bestPages
}

// Measured returns the values of a measure at the end of the run, one per repetition; NaN: undefined.
func (r *Run) Measured(m Measure) []float64 {
	values := make([]float64, len(r.Curves))
	for i, c := range r.Curves {
		values[i] = c.at([]int{len(c.steps)})[0][m]
	}
	return values
}

// measuredAt returns the means of the measures at each mark.
func (r *Run) measuredAt(marks []int) [][measures]Estimate {
	crawls := make([][][measures]float64, len(r.Curves))
	for i, c := range r.Curves {
		crawls[i] = c.at(marks)
	}
	all := make([][measures]Estimate, len(marks))
	for i := range marks {
		for m := range measures {
			var values []float64
			for _, crawl := range crawls {
				values = append(values, crawl[i][m])
			}
			all[i][m] = EstimateOf(known(values))
		}
	}
	return all
}

// A Pairing says which run the others are compared with, and how intervals are drawn.
type Pairing struct {
	Baseline string // name of a run; empty: no comparison
	Seed     uint64 // of the bootstrap
	Samples  int    // of the bootstrap; 0: the default
}

// Paired compares the runs with the baseline, item by item; nil without a baseline or with less than two items. The
// error is that of paired.Table.Compare.
func (c *Comparison) Paired() (*Paired, error) {
	if c.Pairing.Baseline == "" || c.Items() < 2 {
		return nil, nil
	}
	t := &paired.Table{Baseline: c.Pairing.Baseline, Seed: c.Pairing.Seed, Samples: c.Pairing.Samples, Units: c.Units}
	if len(t.Units) == 0 {
		for i := range c.Items() {
			t.Units = append(t.Units, decimal(float64(i+1)))
		}
	}
	for _, m := range Measures() {
		t.Measures = append(t.Measures, m.Name())
	}
	for i := range c.Runs {
		run := paired.Run{Name: c.Runs[i].Name, Ceiling: c.Runs[i].Oracle}
		for _, m := range Measures() {
			run.Values = append(run.Values, c.Runs[i].Measured(m))
		}
		t.Runs = append(t.Runs, run)
	}
	return newPaired(t)
}
