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
var crawlPage string // nothing writes it

// CrawlFacts is what a report of one crawl tells that its lines do not. All of it may be left empty.
type CrawlFacts struct {
	Name     string
	Focus    string   // which focus, on one line
	Target   []string // what it looks for
	Ontology []string // files of knowledge
	Seeds    []string
	SeedOf   func(url string) string // where a seed comes from, in a few words; nil: it is not told
	Limits   []Fact
	Ended    string // why the crawl ended, for people; empty while it runs
	More     []Fact // further facts; no wall-clock time, if the report is to be the same for the same crawl

	Truth     Truth  // nil: none is known, and the report tells acceptance, not harvest
	TruthName string // what counts as relevant, for people
	Reachable int    // relevant pages that can be reached; 0: not known, and no recall is reported

	Folder      string                 // the crawl folder, as a person would type it in a command
	Suggestions []orbweaver.Suggestion // best first; the report shows 20
	Refused     []RefusedFact          // links that were not followed; in the order in which they are to be shown

	Links *LinkFigures // how the classes of links were predicted; nil: none was

	Rounds []RoundFacts // of a crawl that learns in rounds, in their order; empty for others

	Findings *Findings // of a crawl for classes of vocabularies; nil: it was for pages

	Hosts []step.Account // of the live Web, in any order; empty for an archive, where nobody was asked
}

// crawlView is what crawl.html shows.
type crawlView struct {
	Title, Ended string
	Style        template.CSS
	Last         Point
	Pages        int  // that stand
	Accepted     int  // of them
	Judged       bool // by a truth
	Charts       []crawlChart
	Graph        *graphView
	Bands        []string
	Heat         []heatRow

	Found    *findingsView
	Rounds   *roundsView
	Links    *linksView
	Scripted string // how many pages have no text before their scripts run; empty when none

	Hosts, Depths, Failures []share
	Asked                   askedView
	Refused                 []refusedView
	Suggestions             []suggestionView
	MoreSuggestions         int

	Results *resultsView
	Policy  string // what a browser may do with the page
	Facts   []Fact
}

type crawlChart struct {
	chartView
	Legend []legendEntry
}

// WriteCrawlReport writes what became of one crawl as one HTML file that needs nothing else. It opens with
// what was looked for and the pages that were accepted, up to 10 000 of them and 8 MiB, the best first: the
// first 50 are there for a browser without JavaScript, all can be filtered, sorted and paged with it. Then
// it tells how much of what the crawl fetched was accepted (and, with a truth, was relevant) as it went on, where accepted pages
// lay (hosts as a graph, depths as a map), what failed and why, what was not followed, how each host was
// treated, what was learned round by round, and what the knowledge may lack. With Findings
// it shows these first, and what tells of accepted pages only where there are some.
//
// lines are those of pages.jsonl in their order and are read once; an error among them ends the report and nothing is
// written. Of several lines about one page, which a refresh makes, the last counts; in curves, the first. Memory is
// bounded but for about 80 bytes per page.
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
		Scripted:        t.scriptedPages(), Links: facts.Links.view(),
		Facts: facts.list(t), Policy: policy()}
	var err error
	if t.standing.pages > 0 {
		view.Results, err = t.results(&facts)
	}
	if err == nil {
		view.Charts, err = t.charts(facts.Truth != nil)
	}
	if err == nil {
		view.Graph, err = t.drawGraph()
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

// leavePagesOut takes away what tells of pages and their scores: they are but a means to what was found.
func (v *crawlView) leavePagesOut() {
	v.Charts, v.Graph, v.Bands, v.Heat, v.Hosts, v.Depths, v.Results = nil, nil, nil, nil, nil, nil, nil
}

// charts draws the crawl's rates, where it can be known its recall, and its timeline.
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

// printable is shorten without what could make a text show as another one: controls, and the marks
// that turn the direction of writing, which web pages may hold to deceive.
func printable(s string, n int) string { return harmless(shorten(s, n)) }

// harmless is a text without those marks.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// fixed writes a score or weight with three significant digits.
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
		Fact{"failures", strconv.Itoa(t.failed)},
		Fact{"bytes of answers", strconv.FormatInt(t.bytes, 10)})
	all = append(all, t.fates.list()...)
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
