package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// web is a graph of a few pages; what waits is open.
type web struct {
	links map[string][]string
	waits []string
	turns int // that were taken
}

func (w *web) Outlinks(url string) iter.Seq[string] { return slices.Values(w.links[url]) }
func (w *web) Open(url string) bool                 { return slices.Contains(w.waits, url) }

// stepping is a web that is asked in turns alone.
type stepping struct {
	*web
	within bool
	t      *testing.T
}

func (s *stepping) Turn(f func()) error {
	s.turns++
	s.within = true
	defer func() { s.within = false }()
	f()
	return nil
}

func (s *stepping) Outlinks(url string) iter.Seq[string] {
	if !s.within {
		s.t.Errorf("%s is asked for out of turn", url)
	}
	return s.web.Outlinks(url)
}

// line is a page of a class that was predicted to be of another by some rules.
func line(url, class, predicted string, rules ...string) ledger.Line {
	return ledger.Line{URL: url, Status: 200, Class: class, Predicted: &ledger.Predicted{Class: predicted, Rules: rules}}
}

// to makes a redirect of a line.
func to(l ledger.Line, target string) ledger.Line {
	l.Status, l.Class, l.Redirect = 302, "", target
	return l
}

// failed makes a failure of a line.
func failed(l ledger.Line, reason orbweaver.Failure) ledger.Line {
	l.Status, l.Class, l.Error = 0, "", reason
	return l
}

func measured(t *testing.T, o LinkOptions, g Graph, lines ...ledger.Line) *LinkFigures {
	t.Helper()
	f, err := MeasureLinks(o, sequence(lines), g)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// counted writes counts by class, predicted:right:open:absent, without classes that were not predicted.
func counted(f *LinkFigures) string {
	if f == nil {
		return "none"
	}
	s := fmt.Sprintf("%d/%d/%d", f.All.Requests, f.All.Documents, f.All.RDF)
	for i, c := range f.All.Classes {
		if c.Predicted > 0 {
			s += fmt.Sprintf(" %s %d:%d:%d:%d", LinkClasses()[i], c.Predicted, c.Right, c.Open, c.Absent)
		}
	}
	return s
}

const (
	a, b, c, d = "http://a.test/a", "http://a.test/b", "http://a.test/c", "http://a.test/d"
)

// TestLinksCounted has each case by itself: requests/pages/RDF, and counts by predicted class.
func TestLinksCounted(t *testing.T) {
	seed := ledger.Line{URL: "http://a.test/", Status: 200, Class: "H", Predicted: &ledger.Predicted{Score: 1}}
	for _, tc := range []struct {
		name  string
		lines []ledger.Line
		want  string
	}{
		{"nothing predicted", []ledger.Line{seed}, "none"},
		{"lines of other focuses", []ledger.Line{line(a, "", "")}, "none"},
		{"a seed is no link", []ledger.Line{seed, line(a, "R", "R")}, "2/2/1 R 1:1:0:0"},
		{"RDF by surprise", []ledger.Line{line(a, "R", "H")}, "1/1/1 H 1:0:0:0"},
		{"no RDF", []ledger.Line{line(a, "N", "R"), line(b, "H", "R"), line(c, "N", "N")}, "3/3/0 R 2:0:0:0 N 1:1:0:0"},
		{"a page of no class", []ledger.Line{line(a, "", "N")}, "1/1/0 N 1:1:0:0"},
		{"failures are N", []ledger.Line{failed(line(a, "", "R"), orbweaver.ErrStatus), failed(line(b, "", "N"), orbweaver.ErrGaveUp), failed(line(c, "", "HR"), orbweaver.ErrTooLarge)},
			"3/0/0 R 1:0:0:0 HR 1:0:0:0 N 1:1:0:0"},
		{"what the archive lacks is nothing", []ledger.Line{failed(line(a, "", "R"), orbweaver.ErrAbsent), failed(line(b, "", "N"), orbweaver.ErrAbsent)}, "2/0/0 R 1:0:0:1 N 1:0:0:1"},
		{"refused ones are no requests", []ledger.Line{line(d, "R", "R"), failed(line(a, "", "R"), orbweaver.ErrRobots), failed(line(b, "", "R"), orbweaver.ErrScope)}, "1/1/1 R 1:1:0:0"},
		{"a redirect out of scope was a request, and is no link", []ledger.Line{line(d, "R", "R"), {URL: a, Status: 301, Redirect: "http://b.test/", Error: orbweaver.ErrScope, Predicted: &ledger.Predicted{Class: "R"}}}, "2/1/1 R 1:1:0:0"},
		{"a circle of redirects failed", []ledger.Line{to(line(a, "", "R"), b), {URL: b, Status: 301, Redirect: a, Error: orbweaver.ErrRedirects, Predicted: &ledger.Predicted{Class: "R"}}}, "2/0/0 R 1:0:0:0"},
		{"a chain of redirects counts once", []ledger.Line{to(line(a, "", "R", "x"), b), to(line(b, "", "R", "x"), c), line(c, "R", "R", "x")}, "3/1/1 R 1:1:0:0"},
		{"redirects to a known page do not count again", []ledger.Line{line(c, "R", "R"), to(line(a, "", "R"), c), to(line(b, "", "H"), c)}, "3/1/1 R 1:1:0:0"},
		{"queries are no links", []ledger.Line{line(a, "R", "R"), {URL: a, Query: "ASK {}", Status: 200, Predicted: &ledger.Predicted{Class: "R"}}}, "1/1/1 R 1:1:0:0"},
		{"another form is another request", []ledger.Line{line(a, "H", "H"), {URL: a, Accept: "text/turtle", Status: 200, Class: "R", Predicted: &ledger.Predicted{Class: "R"}}}, "2/2/1 R 1:1:0:0 H 1:1:0:0"},
		{"of a refresh the last says what it is", []ledger.Line{line(a, "N", "R"), {URL: a, Status: 200, Class: "R"}, line(b, "R", "R"), {URL: b, Status: 304, Class: "R"}}, "2/2/2 R 2:2:0:0"},
		{"one that is gone failed", []ledger.Line{line(a, "R", "R"), failed(ledger.Line{URL: a}, orbweaver.ErrStatus)}, "1/0/0 R 1:0:0:0"},
	} {
		if got := counted(measured(t, LinkOptions{}, &web{}, tc.lines...)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestHTMLDecided: what a page of HTML truly is follows from its targets. One page, predicted HR.
func TestHTMLDecided(t *testing.T) {
	const right, wrong, open = "1:1:0:0", "1:0:0:0", "1:0:1:0"
	page := line("http://a.test/page", "H", "HR")
	for _, tc := range []struct {
		name  string
		links []string
		lines []ledger.Line
		want  string
	}{
		{"no links", nil, nil, wrong},
		{"RDF", []string{d, a}, []ledger.Line{line(a, "R", "R")}, right},
		{"RDF, and one that waits", []string{"http://a.test/waits", a}, []ledger.Line{line(a, "R", "R")}, right},
		{"RDF through redirects", []string{a}, []ledger.Line{to(line(a, "", "H"), b), to(line(b, "", "H"), c), line(c, "R", "H")}, right},
		{"a redirect to RDF that was known", []string{b}, []ledger.Line{line(a, "R", "R"), to(line(b, "", "H"), a)}, right},
		{"RDF by its other form", []string{a}, []ledger.Line{line(a, "H", "H"), {URL: a, Accept: "text/turtle", Status: 200, Class: "R"}}, right},
		{"none that is RDF", []string{a, b, c}, []ledger.Line{line(a, "H", "H"), line(b, "N", "N"), to(line(c, "", "H"), a)}, wrong},
		{"failed ones are known", []string{a, b}, []ledger.Line{failed(line(a, "", "R"), orbweaver.ErrStatus), failed(line(b, "", "R"), orbweaver.ErrAbsent)}, wrong},
		{"refused ones are known", []string{a, b, c}, []ledger.Line{failed(line(a, "", "R"), orbweaver.ErrRobots)}, wrong},
		{"one that waits", []string{a, "http://a.test/waits"}, []ledger.Line{line(a, "H", "H")}, open},
		{"one whose redirect's target waits", []string{a}, []ledger.Line{to(line(a, "", "H"), b)}, open},
		{"redirects in a circle", []string{a}, []ledger.Line{to(line(a, "", "H"), b), to(line(b, "", "H"), a)}, wrong},
		{"itself", []string{"http://a.test/page"}, nil, wrong},
	} {
		g := &stepping{web: &web{links: map[string][]string{page.URL: tc.links}, waits: []string{"http://a.test/waits"}}, t: t}
		f := measured(t, LinkOptions{}, g, append([]ledger.Line{page}, tc.lines...)...)
		hr := f.All.Classes[1]
		if got := fmt.Sprintf("%d:%d:%d:%d", hr.Predicted, hr.Right, hr.Open, hr.Absent); got != tc.want || g.turns != 1 {
			t.Errorf("%s: %s in %d turns, want %s", tc.name, got, g.turns, tc.want)
		}
	}
}

// TestEmbedded: data in HTML makes it HR where that is asked for, and else nothing of it.
func TestEmbedded(t *testing.T) {
	l := line(a, "H", "HR")
	l.Reasons = []orbweaver.Reason{{Rule: "media-type"}, {Rule: "embedded"}}
	for embedded, want := range map[bool]string{false: "1/1/0 HR 1:0:0:0", true: "1/1/0 HR 1:1:0:0"} {
		if got := counted(measured(t, LinkOptions{Embedded: embedded}, &web{}, l)); got != want {
			t.Errorf("embedded %v: %s, want %s", embedded, got, want)
		}
	}
}

// twoDomains: of a.test 4 links were predicted R, 2 of them rightly, of b.co.uk 1, rightly.
func twoDomains() ([]ledger.Line, *web) {
	return []ledger.Line{
			line("http://www.a.test/1", "R", "R", "anchor", "extension"),
			line("http://data.a.test/2", "R", "R", "extension"),
			line("http://a.test/3", "N", "R", "anchor"),
			failed(line("http://a.test:81/4", "", "R", "anchor"), orbweaver.ErrStatus),
			line("http://a.test/5", "R", "H", "html-link"),
			line("http://a.test/6", "H", "HR", "similar", "html-link"),
			line("http://rdf.b.co.uk/1", "R", "R", "anchor"),
			line("http://b.co.uk/2", "H", "H", "html-link"),
			to(line("http://c.test/", "", "R", "extension"), "http://a.test/5"),
		}, &web{
			links: map[string][]string{"http://a.test/6": {"http://b.co.uk/2", "http://c.test/"}, "http://b.co.uk/2": {"http://b.co.uk/3"}},
			waits: []string{"http://b.co.uk/3"},
		}
}

// TestLinkFigures has tables I and II of the paper in small.
func TestLinkFigures(t *testing.T) {
	lines, graph := twoDomains()
	f := measured(t, LinkOptions{}, graph, lines...)
	share := func(s Share) string { return fmt.Sprintf("%.3f %.3f %d", s.Pooled, s.Mean, s.Domains) }
	for _, tc := range []struct{ name, got, want string }{
		{"all", counted(f), "9/7/4 R 5:3:0:0 HR 1:1:0:0 H 2:0:1:0"},
		{"precision of R: 3/5; 2/4 and 1/1", share(f.Precision[0]), "0.600 0.750 2"},
		{"precision of HR: only a.test has one", share(f.Precision[1]), "1.000 1.000 1"},
		{"precision of H: that of b.co.uk is open", share(f.Precision[2]), "0.000 0.000 1"},
		{"precision of N", share(f.Precision[3]), "0.000 0.000 0"},
		{"discovery: 4/9; 3/6, 1/2 and 0/1", share(f.Discovery), "0.444 0.333 3"},
		{"foreseen: 3/7; 2/5 and 1/2", share(f.Foreseen), "0.429 0.450 2"},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, tc.got, tc.want)
		}
	}
	var rules []string
	for _, r := range f.Rules {
		rules = append(rules, fmt.Sprintf("%s %s %d:%d | %s | %s | %s", r.Class, r.Rule, r.Predicted, r.Right, share(r.Precision), share(r.Recall), share(r.RecallTrue)))
	}
	want := []string{
		"R anchor 4:2 | 0.500 0.667 2 | 0.667 0.750 2 | 0.500 0.667 2", // precision 2/4: 1/3, 1/1; recall 2/3: 1/2, 1/1; true 2/4: 1/3, 1/1
		"R extension 2:2 | 1.000 1.000 1 | 0.667 0.500 2 | 0.500 0.333 2",
		"HR html-link 1:1 | 1.000 1.000 1 | 1.000 1.000 1 | 1.000 1.000 1",
		"HR similar 1:1 | 1.000 1.000 1 | 1.000 1.000 1 | 1.000 1.000 1",
	}
	if !slices.Equal(rules, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rules, "\n"), strings.Join(want, "\n"))
	}
	var top []string
	for _, d := range f.Top {
		top = append(top, fmt.Sprint(d.Domain, " ", d.Requests))
	}
	if got := fmt.Sprint(f.Domains, top); got != "3 [a.test 6 b.co.uk 2 c.test 1]" {
		t.Errorf("domains %s", got)
	}
}

// TestLinksOfManyDomains: all are counted, the largest are named.
func TestLinksOfManyDomains(t *testing.T) {
	var lines []ledger.Line
	for i := range 100 {
		for j := range i + 1 {
			class := "N"
			if i%4 == 0 {
				class = "R"
			}
			lines = append(lines, line(fmt.Sprintf("http://%d.test/%d", i, j), class, "R", fmt.Sprint("rule", i)))
		}
	}
	f := measured(t, LinkOptions{}, &web{}, lines...)
	if f.Domains != 100 || len(f.Top) != shownDomains || f.Top[0].Domain != "99.test" || f.All.Requests != 5050 || f.Precision[0].Mean != 0.25 {
		t.Errorf("%d domains, %d shown, %+v, mean %v", f.Domains, len(f.Top), f.Top[0], f.Precision[0].Mean)
	}
	if len(f.Rules) != maxRules {
		t.Errorf("%d rules are told apart", len(f.Rules))
	}
}

// TestLinksWhileCrawling: lines that come between the two readings are none of the first.
func TestLinksWhileCrawling(t *testing.T) {
	lines, readings := []ledger.Line{line(a, "H", "HR")}, 0
	growing := func(yield func(ledger.Line, error) bool) {
		if readings++; readings == 2 {
			lines = append(lines, line(b, "H", "HR"), line(c, "R", "R"))
		}
		sequence(lines)(yield)
	}
	f, err := MeasureLinks(LinkOptions{}, growing, &web{links: map[string][]string{a: {b}}, waits: []string{b}})
	if got := counted(f); err != nil || got != "1/1/0 HR 1:0:1:0" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestLinksStream feeds long URLs and looks at what is kept of them.
func TestLinksStream(t *testing.T) {
	const n = 200_000
	tally, long := newLinkTally(LinkOptions{}), strings.Repeat("x", 500)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range n {
		l := line(fmt.Sprintf("http://www.%d.test/%d/%s", i%1000, i, long), "H", "HR", "similar", "html-link")
		if i%10 == 0 {
			l = to(l, l.URL+"y")
		}
		tally.add(&l)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	if kept > 100*n {
		t.Errorf("%d lines keep %d bytes each", n, kept/n)
	}
	t.Logf("%d bytes a line", kept/n)
	runtime.KeepAlive(tally)
}

func TestLinksPassErrorsOn(t *testing.T) {
	for at := range 2 {
		readings := -1
		broken := func(yield func(ledger.Line, error) bool) {
			if readings++; readings == at {
				yield(ledger.Line{}, io.ErrUnexpectedEOF)
				return
			}
			yield(line(a, "H", "H"), nil)
		}
		if f, err := MeasureLinks(LinkOptions{}, broken, &web{}); f != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("reading %d: %+v, %v", at, f, err)
		}
	}
}

func TestLinksReported(t *testing.T) {
	lines, graph := twoDomains()
	lines = append(lines, line("http://"+hostile+"/", "R", "R", hostile))
	report := crawlReport(t, CrawlFacts{Links: measured(t, LinkOptions{}, graph, lines...)}, lines)
	selfContained(t, strings.ReplaceAll(report, "src=x", "")) // as text
	for _, want := range []string{
		"<td>HR</td><td>1</td><td>1</td><td>0</td><td>0</td><td>100.0 %</td><td>100.0 %</td>",
		"<bdi>b.co.uk</bdi></td><td>2</td><td>2</td><td>1</td><td>100.0 %<div class=\"soft\">1 of 1</div></td><td>–</td><td>–<div class=\"soft\">1 open</div>",
		"<bdi>anchor</bdi></td><td>R</td><td>4</td><td>2</td><td>0</td><td>0</td><td>50.0 %<div class=\"soft\">66.7 %</div>",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if strings.Contains(crawlReport(t, CrawlFacts{}, lines), "were predicted") {
		t.Error("a report without figures has a table of them")
	}
}

// TestLinksCompared: a run that predicted has its figures in comparison.json and in the report, which the
// others have not.
func TestLinksCompared(t *testing.T) {
	lines, graph := twoDomains()
	c := tenth()
	c.Runs[0].Links = measured(t, LinkOptions{}, graph, lines...)
	var js, report bytes.Buffer
	if err := errors.Join(c.WriteJSON(&js), c.WriteReport(&report)); err != nil {
		t.Fatal(err)
	}
	selfContained(t, report.String())
	if want := `<td>60.0 %<div class="soft">3 of 5; mean 75.0 %</div></td>`; !strings.Contains(report.String(), want) {
		t.Errorf("the report has no %q", want)
	}
	var got bytes.Buffer
	if err := json.Compact(&got, js.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"links":{"requests":9,"documents":7,"rdf":4,"discovery_rate":{"pooled":0.444444,"mean":0.333333,"domains":3},`,
		`{"class":"R","predicted":5,"right":3,"open":0,"absent":0,"link_precision":{"pooled":0.6,"mean":0.75,"domains":2},"link_precision_with_absent":{"pooled":0.6,"mean":0.75,"domains":2}},`,
		`{"class":"N","predicted":0,"right":0,"open":0,"absent":0,"link_precision":null,"link_precision_with_absent":null}],"rules":[{"class":"R","rule":"anchor","predicted":4,`,
		`"domains":3,"by_domain":[{"domain":"a.test","requests":6,"documents":5,"rdf":3,"classes":[{"class":"R","predicted":4,"right":2,"open":0,"absent":0},`,
		`"links":"a link is one that was followed`,
	} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("comparison.json has no %s", want)
		}
	}
	if n := strings.Count(got.String(), `"links":{`); n != 1 {
		t.Errorf("%d runs have figures", n)
	}
}

func BenchmarkMeasureLinks(b *testing.B) {
	lines := make([]ledger.Line, 100_000)
	graph := &web{links: map[string][]string{}}
	for i := range lines {
		lines[i] = line(fmt.Sprintf("http://host%d.example/articles/%d", i%50, i), LinkClasses()[i%4], LinkClasses()[i%3], "extension")
		for j := range 20 {
			graph.links[lines[i].URL] = append(graph.links[lines[i].URL], lines[(i*j)%(i+1)].URL)
		}
	}
	for b.Loop() {
		if _, err := MeasureLinks(LinkOptions{}, sequence(lines), graph); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(lines)), "ns/line")
}
