package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/pipeline"
	"orbweaver/page"
)

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

// toyRun returns a judge run over a toy web with at most two redirects and out.example out of scope.
func toyRun(web *toy.ToyWeb, focus orbweaver.Focus) *JudgeRun {
	return &JudgeRun{
		Web: web, Hops: 2, Pipeline: &pipeline.Pipeline{Read: page.NewReader(page.Options{}), Focus: focus},
		Scope: func(url string) (bool, string) { return !strings.Contains(url, "//out."), "out.example" },
	}
}

func TestJudgeRunFails(t *testing.T) {
	crash := toyFocus{judge: func(*orbweaver.Page) orbweaver.Judgement { panic("no page for me") }}
	for _, tc := range []struct {
		name    string
		answers map[string]toy.ToyAnswer
		focus   toyFocus
		failure orbweaver.Failure
		asked   int
	}{
		{name: "three redirects", answers: map[string]toy.ToyAnswer{"http://a.example/": {Status: 301, To: "http://b.example/", Content: "", Err: nil}, "http://b.example/": {Status: 302, To: "http://c.example/", Content: "", Err: nil}, "http://c.example/": {Status: 307, To: "http://d.example/", Content: "", Err: nil}, "http://d.example/": {Status: 200}}, failure: orbweaver.ErrRedirects, asked: 3},
		{name: "a redirect to nowhere", answers: map[string]toy.ToyAnswer{"http://a.example/": {Status: 301, To: "mailto:x", Content: "", Err: nil}}, failure: orbweaver.ErrBadTarget, asked: 1},
		{name: "a redirect out of scope", answers: map[string]toy.ToyAnswer{"http://a.example/": {Status: 301, To: "http://out.example/", Content: "", Err: nil}}, failure: orbweaver.ErrScope, asked: 1},
		{name: "a redirect to what is not there", answers: map[string]toy.ToyAnswer{"http://a.example/": {Status: 301, To: "http://b.example/", Content: "", Err: nil}}, failure: orbweaver.ErrAbsent, asked: 2},
		{name: "no answer in time", answers: map[string]toy.ToyAnswer{"http://a.example/": {Err: orbweaver.ErrTimeout}}, failure: orbweaver.ErrTimeout, asked: 1},
		{name: "a 304 out of nothing", answers: map[string]toy.ToyAnswer{"http://a.example/": {Status: 304}}, failure: orbweaver.ErrStatus, asked: 1},
		{name: "a focus that crashes", answers: map[string]toy.ToyAnswer{"http://a.example/": {Status: 200, Content: "<p>text"}}, focus: crash, failure: orbweaver.ErrUnreadable, asked: 1},
	} {
		web := &toy.ToyWeb{Answers: tc.answers}
		v := &Verdict{URL: "http://a.example/"}
		_, err := toyRun(web, tc.focus).run(t.Context(), v.URL, v)
		if !errors.Is(err, tc.failure) || errors.Is(err, orbweaver.ErrInput) || v.Opinion != nil || len(web.Asked) != tc.asked {
			t.Errorf("%s: %v; asked for %v", tc.name, err, web.Asked)
		}
	}
}

// TestJudgeRunAdjusts: robots directives of a page and its need for scripts count as in a crawl.
func TestJudgeRunAdjusts(t *testing.T) {
	accepting := toyFocus{judge: func(*orbweaver.Page) orbweaver.Judgement { return orbweaver.Judgement{Score: 1, Accepted: true} }}
	for _, tc := range []struct{ html, want string }{
		{"<p>Some text.", "true []"},
		{`<meta name=robots content=noindex><p>Some text.`, "false [noindex]"},
		{`<body><div id=app></div><script src="/app.js"></script>`, "true [needs-script]"},
	} {
		web := &toy.ToyWeb{Answers: map[string]toy.ToyAnswer{"http://a.example/": {Status: 200, Content: tc.html}}}
		v := &Verdict{URL: "http://a.example/"}
		if _, err := toyRun(web, accepting).run(t.Context(), v.URL, v); err != nil {
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

// TestJudgeRunRanksLinks: each request occurs once, the best first, dropped ones last. Every target is counted once.
func TestJudgeRunRanksLinks(t *testing.T) {
	html := "<p>Some text of a page that has links in it."
	for _, to := range []string{"/1", "/2", "/3", "http://out.example/", "/private", "http://other.example/private", "/4", "/", "/from", "/1"} {
		html += fmt.Sprintf("<p><a href=%q>to %s</a>", to, to)
	}
	html += `<p><a rel=nofollow href="/no">no</a> <a rel=nofollow href="/2">two again</a>`
	web := &toy.ToyWeb{
		Answers:   map[string]toy.ToyAnswer{"http://a.example/from": {Status: 301, To: "http://a.example/", Content: "", Err: nil}, "http://a.example/": {Status: 200, Content: html}},
		Forbidden: map[string]string{"http://a.example/private": "Disallow: /private", "http://other.example/private": "Disallow: /"},
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
	v := &Verdict{URL: "http://a.example/from"}
	if _, err := toyRun(web, focus).run(t.Context(), v.URL, v); err != nil {
		t.Fatal(err)
	}
	want := LinkCount{All: 11, Targets: 10, Follow: 3, Dropped: 3, Scope: 1, Robots: 1, NoFollow: 1, Itself: 1} // the reader leaves out "/"
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
	if err := console.WriteJSON(io.Discard, v); err != nil {
		t.Errorf("a score that is no number: %v", err)
	}
}

// TestOnce: a Merger merges proposals that are not dropped. Without one the better proposal wins.
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

func TestAddressOf(t *testing.T) {
	for in, want := range map[string]string{
		"example.org/x": "http://example.org/x", "example.org:8080/x": "http://example.org:8080/x", " HTTPS://Example.org#f": "https://example.org/",
		"localhost": "http://localhost/", "ftp://example.org/": "", "": "", "mailto:a@b.example": "",
	} {
		if got, err := AddressOf(in); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

// TestNearest: URLs are ranked by edit distance, of equals the first. A URL on another host must match by half.
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
		n := NewNearest(tc.url)
		for _, url := range web {
			n.Offer(url)
		}
		got := n.Best(3)
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

// BenchmarkNearest measures a suggestion in an archive of 100 000 URLs.
func BenchmarkNearest(b *testing.B) {
	var web []string
	for i := range 100_000 {
		web = append(web, fmt.Sprintf("http://www%d.example.org/articles/of/the/year/%06d.html", i%50, i))
	}
	for b.Loop() {
		n := NewNearest("http://www7.example.org/artcles/of/the/year/1234.html")
		for _, url := range web {
			n.Offer(url)
		}
		n.Best(MaxNear)
	}
}
