package eval

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/ledger"
)

// manyHosts is a crawl of n hosts with five pages each: each host but the first was reached from one
// before it and from its neighbour.
func manyHosts(n int) []ledger.Line {
	var lines []ledger.Line
	for i := range n {
		for k := range 5 {
			l := page(fmt.Sprintf("http://h%d.example/%d", i, k), k < i%6)
			switch {
			case i > 0 && k == 0:
				l.Parent = fmt.Sprintf("http://h%d.example/0", i/7)
			case i > 0 && k == 1:
				l.Parent = fmt.Sprintf("http://h%d.example/0", i-1)
			case k > 1:
				l.Parent = fmt.Sprintf("http://h%d.example/0", i)
			}
			l.Score, l.Depth = float64(k)/4, k
			lines = append(lines, l)
		}
	}
	return lines
}

func tallied(lines []ledger.Line) *tally {
	t := newTally(nil, 0)
	for _, l := range lines {
		t.add(l)
	}
	return t
}

func TestGraphOfHosts(t *testing.T) {
	from := func(parent, url string, accepted bool) ledger.Line {
		l := page(url, accepted)
		l.Parent = parent
		return l
	}
	lines := []ledger.Line{
		page("http://a/", true),
		from("http://a/", "http://b/1", true),
		from("http://a/", "http://b/2", false),
		from("http://b/1", "http://b/3", false), // within a host
		from("http://b/1", "http://a/2", true),
		from("http://a/", "http://b/1", true),      // again: counts once
		from("http://nowhere/", "http://c/", true), // no page of that host was read
		{URL: "http://d/", Status: 404, Error: orbweaver.ErrStatus, Parent: "http://a/"},
	}
	tally := tallied(lines)
	g := tally.hostGraph(10, 10)
	want := "[{b 3 1} {a 2 2} {c 1 1}] [{1 0 2} {0 1 1}]"
	if got := fmt.Sprint(g.nodes, " ", g.edges); got != want || g.other != 0 || tally.graph.late != 1 {
		t.Errorf("graph %s, want %s; %d others, %d late", got, want, g.other, tally.graph.late)
	}
	if g := tally.hostGraph(2, 1); len(g.nodes) != 2 || g.other != 1 || len(g.drawn) != 1 || g.cut != 1 || g.drawn[0].pages != 2 {
		t.Errorf("of two hosts and an edge: %+v", g)
	}
}

// TestTrimLeavesNoHostBare: what is not drawn are second ways to a host, however heavy.
func TestTrimLeavesNoHostBare(t *testing.T) {
	g := graph{nodes: make([]node, 4), edges: []edge{{0, 1, 9}, {2, 1, 8}, {3, 1, 7}, {0, 2, 2}, {1, 3, 1}}}
	g.trim(3)
	if got := fmt.Sprint(g.drawn); got != "[{0 1 9} {0 2 2} {1 3 1}]" || g.cut != 2 {
		t.Errorf("%s drawn, %d cut", got, g.cut)
	}
}

func TestGraphIsBounded(t *testing.T) {
	tally := newTally(nil, 0)
	n := 0
	for i := range 3000 {
		for k := range 60 {
			l := page(fmt.Sprintf("http://h%d.example/%d", i, k), false)
			l.Parent = fmt.Sprintf("http://h%d.example/0", (i+k*37)%max(1, i))
			tally.add(l)
			n++
		}
	}
	if len(tally.graph.edges) > graphEdges || tally.graph.late < 1000*50 {
		t.Errorf("%d pairs of hosts are kept, %d pages are not told apart", len(tally.graph.edges), tally.graph.late)
	}
	for pair := range tally.graph.edges {
		if pair.from >= graphHosts || pair.to >= graphHosts {
			t.Fatalf("a pair of hosts beyond %d: %+v", graphHosts, pair)
		}
	}
	if g := tally.hostGraph(wideNodes, wideEdges); len(g.nodes) != wideNodes || g.other != 2500 || len(g.drawn) != wideEdges {
		t.Errorf("%d hosts drawn, %d not; %d edges", len(g.nodes), g.other, len(g.drawn))
	}
}

// TestLayout looks at pictures as eyes would: everything is inside, next to nothing overlaps, and hosts
// that are joined lie nearer each other than hosts do on the whole.
func TestLayout(t *testing.T) {
	for _, n := range []int{1, 2, 14, 100, 500} {
		g := tallied(manyHosts(n)).hostGraph(n, wideEdges)
		const width, height = 860, 600
		r := radii(g.nodes, width*height)
		l, again := layOut(n, g.edges, r, width, height), layOut(n, g.edges, r, width, height)
		overlaps := 0
		all, joined := 0.0, 0.0
		for i := range n {
			if !(l.x[i] >= r[i] && l.x[i] <= width-r[i] && l.y[i] >= r[i] && l.y[i] <= height-r[i]) {
				t.Fatalf("%d hosts: number %d is at %v, %v", n, i, l.x[i], l.y[i])
			}
			if l.x[i] != again.x[i] || l.y[i] != again.y[i] {
				t.Fatalf("%d hosts: number %d lies elsewhere the second time", n, i)
			}
			for j := range i {
				d := math.Hypot(l.x[i]-l.x[j], l.y[i]-l.y[j])
				all += d / float64(n*(n-1)/2)
				if d < r[i]+r[j]-0.5 {
					overlaps++
				}
			}
		}
		for _, e := range g.edges {
			joined += math.Hypot(l.x[e.from]-l.x[e.to], l.y[e.from]-l.y[e.to]) / float64(len(g.edges))
		}
		if overlaps > n/50 || n > 10 && joined > 0.6*all {
			t.Errorf("%d hosts: %d overlap; joined ones are %.0f apart, all are %.0f", n, overlaps, joined, all)
		}
	}
}

// TestLayoutOfOddGraphs: no edges at all, circles too large for the picture, loops.
func TestLayoutOfOddGraphs(t *testing.T) {
	for _, tc := range []struct {
		name  string
		edges []edge
		r     float64
	}{{"no edges", nil, 5}, {"no room", nil, 300}, {"a loop", []edge{{1, 1, 3}}, 5}, {"weights beyond reason", []edge{{0, 1, math.MaxInt}, {1, 0, 1}}, 5}} {
		r := []float64{tc.r, tc.r, tc.r}
		l := layOut(3, tc.edges, r, 370, 440)
		for i := range r {
			if math.IsNaN(l.x[i]+l.y[i]) || math.IsInf(l.x[i]+l.y[i], 0) {
				t.Errorf("%s: number %d is at %v, %v", tc.name, i, l.x[i], l.y[i])
			}
		}
	}
}

func TestGraphOfACrawlReport(t *testing.T) {
	lines := manyHosts(60)
	report := crawlReport(t, CrawlFacts{}, lines)
	selfContained(t, report)
	if report != crawlReport(t, CrawlFacts{}, lines) {
		t.Error("the same crawl writes different reports")
	}
	for _, want := range []string{"The crawl’s graph", "<title>h17.example: 5 accepted of 5</title>", ">h17.example</text>", "Hosts shown: 60.", "80–100 %"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if n := len(regexp.MustCompile(`<circle [^>]*><title>`).FindAllString(report, -1)); n != 2*60 {
		t.Errorf("%d places tell of their host, want one a host in either picture", n)
	}
	if one := crawlReport(t, CrawlFacts{}, manyHosts(1)); strings.Contains(one, "graph</h2>") {
		t.Error("a crawl of one host has a graph")
	}
}

// TestHostileHosts: names of hosts stand in pictures, and are text there.
func TestHostileHosts(t *testing.T) {
	lines := manyHosts(3)
	for i, host := range []string{`x<script>alert("1")&'`, "日本\u202e🛩\xff\n.example", strings.Repeat("w", 5000), ""} {
		l := page("http://"+host+"/", true)
		l.Parent = fmt.Sprintf("http://h%d.example/0", i%3)
		lines = append(lines, l)
	}
	report := crawlReport(t, CrawlFacts{}, lines)
	selfContained(t, report)
	if n := strings.Count(report, "x&lt;script&gt;alert(&#34;1&#34;)&amp;&#39;"); n < 5 {
		t.Errorf("a hostile name is shown %d times, want one each in two pictures, over them and in the table", n)
	}
	if strings.Contains(report, "\u202e") || strings.Contains(report, strings.Repeat("w", 200)) && strings.Count(report, strings.Repeat("w", 5000)) > 2 {
		t.Error("a name is longer than there is room for, or turns its direction")
	}
}

// TestLabelsAreApart reads where names stand in a picture of many hosts.
func TestLabelsAreApart(t *testing.T) {
	p := picture{graph: tallied(manyHosts(500)).hostGraph(wideNodes, wideEdges), width: 860, height: 600, size: 11, labels: 40}
	drawn, err := p.draw()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.taken) < 20 || len(p.taken) > p.labels || strings.Count(string(drawn.Drawing), "<text") != len(p.taken) {
		t.Errorf("%d hosts have a name", len(p.taken))
	}
	for i, a := range p.taken {
		for _, b := range p.taken[:i] {
			if a.Left < b.Right && b.Left < a.Right && a.Top < b.Bottom && b.Top < a.Bottom {
				t.Errorf("names at %v and %v overlap", a, b)
			}
		}
	}
}

func TestBands(t *testing.T) {
	for score, want := range map[float64]int{0: 0, -1: 0, math.NaN(): 0, 1e-9: 1, 0.1: 1, 0.1001: 2, 0.3: 3, 0.7: 7, 0.95: 10, 1: 10, 7: 10, math.Inf(1): 10} {
		if got := bandOf(score); got != want {
			t.Errorf("score %v is in band %d, want %d", score, got, want)
		}
	}
	for share, want := range map[float64]int{0: 0, 0.001: 1, 0.05: 1, 0.06: 2, 0.2: 3, 0.4: 4, 0.41: 5, 1: 5} {
		if got := heatShade(share); got != want {
			t.Errorf("a share of %v has shade %d, want %d", share, got, want)
		}
	}
	for share, want := range map[float64]int{0: 0, 0.001: 1, 0.2: 1, 0.21: 2, 0.6: 3, 1: 5} {
		if got := shade(share); got != want {
			t.Errorf("a share of %v has step %d, want %d", share, got, want)
		}
	}
}

func TestHeat(t *testing.T) {
	lines := manyHosts(4)
	lines[0].Depth = 99
	rows := tallied(lines).heat()
	if len(rows) != maxDepth+1 || rows[0].Pages != 3 || rows[maxDepth].Pages != 1 || rows[maxDepth].Depth != "30 and more" || rows[7].Pages != 0 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for depth, cells := range [][scoreBands]int{{0: 3}, {3: 4}, {5: 4}, {8: 4}, {10: 4}} {
		for band, want := range cells {
			if got := rows[depth].Cells[band]; got.Pages != want || (got.Shade == 5) != (want > 0) {
				t.Errorf("depth %d, band %d: %+v, want %d pages", depth, band, got, want)
			}
		}
	}
	report := crawlReport(t, CrawlFacts{}, lines)
	if !strings.Contains(report, `<td class="s5" title="100 %">4</td>`) {
		t.Error("the report has no map")
	}
}

func TestWindows(t *testing.T) {
	var lines []ledger.Line
	for i := range 50 {
		lines = append(lines, page(fmt.Sprint(i/2), i < 25)) // each twice
	}
	lines[40].Status, lines[40].Error = 0, orbweaver.ErrTimeout
	c := curveOf(nil, 0, lines)
	if got := fmt.Sprint(c.windows()); got != "[{25 13 13 0} {25 12 0 1}]" {
		t.Error(got)
	}
	for n, want := range map[int]int{0: 0, 24: 0, 25: 1, 1200: 48, 100_000: 48} {
		c := &Curve{steps: make([]gain, n)}
		sum := 0
		for _, w := range c.windows() {
			sum += w.requests
		}
		if got := len(c.windows()); got != want || want > 0 && sum != n {
			t.Errorf("%d requests: %d windows of %d in all", n, got, sum)
		}
	}
	for _, tc := range []struct {
		name     string
		lines    []ledger.Line
		timeline bool
		failures bool
	}{{"49 requests", lines[:49], false, false}, {"with a failure", lines, true, true}, {"without", append(lines[:40:40], lines[:20]...), true, false}} {
		report := crawlReport(t, CrawlFacts{}, tc.lines)
		if strings.Contains(report, "Timeline") != tc.timeline || strings.Contains(report, "<bdi>failures</bdi></span>") != tc.failures {
			t.Errorf("%s: wrong timeline", tc.name)
		}
	}
}

func TestEmptySectionsAreLeftOut(t *testing.T) {
	report := crawlReport(t, CrawlFacts{}, []ledger.Line{page("http://a/", true)})
	for _, heading := range []string{"graph</h2>", "Timeline", "Suggestions", "not followed", "Failures by reason"} {
		if strings.Contains(report, heading) {
			t.Errorf("the report of a page has a section %q", heading)
		}
	}
}

func BenchmarkCrawlReportOf500Hosts(b *testing.B) {
	lines := manyHosts(500)
	for i := len(lines); i < 100_000; i++ {
		l := page(fmt.Sprintf("http://h%d.example/%d", i%500, i), i%3 == 0)
		l.Score, l.Parent, l.Depth = float64(i*37%1001)/1001, fmt.Sprintf("http://h%d.example/0", i*7%(i%500+1)), i%20
		lines = append(lines, l)
	}
	for b.Loop() {
		var out bytes.Buffer
		if err := WriteCrawlReport(&out, CrawlFacts{}, sequence(lines)); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1e3, "kB")
	}
	b.ReportMetric(float64(len(lines)), "lines")
}
