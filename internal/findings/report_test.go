package findings

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"orbweaver/eval"
	"orbweaver/kb/terms"
	"orbweaver/ledger"
)

const subClassOf = "http://www.w3.org/2000/01/rdf-schema#subClassOf"

// report writes a report of findings.
func report(t testing.TB, f Findings) string {
	t.Helper()
	var out bytes.Buffer
	none := iter.Seq2[ledger.Line, error](func(func(ledger.Line, error) bool) {})
	if err := eval.WriteCrawlReport(&out, eval.CrawlFacts{Name: "classes", Findings: f.Report()}, none); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestReport(t *testing.T) {
	f := example()
	f.Terms[1].Judged = &terms.Verdict{Accepted: true, Score: .5, Reasons: []terms.Reason{{Rule: "label", Evidence: "z", Weight: .25}, {Rule: "far", Weight: -1}}}
	f.Terms[1].Deduced = []terms.Fact{{Subject: "http://c#Z", Property: subClassOf, Object: "http://a/X", Premises: f.Terms[1].Paths[0]}}
	f.Terms[1].Paths = append(f.Terms[1].Paths, f.Terms[1].Paths[0]) // a repeated statement counts once
	f.Datasets[0].Endpoint, f.Datasets[0].Instances[0].AtLeast, f.Datasets[0].Spared = "http://one/sparql", true, 3
	f.Datasets[0].Answers = []terms.Answer{{Question: "property", Asked: 2, Answered: 2}, {Question: "instances", Asked: 2, Answered: 1, Reason: "timeout"}}
	f.Rejected = append(f.Rejected, terms.Term{IRI: "http://e/W", Judged: &terms.Verdict{Score: .2}})
	r := f.Report()
	half := .5
	path := "http://a/X -> ^subClassOf -> http://c#Z"
	nodes := []eval.FoundTerm{{IRI: "http://a/X", Given: true}, {IRI: "http://c#Z", Stage: 1, Found: true, Group: "one", Path: path,
		Follows: []string{"subClassOf http://a/X, by " + path}, Score: &half, Reasons: []string{"label: z 0.25", "far -1"}}}
	if !reflect.DeepEqual(r.Nodes, nodes) {
		t.Errorf("terms %+v\nwant %+v", r.Nodes, nodes)
	}
	if want := []eval.FoundEdge{{From: "http://a/X", Property: subClassOf, To: "http://c#Z", Inverse: true, Dataset: "one"}}; !reflect.DeepEqual(r.Edges, want) {
		t.Errorf("statements %+v", r.Edges)
	}
	if len(r.Vocabularies) != 2 || r.Vocabularies[0].URL != "http://c#" || !r.Vocabularies[0].AtLeast || r.Vocabularies[1].AtLeast {
		t.Errorf("vocabularies %+v", r.Vocabularies)
	}
	if len(r.Datasets) != 1 || r.Datasets[0].URL != "http://one/sparql" || !r.Datasets[0].AtLeast || r.Datasets[0].Path != path || r.Datasets[0].Given != 1 {
		t.Errorf("datasets %+v", r.Datasets)
	}
	if len(r.Endpoints) != 2 || r.Endpoints[0].Asked != 4 || r.Endpoints[0].Answered != 3 || r.Endpoints[0].Instances != 7 || r.Endpoints[1].Reason != "connect" {
		t.Errorf("endpoints %+v", r.Endpoints)
	}
	if r.Saved != 3 || len(r.Rejected) != 2 || r.Rejected[0].Score != .2 || r.Rejected[1].IRI != "http://d/Y" {
		t.Errorf("%d saved, rejected %+v", r.Saved, r.Rejected)
	}
	if empty := (Findings{}).Report(); len(empty.Nodes)+len(empty.Vocabularies)+len(empty.Datasets) > 0 {
		t.Errorf("findings of nothing: %+v", empty)
	}
}

func TestSourceOf(t *testing.T) {
	for dataset, want := range map[string]string{
		"dbpedia": "dbpedia", "http://dbpedia.org/ontology/Song": "dbpedia.org", "https://x:8080/a#b": "x:8080",
		"": "", "a: b": "a: b", "http://%zz/": "http://%zz/", "dataset:x": "dataset:x", "ftp://x/": "ftp://x/",
	} {
		if got := sourceOf(dataset); got != want {
			t.Errorf("of %q: %q, want %q", dataset, got, want)
		}
	}
}

// TestHostileReport: labels, IRIs, messages and counts are under a dataset's control.
func TestHostileReport(t *testing.T) {
	bad := `"><script>alert(1)</script><a href='javascript:x'>` + "\u202e\xff"
	f := Findings{
		Terms: []terms.Term{
			{IRI: "javascript:alert(1)", Label: bad},
			{IRI: "http://x/" + bad, Label: bad, Stage: 1, Found: true, Document: bad, Problem: bad, Instances: math.MaxInt64,
				Judged:  &terms.Verdict{Score: math.Inf(-1), Reasons: []terms.Reason{{Rule: bad, Evidence: bad, Weight: math.NaN()}}},
				Deduced: []terms.Fact{{Property: bad, Object: bad, Premises: []terms.Step{{From: bad, Property: bad, To: bad, Dataset: bad}}}},
				Paths:   []terms.Path{{{From: "javascript:alert(1)", Property: bad, To: "http://x/" + bad, Dataset: bad}}}},
		},
		Rejected: []terms.Term{{IRI: bad, Label: bad}},
		Datasets: []terms.Dataset{
			{Name: bad, Title: bad, Endpoint: "javascript:" + bad, Dialect: bad, Reason: bad, Answers: []terms.Answer{{Question: bad, Reason: bad, Message: bad}},
				Instances: []terms.Count{{Class: "http://x/" + bad, N: math.MaxInt64}, {Class: bad, N: math.MaxInt64}, {Class: bad, N: math.MinInt64}}},
		},
	}
	page := report(t, f)
	for _, not := range []string{"<script", "<a href='", `href="javascript`, "\u202e", "-922"} {
		if strings.Contains(page, not) {
			t.Errorf("the report has %q", not)
		}
	}
	if n := strings.Count(page, "&lt;script&gt;"); n < 15 {
		t.Errorf("hostile texts are shown %d times", n)
	}
}

// many is a crawl of n terms, ten of them given, with instances in m datasets.
func many(n, m int) (f Findings) {
	class := func(i int) string { return fmt.Sprintf("http://vocabulary%d.example/ns#Class%d", i%41, i) }
	step := func(from, to int) terms.Step {
		return terms.Step{From: class(from), Property: subClassOf, Inverse: true, To: class(to), Dataset: fmt.Sprintf("dataset%d", to%9)}
	}
	for i := range n {
		one := terms.Term{IRI: class(i), Label: fmt.Sprintf("class %d", i), Processed: i < 60, Instances: int64(i) * 7919 % 100_003}
		switch {
		case i >= 60:
			one.Paths = []terms.Path{{step(i%10, 10+i%50), step(10+i%50, i)}, {step(i%10, 10+i%49), step(10+i%49, i)}}
		case i >= 10:
			one.Paths = []terms.Path{{step(i%10, i)}}
		}
		one.Stage, one.Found = min(2, len(one.Paths)), len(one.Paths) > 0
		f.Terms = append(f.Terms, one)
	}
	for i := range m {
		d := terms.Dataset{Name: fmt.Sprintf("dataset%d", i), Title: fmt.Sprintf("Dataset number %d", i), Endpoint: fmt.Sprintf("http://d%d.example/sparql", i),
			Answers: []terms.Answer{{Question: "property", Asked: 9, Answered: i % 10}, {Question: "instances", Asked: 40, Answered: i % 41}}}
		for k := range i % 41 {
			d.Instances = append(d.Instances, terms.Count{Class: class(k * 7 % n), N: int64(i*k) + 1, How: terms.Counted})
		}
		f.Datasets = append(f.Datasets, d)
	}
	return f
}

// TestLargeReport: 400 terms and 446 datasets, the number of endpoints in an LOD survey, take under 3 MB
// and give the same report each time. BenchmarkReport measures the time.
func TestLargeReport(t *testing.T) {
	f := many(400, 446)
	page := report(t, f)
	if len(page) > 3_000_000 {
		t.Errorf("%d bytes", len(page))
	}
	if report(t, f) != page {
		t.Error("the same findings write different reports")
	}
}

func BenchmarkReport(b *testing.B) {
	f := many(400, 446)
	for b.Loop() {
		b.ReportMetric(float64(len(report(b, f)))/1e3, "kB")
	}
	if each := b.Elapsed() / time.Duration(b.N); each > time.Second {
		b.Errorf("a report takes %v, more than a second", each)
	}
}
