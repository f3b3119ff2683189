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
	Limits   []Fact
	Ended    string // why the crawl ended, for people; empty while it runs
	More     []Fact // further facts; no wall-clock time, if the report is to be the same for the same crawl

	Truth     Truth  // nil: none is known, and the report tells acceptance, not harvest
	TruthName string // what counts as relevant, for people
	Reachable int    // relevant pages that can be reached; 0: not known, and no recall is told

	Hosts []orbweaver.Account // of the live Web, in any order; empty for an archive, where nobody was asked
}

// crawlView is what crawl.html shows.
type crawlView struct {
	Title, Ended string
	Style        template.CSS
	Last         Point
	Judged       bool // by a truth
	Charts       []crawlChart

	Scripted string // how many pages have no text before their scripts run; empty when none

	Hosts, Depths, Failures []share
	Asked                   askedView

	Pages []pageView
	Facts []Fact
}

type crawlChart struct {
	chartView
	Legend []legendEntry
}

type pageView struct {
	URL, Text, Score, Class string
	Accepted, Relevant      bool
	Reasons                 []reasonView
}

type reasonView struct{ Rule, Evidence, Weight string }

// WriteCrawlReport writes what became of one crawl as one HTML file that needs nothing else: how much
// of what it fetched was accepted (and, with a truth, was relevant) as it went on, where accepted pages
// lay, what failed and why, how each host was treated, and the best pages with the reasons of their
// scores.
//
// lines are those of pages.jsonl in their order and are read once; an error among them ends the report
// and nothing is written. Memory is bounded but for about 20 bytes a page.
func WriteCrawlReport(w io.Writer, facts CrawlFacts, lines iter.Seq2[ledger.Line, error]) error {
	t := newTally(facts.Truth, facts.Reachable)
	for line, err := range lines {
		if err != nil {
			return fmt.Errorf("report of crawl %s: after line %d: %w", facts.Name, t.curve.Requests(), err)
		}
		t.add(line)
	}
	view := crawlView{Title: "Crawl " + facts.Name, Ended: facts.Ended, Style: template.CSS(pageStyle),
		Last: t.curve.Last(), Judged: facts.Truth != nil,
		Hosts: t.topHosts(), Depths: t.byDepth(), Failures: t.byFailure(), Asked: viewAccounts(facts.Hosts),
		Scripted: t.scriptedPages(),
		Pages:    t.bestViews(facts.Truth), Facts: facts.list(t)}
	var err error
	if view.Charts, err = t.charts(facts.Truth != nil); err != nil {
		return fmt.Errorf("report of crawl %s: %w", facts.Name, err)
	}
	return render(w, crawlPage, view)
}

// charts draws the crawl's rates and, where it can be known, its recall.
func (t *tally) charts(judged bool) ([]crawlChart, error) {
	if t.curve.Requests() == 0 {
		return nil, nil
	}
	marks := spread(t.curve.Requests(), maxSamples)
	points := t.curve.Points(marks)
	d := definitions()
	lines := []rate{{"acceptance rate", 1, Point.AcceptanceRate}}
	title, definition := "Acceptance rate", d.AcceptanceRate
	if judged {
		lines = []rate{{"harvest rate", 1, Point.HarvestRate}, {"acceptance rate", 2, Point.AcceptanceRate}}
		title, definition = "Harvest rate", d.HarvestRate+"; acceptance rate: "+d.AcceptanceRate
	}
	first, err := rateChart(title, definition, points, lines)
	if err != nil || !judged || points[0].Reachable == 0 {
		return []crawlChart{first}, err
	}
	second, err := rateChart("Recall", d.Recall, points, []rate{{"recall", 1, Point.Recall}})
	return []crawlChart{first, second}, err
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
	c := crawlChart{chartView: chartView{Name: title, Definition: definition}}
	for _, r := range rates {
		s := series{style: r.style}
		for _, p := range points {
			s.x, s.y = append(s.x, float64(p.Requests)), append(s.y, r.of(p))
		}
		f.series = append(f.series, s)
		sample, err := swatch(r.style)
		if err != nil {
			return c, err
		}
		c.Legend = append(c.Legend, legendEntry{sample, r.name})
	}
	var err error
	c.Chart, err = f.draw()
	return c, err
}

func (t *tally) bestViews(truth Truth) []pageView {
	var views []pageView
	for _, l := range t.best.list() {
		v := pageView{URL: l.URL, Text: printable(l.URL, 300), Score: fixed(l.Score), Class: printable(l.Class, 100),
			Accepted: l.Accepted, Relevant: truth != nil && truth.Relevant(l.URL)}
		for _, r := range l.Reasons[:min(ledger.MaxReasons, len(l.Reasons))] {
			v.Reasons = append(v.Reasons, reasonView{printable(r.Rule, 100), printable(r.Evidence, 160), fixed(r.Weight)})
		}
		views = append(views, v)
	}
	return views
}

// printable is shorten without what could make a text show as another one: controls, and the marks
// that turn the direction of writing, which web pages may hold to deceive.
func printable(s string, n int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return unicode.ReplacementChar
		}
		return r
	}, shorten(s, n))
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
		Fact{"pages", strconv.Itoa(t.curve.Last().Pages)},
		Fact{"redirects", strconv.Itoa(t.redirects)},
		Fact{"failures", strconv.Itoa(t.failed)},
		Fact{"bytes of answers", strconv.FormatInt(t.bytes, 10)})
	if t.queries > 0 {
		all = append(all, Fact{"queries", strconv.Itoa(t.queries)})
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
