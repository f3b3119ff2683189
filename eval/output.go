package eval

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// WriteCSV writes the comparison's figures, a row for each run and mark, runs in their order:
// `run,requests,pages,relevant,harvest_rate,recall`, then the measures that are not among these. A repeated
// comparison's rows have means and two columns after recall, `harvest_rate_ci95` and `recall_ci95`, half the width
// of the interval. Numbers have at most six decimals; an undefined one is empty. A run that ends early keeps its
// last values.
func (c *Comparison) WriteCSV(w io.Writer) error {
	if err := c.Check(); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	header := []string{"run", "requests", "pages", "relevant", "harvest_rate", "recall"}
	if c.Items() > 1 {
		header = append(header, "harvest_rate_ci95", "recall_ci95")
	}
	for _, m := range csvMeasures() {
		header = append(header, m.Name())
	}
	out.Write(header) // Error returns the first error
	marks := c.Marks()
	for i := range c.Runs {
		measured := c.Runs[i].measuredAt(marks)
		for k, f := range c.Runs[i].Figures(marks) {
			out.Write(append(c.row(c.Runs[i].Name, f), measureCells(measured[k])...))
		}
	}
	out.Flush()
	return out.Error()
}

func (c *Comparison) row(name string, f Figure) []string {
	row := []string{name, strconv.Itoa(f.Mark), decimal(f.Pages.Mean), decimal(f.Relevant.Mean),
		decimal(f.HarvestRate.Mean), decimal(f.Recall.Mean)}
	if c.Items() > 1 {
		row = append(row, decimal(f.HarvestRate.Half), decimal(f.Recall.Half))
	}
	return row
}

// csvMeasures are the measures that a row ends with.
func csvMeasures() []Measure {
	return []Measure{AveragePrecision, PrecisionAt50, RequestsPerRelevant, HoursPerRelevant}
}

// measureCells are the cells of csvMeasures.
func measureCells(at [measures]Estimate) (cells []string) {
	for _, m := range csvMeasures() {
		cell := ""
		if at[m].N > 0 {
			cell = decimal(at[m].Mean)
		}
		cells = append(cells, cell)
	}
	return cells
}

// decimal writes a number with at most six decimals and no trailing zeros.
func decimal(v float64) string { return strconv.FormatFloat(rounded(v), 'f', -1, 64) }

// rounded rounds to six decimals: smaller differences are floating-point noise.
func rounded(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// The JSON form of a comparison. The order of fields is the order of keys, and a promise.
type (
	jsonComparison struct {
		Name        string           `json:"name"`
		Definitions jsonDefinitions  `json:"definitions"`
		Truth       string           `json:"truth"`
		Web         jsonWeb          `json:"web"`
		Seeds       []string         `json:"seeds"`
		Budget      int              `json:"budget"`
		Items       int              `json:"items"`
		Checkpoints []jsonCheckpoint `json:"checkpoints"`
		Facts       []Fact           `json:"facts,omitempty"`
		Units       []string         `json:"units,omitempty"`
		Paired      *jsonPaired      `json:"paired,omitempty"`
		Runs        []jsonRun        `json:"runs"`
	}
	jsonDefinitions struct {
		Request             string `json:"request"`
		Page                string `json:"page"`
		Web                 string `json:"web"`
		Reachable           string `json:"reachable"`
		HarvestRate         string `json:"harvest_rate"`
		Recall              string `json:"recall"`
		AcceptanceRate      string `json:"acceptance_rate"`
		AcceptancePrecision string `json:"acceptance_precision"`
		AcceptanceRecall    string `json:"acceptance_recall"`
		Interval            string `json:"ci95"`
		Needed              string `json:"needed"`
		Links               string `json:"links,omitempty"`
		Chances             string `json:"chances,omitempty"`
		Rounds              string `json:"rounds,omitempty"`

		Measures []Fact `json:"measures"`
	}
	jsonWeb struct {
		Documents         int `json:"documents"`
		Reachable         int `json:"reachable"`
		Relevant          int `json:"relevant"`
		RelevantReachable int `json:"relevant_reachable"`
	}
	jsonCheckpoint struct {
		Share    float64 `json:"share"`
		Requests int     `json:"requests"`
	}
	jsonRun struct {
		Name     string         `json:"name"`
		Focus    string         `json:"focus"`
		Oracle   bool           `json:"oracle,omitempty"`
		Ended    string         `json:"ended,omitempty"`
		Requests float64        `json:"requests"`
		Needed   []jsonNeeded   `json:"needed,omitempty"`
		Links    *jsonLinks     `json:"links,omitempty"`
		Chances  *ChanceFigures `json:"chances,omitempty"`
		Rounds   *jsonRounds    `json:"rounds,omitempty"`
		Measures []jsonMeasure  `json:"measures"`
		Points   []jsonPoint    `json:"points"`
	}
	jsonNeeded struct {
		Recall   float64 `json:"recall"`
		Requests float64 `json:"requests"`
	}
	jsonPoint struct {
		Requests            int      `json:"requests"`
		Pages               float64  `json:"pages"`
		Relevant            float64  `json:"relevant"`
		Accepted            float64  `json:"accepted"`
		HarvestRate         float64  `json:"harvest_rate"`
		Recall              float64  `json:"recall"`
		AcceptanceRate      float64  `json:"acceptance_rate"`
		AcceptancePrecision float64  `json:"acceptance_precision"`
		AcceptanceRecall    float64  `json:"acceptance_recall"`
		HarvestRateCI       *float64 `json:"harvest_rate_ci95,omitempty"`
		RecallCI            *float64 `json:"recall_ci95,omitempty"`
	}
)

// definitions defines the terms of the file, for readers without this program.
func definitions() jsonDefinitions {
	return jsonDefinitions{
		Request:             "a page or query asked for, whether it answered, failed, was redirected or is absent from the archive; not robots.txt, nor what scope, robots or the seen set stopped",
		Page:                "a distinct canonical URL that answered 2xx",
		Web:                 "the distinct URLs of the archive, in scope, that answered 2xx",
		Reachable:           "what links and redirects lead to from the seeds, scope and robots obeyed, at any depth; the same for every run",
		HarvestRate:         "relevant pages / pages",
		Recall:              "relevant pages / relevant pages that can be reached from the seeds",
		AcceptanceRate:      "accepted pages / pages",
		AcceptancePrecision: "accepted pages that are relevant / accepted pages",
		AcceptanceRecall:    "accepted pages that are relevant / relevant pages fetched",
		Needed:              "after how many requests a share of the relevant pages that can be reached was found; left out where it never was",
		Interval:            "half the width of the 95 % confidence interval of the mean, by Student's t over the items",
	}
}

// WriteJSON writes the whole comparison: definitions, the web, the seeds, and the figures of each run at each
// mark. The order of keys is fixed and there is no wall-clock time: the same comparison writes the same bytes.
func (c *Comparison) WriteJSON(w io.Writer) error {
	if err := c.Check(); err != nil {
		return err
	}
	words := definitions()
	words.Measures = c.measureFacts(Measure.Name)
	pairs, err := c.Paired()
	if err != nil {
		return err
	}
	if c.predicts() {
		words.Links = linkDefinitions
	}
	if len(c.chanceRows()) > 0 {
		words.Chances = chanceWords
	}
	if c.likened() {
		words.Rounds = roundDefinitions()
	}
	j := jsonComparison{Name: c.Name, Definitions: words, Truth: c.Truth, Web: jsonWeb(c.Web),
		Seeds: append([]string{}, c.Seeds...), Budget: c.budget(), Items: c.Items(),
		Checkpoints: []jsonCheckpoint{}, Facts: c.Facts, Units: c.Units, Paired: pairs.json()}
	for _, share := range c.checkpoints() {
		j.Checkpoints = append(j.Checkpoints, jsonCheckpoint{share, c.Requests(share)})
	}
	marks := c.Marks()
	for i := range c.Runs {
		j.Runs = append(j.Runs, c.jsonRun(&c.Runs[i], marks))
	}
	for i, rounds := range c.Rounds() {
		j.Runs[i].Rounds = c.jsonRounds(rounds)
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(j); err != nil {
		return err
	}
	return out.Flush()
}

func (c *Comparison) jsonRun(run *Run, marks []int) jsonRun {
	made := run.Figures([]int{run.requests()})[0].Requests.Mean
	j := jsonRun{Name: run.Name, Focus: run.Focus, Oracle: run.Oracle, Ended: run.Ended, Requests: rounded(made),
		Links: run.Links.json(), Chances: run.Chances(), Measures: run.jsonMeasures(), Points: make([]jsonPoint, 0, len(marks))}
	for _, share := range NeededShares() {
		if needed, ok := run.Needed(share); ok {
			j.Needed = append(j.Needed, jsonNeeded{share, rounded(needed.Mean)})
		}
	}
	for _, f := range run.Figures(marks) {
		j.Points = append(j.Points, jsonPointOf(f))
	}
	return j
}

func jsonPointOf(f Figure) jsonPoint {
	p := jsonPoint{Requests: f.Mark,
		Pages: rounded(f.Pages.Mean), Relevant: rounded(f.Relevant.Mean), Accepted: rounded(f.Accepted.Mean),
		HarvestRate: rounded(f.HarvestRate.Mean), Recall: rounded(f.Recall.Mean),
		AcceptanceRate:      rounded(f.AcceptanceRate.Mean),
		AcceptancePrecision: rounded(f.AcceptancePrecision.Mean),
		AcceptanceRecall:    rounded(f.AcceptanceRecall.Mean)}
	if f.Pages.N > 1 {
		harvest, recall := rounded(f.HarvestRate.Half), rounded(f.Recall.Half)
		p.HarvestRateCI, p.RecallCI = &harvest, &recall
	}
	return p
}
