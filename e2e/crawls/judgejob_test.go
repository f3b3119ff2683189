//go:build e2e

package crawls_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/realdata"
	"orbweaver/internal/view"
	"orbweaver/ledger"
)

// judgeFile writes a crawl file over the demo web into a new folder and returns its path.
func judgeFile(t *testing.T, more string) string {
	t.Helper()
	examples := filepath.Join(realdata.Root(t), "examples")
	path := filepath.Join(t.TempDir(), "f.yaml")
	file := fmt.Sprintf("seeds: [http://tidings.example/]\nweb: {archive: %s/demo.warc.gz}\n", examples)
	if !strings.Contains(more, "focus:") {
		more += fmt.Sprintf("\nfocus: {ontology: {files: %s/aircraft.ttl, target: 'http://orbweaver.example/aircraft#Airplane'}}", examples)
	}
	if err := os.WriteFile(path, []byte(file+more), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// judged runs judge over the demo web and returns what it printed as JSON, and its error.
func judged(t *testing.T, file, url string, force bool) (judge.Verdict, error) {
	t.Helper()
	var out, told bytes.Buffer
	err := verbs.Judge(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &told}}, file, url, true, force)
	v := judge.Verdict{Opinion: &judge.Opinion{}}
	if out.Len() > 0 {
		d := json.NewDecoder(&out)
		d.DisallowUnknownFields()
		if bad := d.Decode(&v); bad != nil {
			t.Fatal(bad)
		}
	}
	if told.Len() > 0 {
		t.Errorf("%s: %s", url, &told)
	}
	return v, err
}

func TestJudgeAPage(t *testing.T) {
	v, err := judged(t, judgeFile(t, ""), "http://skylines.example/types/a320.html", false)
	if err != nil {
		t.Fatal(err)
	}
	if v.Status != 200 || v.Type != "text/html" || v.Lang != "en" || v.Title != "Airbus A320 - Skylines" || v.Words < 150 || v.Words > 250 {
		t.Errorf("the page is %+v", v)
	}
	if !v.Accepted || v.Score < 0.7 || v.Score > 0.95 || v.Threshold == nil || *v.Threshold != 0.5 || v.AsOf == "" || v.Error != "" {
		t.Errorf("it is judged %+v", v.Opinion)
	}
	if i := slices.IndexFunc(v.Entities, func(e judge.NamedEntity) bool { return e.Name == "engine" }); i < 0 || v.Entities[i].Words != "engines ×2 (engine), turbofan ×2" {
		t.Errorf("the entities are %v", v.Entities)
	}
	if len(v.Reasons) != len(v.Entities)+2 || v.Reasons[0].Rule != "raw" {
		t.Errorf("the reasons are %v", v.Reasons)
	}
	if *v.Links != (judge.LinkCount{All: 16, Targets: 16, Follow: 16}) || len(v.Best) != 10 || len(v.Worst) != 6 {
		t.Errorf("links: %+v, %d best, %d worst", v.Links, len(v.Best), len(v.Worst))
	}
	inOrder := slices.Clone(v.Worst)
	slices.Reverse(inOrder)
	inOrder = append(slices.Clone(v.Best), inOrder...)
	for i, l := range inOrder[1:] {
		if l.Score > inOrder[i].Score {
			t.Errorf("%s, %v, stands after %s, %v", l.URL, l.Score, inOrder[i].URL, inOrder[i].Score)
		}
	}
	if l := v.Best[0]; l.URL != "http://carriers.example/airline/fernair" || l.Anchor != "Fernair" || l.Origin != orbweaver.FromAnchor || len(l.Reasons) < 3 {
		t.Errorf("the best link is %+v", l)
	}
	if !slices.ContainsFunc(v.Worst, func(l judge.RankedLink) bool { return l.Anchor == "Makers" }) {
		t.Errorf("the worst links are %+v", v.Worst)
	}
}

// TestJudgeAsACrawlWould: the first seed of a crawl, judged before the crawl has learned anything, has the same score.
func TestJudgeAsACrawlWould(t *testing.T) {
	file := judgeFile(t, "\nlimits: {requests: 1}\noutput: crawled")
	v, err := judged(t, file, "http://tidings.example/", false)
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("judge wrote %v, %v", entries, err)
	}
	var out bytes.Buffer
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &out}}, file); err != nil {
		t.Fatal(err)
	}
	for line, err := range ledger.Lines(filepath.Join(filepath.Dir(file), "crawled", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		heaviest := slices.Clone(v.Reasons)
		slices.SortStableFunc(heaviest, func(a, b orbweaver.Reason) int { return cmp.Compare(b.Weight, a.Weight) })
		heaviest = heaviest[:min(len(heaviest), ledger.MaxReasons)]
		if line.URL != v.URL || line.Score != v.Score || line.Accepted != v.Accepted || !slices.Equal(line.Reasons, heaviest) {
			t.Errorf("the crawl judged %+v, judge %+v", line, v.Opinion)
		}
	}
	again, err := judged(t, file, "http://tidings.example/", false)
	if err != nil || !strings.HasSuffix(again.AsOf, "had learned after 1 requests") || again.Score == v.Score {
		t.Errorf("by what the crawl learned: %v, %+v", err, again.Opinion)
	}
}

// TestJudgeWhatIsNoPlainPage judges redirects, errors, refused URLs and other special cases of the demo web.
func TestJudgeWhatIsNoPlainPage(t *testing.T) {
	scoped := judgeFile(t, "\nscope: {exclude: [cockpit.example]}")
	hosts := judgeFile(t, "\nscope: {hosts: [tidings.example]}")
	for _, tc := range []struct {
		name, file, url string
		force           bool
		failure         orbweaver.Failure
		want            string // in the error
		final           string
		score           bool
	}{
		{name: "redirects", url: "contrails.example/old/", final: "http://contrails.example/", score: true},
		{name: "a redirect within the host", url: "http://skylines.example/types/a340", final: "http://skylines.example/types/a340.html", score: true},
		{name: "a loop", url: "http://wayfarer.example/round-trip", failure: orbweaver.ErrRedirects, want: "follow http://wayfarer.example/return-trip", final: "http://wayfarer.example/round-trip"},
		{name: "robots.txt", url: "http://skylines.example/print/a340.html", failure: orbweaver.ErrRobots, want: "Disallow: /print/; --force"},
		{name: "robots.txt, all the same", url: "http://skylines.example/print/a340.html", force: true, score: true},
		{name: "excluded", file: scoped, url: "http://cockpit.example/", failure: orbweaver.ErrScope, want: "scope excludes cockpit.example; --force"},
		{name: "not covered", file: hosts, url: "http://cockpit.example/", failure: orbweaver.ErrScope, want: "no pattern of scope covers it"},
		{name: "a redirect out of scope", file: hosts, url: "http://carriers.example/fleet-of-the-month", failure: orbweaver.ErrScope, want: "carriers.example"},
		{name: "excluded, all the same", file: scoped, url: "http://cockpit.example/", force: true, score: true},
		{name: "an error", url: "http://skylines.example/types/a390.html", failure: orbweaver.ErrStatus, want: "status 404"},
		{name: "RDF", url: "http://skylines.example/data/concorde.ttl", score: true},
		{name: "compressed", url: "http://skylines.example/types/boeing-777.html", score: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.file == "" {
				tc.file = judgeFile(t, "")
			}
			v, err := judged(t, tc.file, tc.url, tc.force)
			if tc.failure == "" && err != nil || tc.failure != "" && !errors.Is(err, tc.failure) || errors.Is(err, orbweaver.ErrInput) {
				t.Fatalf("error %v", err)
			}
			if err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %q has no %q", err, tc.want)
			}
			if v.Error != tc.failure || v.Final != tc.final || (v.Score > 0) != tc.score || (v.Links != nil) != tc.score {
				t.Errorf("verdict %+v, score %v", v, v.Score)
			}
			if refused := tc.force || tc.failure == orbweaver.ErrScope || tc.failure == orbweaver.ErrRobots; len(v.Refused) > 0 != refused {
				t.Errorf("refused: %+v", v.Refused)
			}
		})
	}
}

// TestJudgeCountsLinks: links are counted as refused by the focus, then by scope, then by robots.txt.
func TestJudgeCountsLinks(t *testing.T) {
	v, err := judged(t, judgeFile(t, "\nscope: {exclude: [carriers.example]}\nfocus: {keyword: {terms: [airplane]}}"), "http://skylines.example/types/a320.html", false)
	if err != nil || v.Links.Scope != 4 || v.Links.Follow != 12 || v.Score <= 0.6 || v.Score >= 0.7 || v.Reasons[0].Evidence != "airplane: airplane ×1" {
		t.Errorf("%v: %+v, %+v", err, v.Links, v.Opinion)
	}
	marked := func(l judge.RankedLink) bool { return l.Refused != nil && l.Refused.By == orbweaver.ErrScope }
	if !slices.ContainsFunc(slices.Concat(v.Best, v.Worst), marked) {
		t.Errorf("no link out of scope is marked: %+v", v.Best)
	}
	v, err = judged(t, judgeFile(t, "\nfocus: {keyword: {terms: [zither], mode: paper}}"), "http://skylines.example/types/a320.html", false)
	if err != nil || *v.Links != (judge.LinkCount{All: 16, Targets: 16, Dropped: 16}) || v.Accepted || len(v.Best)+len(v.Worst) > 0 {
		t.Errorf("%v: %+v, %+v", err, v.Links, v.Opinion)
	}
	v, err = judged(t, judgeFile(t, ""), "http://airfields.example/", false)
	if err != nil || v.Links.Robots != 1 {
		t.Errorf("%v: %+v", err, v.Links)
	}
}

func TestJudgeWithAThreshold(t *testing.T) {
	focus := fmt.Sprintf("\nfocus: {ontology: {files: %s/examples/aircraft.ttl, target: 'http://orbweaver.example/aircraft#Airplane', accept: 0.95}}", realdata.Root(t))
	v, err := judged(t, judgeFile(t, focus), "http://skylines.example/types/a320.html", false)
	if err != nil || v.Accepted || v.Threshold == nil || *v.Threshold != 0.95 {
		t.Errorf("%v: %+v", err, v.Opinion)
	}
	var out bytes.Buffer
	if err := verbs.Judge(t.Context(), &job.Job{Console: console.Console{Out: &out}}, judgeFile(t, focus), "http://skylines.example/types/a320.html", false, false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), ", not accepted (from 0.95 on)\n") {
		t.Errorf("no threshold in\n%s", &out)
	}
}

// TestJudgeADocument: a local document answers for a URL prefix, within the limits.
func TestJudgeADocument(t *testing.T) {
	examples := filepath.Join(realdata.Root(t), "examples")
	documents := fmt.Sprintf("\ndocuments: {'http://vocabulary.example/': %s/aircraft.ttl}", examples)
	v, err := judged(t, judgeFile(t, documents), "http://vocabulary.example/aircraft", false)
	if err != nil || v.Type != "text/turtle" || v.Score == 0 {
		t.Errorf("%v: %+v", err, v)
	}
	_, err = judged(t, judgeFile(t, documents+"\nlimits: {body: 1kB}"), "http://vocabulary.example/aircraft", false)
	if !errors.Is(err, orbweaver.ErrTooLarge) {
		t.Errorf("a document above the limit: %v", err)
	}
}

// TestJudgeAnOracle: the oracle uses the survey of the whole archive.
func TestJudgeAnOracle(t *testing.T) {
	file := judgeFile(t, fmt.Sprintf("\nfocus: {oracle: {}}\ntruth: {file: %s/examples/demo-truth.tsv, topics: [aircraft]}", realdata.Root(t)))
	v, err := judged(t, file, "http://skylines.example/types/a320.html", false)
	if err != nil || v.Score == 0 || v.Reasons[0].Rule != "distance" {
		t.Errorf("%v: %+v", err, v.Opinion)
	}
}

// TestJudgeBadInput: bad input wraps ErrInput, and an unknown URL gives the nearest ones.
func TestJudgeBadInput(t *testing.T) {
	good := judgeFile(t, "")
	for _, tc := range []struct {
		name, file, url string
		want            []string
		not             string
	}{
		{"a typo or two", good, "http://skylnes.example/types/a32.html", []string{"absent from the archive; nearest: http://skylines.example/types/a3"}, ""},
		{"another scheme", good, "https://skylines.example/types/a320.html", []string{"nearest: http://skylines.example/types/a320.html, "}, ""},
		{"nothing like it", good, "http://en.wikipedia.example/wiki/Aircraft", []string{"no similar URL"}, "nearest"},
		{"no address", good, "http://", []string{"bad-url"}, ""},
		{"another scheme altogether", good, "mailto:pilot@skylines.example", []string{"bad-url"}, ""},
		{"no file", "none.yaml", "http://skylines.example/", []string{"none.yaml: no such file"}, "bad-url"},
		{"both", judgeFile(t, "\nlimits: {pages: many}"), "ftp://skylines.example/", []string{"limits.pages", "neither http nor https"}, ""},
		{"a focus that is not", judgeFile(t, "\nfocus: {ontology: {files: none.ttl, target: 'urn:x'}}"), "http://skylines.example/", []string{"none.ttl"}, ""},
	} {
		v, err := judged(t, tc.file, tc.url, false)
		if !errors.Is(err, orbweaver.ErrInput) || v.Score != 0 {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q has no %q", tc.name, err, want)
			}
		}
		if tc.not != "" && strings.Contains(err.Error(), tc.not) {
			t.Errorf("%s: %q", tc.name, err)
		}
		if len(v.Nearest) > 3 {
			t.Errorf("%s: %v", tc.name, v.Nearest)
		}
	}
}

// TestJudgePrints: the printed verdict contains no control sequences of a hostile page.
func TestJudgePrints(t *testing.T) {
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out}}
	if err := verbs.Judge(t.Context(), a, judgeFile(t, ""), "http://contrails.example/old/", false, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"http://contrails.example/old/\n  → http://contrails.example/old/index.html (301)\n  → http://contrails.example/home.html (302)\n  → http://contrails.example/ (301)\n",
		"  status      200\n", "  language    en\n", "\nEntities, and the words that named them:\n", "\nThe best links:\n  1. 0.", "            anchor: ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	out.Reset()
	hostile := "red \x1b[31m\u202egnp.exe\n\r\x9b2J end"
	v := &judge.Verdict{URL: "http://a.example/", Status: 200, Type: "text/html", Title: hostile, Scripted: true, Refused: []judge.Refusal{{URL: "http://a.example/", By: orbweaver.ErrRobots, Rule: hostile}}}
	v.Judged(orbweaver.Judgement{Class: hostile, Reasons: []orbweaver.Reason{{Rule: "entity", Evidence: hostile + ": " + hostile}, {Rule: hostile, Evidence: hostile}}}, nil, all.Kinds())
	v.Rank([]judge.Offer{{Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: "http://b.example/", Via: &orbweaver.Link{Anchor: hostile}}, Judgement: orbweaver.Judgement{Reasons: []orbweaver.Reason{{Rule: hostile, Evidence: hostile}}}}}}, judge.LinkCount{})
	view.Judged(a.Out, a.Columns(), v)
	if printed := out.String(); strings.ContainsAny(printed, "\x1b\r\u202e\u009b") || strings.Count(printed, "\ufffdgnp.exe \ufffd2J end") != 10 || !strings.Contains(printed, "no text without JavaScript") {
		t.Errorf("printed %q", printed)
	}
}
