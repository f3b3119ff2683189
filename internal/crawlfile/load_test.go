package crawlfile_test

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"orbweaver"
	. "orbweaver/internal/crawlfile"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/rendering"
	"orbweaver/internal/requisites"
)

// schema has all kinds of focus.
func schema() Schema { return all.Kinds().Schema() }

// keys are values of a section by field name.
type keys map[string]any

// section returns a section of a kind of focus with these keys and no defaults.
func section(kind string, of keys) any {
	section := schema().Kind(kind).Section()
	for name, value := range of {
		reflect.ValueOf(section).Elem().FieldByName(name).Set(reflect.ValueOf(value))
	}
	return section
}

// keyOf returns the value of a field in the section of a focus.
func keyOf(f Focus, name string) any {
	return reflect.ValueOf(f.Section()).Elem().FieldByName(name).Interface()
}

// folder creates a folder with the files that the tests name, and returns its path.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a.ttl": "", "b.ttl": "", "aircraft.ttl": "", "demo.warc.gz": "", "background.tsv": "", "truth.tsv": "url\ttopic\n",
		"seeds.txt": "# where to start\n\nhttps://a.test\n  https://b.test/x#part  \nhttps://a.test/\n",
		"bad.txt":   "https://a.test/\nb.test\n\n://\n",
		"empty.txt": "# nothing\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// write writes a file into a folder and returns its path.
func write(t testing.TB, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustLoad loads a valid crawl file.
func mustLoad(t testing.TB, dir, content string) *Crawl {
	t.Helper()
	c, err := schema().Load(write(t, dir, "crawl.yaml", content))
	if err != nil {
		t.Fatalf("Load:\n%v", err)
	}
	taken(t, content)
	return c
}

// tail has the required keys of a crawl file that a test is not about.
const tail = "\nseeds: https://a.test/\nfocus: {breadth_first: {}}\n"

func TestAWholeCrawlFileIsReadToTheLetter(t *testing.T) {
	dir := folder(t)
	got := mustLoad(t, dir, `
seeds: [https://example.org/, "https://EXAMPLE.org:443/#top", 'http://b.test/x']
web: {archive: [demo.warc.gz], robots: ignore}
documents: {"http://dbpedia.org/ontology/": a.ttl}
prefixes: {ex: "http://example.org/", u: "urn:x:"}
focus:
  ontology: {files: [a.ttl, ./b.ttl], target: [ex:Plane, <urn:y>, http://x.test/C, u:Q], relevance: relational, discount: linear, base: 0.25, combine: min, idf: background.tsv, accept: 0.3}
truth: {file: truth.tsv, topics: [aircraft]}
limits: {pages: 2_000, requests: 5000, depth: 7, time: 2h, bytes: 2GB, per_host: 500, body: 1.5MiB, redirects: 0}
scope: {include: [], exclude: [boeing.com], hosts: [example.org]}
politeness: {delay: 250ms, connections: 2, robots: false, user_agent: "me/1 (+https://a.test/)", timeout: 1m30s, retries: 0, failures: 3}
archive: on
workers: 16
allow_private: [10.1.2.3/8, 192.168.1.7]
output: out/aircraft
`)
	in := func(name string) string { return filepath.Join(dir, name) }
	accept := 0.3
	want := &Crawl{
		Web:       &Web{Archive: []string{in("demo.warc.gz")}, Robots: "ignore", Sitemap: Sitemap{Seed: 1}},
		Documents: map[string]string{"http://dbpedia.org/ontology/": in("a.ttl")},
		Prefixes:  map[string]string{"ex": "http://example.org/", "u": "urn:x:"},
		Focus: got.Focus.With(section("ontology", keys{
			"Files": []string{in("a.ttl"), in("b.ttl")}, "Target": []string{"http://example.org/Plane", "urn:y", "http://x.test/C", "urn:x:Q"},
			"Relevance": "relational", "Discount": "linear", "Base": 0.25, "Combine": "min", "IDF": in("background.tsv"), "Accept": &accept,
			"Mode": "default", "Measure": "presence", "Spelling": "kept", "Verdict": "score", "Links": "mixed", "AnchorWords": "learned", "Telling": "learned", "Inlinks": "mean", "Layers": "off", "Data": "met", "DataWeight": 10, "DataLabels": "off",
		})),
		Truth:      &Truth{File: in("truth.tsv"), Topics: []string{"aircraft"}},
		Limits:     Limits{Pages: 2000, Requests: 5000, Depth: 7, Time: 2 * time.Hour, Outage: time.Hour, Bytes: 2e9, PerHost: 500, Body: 3 << 19, Dump: 100e6},
		Sitemaps:   "seeds",
		Render:     rendering.Settings{When: "never"},
		Requisites: requisites.Settings{Of: "off", Page: 8e6, Total: 2e9, One: 4e6},
		Duplicates: "on",
		Traps:      "on",
		Memory:     1e9,
		Scope:      Scope{Exclude: []string{"boeing.com"}, Hosts: []string{"example.org"}},
		Politeness: Politeness{Delay: 250 * time.Millisecond, Connections: 2, UserAgent: "me/1 (+https://a.test/)", Timeout: 90 * time.Second, Failures: 3, Patience: 5 * time.Minute, Worth: "request"},
		Archive:    Archiving{Keep: "on", Compression: "fast"},
		Workers:    16,
		Explore:    Explore{Seed: 1}, Schedule: Recrawl{Explore: 0.1, Least: time.Hour, Seed: 1},
		Discover:     Discover{Queries: 5},
		AllowPrivate: Private{Networks: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.1.7/32")}},
		Output:       in("out/aircraft"),
		Schema:       schema(),
	}
	want.Seeds = got.Seeds
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if urls := fmt.Sprint(got.Seeds.URLs); urls != "[https://example.org/ http://b.test/x]" {
		t.Errorf("seeds %s: want both, canonical, each once", urls)
	}
	if got.Name() != "aircraft" || got.Focus.Key() != "ontology" {
		t.Errorf("name %q, kind %q", got.Name(), got.Focus.Key())
	}
}

func TestKeysLeftOutHaveTheirDefaults(t *testing.T) {
	dir := folder(t)
	c := mustLoad(t, dir, "seeds: https://a.test\nprefixes: {ex: 'http://e/'}\nfocus: {ontology: {files: a.ttl, target: ex:P}}")
	if want := (Limits{Depth: 20, Outage: time.Hour, Body: 10e6, Dump: 100e6, Redirects: 10}); c.Limits != want {
		t.Errorf("limits %+v, want %+v", c.Limits, want)
	}
	if want := (Politeness{Delay: time.Second, Connections: 0, Robots: true, UserAgent: "orbweaver", Timeout: 30 * time.Second, Retries: 2, Failures: 5, Patience: 5 * time.Minute, Worth: "request"}); c.Politeness != want {
		t.Errorf("politeness %+v, want %+v", c.Politeness, want)
	}
	want := section("ontology", keys{
		"Files": []string{filepath.Join(dir, "a.ttl")}, "Target": []string{"http://e/P"},
		"Relevance": "total", "Discount": "exponential", "Base": 0.5, "Combine": "sum", "IDF": "learned",
		"Mode": "default", "Measure": "presence", "Spelling": "kept", "Verdict": "score", "Links": "mixed", "AnchorWords": "learned", "Telling": "learned", "Inlinks": "mean", "Layers": "off", "Data": "met", "DataWeight": 10, "DataLabels": "off",
	})
	if o := c.Focus.Section(); !reflect.DeepEqual(o, want) {
		t.Errorf("ontology %+v", o)
	}
	if c.Web != nil || c.Archive.Keep != "auto" || c.Workers != 0 || c.AllowPrivate.All || c.Output != filepath.Join(dir, "crawls", "crawl") {
		t.Errorf("crawl %+v", c)
	}
}

func TestEveryFocusIsRead(t *testing.T) {
	dir := folder(t)
	for _, tc := range []struct {
		written, kind string
		want          keys
	}{
		{"keyword: {terms: [jet, 747, air plane]}", "keyword", keys{"Terms": []string{"jet", "747", "air plane"}, "Mode": "scored"}},
		{"keyword: {terms: [jet], mode: paper}", "keyword", keys{"Terms": []string{"jet"}, "Mode": "paper"}},
		{"best_first: {terms: jet}", "best_first", keys{"Terms": []string{"jet"}, "N": 1}},
		{"best_first: {terms: [jet], n: 50}", "best_first", keys{"Terms": []string{"jet"}, "N": 50}},
		{"breadth_first: {}", "breadth_first", keys{}},
		{"breadth_first:", "breadth_first", keys{}},
		{"random: {}", "random", keys{"Seed": int64(1)}},
		{"random: {seed: -3}", "random", keys{"Seed": int64(-3)}},
		{"oracle: {}", "oracle", keys{}},
	} {
		t.Run(tc.written, func(t *testing.T) {
			c := mustLoad(t, dir, "seeds: https://a.test\nweb: {archive: demo.warc.gz}\ntruth: {class: R}\nfocus:\n  "+tc.written+"\n")
			if c.Focus.Key() != tc.kind {
				t.Fatalf("kind %q, want %q", c.Focus.Key(), tc.kind)
			}
			if got, want := c.Focus.Section(), section(tc.kind, tc.want); !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestSeedsMayStandInAFile(t *testing.T) {
	dir := folder(t)
	inFile := mustLoad(t, dir, "seeds: {file: seeds.txt}\nfocus: {random: {}}")
	inList := mustLoad(t, dir, "seeds: [https://a.test, https://b.test/x]\nfocus: {random: {}}")
	if fmt.Sprint(inFile.Seeds.URLs) != "[https://a.test/ https://b.test/x]" {
		t.Errorf("seeds %v", inFile.Seeds.URLs)
	}
	if inFile.Seeds.Digest != inList.Seeds.Digest || len(inFile.Seeds.Digest) != len("sha256:")+64 {
		t.Errorf("the same seeds have digests %s and %s", inFile.Seeds.Digest, inList.Seeds.Digest)
	}
	if d := inFile.Differences(inList); len(d) != 0 {
		t.Errorf("the same seeds differ in %v", d)
	}
}

// Editors and shells of Windows write marks, and UTF-16.
func TestFilesHaveMarks(t *testing.T) {
	dir := folder(t)
	wide := func(text string) string {
		b := []byte("\xff\xfe")
		for _, c := range []byte(text) {
			b = append(b, c, 0)
		}
		return string(b)
	}
	const list, crawl = "https://a.test\nhttps://b.test/x\n", "seeds: {file: marked.txt}\nfocus: {random: {}}\n"
	for _, seeds := range []string{"\ufeff" + list, wide(list)} {
		write(t, dir, "marked.txt", seeds)
		for _, file := range []string{crawl, "\ufeff" + crawl, wide(crawl)} {
			if got := fmt.Sprint(mustLoad(t, dir, file).Seeds.URLs); got != "[https://a.test/ https://b.test/x]" {
				t.Errorf("%.9q, %.9q: seeds %v", file, seeds, got)
			}
		}
	}
}

func TestAWholeComparisonFileIsReadToTheLetter(t *testing.T) {
	dir := folder(t)
	got, err := schema().LoadComparison(write(t, dir, "cmp.yml", `
web: {archive: demo.warc.gz}
seeds: [https://a.test/]
prefixes: {ex: "http://e/"}
truth: {cosine: 0.25}
each: {items: 60}
limits: {requests: 460}
checkpoints: [0.2, 0.05, 1]
runs:
  - {name: total, focus: {ontology: {files: [a.ttl], target: [ex:Computing, ex:747], relevance: total}}}
  - name: oracle
    focus: {oracle: {}}
  - {name: breadth-first, focus: {breadth_first: {}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	if got.Output != filepath.Join(dir, "comparisons", "cmp") || got.Name() != "cmp" {
		t.Errorf("output %s, name %s", got.Output, got.Name())
	}
	if *got.Truth.Cosine != 0.25 || *got.Each != (Each{Items: 60, Seed: 1}) || got.Limits.Requests != 460 || got.Limits.Depth != 20 {
		t.Errorf("truth %+v, each %+v, limits %+v", got.Truth, got.Each, got.Limits)
	}
	if fmt.Sprint(got.Checkpoints) != "[0.05 0.2 1]" {
		t.Errorf("checkpoints %v", got.Checkpoints)
	}
	if len(got.Runs) != 3 || got.Runs[1].Name != "oracle" || got.Runs[1].Focus.Key() != "oracle" {
		t.Fatalf("runs %+v", got.Runs)
	}
	if target := keyOf(got.Runs[0].Focus, "Target"); fmt.Sprint(target) != "[http://e/Computing http://e/747]" {
		t.Errorf("target %v", target)
	}
}

func TestTheExamplesOfTheDocumentationAreRight(t *testing.T) {
	dir := folder(t)
	write(t, dir, "seeds.txt", "https://a.test/\n")
	for _, example := range []string{ExampleCrawl, ExampleShort} {
		mustLoad(t, dir, example)
	}
	if _, err := schema().LoadComparison(write(t, dir, "cmp.yaml", ExampleComparison)); err != nil {
		t.Error(err)
	}
	each, err := schema().LoadComparison(write(t, dir, "each.yaml", ExampleEach))
	if err != nil {
		t.Fatal(err)
	}
	if each.Seeds.URLs != nil || len(each.Runs) != 2 || keyOf(each.Runs[0].Focus, "Terms").([]string) != nil || keyOf(each.Runs[1].Focus, "N") != 50 {
		t.Errorf("seeds %v, runs %+v", each.Seeds, each.Runs)
	}
}

func TestAnchorsAliasesAndMergeKeys(t *testing.T) {
	dir := folder(t)
	got, err := schema().LoadComparison(write(t, dir, "cmp.yaml", `
web: {archive: demo.warc.gz}
seeds: https://a.test/
truth: {class: R}
runs:
  - name: one
    focus: &f {ontology: &o {files: a.ttl, target: "http://e/A", base: 0.1}}
  - {name: two, focus: *f}
  - name: three
    focus:
      ontology:
        <<: *o
        base: 0.9
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, base := range []float64{0.1, 0.1, 0.9} {
		if f := got.Runs[i].Focus; keyOf(f, "Base") != base || keyOf(f, "Target").([]string)[0] != "http://e/A" {
			t.Errorf("run %d: %+v", i, f.Section())
		}
	}
}

// TestAByteOrderMark: it begins the file, and is no part of the first key, nor of a place.
func TestAByteOrderMark(t *testing.T) {
	dir := folder(t)
	for _, text := range []string{"seeds: [http://a.test/]\nfocus: {breadth_first: {}}\n", "# crawl\r\nseeds: [http://a.test/]\r\nfocus: {breadth_first: {}}\r\n", "---\nseeds: [http://a.test/]\nfocus: {breadth_first: {}}\n"} {
		if _, err := schema().Load(write(t, dir, "mark.yaml", "\ufeff"+text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := problemsOf(t, dir, "\ufeffseed: [http://a.test/]\nfocus: {breadth_first: {}}\nseeds: [http://a.test/]\n", false); !strings.HasPrefix(got, "f.yaml:1: seed: unknown key") {
		t.Error(got)
	}
}

func TestErrorsAreOfTheUsers(t *testing.T) {
	dir := folder(t)
	_, err := schema().Load(filepath.Join(dir, "nowhere.yaml"))
	if !errors.Is(err, orbweaver.ErrInput) || !strings.HasSuffix(err.Error(), "nowhere.yaml: no such file") {
		t.Errorf("a missing file: %v", err)
	}
	_, err = schema().Load(write(t, dir, "c.yaml", "archive: maybe"+tail))
	var problems Problems
	if !errors.As(err, &problems) || orbweaver.FailureOf(err) != orbweaver.ErrInput {
		t.Fatalf("%T: %v", err, err)
	}
	want := Problem{File: filepath.Join(dir, "c.yaml"), Line: 1, Column: 10, Key: "archive.keep", Msg: `must be auto, on or off, not "maybe"`}
	if len(problems) != 1 || problems[0] != want {
		t.Errorf("got %+v, want %+v", problems, want)
	}
}

// A crawl of another focus still needs seeds.
func TestSeedsAreNeeded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.yaml")
	if err := os.WriteFile(path, []byte("focus: {breadth_first: {}}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := schema().Load(path); err == nil || !strings.Contains(err.Error(), "seeds: is missing") {
		t.Errorf("%v", err)
	}
}
