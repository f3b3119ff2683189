package baseline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"orbweaver"
)

// truth takes the last letter of a URL as its distance.
type truth struct{}

func (truth) Distance(url string) (int, bool) {
	d := int(url[len(url)-1]) - '0'
	return d, d >= 0 && d <= 9
}

func (t truth) Found(url string) bool {
	d, _ := t.Distance(url)
	return d == 0
}

func must(f orbweaver.Focus, err error) orbweaver.Focus {
	if err != nil {
		panic(err)
	}
	return f
}

func page(text string) *orbweaver.Page {
	return &orbweaver.Page{
		URL: "http://p.test/1", Title: "Title", Text: text, Lang: "en", Request: orbweaver.Request{Depth: 1},
		Links: []orbweaver.Link{
			{To: "http://p.test/0"}, {To: "http://p.test/1"}, {To: "http://p.test/3"}, {To: "http://p.test/0"},
			{To: "http://p.test/5", Rel: "external nofollow"}, {To: "http://p.test/x"}, {To: ""},
		},
	}
}

// run judges and plans a page, with and without Prepare, and formats the result.
func run(t *testing.T, f orbweaver.Focus, p *orbweaver.Page) (orbweaver.Judgement, string) {
	t.Helper()
	ctx := context.Background()
	once := func() (orbweaver.Judgement, string) {
		j, err := f.Judge(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := f.Plan(ctx, p, j)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, q := range plan {
			if len(q.Reasons) != 1 || q.Reasons[0].Weight != q.Score || q.Via == nil || q.Via.To != q.URL {
				t.Errorf("%s: %+v", q.URL, q)
			}
			fmt.Fprintf(&b, "%s:%.3g ", strings.TrimPrefix(q.URL, "http://p.test/"), q.Score)
		}
		return j, strings.TrimSpace(b.String())
	}
	j, plan := once()
	if prepared, ok := f.(orbweaver.Preparer); ok {
		p.Findings, _ = prepared.Prepare(ctx, p)
		if again, planned := once(); again.Score != j.Score || planned != plan {
			t.Errorf("prepared: %v %s; unprepared: %v %s", again, planned, j, plan)
		}
	}
	return j, plan
}

func TestBaselines(t *testing.T) {
	const text = "Airplanes fly.\n\nPlanes"
	for _, tc := range []struct {
		name     string
		focus    orbweaver.Focus
		text     string
		score    float64
		accepted bool
		plan     string
	}{
		{"breadth-first accepts all and goes deeper", NewBreadthFirst(), text, 0.5, true, "0:0.333 3:0.333 x:0.333"},
		{"keyword by stem", must(NewKeyword([]string{"airplane"})), text, 1, true, "0:1 3:1 x:1"},
		{"keyword in the title", must(NewKeyword([]string{"titles"})), "", 1, true, "0:1 3:1 x:1"},
		{"keyword absent: not followed", must(NewKeyword([]string{"ship"})), text, 0, false, ""},
		{"a phrase is all its words, in order", must(NewKeyword([]string{"fly airplanes"})), text, 0, false, ""},
		{"a phrase", must(NewKeyword([]string{"ship", "airplane fly"})), text, 1, true, "0:1 3:1 x:1"},
		{"best-first: cosine of (1 1 1 1) and (1)", must(NewBestFirst([]string{"airplane"}, 1)), text, 0.5, true, "0:0.5 3:0.5 x:0.5"},
		{"best-first: cosine of (1 1 1 1) and (1 1)", must(NewBestFirst([]string{"airplane", "ship"}, 1)), text, 0.5 / math.Sqrt2, true, "0:0.354 3:0.354 x:0.354"},
		{"best-first: nothing in common", must(NewBestFirst([]string{"ship"}, 1)), text, 0, false, "0:0 3:0 x:0"},
		{"best-first: the same words", must(NewBestFirst([]string{"title", "plane plane"}, 1)), "planes plane", 1, true, "0:1 3:1 x:1"},
		{"oracle", NewOracle(truth{}), text, 0.5, false, "0:1 3:0.25 x:0"},
	} {
		j, plan := run(t, tc.focus, page(tc.text))
		if math.Abs(j.Score-tc.score) > 1e-12 || j.Accepted != tc.accepted || plan != tc.plan {
			t.Errorf("%s: score %v, accepted %v, plan %q; want %v, %v, %q", tc.name, j.Score, j.Accepted, plan, tc.score, tc.accepted, tc.plan)
		}
		if j.Score > 0 && (len(j.Reasons) != 1 || j.Reasons[0].Rule == "" || j.Reasons[0].Weight != j.Score) {
			t.Errorf("%s: reasons %v", tc.name, j.Reasons)
		}
	}
}

// TestWordsOnThePage: terms match with the right capitalization where that matters, and evidence has the
// page's words.
func TestWordsOnThePage(t *testing.T) {
	for _, tc := range []struct{ name, text, keyword, bestFirst string }{
		{"the most frequent form", "An airplane, airplanes, many airplanes.", "airplanes ×3 (airplane)", "airplanes ×3 (airplane)"},
		{"an abbreviation", "AIDS, or hearing aids, or aid.", "AIDS ×1", "AIDS ×1"},
		{"its cousins", "Hearing aids, or aid.", "", ""},
		{"several terms", "The airplane carries AIDS research.", "airplane ×1, AIDS ×1", "airplane ×1, AIDS ×1"},
	} {
		terms := []string{"airplane", "AIDS", "table"}
		for _, f := range []struct {
			name, want string
			focus      orbweaver.Focus
		}{
			{"keyword", tc.keyword, must(NewKeyword(terms))}, {"best-first", tc.bestFirst, must(NewBestFirst(terms, 1))},
		} {
			j, _ := run(t, f.focus, page(tc.text))
			got := ""
			if len(j.Reasons) > 0 {
				got = j.Reasons[0].Evidence
			}
			if got != f.want || j.Accepted != (f.want != "") {
				t.Errorf("%s, %s: accepted %v, %q, want %q", f.name, tc.name, j.Accepted, got, f.want)
			}
		}
	}
}

func TestOracleAcceptsTheRelevant(t *testing.T) {
	p := page("")
	p.URL = "http://p.test/0"
	if j, _ := run(t, NewOracle(truth{}), p); !j.Accepted || j.Score != 1 {
		t.Errorf("%+v", j)
	}
}

// TestOracleLearns: fetching a relevant page makes all waiting requests stale; a snapshot records which were
// fetched.
func TestOracleLearns(t *testing.T) {
	o := NewOracle(truth{}).(orbweaver.Learner)
	for url, stale := range map[string]int{"http://p.test/0": 1, "http://p.test/3": 0} {
		lesson, err := o.Learn(t.Context(), orbweaver.Outcome{Page: &orbweaver.Page{URL: url}})
		if err != nil || len(lesson.Stale) != stale {
			t.Errorf("%s: stale %v, %v", url, lesson.Stale, err)
		}
	}
	var first, second bytes.Buffer
	restored := NewOracle(truth{}).(orbweaver.Learner)
	if err := errors.Join(o.Snapshot(&first), restored.Restore(bytes.NewReader(first.Bytes())), restored.Snapshot(&second)); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() || !strings.Contains(first.String(), "p.test/0") {
		t.Errorf("snapshot %s, restored %s", &first, &second)
	}
}

func TestNoFollow(t *testing.T) {
	for _, f := range []orbweaver.Focus{NewBreadthFirst(), NewRandom(1), NewOracle(truth{}), must(NewKeyword([]string{"title"})), must(NewBestFirst([]string{"title"}, 1))} {
		p := page("")
		p.NoFollow = true
		if _, plan := run(t, f, p); plan != "" {
			t.Errorf("%T follows %s", f, plan)
		}
	}
}

func TestRounds(t *testing.T) {
	if _, ok := must(NewBestFirst([]string{"a"}, 1)).(orbweaver.Rounder); ok {
		t.Error("best-first has rounds")
	}
	r, ok := must(NewBestFirst([]string{"a"}, 7)).(orbweaver.Rounder)
	if !ok || r.RoundSize() != 7 {
		t.Fatal("best-N-first has none")
	}
	if plan, lesson, err := r.EndRound(context.Background(), orbweaver.Round{}); plan != nil || lesson.Stale != nil || err != nil {
		t.Error("the end of a round says something")
	}
}

func TestBadTerms(t *testing.T) {
	for _, terms := range [][]string{nil, {""}, {"plane", " - "}} {
		if _, err := NewKeyword(terms); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("keyword %q: %v", terms, err)
		}
		if _, err := NewBestFirst(terms, 1); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("best-first %q: %v", terms, err)
		}
	}
	if _, err := NewBestFirst([]string{"a"}, 0); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("rounds of none: %v", err)
	}
}

// TestChanceIsEven: ten thousand URLs of one site are spread evenly over ten bins, for any seed.
func TestChanceIsEven(t *testing.T) {
	for seed := range uint64(3) {
		var drawers [10]int
		for i := range 10000 {
			x := chance(seed, fmt.Sprintf("http://p.test/wiki/page-%d.html", i))
			if x < 0 || x >= 1 {
				t.Fatalf("%v", x)
			}
			drawers[int(x*10)]++
		}
		for _, n := range drawers {
			if n < 880 || n > 1120 { // four standard deviations
				t.Errorf("seed %d: %v", seed, drawers)
				break
			}
		}
	}
	if chance(1, "a") == chance(2, "a") || chance(1, "a") != chance(1, "a") {
		t.Error("the seed does not count")
	}
}

func TestRandomIsTheSameAgain(t *testing.T) {
	_, first := run(t, NewRandom(7), page(""))
	_, second := run(t, NewRandom(7), page("other"))
	if _, other := run(t, NewRandom(8), page("")); first != second || first == other {
		t.Errorf("%s, %s, with another seed %s", first, second, other)
	}
}

func BenchmarkDecide(b *testing.B) {
	f := must(NewBestFirst([]string{"plane"}, 1))
	p := page(strings.Repeat("a plane flies over the sea ", 700))
	p.Links = nil
	for i := range 100 {
		p.Links = append(p.Links, orbweaver.Link{To: fmt.Sprintf("http://p.test/wiki/page-%d.html", i)})
	}
	ctx := context.Background()
	p.Findings, _ = f.(orbweaver.Preparer).Prepare(ctx, p)
	b.ReportAllocs()
	for b.Loop() {
		j, _ := f.Judge(ctx, p)
		_, _ = f.Plan(ctx, p, j)
	}
}
