package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/page"
)

// judgeFile writes a crawl file over the demo web and returns its path; its folder has nothing else.
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
func judged(t *testing.T, file, url string, force bool) (verdict, error) {
	t.Helper()
	var out, told bytes.Buffer
	err := (&App{Console: console.Console{Out: &out, Err: &told}}).Judge(t.Context(), file, url, JudgeOptions{JSON: true, Force: force})
	v := verdict{opinion: &opinion{}}
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
		t.Errorf("it is judged %+v", v.opinion)
	}
	if i := slices.IndexFunc(v.Entities, func(e namedEntity) bool { return e.Name == "engine" }); i < 0 || v.Entities[i].Words != "engines ×2 (engine), turbofan ×2" {
		t.Errorf("the entities are %v", v.Entities)
	}
	if len(v.Reasons) != len(v.Entities)+2 || v.Reasons[0].Rule != "raw" {
		t.Errorf("the reasons are %v", v.Reasons)
	}
	if *v.Links != (linkCount{All: 16, Targets: 16, Follow: 16}) || len(v.Best) != 10 || len(v.Worst) != 6 {
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
	if !slices.ContainsFunc(v.Worst, func(l rankedLink) bool { return l.Anchor == "Makers" }) {
		t.Errorf("the worst links are %+v", v.Worst)
	}
}

// TestJudgeAsACrawlWould: the seeds of a crawl, which has learned nothing yet when it judges the first
// of them, score the same.
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
	if err := (&App{Console: console.Console{Out: &out, Err: &out}}).Crawl(t.Context(), file); err != nil {
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
			t.Errorf("the crawl judged %+v, judge %+v", line, v.opinion)
		}
	}
	again, err := judged(t, file, "http://tidings.example/", false)
	if err != nil || !strings.HasSuffix(again.AsOf, "had learned after 1 requests") || again.Score == v.Score {
		t.Errorf("by what the crawl learned: %v, %+v", err, again.opinion)
	}
}

// TestJudgeWhatIsNoPlainPage: over the demo web.
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

// TestJudgeCountsLinks: by the focus, then by scope, then by robots.txt.
func TestJudgeCountsLinks(t *testing.T) {
	v, err := judged(t, judgeFile(t, "\nscope: {exclude: [carriers.example]}\nfocus: {keyword: {terms: [airplane]}}"), "http://skylines.example/types/a320.html", false)
	if err != nil || v.Links.Scope != 4 || v.Links.Follow != 12 || v.Score <= 0.6 || v.Score >= 0.7 || v.Reasons[0].Evidence != "airplane: airplane ×1" {
		t.Errorf("%v: %+v, %+v", err, v.Links, v.opinion)
	}
	marked := func(l rankedLink) bool { return l.Refused != nil && l.Refused.By == orbweaver.ErrScope }
	if !slices.ContainsFunc(slices.Concat(v.Best, v.Worst), marked) {
		t.Errorf("no link out of scope is marked: %+v", v.Best)
	}
	v, err = judged(t, judgeFile(t, "\nfocus: {keyword: {terms: [zither], mode: paper}}"), "http://skylines.example/types/a320.html", false)
	if err != nil || *v.Links != (linkCount{All: 16, Targets: 16, Dropped: 16}) || v.Accepted || len(v.Best)+len(v.Worst) > 0 {
		t.Errorf("%v: %+v, %+v", err, v.Links, v.opinion)
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
		t.Errorf("%v: %+v", err, v.opinion)
	}
	var out bytes.Buffer
	if err := (&App{Console: console.Console{Out: &out}}).Judge(t.Context(), judgeFile(t, focus), "http://skylines.example/types/a320.html", JudgeOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), ", not accepted (from 0.95 on)\n") {
		t.Errorf("no threshold in\n%s", &out)
	}
}

// TestJudgeADocument: a file that stands for a part of the web, as far as limits allow.
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

// TestJudgeAnOracle: it knows what a survey of the whole archive found.
func TestJudgeAnOracle(t *testing.T) {
	file := judgeFile(t, fmt.Sprintf("\nfocus: {oracle: {}}\ntruth: {file: %s/examples/demo-truth.tsv, topics: [aircraft]}", realdata.Root(t)))
	v, err := judged(t, file, "http://skylines.example/types/a320.html", false)
	if err != nil || v.Score == 0 || v.Reasons[0].Rule != "distance" {
		t.Errorf("%v: %+v", err, v.opinion)
	}
}

// TestJudgeBadInput: exit status 2, and the nearest addresses where there are some.
func TestJudgeBadInput(t *testing.T) {
	good := judgeFile(t, "")
	for _, tc := range []struct {
		name, file, url string
		want            []string
		not             string
	}{
		{"a typo or two", good, "http://skylnes.example/types/a32.html", []string{"absent from the archive; nearest: http://skylines.example/types/a3"}, ""},
		{"another scheme", good, "https://skylines.example/types/a320.html", []string{"nearest: http://skylines.example/types/a320.html, "}, ""},
		{"nothing like it", good, "http://en.wikipedia.example/wiki/Aircraft", []string{"nothing like it"}, "nearest"},
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

// A toyWeb answers from a map, and forbids by robots.txt what is in another. It is asked about links
// only on the hosts that it knows.
type toyWeb struct {
	answers   map[string]toyAnswer
	forbidden map[string]string
	asked     []string
}

type toyAnswer struct {
	status      int
	to, content string
	err         error
}

func (w *toyWeb) fetch(_ context.Context, url, _ string) (*step.Response, []byte, error) {
	w.asked = append(w.asked, url)
	a, ok := w.answers[url]
	switch {
	case !ok:
		return nil, nil, fmt.Errorf("fetch %s: %w", url, orbweaver.ErrAbsent)
	case a.err != nil:
		return nil, nil, fmt.Errorf("fetch %s: %w", url, a.err)
	}
	header := http.Header{"Content-Type": {"text/html"}}
	if a.to != "" {
		header.Set("Location", a.to)
	}
	redirect := a.to
	if strings.HasPrefix(redirect, "mailto:") {
		redirect = ""
	}
	return &step.Response{Request: orbweaver.Request{URL: url}, Status: a.status, Header: header, Redirect: redirect}, []byte(a.content), nil
}

func (w *toyWeb) robots(_ context.Context, url string, link bool) (allowed, known bool, line string) {
	line, forbidden := w.forbidden[url]
	return !forbidden, !link || !strings.Contains(url, "//other."), line
}

func (w *toyWeb) near(string) []string { return nil }
func (w *toyWeb) Close() error         { return nil }

// A toyFocus judges by a function and plans by another.
type toyFocus struct {
	judge func(*orbweaver.Page) orbweaver.Judgement
	plan  func(*orbweaver.Page) []orbweaver.Proposal
}

func (f toyFocus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	if f.judge == nil {
		return orbweaver.Judgement{Score: 0.5, Class: "half"}, nil
	}
	return f.judge(p), nil
}

func (f toyFocus) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	if f.plan == nil {
		return nil, nil
	}
	return f.plan(p), nil
}

// toyRun is a trial over a toy web: at most two redirects, nothing on out.example in scope.
func toyRun(web *toyWeb, focus orbweaver.Focus) *judgeRun {
	return &judgeRun{
		web: web, hops: 2, pipeline: &pipeline.Pipeline{Read: page.NewReader(page.Options{}), Focus: focus},
		scope: func(url string) (bool, string) { return !strings.Contains(url, "//out."), "out.example" },
	}
}

func TestJudgeRunFails(t *testing.T) {
	crash := toyFocus{judge: func(*orbweaver.Page) orbweaver.Judgement { panic("no page for me") }}
	for _, tc := range []struct {
		name    string
		answers map[string]toyAnswer
		focus   toyFocus
		failure orbweaver.Failure
		asked   int
	}{
		{name: "three redirects", answers: map[string]toyAnswer{"http://a.example/": {301, "http://b.example/", "", nil}, "http://b.example/": {302, "http://c.example/", "", nil}, "http://c.example/": {307, "http://d.example/", "", nil}, "http://d.example/": {status: 200}}, failure: orbweaver.ErrRedirects, asked: 3},
		{name: "a redirect to nowhere", answers: map[string]toyAnswer{"http://a.example/": {301, "mailto:x", "", nil}}, failure: orbweaver.ErrBadTarget, asked: 1},
		{name: "a redirect out of scope", answers: map[string]toyAnswer{"http://a.example/": {301, "http://out.example/", "", nil}}, failure: orbweaver.ErrScope, asked: 1},
		{name: "a redirect to what is not there", answers: map[string]toyAnswer{"http://a.example/": {301, "http://b.example/", "", nil}}, failure: orbweaver.ErrAbsent, asked: 2},
		{name: "no answer in time", answers: map[string]toyAnswer{"http://a.example/": {err: orbweaver.ErrTimeout}}, failure: orbweaver.ErrTimeout, asked: 1},
		{name: "a 304 out of nothing", answers: map[string]toyAnswer{"http://a.example/": {status: 304}}, failure: orbweaver.ErrStatus, asked: 1},
		{name: "a focus that crashes", answers: map[string]toyAnswer{"http://a.example/": {status: 200, content: "<p>text"}}, focus: crash, failure: orbweaver.ErrUnreadable, asked: 1},
	} {
		web := &toyWeb{answers: tc.answers}
		v := &verdict{URL: "http://a.example/"}
		err := toyRun(web, tc.focus).run(t.Context(), v.URL, v)
		if !errors.Is(err, tc.failure) || errors.Is(err, orbweaver.ErrInput) || v.opinion != nil || len(web.asked) != tc.asked {
			t.Errorf("%s: %v; asked for %v", tc.name, err, web.asked)
		}
	}
}

// TestJudgeRunAdjusts: a page's own wishes, and its need of scripts, count as in a crawl.
func TestJudgeRunAdjusts(t *testing.T) {
	accepting := toyFocus{judge: func(*orbweaver.Page) orbweaver.Judgement { return orbweaver.Judgement{Score: 1, Accepted: true} }}
	for _, tc := range []struct{ html, want string }{
		{"<p>Some text.", "true []"},
		{`<meta name=robots content=noindex><p>Some text.`, "false [noindex]"},
		{`<body><div id=app></div><script src="/app.js"></script>`, "true [needs-script]"},
	} {
		web := &toyWeb{answers: map[string]toyAnswer{"http://a.example/": {status: 200, content: tc.html}}}
		v := &verdict{URL: "http://a.example/"}
		if err := toyRun(web, accepting).run(t.Context(), v.URL, v); err != nil {
			t.Fatal(err)
		}
		rules := []string{}
		for _, r := range v.Reasons {
			rules = append(rules, r.Rule)
		}
		if got := fmt.Sprint(v.Accepted, rules); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.html, got, tc.want)
		}
	}
}

// TestJudgeRunRanksLinks: each request once, the best first, what the focus drops last; every target is
// counted in one place.
func TestJudgeRunRanksLinks(t *testing.T) {
	html := "<p>Some text of a page that has links in it."
	for _, to := range []string{"/1", "/2", "/3", "http://out.example/", "/private", "http://other.example/private", "/4", "/", "/from", "/1"} {
		html += fmt.Sprintf("<p><a href=%q>to %s</a>", to, to)
	}
	html += `<p><a rel=nofollow href="/no">no</a> <a rel=nofollow href="/2">two again</a>`
	web := &toyWeb{
		answers:   map[string]toyAnswer{"http://a.example/from": {301, "http://a.example/", "", nil}, "http://a.example/": {status: 200, content: html}},
		forbidden: map[string]string{"http://a.example/private": "Disallow: /private", "http://other.example/private": "Disallow: /"},
	}
	scores := map[string]float64{"/1": 0.25, "/2": math.NaN(), "/3": 0.5, "http://out.example/": 1, "/private": 0.75, "http://other.example/private": 0.5, "/": 1, "/from": 1}
	focus := toyFocus{plan: func(p *orbweaver.Page) (plan []orbweaver.Proposal) {
		for i := range p.Links {
			anchor := strings.TrimPrefix(p.Links[i].Anchor, "to ")
			if score, ok := scores[anchor]; ok {
				plan = append(plan, orbweaver.Proposal{
					Request:   orbweaver.Request{URL: p.Links[i].To, Via: &p.Links[i]},
					Judgement: orbweaver.Judgement{Score: score + float64(i/8%2)}, // the second link to /1 is better
				})
			}
		}
		return append(plan, orbweaver.Proposal{Request: orbweaver.Request{URL: "http://a.example/own"}, Judgement: orbweaver.Judgement{Score: 1, Drop: true}})
	}}
	v := &verdict{URL: "http://a.example/from"}
	if err := toyRun(web, focus).run(t.Context(), v.URL, v); err != nil {
		t.Fatal(err)
	}
	want := linkCount{All: 11, Targets: 10, Follow: 3, Dropped: 3, Scope: 1, Robots: 1, NoFollow: 1, Itself: 1} // the reader leaves out "/"
	if *v.Links != want {
		t.Errorf("counted %+v, want %+v", *v.Links, want)
	}
	var order []string
	for _, l := range v.Best {
		mark := ""
		switch {
		case l.Dropped:
			mark = " dropped"
		case l.Refused != nil:
			mark = " " + string(l.Refused.By)
		}
		order = append(order, strings.TrimPrefix(l.URL, "http://")+mark)
	}
	wanted := "a.example/1, out.example/ out-of-scope, a.example/private robots, a.example/3, other.example/private, a.example/own dropped, a.example/2 dropped"
	if got := strings.Join(order, ", "); got != wanted {
		t.Errorf("the order is %s, want %s", got, wanted)
	}
	if err := v.encode(io.Discard); err != nil {
		t.Errorf("a score that is no number: %v", err)
	}
}

// TestOnce: a Merger weighs what is not dropped; without one the better stands.
func TestOnce(t *testing.T) {
	proposal := func(score float64, drop bool) orbweaver.Proposal {
		request := orbweaver.Request{URL: "http://a.example/", Note: make([]byte, int(4*score))}
		return orbweaver.Proposal{Request: request, Judgement: orbweaver.Judgement{Score: score, Drop: drop}}
	}
	for _, tc := range []struct {
		name         string
		plan         []orbweaver.Proposal
		want, merged float64
	}{
		{"the better stands", []orbweaver.Proposal{proposal(0.5, false), proposal(0.25, false)}, 0.5, 0.75},
		{"a dropped one is no rival", []orbweaver.Proposal{proposal(0.25, false), proposal(1, true)}, 0.25, 0.25},
		{"and gives way", []orbweaver.Proposal{proposal(1, true), proposal(0.25, false)}, 0.25, 0.25},
	} {
		if got := once(toyFocus{}, tc.plan); len(got) != 1 || got[0].Score != tc.want || got[0].Drop {
			t.Errorf("%s: %v", tc.name, got)
		}
		if got := once(adding{}, tc.plan); len(got) != 1 || got[0].Score != tc.merged || got[0].Drop {
			t.Errorf("%s, merged: %v", tc.name, got)
		}
	}
}

// adding merges by adding scores, in quarters, of which a Note has one byte each.
type adding struct{ toyFocus }

func (adding) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	note = append(note, again.Note...)
	return orbweaver.Merged{Score: float64(len(note)) / 4, Note: note}
}

func (adding) Worth(note []byte) (float64, bool) { return float64(len(note)) / 4, true }

func (adding) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement { return p.Judgement }

// TestJudgePrints: one page, and what a hostile one would do to a terminal.
func TestJudgePrints(t *testing.T) {
	var out bytes.Buffer
	a := &App{Console: console.Console{Out: &out}}
	if err := a.Judge(t.Context(), judgeFile(t, ""), "http://contrails.example/old/", JudgeOptions{}); err != nil {
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
	v := &verdict{URL: "http://a.example/", Status: 200, Type: "text/html", Title: hostile, Scripted: true, Refused: []refusal{{"http://a.example/", orbweaver.ErrRobots, hostile}}}
	v.judged(orbweaver.Judgement{Class: hostile, Reasons: []orbweaver.Reason{{Rule: "entity", Evidence: hostile + ": " + hostile}, {Rule: hostile, Evidence: hostile}}}, nil)
	v.rank([]offer{{Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: "http://b.example/", Via: &orbweaver.Link{Anchor: hostile}}, Judgement: orbweaver.Judgement{Reasons: []orbweaver.Reason{{Rule: hostile, Evidence: hostile}}}}}}, linkCount{})
	a.printVerdict(v)
	if printed := out.String(); strings.ContainsAny(printed, "\x1b\r\u202e\u009b") || strings.Count(printed, "\ufffdgnp.exe \ufffd2J end") != 10 || !strings.Contains(printed, "no text without JavaScript") {
		t.Errorf("printed %q", printed)
	}
}

func TestAddressOf(t *testing.T) {
	for in, want := range map[string]string{
		"example.org/x": "http://example.org/x", "example.org:8080/x": "http://example.org:8080/x", " HTTPS://Example.org#f": "https://example.org/",
		"localhost": "http://localhost/", "ftp://example.org/": "", "": "", "mailto:a@b.example": "",
	} {
		if got, err := addressOf(in); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

// TestNearest: by edits, of equals the first; one of another host only when half of it is the same.
func TestNearest(t *testing.T) {
	var web []string
	for i := range 2000 {
		web = append(web, fmt.Sprintf("http://www.example.org/articles/%04d.html", i))
	}
	web = append(web, "http://www.example.org/", "https://www.example.org/about", "http://elsewhere.example/a", "http://www.example.org/"+strings.Repeat("long", 2000))
	for _, tc := range []struct{ url, want string }{
		{"http://www.example.org/articles/0042.htm", "http://www.example.org/articles/0042.html"},
		{"http://example.org/articles/0042.html", "http://www.example.org/articles/0042.html"},
		{"http://www.exmple.org/artcles/0042.html", "http://www.example.org/articles/0042.html"},
		{"http://www.example.org/about", "https://www.example.org/about"},
		{"http://www.example.org/?", "http://www.example.org/"},
		{"http://elsewhere.example/entirely/another/place/altogether", "http://elsewhere.example/a"},
		{"http://nothing.test/", ""},
	} {
		n := newNearest(tc.url)
		for _, url := range web {
			n.offer(url)
		}
		got := n.best(3)
		if len(got) > 3 || tc.want == "" && len(got) > 0 || tc.want != "" && (len(got) == 0 || got[0] != tc.want) {
			t.Errorf("%s: %v, want %s first", tc.url, got, tc.want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, tc := range []struct {
		a, b           string
		edits, stretch int
	}{{"", "", 0, 0}, {"abc", "abc", 0, 0}, {"abc", "", 3, 3}, {"kitten", "sitting", 3, 7}, {"aXbYc", "abc", 2, 3}, {"aa", "aaa", 1, 1}} {
		if got := edits(tc.a, tc.b); got != tc.edits || edits(tc.b, tc.a) != got {
			t.Errorf("%s, %s: %d edits", tc.a, tc.b, got)
		}
		if got := stretch(tc.a, tc.b); got != tc.stretch || stretch(tc.b, tc.a) != got {
			t.Errorf("%s, %s: they differ within %d", tc.a, tc.b, got)
		}
	}
}

// BenchmarkNearest is the cost of a suggestion in an archive of 100 000 URLs.
func BenchmarkNearest(b *testing.B) {
	var web []string
	for i := range 100_000 {
		web = append(web, fmt.Sprintf("http://www%d.example.org/articles/of/the/year/%06d.html", i%50, i))
	}
	for b.Loop() {
		n := newNearest("http://www7.example.org/artcles/of/the/year/1234.html")
		for _, url := range web {
			n.offer(url)
		}
		n.best(maxNear)
	}
}
