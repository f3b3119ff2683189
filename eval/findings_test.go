package eval

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"orbweaver/ledger"
)

// music is a small crawl: three classes given, what they led to, and a superclass on the way.
func music() *Findings {
	const sub, same = "http://www.w3.org/2000/01/rdf-schema#subClassOf", "http://www.w3.org/2002/07/owl#equivalentClass"
	const dbo, mo, schema = "http://dbpedia.org/ontology/", "http://purl.org/ontology/mo/", "http://schema.org/"
	score := 0.8125
	node := func(iri, label string, stage int, instances int64, group, path string) FoundTerm {
		return FoundTerm{IRI: iri, Label: label, Stage: stage, Given: stage == 0, Found: stage > 0, Processed: stage < 2,
			Group: group, Path: path, Instances: instances, Document: iri}
	}
	f := &Findings{Nodes: []FoundTerm{
		node(dbo+"MusicalWork", "musical work", 0, 190_000, "", ""),
		node(mo+"MusicArtist", "music artist", 0, 52_000, "", ""),
		node(dbo+"Album", "album", 0, 130_000, "", ""),
		node(dbo+"Song", "song", 1, 9000, "dbpedia", "MusicalWork → ^subClassOf → Song"),
		node(dbo+"Single", "single", 1, 44_000, "dbpedia", "MusicalWork → ^subClassOf → Single"),
		node(dbo+"ArtistDiscography", "artist discography", 1, 0, "dbpedia", "MusicalWork → ^subClassOf → ArtistDiscography"),
		node(schema+"MusicAlbum", "MusicAlbum", 1, 12, "schema", "Album → equivalentClass → MusicAlbum"),
		node(mo+"MusicGroup", "music group", 1, 700, "mo", "MusicArtist → ^subClassOf → MusicGroup"),
		node(mo+"SoloMusicArtist", "", 1, 40, "mo", "MusicArtist → ^subClassOf → SoloMusicArtist"),
		node(dbo+"Opera", "opera", 2, 77, "dbpedia", "MusicalWork → subClassOf → Work → ^subClassOf → Opera"),
	}, Saved: 17}
	f.Nodes[2].Found, f.Nodes[9].Score, f.Nodes[9].Reasons = true, &score, []string{"label: opera 0.4"}
	f.Nodes[9].Problem, f.Nodes[4].Follows = "status 404", []string{"a subclass of " + dbo + "Album"}
	edge := func(from, property, to string, inverse bool, dataset string) {
		f.Edges = append(f.Edges, FoundEdge{from, property, to, inverse, dataset})
	}
	for _, to := range []string{"Song", "Single", "ArtistDiscography", "Album"} {
		edge(dbo+"MusicalWork", sub, dbo+to, true, "dbpedia")
	}
	edge(dbo+"MusicalWork", sub, dbo+"Album", true, "http://dbpedia.org/ontology/MusicalWork")
	edge(dbo+"Album", same, schema+"MusicAlbum", false, "dbpedia")
	edge(schema+"MusicAlbum", same, dbo+"Album", false, "schema")
	edge(mo+"MusicArtist", sub, mo+"MusicGroup", true, "mo")
	edge(mo+"MusicArtist", sub, mo+"SoloMusicArtist", true, "mo")
	edge(dbo+"MusicalWork", sub, dbo+"Work", false, "dbpedia")
	edge(dbo+"Work", sub, dbo+"Opera", true, "dbpedia")
	f.Vocabularies = []RankedRow{
		{Name: dbo, URL: dbo, Score: .95, Given: 2, Classes: 6, Datasets: 2, Instances: 373_077, Reasons: []string{"reaches 2 of 3 terms given"}},
		{Name: mo, URL: mo, Score: .41, Given: 1, Classes: 3, Datasets: 1, Instances: 52_740},
	}
	f.Datasets = []RankedRow{{Name: "dbpedia", Title: "DBpedia", Score: .9, Given: 2, Classes: 6, Instances: 373_077, AtLeast: true,
		Reasons: []string{"at least 190000 instances of " + dbo + "MusicalWork"}, Path: "MusicalWork → ^subClassOf → Single"}}
	f.Rejected = []RejectedTerm{{IRI: dbo + "Film", Label: "film", Score: .12, Reasons: []string{"label: film -0.3"}, Path: "Work → ^subClassOf → Film"}}
	f.Endpoints = []EndpointRow{
		{Name: "dbpedia", Title: "DBpedia", URL: "http://dbpedia.org/sparql", Asked: 12, Answered: 11, Dialect: "1.1", Partial: true, Spared: 17, Millis: 312, Instances: 373_077,
			Questions: []AskedAbout{{"property", 2, 2, "", ""}, {"instances", 10, 9, "timeout", "no answer in 60 s"}}},
		{Name: "wordnet", URL: "http://wordnet.example/sparql", Asked: 3, Reason: "connect", Questions: []AskedAbout{{"property", 3, 0, "connect", ""}}},
		{Name: "dump only", Reason: "not loaded"},
	}
	return f
}

// manyTerms is a crawl of n terms, 8 of them given, and m datasets.
func manyTerms(n, m int) *Findings {
	f := &Findings{}
	iri := func(i int) string { return fmt.Sprintf("http://vocabulary%d.example/ns#Class%d", i%37, i) }
	for i := range n {
		t := FoundTerm{IRI: iri(i), Label: fmt.Sprintf("class number %d", i), Given: i < 8, Found: i >= 8, Processed: i < 60,
			Instances: int64(i*i*7919) % 1_000_003, Document: iri(i)}
		if i >= 8 {
			from := i % 60
			if i < 60 {
				from = i % 8
			}
			t.Stage, t.Group = 1+i/60, fmt.Sprintf("dataset%d", i*i%11)
			t.Path = fmt.Sprintf("%s -> ^subClassOf -> %s -> ^subClassOf -> %s", iri(from%8), iri(from), iri(i))
			f.Edges = append(f.Edges, FoundEdge{iri(from), "http://www.w3.org/2000/01/rdf-schema#subClassOf", iri(i), true, t.Group},
				FoundEdge{iri(i), fmt.Sprintf("http://www.w3.org/2002/07/owl#same%d", i%6), iri(i * 31 % n), false, t.Group})
		}
		if i%5 == 0 {
			t.Problem = "no RDF in it"
		}
		f.Nodes = append(f.Nodes, t)
	}
	for i := range m {
		name := fmt.Sprintf("dataset%d", i)
		row := RankedRow{Name: name, Title: "The dataset of " + name, Score: 1 / float64(i+1), Given: 8 - i%8, Classes: n / (i + 1), Instances: int64(m-i) * 9973}
		for k := range min(40, row.Classes) {
			row.Reasons = append(row.Reasons, fmt.Sprintf("%d instances of %s", k*97, iri(k)))
		}
		f.Datasets = append(f.Datasets, row)
		e := EndpointRow{Name: name, Title: row.Title, URL: "http://" + name + ".example/sparql", Asked: 40, Answered: 40 * (i % 2), Dialect: "1.1", Instances: row.Instances}
		e.Questions = []AskedAbout{{"property", 20, e.Answered / 2, "", ""}, {"instances", 20, e.Answered / 2, "", ""}}
		if e.Answered == 0 {
			e.Reason, e.Dialect = []string{"connect", "timeout", "status", "no-such-host"}[i/2%4], ""
		}
		f.Endpoints = append(f.Endpoints, e)
	}
	return f
}

func TestFindingsReport(t *testing.T) {
	report := crawlReport(t, CrawlFacts{Name: "music", Findings: music()}, nil)
	selfContained(t, report)
	if report != crawlReport(t, CrawlFacts{Name: "music", Findings: music()}, nil) {
		t.Error("the same findings write different reports")
	}
	for _, want := range []string{
		"Classes: 10. Given: 3. Found by a relation: 8.", "Datasets asked: 2, of which 1 answered.", "VoID made needless: 17.",
		`<a href="#term5" tabindex="-1"><title>single` + "\nhttp://dbpedia.org/ontology/Single\nstage 1, found; instances: 44\u202f000\ndbpedia\nMusicalWork → ^subClassOf → Single</title>",
		`<tr id="term5">`, "given, and found", "found; not followed", "deduced: <bdi>a subclass of http://dbpedia.org/ontology/Album</bdi>",
		"stated by dbpedia\nstated by http://dbpedia.org/ontology/MusicalWork</title>", "on the way, not taken up", ">equivalentClass</text>",
		`<a href="http://purl.org/ontology/mo/" rel="noreferrer nofollow">`, "≥\u202f373\u202f077", "label: film -0.3", "0.120", "0.812",
		"instances: 9 of 10 (timeout: no answer in 60 s)", "a part was left out", "0.31 s", `<tr class="silent">`, "no connection", "With data: 9.", "status 404",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if n := strings.Count(report, `class="ring"`); n != 1+2*3 {
		t.Errorf("%d rings, want one a term given in either picture and one in the legend", n)
	}
}

// TestPagesOfFindings: what tells of pages and their scores is there where they are what was looked for.
func TestPagesOfFindings(t *testing.T) {
	for _, tc := range []struct {
		name     string
		findings *Findings
		accepted bool
		want     bool
	}{{"a crawl for pages", nil, false, true}, {"documents with data", music(), true, false}, {"queries alone", music(), false, false}} {
		report := crawlReport(t, CrawlFacts{Findings: tc.findings}, manyPages(tc.accepted))
		for _, heading := range []string{"<h2>Acceptance rate", "The best pages", "Accepted by host", "Accepted by depth", "Relevance by depth", "The crawl’s graph", "Accepted: "} {
			if strings.Contains(report, heading) != tc.want {
				t.Errorf("%s: %q is there: %v", tc.name, heading, !tc.want)
			}
		}
		if strings.Contains(report, "Vocabularies to use") != (tc.findings != nil) {
			t.Errorf("%s: wrong findings", tc.name)
		}
	}
	if report := crawlReport(t, CrawlFacts{Findings: &Findings{}}, nil); strings.Count(report, "<h2>") != 1 {
		t.Error("findings of nothing have sections")
	}
}

func manyPages(accepted bool) (lines []ledger.Line) {
	for _, l := range manyHosts(3) {
		l.Accepted = l.Accepted && accepted
		lines = append(lines, l)
	}
	return lines
}

// TestHostileFindings: every text that a dataset may choose is text in the report.
func TestHostileFindings(t *testing.T) {
	bad, script := hostile+"\xff", "javascript:alert(1)//"+hostile
	score := math.NaN()
	f := &Findings{Nodes: []FoundTerm{
		{IRI: script, Label: bad, Given: true, Path: bad, Follows: []string{bad}, Reasons: []string{bad}, Score: &score, Document: script, Problem: bad, Instances: math.MinInt64},
		{IRI: "http://x/" + bad, Group: bad, Stage: -1, Instances: math.MaxInt64, Label: strings.Repeat("w", 100_000)}, {}, {}},
		Edges:        []FoundEdge{{script, bad, "http://x/" + bad, false, bad}, {"http://x/" + bad, bad, bad, true, bad}, {script, bad, script, true, bad}, {}},
		Vocabularies: []RankedRow{{Name: bad, Title: bad + "t", URL: script, Score: math.Inf(1), Reasons: []string{bad}, Path: bad}},
		Datasets:     []RankedRow{{Name: bad, Title: bad, URL: "http://x/" + hostile, Score: math.NaN(), Reasons: make([]string, 5000)}},
		Endpoints: []EndpointRow{{Name: bad, Title: bad + "t", URL: script, Asked: 1, Reason: bad, Dialect: bad, Millis: math.NaN(),
			Questions: []AskedAbout{{bad, 1, 0, bad, bad}}}},
		Rejected: []RejectedTerm{{IRI: script, Label: bad, Score: math.NaN(), Reasons: []string{bad}, Path: bad}},
	}
	report := crawlReport(t, CrawlFacts{Findings: f}, nil)
	selfContained(t, strings.NewReplacer("src=x&gt;", "", "src=x%3e", "").Replace(report))
	if strings.Contains(report, `href="javascript`) || strings.Contains(report, "\u202e") || strings.Contains(report, strings.Repeat("w", 300)) {
		t.Error("there is a link to a script, a text that turns its direction, or one without end")
	}
	if n := strings.Count(report, "&lt;script&gt;alert("); n < 20 {
		t.Errorf("hostile texts are shown %d times", n)
	}
	if bad := regexp.MustCompile(`(?:[xyrd]|width)="?[^">]*NaN`).FindString(report); bad != "" {
		t.Errorf("a length is no number: %s", bad)
	}
}

// TestLargeFindings: 400 terms and 446 datasets under 3 MB; more are cut. BenchmarkFindingsReport has
// the time.
func TestLargeFindings(t *testing.T) {
	f := manyTerms(400, 446)
	report := crawlReport(t, CrawlFacts{Findings: f}, nil)
	selfContained(t, report)
	if len(report) > 3_000_000 {
		t.Errorf("%d bytes", len(report))
	}
	if names := strings.Count(report, `class="name given"`); names != 16 || !strings.Contains(report, "Classes shown: 400.") || !strings.Contains(report, "Classes shown: 125; 275 are in the table alone.") {
		t.Errorf("%d names of terms given, want 8 in either picture", names)
	}
	if rows := strings.Count(report, `<tr id="term`); rows != 400 {
		t.Errorf("%d rows of terms", rows)
	}
	report = crawlReport(t, CrawlFacts{Findings: manyTerms(5000, 3)}, nil)
	if !strings.Contains(report, "Rows not shown: 3000.") || strings.Contains(report, "#term2001\"") || !strings.Contains(report, "Classes shown: 500; 4500 are in the table alone.") {
		t.Error("what is too much is not cut, or leads nowhere")
	}
}

func TestNet(t *testing.T) {
	f := music()
	g := f.net(100, 100)
	if len(g.nodes) != 11 || !g.onTheWay || g.nodes[10].iri != "http://dbpedia.org/ontology/Work" || g.nodes[0].term.Instances != 190_000 {
		t.Fatalf("%d nodes, the last is %+v", len(g.nodes), g.nodes[len(g.nodes)-1])
	}
	for i := range g.edges {
		s := &g.edges[i]
		if s.property == g.kinds[0] && g.nodes[s.from].iri == "http://dbpedia.org/ontology/MusicalWork" && g.nodes[s.to].iri != "http://dbpedia.org/ontology/Work" {
			t.Errorf("a statement that was followed against its direction is turned: %+v", s)
		}
		if s.of != 1 != strings.HasSuffix(s.property, "equivalentClass") {
			t.Errorf("%d statements between two terms: %+v", s.of, s)
		}
	}
	if len(g.edges) != 10 || g.cut != 0 || strings.Join(g.groups, " ") != "dbpedia mo schema" || g.grey || g.unstyled {
		t.Errorf("%d edges, %d cut; %v", len(g.edges), g.cut, g.groups)
	}
	few := f.net(4, 2) // the three given and the largest of the first stage, and no room for what is on the way
	if len(few.nodes) != 4 || few.nodes[3].iri != "http://dbpedia.org/ontology/Single" || few.other != 6 || few.onTheWay || len(few.edges) != 2 || few.cut != 8 {
		t.Errorf("%d nodes, %d not shown; %d edges, %d cut", len(few.nodes), few.other, len(few.edges), few.cut)
	}
}

// TestParts: parts that no edge joins lie in boxes of their own, which fill the picture and do not overlap.
func TestParts(t *testing.T) {
	edges := []edge{{5, 1, 1}, {1, 2, 1}, {6, 7, 1}}
	if got := fmt.Sprint(partsOf(8, edges)); got != "[[0 3 4] [1 2 5] [6 7]]" {
		t.Errorf("parts %s", got)
	}
	for _, n := range []int{1, 2, 9, 60} {
		var parts [][]int
		for i := range n {
			parts = append(parts, make([]int, n-i))
		}
		boxes := make([]box, n)
		tile(box{0, 0, 860, 600}, parts, boxes)
		area := 0.0
		for i, b := range boxes {
			area += b.width * b.height
			if b.x < 0 || b.y < 0 || b.x+b.width > 860+1e-6 || b.y+b.height > 600+1e-6 || b.width < 1 || b.height < 1 {
				t.Errorf("%d parts: box %d is %+v", n, i, b)
			}
			for _, o := range boxes[:i] {
				if b.x < o.x+o.width-1e-6 && o.x < b.x+b.width-1e-6 && b.y < o.y+o.height-1e-6 && o.y < b.y+b.height-1e-6 {
					t.Errorf("%d parts: boxes %+v and %+v overlap", n, b, o)
				}
			}
		}
		if math.Abs(area-860*600) > 1 {
			t.Errorf("%d parts fill %.0f of %d", n, area, 860*600)
		}
	}
	r := []float64{5, 5, 5, 5, 5, 5, 5, 5}
	l := layOutParts(8, edges, r, 860, 600)
	for i := range r {
		if !(l.x[i] > 0 && l.x[i] < 860 && l.y[i] > 0 && l.y[i] < 600) {
			t.Errorf("number %d is at %v, %v", i, l.x[i], l.y[i])
		}
		for j := range i {
			if math.Hypot(l.x[i]-l.x[j], l.y[i]-l.y[j]) < 10 {
				t.Errorf("%d and %d overlap", i, j)
			}
		}
	}
}

// TestManyLonelyParts: a picture of pairs alone, as many as there can be, is drawn inside its frame.
func TestManyLonelyParts(t *testing.T) {
	f := &Findings{}
	for i := range 250 {
		a, b := fmt.Sprintf("http://a/%d", i), fmt.Sprintf("http://b/%d", i)
		f.Nodes = append(f.Nodes, FoundTerm{IRI: a, Given: true}, FoundTerm{IRI: b, Stage: 1})
		f.Edges = append(f.Edges, FoundEdge{From: a, Property: "p", To: b})
	}
	g := f.net(termNodes, termEdges)
	for _, d := range g.picture(860, false).Dots {
		var x, y float64
		if _, err := fmt.Sscan(d.X+" "+d.Y, &x, &y); err != nil || x < 0 || x > 860 || y < 0 || y > 900 {
			t.Fatalf("a circle at %s, %s: %v", d.X, d.Y, err)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1 000", 1234567: "1 234 567", -123456: "-123 456", -1000: "-1 000"} {
		if got := strings.ReplaceAll(grouped(n), thin, " "); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}

func BenchmarkFindingsReport(b *testing.B) {
	f := manyTerms(400, 446)
	for b.Loop() {
		var out bytes.Buffer
		if err := WriteCrawlReport(&out, CrawlFacts{Findings: f}, sequence(nil)); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1e3, "kB")
	}
	if each := b.Elapsed() / time.Duration(b.N); each > time.Second {
		b.Errorf("a report takes %v, more than a second", each)
	}
}
