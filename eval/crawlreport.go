package eval

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

//go:embed crawl.html
var crawlPage string // embedded; read-only

// CrawlFacts is the information in a crawl report that is not in the crawl's lines. All of it is optional.
type CrawlFacts struct {
	Name     string
	Focus    string   // which focus, on one line
	Target   []string // what it searches for
	Ontology []string // ontology files
	Seeds    []string
	SeedOf   func(url string) string // origin of a seed; nil: not shown
	Limits   []Fact
	Ended    string // why the crawl ended; empty while it runs
	More     []Fact // further facts; without wall-clock time the report is reproducible

	Truth     Truth  // nil: none is known, and the report shows acceptance instead of harvest
	TruthName string // what counts as relevant
	Reachable int    // reachable relevant pages; 0: not known, and no recall is reported

	Folder      string                 // the crawl folder, as in a command
	Suggestions []orbweaver.Suggestion // best first; the report shows 20
	Refused     []RefusedFact          // links that were not followed; in display order

	Links *LinkFigures // prediction of link classes; nil: none

	Left func() LeftFacts // called when all lines were read; nil: nothing is estimated

	Rounds []RoundFacts // rounds of a crawl that learns in rounds; empty for others

	Findings *Findings // of a crawl for vocabulary classes; nil for a crawl for pages

	Hosts []step.Account // of the live Web, in any order; empty for an archive
}

// crawlView is the data of crawl.html.
type crawlView struct {
	Title, Ended string
	Style        template.CSS
	Last         Point
	Pages        int  // current ones
	Accepted     int  // of them
	Judged       bool // a truth is known
	Charts       []crawlChart
	Graph        *graphView
	Bands        []string
	Heat         []heatRow

	Found    *findingsView
	Rounds   *roundsView
	Chances  *chancesView
	Parts    *partsView
	Links    *linksView
	Data     *dataView
	Scripted string // number of pages without text before their scripts run; empty: none
	Rendered string // numbers of pages that were rendered; empty: none

	Hosts, Depths, Failures []share
	Asked                   askedView
	Refused                 []refusedView
	Suggestions             []suggestionView
	MoreSuggestions         int

	Results *resultsView
	Policy  string // Content-Security-Policy of the page
	Facts   []Fact
}

type crawlChart struct {
	chartView
	Legend []legendEntry
}

// WriteCrawlReport writes the report of one crawl as one self-contained HTML file. It begins with the query and
// the accepted pages, best first, up to 10 000 of them and 8 MiB: the first 50 are shown without JavaScript;
// with it all can be filtered, sorted and paged. Then follow the acceptance rate (and, with a truth, the
// harvest rate) over requests, the hosts of accepted pages as a graph, a depth map, failures and their causes,
// links not followed, requests per host, the rounds of learning, and possible gaps of the knowledge. With
// Findings it begins with these, and shows accepted pages only if there are any.
//
// lines are those of pages.jsonl in their order and are read once; an error among them ends the report and
// nothing is written. Of several lines of one page, which a refresh writes, the last counts; in curves, the
// first. Memory is bounded except for about 100 bytes per page.
func WriteCrawlReport(w io.Writer, facts CrawlFacts, lines iter.Seq2[ledger.Line, error]) error {
	t := newTally(facts.Truth, facts.Reachable)
	t.fates.source = facts.SeedOf
	for line, err := range lines {
		if err != nil {
			return fmt.Errorf("report of crawl %s: after line %d: %w", facts.Name, t.curve.Requests(), err)
		}
		t.add(line)
	}
	view := crawlView{Title: "Crawl " + facts.Name, Ended: facts.Ended, Style: template.CSS(pageStyle),
		Last: t.curve.Last(), Pages: t.standing.pages, Accepted: t.standing.accepted, Judged: facts.Truth != nil,
		Hosts: t.topHosts(), Depths: t.byDepth(), Failures: t.byFailure(), Asked: viewAccounts(facts.Hosts),
		Bands: bandNames(), Heat: t.heat(), Refused: viewRefused(facts.Refused),
		Suggestions:     viewSuggestions(facts.Suggestions, facts.Folder),
		MoreSuggestions: max(0, len(facts.Suggestions)-shownSuggestions),
		Scripted:        t.scriptedPages(), Rendered: t.renderedPages(), Links: facts.Links.view(), Data: t.data.Figures().view(),
		Facts: facts.list(t), Policy: policy()}
	if len(t.parts.names) > 0 {
		best := t.best.list()
		view.Parts = t.parts.view(best[:min(len(best), nearestPages)])
	}
	var err error
	if t.standing.pages > 0 {
		view.Results, err = t.results(&facts)
	}
	if err == nil {
		view.Charts, err = t.charts(facts.Truth != nil)
	}
	if err == nil && facts.Left != nil {
		var left *crawlChart
		if left, err = facts.Left().chart(); left != nil {
			view.Charts = append(view.Charts, *left)
		}
	}
	if err == nil {
		view.Graph, err = t.drawGraph()
	}
	if err == nil {
		view.Chances, err = t.curve.Chances().view()
	}
	if err == nil {
		view.Rounds, err = viewRounds(facts.Rounds)
	}
	if err != nil {
		return fmt.Errorf("report of crawl %s: %w", facts.Name, err)
	}
	if view.Found = facts.Findings.view(); view.Found != nil {
		view.Style += template.CSS(findingsStyle)
		view.leavePagesOut()
	}
	return render(w, crawlPage, view)
}

// leavePagesOut removes the tables of pages and scores: in a crawl for findings, pages are only a means.
func (v *crawlView) leavePagesOut() {
	v.Charts, v.Graph, v.Bands, v.Heat, v.Hosts, v.Depths, v.Results = nil, nil, nil, nil, nil, nil, nil
}

// charts draws the crawl's rates, its recall if known, and its timeline.
func (t *tally) charts(judged bool) ([]crawlChart, error) {
	if t.curve.Requests() == 0 {
		return nil, nil
	}
	points := t.curve.Points(spread(t.curve.Requests(), maxSamples))
	d := definitions()
	lines := []rate{{"acceptance rate", 1, Point.AcceptanceRate}}
	title, definition := "Acceptance rate", d.AcceptanceRate
	if judged {
		lines = []rate{{"harvest rate", 1, Point.HarvestRate}, {"acceptance rate", 2, Point.AcceptanceRate}}
		title, definition = "Harvest rate", d.HarvestRate+"; acceptance rate: "+d.AcceptanceRate
	}
	first, err := rateChart(title, definition, points, lines)
	if err != nil {
		return nil, err
	}
	charts := []crawlChart{first}
	if judged && points[0].Reachable > 0 {
		recall, err := rateChart("Recall", d.Recall, points, []rate{{"recall", 1, Point.Recall}})
		if err != nil {
			return nil, err
		}
		charts = append(charts, recall)
	}
	timeline, err := t.timeline()
	if timeline != nil {
		charts = append(charts, *timeline)
	}
	return charts, err
}

// rate is a line of a crawl's chart.
type rate struct {
	name  string
	style int
	of    func(Point) float64
}

func rateChart(title, definition string, points []Point, rates []rate) (crawlChart, error) {
	f := figure{label: rates[0].name, xmax: float64(points[len(points)-1].Requests)}
	if len(rates) > 1 {
		f.label = "share of the pages"
	}
	var lines []namedSeries
	for _, r := range rates {
		s := series{style: r.style}
		for _, p := range points {
			s.x, s.y = append(s.x, float64(p.Requests)), append(s.y, r.of(p))
		}
		lines = append(lines, namedSeries{s, r.name})
	}
	return drawChart(title, definition, f, lines)
}

// namedSeries is a line and its name in the legend.
type namedSeries struct {
	series
	name string
}

// drawChart draws lines into a figure.
func drawChart(title, definition string, f figure, lines []namedSeries) (crawlChart, error) {
	c := crawlChart{chartView: chartView{Name: title, Definition: definition}}
	for _, l := range lines {
		f.series = append(f.series, l.series)
		sample, err := swatch(l.style)
		if err != nil {
			return c, err
		}
		c.Legend = append(c.Legend, legendEntry{sample, l.name})
	}
	var err error
	c.Chart, err = f.draw()
	return c, err
}

// printable is shorten without characters that can disguise text: controls, and bidirectional marks, which
// hostile web pages may have.
func printable(s string, n int) string { return harmless(shorten(s, n)) }

// harmless removes those characters from a text.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// fixed formats a score or weight with three significant digits.
func fixed(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// list is the crawl's facts, empty ones left out.
func (f *CrawlFacts) list(t *tally) []Fact {
	all := []Fact{{"focus", f.Focus}, {"target", listed(f.Target, 50)}, {"ontology", listed(f.Ontology, 50)},
		{"seeds", listed(f.Seeds, 50)}, {"truth", f.TruthName}}
	all = append(all, f.Limits...)
	all = append(all, Fact{"ended", f.Ended},
		Fact{"requests", strconv.Itoa(t.curve.Requests())},
		Fact{"pages", strconv.Itoa(t.standing.pages)},
		Fact{"redirects", strconv.Itoa(t.redirects)},
		Fact{"failures", t.failuresText()},
		Fact{"bytes of answers", strconv.FormatInt(t.bytes, 10)})
	if t.sources > 0 {
		all = append(all, Fact{"sources, fetched for their links", strconv.Itoa(t.sources)})
	}
	all = append(all, t.fates.list()...)
	all = append(all, Fact{"links drawn at random", t.sample.Text()})
	if t.queries > 0 {
		all = append(all, Fact{"queries", strconv.Itoa(t.queries)})
	}
	if t.gone > 0 {
		all = append(all, Fact{"pages gone since", strconv.Itoa(t.gone)})
	}
	all = append(all, f.More...)
	kept := all[:0]
	for _, fact := range all {
		if fact.Value != "" {
			kept = append(kept, fact)
		}
	}
	return kept
}
