package eval

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Embedded templates; read-only.
var (
	//go:embed page.css
	pageStyle string
	//go:embed comparison.html
	comparisonPage string
)

// comparisonView is the data of comparison.html.
type comparisonView struct {
	Title, Truth   string
	Style          template.CSS
	Budget, Items  int
	Web            WebFacts
	Charts         []chartView
	Legend         []legendEntry
	Guided, Beyond string // lists of shares, for people
	Tables         []tableView
	Needed         []neededRow
	Links          []runLinks
	LinkNames      [4]string
	LinkWords      string
	Chances        []chanceRow
	ChanceWords    string
	Compared       *comparedView
	Measured       measuredView
	Paired         *pairedView
	WebFacts       []Fact
	RunFacts       []Fact
	Words          []Fact
}

type chartView struct {
	Name, Definition string
	Chart            chart
}

type legendEntry struct {
	Swatch template.HTML
	Name   string
}

type tableView struct {
	Title string
	Rows  []tableRow
}

type tableRow struct {
	Run          string
	Best, Oracle bool

	Requests, Pages, Relevant, HarvestRate, Recall string
}

// WriteReport writes the comparison as one self-contained HTML file without scripts and fonts. It shows harvest
// rate and recall of all runs as curves, their figures at shares of the web, and the facts, in the light or
// dark scheme of the reader's system. All text is escaped.
func (c *Comparison) WriteReport(w io.Writer) error {
	if err := c.Check(); err != nil {
		return err
	}
	view := comparisonView{Title: "Comparison " + c.Name, Truth: c.Truth, Style: template.CSS(pageStyle),
		Budget: c.budget(), Items: c.Items(), Web: c.Web, Words: comparisonWords(),
		WebFacts: c.webFacts(), RunFacts: c.runFacts()}
	if err := c.addCharts(&view); err != nil {
		return fmt.Errorf("report of comparison %s: %w", c.Name, err)
	}
	var err error
	if view.Compared, err = c.viewCompared(); err != nil {
		return fmt.Errorf("report of comparison %s: %w", c.Name, err)
	}
	pairs, err := c.Paired()
	if err != nil {
		return fmt.Errorf("report of comparison %s: %w", c.Name, err)
	}
	view.Measured, view.Paired = measuredView{measureTitles(), c.measureRows()}, pairs.view()
	view.Words = append(view.Words, slices.DeleteFunc(c.measureFacts(Measure.Title), func(f Fact) bool {
		return f.Name == Harvest.Title() || f.Name == Recall.Title() // defined above
	})...)
	c.addTables(&view)
	view.Needed = c.neededRows()
	view.Chances, view.ChanceWords = c.chanceRows(), chanceWords
	view.Links, view.LinkNames, view.LinkWords = c.linkRows(), LinkClasses(), linkDefinitions
	return render(w, comparisonPage, view)
}

// render writes a page only if it could be rendered completely.
func render(w io.Writer, page string, view any) error {
	odd := func(i int) bool { return i%2 == 1 }
	t, err := template.New("report").Funcs(template.FuncMap{"odd": odd}).Parse(page + linksPart + chancesPart + dataPart + findingsPart + roundsPart + resultsPart + partsPart + pairedPart)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, view); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

func (c *Comparison) addCharts(view *comparisonView) error {
	guides, words := c.guides()
	view.Guided = words
	harvest := figure{label: "harvest rate", xmax: float64(c.budget()), guides: guides}
	recall := figure{label: "recall", xmax: float64(c.budget()), guides: guides}
	styles := c.styles()
	for i := range c.Runs {
		run := &c.Runs[i]
		h, r := run.series(styles[i])
		harvest.series, recall.series = append(harvest.series, h), append(recall.series, r)
		sample, err := swatch(styles[i])
		if err != nil {
			return err
		}
		view.Legend = append(view.Legend, legendEntry{sample, run.Name})
	}
	d := definitions()
	for _, f := range []struct {
		figure
		name, definition string
	}{{harvest, "Harvest rate", d.HarvestRate}, {recall, "Recall", d.Recall}} {
		drawn, err := f.draw()
		if err != nil {
			return err
		}
		view.Charts = append(view.Charts, chartView{f.name, f.definition, drawn})
	}
	return nil
}

// styles gives each run its style; the first colour, the text colour, is for oracles.
func (c *Comparison) styles() []int {
	styles := make([]int, len(c.Runs))
	next := 1
	for i, run := range c.Runs {
		if run.Oracle {
			continue
		}
		styles[i] = next
		if next++; next%linePaints == 0 {
			next++
		}
	}
	return styles
}

// series samples the run's curves of harvest rate and recall.
func (r *Run) series(style int) (harvest, recall series) {
	harvest, recall = series{style: style}, series{style: style}
	for _, f := range r.Figures(spread(r.requests(), maxSamples)) {
		x := float64(f.Mark)
		harvest.x, harvest.y = append(harvest.x, x), append(harvest.y, f.HarvestRate.Mean)
		recall.x, recall.y = append(recall.x, x), append(recall.y, f.Recall.Mean)
	}
	return harvest, recall
}

// guides are the shares of the web within the budget, in requests and in words.
func (c *Comparison) guides() (at []float64, words string) {
	within, _ := c.shares()
	for _, share := range within {
		at = append(at, float64(c.Requests(share)))
	}
	return at, percents(within)
}

// shares are the reported shares: the checkpoints and, within the budget, the default ones.
func (c *Comparison) shares() (within, beyond []float64) {
	if c.Web.Documents == 0 {
		return nil, nil
	}
	all := &Comparison{Checkpoints: append(DefaultCheckpoints(), c.checkpoints()...)}
	for _, share := range all.checkpoints() {
		if c.Requests(share) <= c.budget() {
			within = append(within, share)
		} else {
			beyond = append(beyond, share)
		}
	}
	return within, beyond
}

func percents(shares []float64) string {
	words := make([]string, len(shares))
	for i, s := range shares {
		words[i] = percent(s)
	}
	return strings.Join(words, ", ")
}

func percent(share float64) string { return decimal(share*100) + " %" }

func (c *Comparison) addTables(view *comparisonView) {
	within, beyond := c.shares()
	view.Beyond = percents(beyond)
	var marks []int
	var titles []string
	for _, share := range within {
		mark := c.Requests(share)
		marks = append(marks, mark)
		titles = append(titles, fmt.Sprintf("%s of the web: %d requests", percent(share), mark))
	}
	if n := len(marks); n == 0 || marks[n-1] != c.budget() {
		marks = append(marks, c.budget())
		titles = append(titles, fmt.Sprintf("At the budget’s end: %d requests", c.budget()))
	}
	columns := make([][]Figure, len(c.Runs)) // by run, then by mark
	for i := range c.Runs {
		columns[i] = c.Runs[i].Figures(marks)
	}
	for m := range marks {
		at := make([]Figure, len(c.Runs))
		for i := range columns {
			at[i] = columns[i][m]
		}
		view.Tables = append(view.Tables, tableView{titles[m], c.rows(at)})
	}
}

func (c *Comparison) rows(at []Figure) []tableRow {
	best := c.best(at)
	rows := make([]tableRow, len(at))
	for i, f := range at {
		rows[i] = tableRow{Run: c.Runs[i].Name, Best: best[i], Oracle: c.Runs[i].Oracle,
			Requests: number(f.Requests), Pages: number(f.Pages), Relevant: number(f.Relevant),
			HarvestRate: share3(f.HarvestRate), Recall: share3(f.Recall)}
		if f.Recall.N == 0 || c.Items() == 1 && c.Runs[i].Curves[0].reachable == 0 {
			rows[i].Recall = "–"
		}
	}
	return rows
}

// number formats a count, a mean of counts with one decimal.
func number(e Estimate) string {
	if e.N > 1 {
		return strconv.FormatFloat(e.Mean, 'f', 1, 64)
	}
	return strconv.FormatFloat(e.Mean, 'f', -1, 64)
}

// share3 formats a share with three decimals, a mean of shares with its interval.
func share3(e Estimate) string {
	s := strconv.FormatFloat(e.Mean, 'f', 3, 64)
	if e.N > 1 {
		s += " ± " + strconv.FormatFloat(e.Half, 'f', 3, 64)
	}
	return s
}

func (c *Comparison) webFacts() []Fact {
	facts := []Fact{{"documents", strconv.Itoa(c.Web.Documents)}, {"reachable", strconv.Itoa(c.Web.Reachable)}}
	if c.Items() == 1 {
		facts = append(facts, Fact{"relevant", strconv.Itoa(c.Web.Relevant)},
			Fact{"relevant and reachable", strconv.Itoa(c.Web.RelevantReachable)})
	}
	if len(c.Seeds) > 0 {
		facts = append(facts, Fact{"seeds", listed(c.Seeds, 50)})
	}
	return append(facts, c.Facts...)
}

// listed joins the first n items, one per line.
func listed(items []string, n int) string {
	s := strings.Join(items[:min(n, len(items))], "\n")
	if len(items) > n {
		s += fmt.Sprintf("\nand %d more", len(items)-n)
	}
	return s
}

func (c *Comparison) runFacts() []Fact {
	facts := make([]Fact, 0, len(c.Runs))
	for i := range c.Runs {
		run := &c.Runs[i]
		made := run.Figures([]int{run.requests()})[0].Requests
		text := fmt.Sprintf("%s\n%s requests", run.Focus, number(made))
		if run.Ended != "" {
			text += "; ended: " + run.Ended
		}
		facts = append(facts, Fact{run.Name, strings.TrimSpace(text)})
	}
	return facts
}

func comparisonWords() []Fact {
	d := definitions()
	return []Fact{{"request", d.Request}, {"page", d.Page}, {"web", d.Web}, {"reachable", d.Reachable},
		{"harvest rate", d.HarvestRate}, {"recall", d.Recall}}
}
