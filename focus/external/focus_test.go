package external

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"orbweaver"
)

// A sourceOf answers by the URL of a page, and counts the questions.
type sourceOf struct {
	answers map[string]Answer // by URL
	kept    map[string]Answer // by key
	asked   []string          // URLs
	err     error
}

func (s *sourceOf) Ask(_ context.Context, q *Question) (Answer, error) {
	if s.err != nil {
		return Answer{}, s.err
	}
	s.asked = append(s.asked, q.page.URL)
	if s.kept == nil {
		s.kept = map[string]Answer{}
	}
	s.kept[q.Key] = s.answers[q.page.URL]
	return s.answers[q.page.URL], nil
}

func (s *sourceOf) Recorded(key string) (Answer, bool, error) {
	a, ok := s.kept[key]
	return a, ok, nil
}

func focusOf(t *testing.T, s *sourceOf, change func(*Options)) *Focus {
	t.Helper()
	o := Options{Source: s, Links: true}
	if change != nil {
		change(&o)
	}
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// step prepares, judges, plans and learns a page, as the engine does.
func step(t *testing.T, f *Focus, p *orbweaver.Page) (j orbweaver.Judgement, plan []orbweaver.Proposal) {
	t.Helper()
	j, err := func() (j orbweaver.Judgement, err error) {
		if p.Findings, err = f.Prepare(t.Context(), p); err == nil {
			j, err = f.Judge(t.Context(), p)
		}
		if err == nil {
			plan, err = f.Plan(t.Context(), p, j)
		}
		if err == nil {
			_, err = f.Learn(t.Context(), orbweaver.Outcome{Page: p, Request: orbweaver.Request{URL: p.URL}, Actual: j})
		}
		return j, err
	}()
	if err != nil {
		t.Fatal(err)
	}
	return j, plan
}

func page(name string, links ...orbweaver.Link) *orbweaver.Page {
	return &orbweaver.Page{URL: "http://p.test/" + name, Title: name, Text: "About " + name + ".", Lang: "en", Links: links}
}

func link(name, anchor string) orbweaver.Link {
	return orbweaver.Link{To: "http://p.test/" + name, Anchor: anchor}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestJudgement: score, class and reasons are the judge's; the verdict is the judge's, the crawl file's or the threshold's.
func TestJudgement(t *testing.T) {
	yes, no, from := true, false, 0.7
	for _, tc := range []struct {
		name     string
		answer   Answer
		accept   *float64
		accepted bool
		rules    string
	}{
		{"calibrated", Answer{Score: 0.6}, nil, true, "judge threshold"}, // one half before any page
		{"below", Answer{Score: 0.4}, nil, false, "judge threshold"},
		{"by the file", Answer{Score: 0.6}, &from, false, "judge"},
		{"from it on", Answer{Score: 0.7}, &from, true, "judge"},
		{"by the judge", Answer{Score: 0.9, Accepted: &no}, nil, false, "judge"},
		{"over the file", Answer{Score: 0.1, Accepted: &yes}, &from, true, "judge"},
		{"reasons", Answer{Score: 0.6, Reasons: []orbweaver.Reason{{Rule: "judge:word", Evidence: "kite", Weight: 2}}}, nil, true, "judge:word threshold"},
		{"lack", Lacking("silent"), nil, false, "no-answer"},
		{"left alone", Answer{Lack: "resting", Unasked: true}, nil, false, "not-asked"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := focusOf(t, &sourceOf{answers: map[string]Answer{"http://p.test/a": tc.answer}}, func(o *Options) { o.Accept = tc.accept })
			j, _ := step(t, f, page("a"))
			var rules []string
			for _, r := range j.Reasons {
				rules = append(rules, r.Rule)
			}
			if j.Score != tc.answer.Score || j.Accepted != tc.accepted || strings.Join(rules, " ") != tc.rules {
				t.Errorf("%+v, want accepted %v by %s", j, tc.accepted, tc.rules)
			}
		})
	}
}

// TestLinks computes the scores of links by hand. One link's rank r gives its request r/2, two give (r+s)/3.
func TestLinks(t *testing.T) {
	s := &sourceOf{answers: map[string]Answer{
		"http://p.test/a": {Score: 0.8, Links: map[int]float64{0: 0.6}},
		"http://p.test/b": Lacking("silent"),
	}}
	f := focusOf(t, s, nil)
	_, first := step(t, f, page("a", link("x", ""), link("y", "why"), link("x", "the x"), link("a", "itself")))
	if len(first) != 2 || first[0].URL != "http://p.test/x" || !near(first[0].Score, 0.3) || !near(first[1].Score, 0.2) { // 0.6/2; 0.8·½/2
		t.Fatalf("%+v", first)
	}
	if r := first[0].Reasons; r[0].Rule != RuleLink || r[0].Evidence != "the x" || !near(r[0].Weight+r[1].Weight, 0.3) {
		t.Errorf("scored: %+v", r)
	}
	if r := first[1].Reasons; r[0].Rule != RulePage || r[0].Evidence != "http://p.test/a scores 0.8" || !near(r[0].Weight, 0.4) {
		t.Errorf("not scored: %+v", r)
	}
	_, second := step(t, f, page("b", link("x", "x")))
	if r := second[0].Reasons[0]; r.Rule != RuleNeutral || !near(r.Weight, 0.4) || !strings.Contains(r.Evidence, "the 1 pages before score 0.8") { // half of the mean, 0.8
		t.Errorf("after a page without an answer: %+v", r)
	}
	all := f.Merge(first[0].Note, second[0])
	if !near(all.Score, 1.0/3) || all.Follow { // (0.6+0.4)/3
		t.Errorf("merged: %+v", all)
	}
	if worth, ok := f.Worth(all.Note); !ok || worth != all.Score {
		t.Errorf("worth %v, %v", worth, ok)
	}
	waiting := first[0]
	waiting.Note = all.Note
	if j := f.Rerank(nil, waiting); !near(j.Score, 1.0/3) || !near(j.Reasons[0].Weight+j.Reasons[1].Weight, 1.0/3) {
		t.Errorf("reranked: %+v", j)
	}
	if m := f.Merge(nil, second[0]); m.Note != nil || m.Score != 0 {
		t.Errorf("a seed changed: %+v", m)
	}
}

// TestBudgets: a judge with a budget is asked in order, until the budget is spent, and a recorded answer counts.
func TestBudgets(t *testing.T) {
	for _, tc := range []struct {
		name   string
		budget Budget
		want   string // per page: a for an answer, n for not asked
	}{
		{"calls", Budget{Calls: 2}, "aann"},
		{"time", Budget{Time: 3 * time.Second}, "aann"}, // 2 s a page: spent after the second
		{"cost", Budget{Cost: 0.25}, "aaan"},            // 0.1 a page: spent after the third
		{"none", Budget{}, "aaaa"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &sourceOf{answers: map[string]Answer{}}
			got := ""
			f := focusOf(t, s, func(o *Options) { o.Budget = tc.budget })
			for _, name := range []string{"1", "2", "3", "4"} {
				s.answers["http://p.test/"+name] = Answer{Score: 0.5, Took: 2 * time.Second, Cost: 0.1}
				j, _ := step(t, f, page(name))
				switch lacks(j) {
				case "":
					got += "a"
				case RuleNotAsked:
					got += "n"
				default:
					got += "?"
				}
				var b bytes.Buffer
				next := focusOf(t, s, func(o *Options) { o.Budget = tc.budget }) // killed and gone on with
				if err := errors.Join(f.Snapshot(&b), next.Restore(&b)); err != nil {
					t.Fatal(err)
				}
				f = next
			}
			if got != tc.want || len(s.asked) != strings.Count(tc.want, "a") {
				t.Errorf("%s, asked about %v; want %s", got, s.asked, tc.want)
			}
		})
	}
}

// TestAheadAndInOrder: without a budget the judge is asked when pages are prepared, with one when they are judged.
func TestAheadAndInOrder(t *testing.T) {
	for budget, ahead := range map[Budget]int{{}: 1, {Calls: 5}: 0} {
		s := &sourceOf{answers: map[string]Answer{"http://p.test/a": {Score: 0.5}}}
		f := focusOf(t, s, func(o *Options) { o.Budget = budget })
		p := page("a")
		var err error
		if p.Findings, err = f.Prepare(t.Context(), p); err != nil || len(s.asked) != ahead {
			t.Errorf("budget %+v: asked %d times ahead, %v", budget, len(s.asked), err)
		}
		if j, err := f.Judge(t.Context(), p); err != nil || j.Score != 0.5 || len(s.asked) != 1 {
			t.Errorf("budget %+v: %+v, asked %d times, %v", budget, j, len(s.asked), err)
		}
	}
	s := &sourceOf{}
	p := page("map", link("x", ""))
	p.Request.Purpose = orbweaver.ForSitemap
	f := focusOf(t, s, nil)
	var err error
	if p.Findings, err = f.Prepare(t.Context(), p); err != nil || len(s.asked) > 0 {
		t.Errorf("asked about a sitemap: %v, %v", s.asked, err)
	}
	if plan, err := f.Plan(t.Context(), p, orbweaver.Judgement{}); err != nil || len(plan) != 1 || plan[0].Reasons[0].Rule != RuleNeutral {
		t.Errorf("links of a sitemap: %+v, %v", plan, err)
	}
}

// TestJudgeIf: a focus that asks when told leaves pages out about which it is not told to ask.
func TestJudgeIf(t *testing.T) {
	s := &sourceOf{answers: map[string]Answer{"http://p.test/a": {Score: 0.9}, "http://p.test/b": {Score: 0.8}}}
	f := focusOf(t, s, nil)
	f.AskWhenTold()
	for _, tc := range []struct {
		page string
		ask  bool
		want string
	}{{"a", false, RuleNotAsked}, {"b", true, ""}} {
		p := page(tc.page, link("x", ""))
		p.Findings, _ = f.Prepare(t.Context(), p)
		j, err := f.JudgeIf(t.Context(), p, tc.ask)
		if err != nil || lacks(j) != tc.want || j.Accepted == (tc.want != "") {
			t.Errorf("%s: %+v, %v", tc.page, j, err)
		}
		plan, err := f.Plan(t.Context(), p, j)
		if err != nil || len(plan) != 1 || plan[0].Reasons[0].Rule != map[bool]string{true: RulePage, false: RuleNeutral}[tc.ask] {
			t.Errorf("%s: %+v, %v", tc.page, plan, err)
		}
	}
	if strings.Join(s.asked, " ") != "http://p.test/b" {
		t.Errorf("asked about %v", s.asked)
	}
}

// TestABrokenRecordEndsTheCrawl: an error of the records is an error of Judge, which ends the crawl, and not of a page.
func TestABrokenRecordEndsTheCrawl(t *testing.T) {
	f := focusOf(t, &sourceOf{err: orbweaver.ErrDamaged}, nil)
	p := page("a")
	var err error
	if p.Findings, err = f.Prepare(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Judge(t.Context(), p); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("%v", err)
	}
}

// TestAFailingJudgeIsLeftAlone counts, in order: three failures, then 16 pages of rest, one more try, then 32.
func TestAFailingJudgeIsLeftAlone(t *testing.T) {
	s := &sourceOf{answers: map[string]Answer{"http://p.test/x": {Lack: "dead", Down: true}}}
	f := focusOf(t, s, func(o *Options) { o.Budget = Budget{Calls: 1000} })
	for range 3 + 16 + 1 + 32 + 1 {
		p := page("x")
		step(t, f, p)
		var b bytes.Buffer
		if err := errors.Join(f.Snapshot(&b), f.Restore(&b)); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Tally(); len(s.asked) != 5 || got.Without != 5 || got.NotAsked != 48 || got.Alone != 48 || got.First != "dead" {
		t.Errorf("asked %d times: %+v", len(s.asked), got)
	}
	s.answers["http://p.test/x"] = Answer{Score: 1}
	for range 64 + 1 + 3 {
		step(t, f, page("x"))
	}
	if got := f.Tally(); got.Answered != 4 || f.state.breaker != (Breaker{}) {
		t.Errorf("after it came back: %+v, %+v", got, f.state.breaker)
	}
	var b Breaker
	for range 100 {
		b.Failed()
	}
	if b.Rest != longestRest {
		t.Errorf("rests for %d pages", b.Rest)
	}
}

func TestRestoreRefuses(t *testing.T) {
	f := focusOf(t, &sourceOf{answers: map[string]Answer{"http://p.test/a": {Score: 0.5}}}, nil)
	step(t, f, page("a"))
	var b bytes.Buffer
	if err := f.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	good := b.String()
	for _, bad := range []string{
		"", "{}", strings.Replace(good, `"version":1`, `"version":2`, 1), strings.Replace(good, `"answered":1`, `"answered":-1`, 1),
		strings.Replace(good, `"sum":0.5`, `"sum":1.5`, 1), strings.Replace(good, `"rest":0`, `"rest":5000`, 1), strings.Replace(good, `"accept":"`, `"accept":"AAA`, 1),
	} {
		if err := f.Restore(strings.NewReader(bad)); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if f.Tally().Answered != 1 {
		t.Error("a bad snapshot changed the focus")
	}
}

func TestNewRefuses(t *testing.T) {
	high := 1.5
	for _, o := range []Options{{}, {Source: &sourceOf{}, Accept: &high}, {Source: &sourceOf{}, Budget: Budget{Calls: -1}}, {Source: &sourceOf{}, Budget: Budget{Cost: math.NaN()}}} {
		if _, err := New(o); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
