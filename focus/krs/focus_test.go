package krs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/step"
	kb "orbweaver/kb/krs"
)

// words annotates a page with the words of its text, except particles: each is a noun, linked if it is
// capitalized.
type words struct{ fail error }

func (w words) Annotate(_ context.Context, p *orbweaver.Page) (d kb.Document, err error) {
	d.ID, d.Title = p.URL, p.Title
	for word := range strings.FieldsSeq(p.Text) {
		n := kb.Noun{Lemma: strings.ToLower(word), Tag: "NN", Words: word}
		if n.Lemma != word {
			n.IRI = "http://kb.test/" + word
		}
		d.Nouns = append(d.Nouns, n)
	}
	return d, w.fail
}

// schema returns the KRS of texts and of background texts.
func schema(tb testing.TB, corpus, background []string) *kb.Snapshot {
	tb.Helper()
	store, err := krsdb.Open(filepath.Join(tb.TempDir(), "x.krs"), "topic")
	if err != nil {
		tb.Fatal(err)
	}
	defer store.Close()
	for i, text := range append(slices.Clone(corpus), background...) {
		add := store.Add
		if i >= len(corpus) {
			add = store.AddBackground
		}
		d, _ := words{}.Annotate(tb.Context(), &orbweaver.Page{URL: fmt.Sprintf("http://d.test/%d", i), Text: text})
		if err := add(d); err != nil {
			tb.Fatal(err)
		}
	}
	s, err := store.Snapshot(kb.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// topical are texts about insulin; everyday are about other subjects.
var (
	topical = []string{
		"Insulin Glucose Diabetes day", "Insulin Glucose Pancreas day", "Diabetes Insulin Diet year", "Diabetes Glucose Pancreas year",
		"Insulin Diabetes Diet day", "Pancreas Insulin Glucose hour", "Diet Diabetes Insulin hour", "Glucose Insulin Diabetes Pancreas",
	}
	everyday = []string{
		"Football day year", "River Bridge day", "Diet year hour", "Music Football hour", "Bridge year day", "River Music day",
		"Football River year", "Music hour day",
	}
)

func focus(tb testing.TB, opts Options) *Focus {
	tb.Helper()
	if opts.Annotator == nil {
		opts.Annotator = words{}
	}
	f, err := New(opts)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func page(text string) *orbweaver.Page {
	return &orbweaver.Page{URL: "http://p.test/", Text: text, Lang: "en"}
}

func judge(tb testing.TB, f *Focus, p *orbweaver.Page) orbweaver.Judgement {
	tb.Helper()
	j, err := f.Judge(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	if !(j.Score >= 0 && j.Score <= 1) || len(j.Reasons) == 0 {
		tb.Fatalf("%+v", j)
	}
	return j
}

func TestJudge(t *testing.T) {
	s := schema(t, topical, everyday)
	for _, tc := range []struct {
		name, text string
		rule       Rule
		accepted   bool
		reasons    string // rules and what evidence begins with
	}{
		{"of the topic", "Insulin Glucose Glucose Diabetes day", Calibrated, true, "likeness; noun Glucose ×2 (glucose) <http://kb.test/Glucose>; noun Insulin; noun Diabetes; other-noun day"},
		{"of something else", "River Football day", Calibrated, false, "likeness; other-noun Football; other-noun River; other-noun day"},
		{"of neither", "nothing whatever", Calibrated, false, "likeness"},
		{"without a noun", "", Calibrated, false, "no-noun"},
		{"within the range", "Insulin Glucose Football", Paper, true, "mu μ 0.44 of 2 linked nouns; noun Glucose; noun Insulin"},
		{"beyond the range", "Diet diabetes", Paper, false, "mu; noun Diet"},
		{"without a linked noun", "insulin day", Paper, false, "no-noun 2 nouns, 0 linked"},
		{"without a noun", "", Paper, false, "no-noun"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := focus(t, Options{Snapshot: s, Rule: tc.rule})
			j := judge(t, f, page(tc.text))
			if at := len(j.Reasons) - 1; j.Reasons[at].Rule == orbweaver.RuleThreshold {
				if tc.rule != Calibrated || step.Threshold(j) != 0.5 || j.Reasons[at].Evidence != "accepted from 0.500 on, likeness 0.487: seven of ten documents of the corpus are as like it" {
					t.Errorf("threshold: %+v", j.Reasons[at])
				}
				j.Reasons = j.Reasons[:at]
			}
			want := strings.Split(tc.reasons, "; ")
			fits := len(want) == len(j.Reasons)
			for i := range want {
				rule, evidence, _ := strings.Cut(want[i], " ")
				fits = fits && j.Reasons[i].Rule == rule && strings.HasPrefix(j.Reasons[i].Evidence, evidence)
			}
			if j.Accepted != tc.accepted || j.Accepted != (j.Score >= 0.5) || !fits {
				t.Errorf("accepted %v, score %v: %+v", j.Accepted, j.Score, j.Reasons)
			}
			sum := 0.0
			for _, r := range j.Reasons[1:] {
				sum += r.Weight
			}
			if math.Abs(sum-j.Reasons[0].Weight) > 1e-12 {
				t.Errorf("the nouns add up to %v, not %v", sum, j.Reasons[0].Weight)
			}
		})
	}
}

func TestLanguage(t *testing.T) {
	s := schema(t, topical, nil)
	f := focus(t, Options{Snapshot: s, Lang: "en-GB", Annotator: words{errors.New("asked")}})
	p := page("Insulin Glucose")
	p.Lang = "de"
	if j := judge(t, f, p); j.Accepted || j.Reasons[0].Rule != RuleLanguage {
		t.Errorf("in German: %+v", j)
	}
	if _, err := f.Prepare(t.Context(), page("Insulin")); err == nil {
		t.Error("an annotator's error is lost")
	}
}

func TestScore(t *testing.T) {
	for _, tc := range []struct{ likeness, least, want float64 }{
		{0, 0.4, 0}, {-0.3, 0.4, 0}, {0.1, 0.3, 0.25}, {0.4, 0.4, 0.5}, {0.6, 0.3, 2. / 3}, {0, 0, 0}, {0.5, 0, 1}, {1, 1, 0.5},
	} {
		if got := scoreOf(tc.likeness, tc.least); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%v of %v: %v, want %v", tc.likeness, tc.least, got, tc.want)
		}
	}
}

func TestOptions(t *testing.T) {
	s, none := schema(t, topical, nil), 0.0
	for name, opts := range map[string]Options{
		"nothing":        {},
		"no annotator":   {Snapshot: s},
		"no likeness":    {Snapshot: s, Annotator: words{}, Likeness: &none},
		"no such rule":   {Snapshot: s, Annotator: words{}, Rule: 7},
		"nothing linked": {Snapshot: schema(t, []string{"a b", "b c"}, nil), Annotator: words{}, Rule: Paper},
	} {
		if _, err := New(opts); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r, ok := ParseRule("paper"); r != Paper || !ok {
		t.Error("paper is a rule")
	}
}

// planned returns the proposals of an accepted page about the topic.
func planned(tb testing.TB, f *Focus, score float64, accepted bool, links ...orbweaver.Link) []orbweaver.Proposal {
	tb.Helper()
	p := page("Insulin")
	p.Links = links
	plan, err := f.Plan(tb.Context(), p, orbweaver.Judgement{Score: score, Accepted: accepted})
	if err != nil {
		tb.Fatal(err)
	}
	for _, q := range plan {
		sum := 0.0
		for _, r := range q.Reasons {
			sum += r.Weight
		}
		if math.Abs(sum-q.Score) > 1e-12 || q.Score < 0 || q.Score > 1 {
			tb.Fatalf("score %v, reasons %+v", q.Score, q.Reasons)
		}
	}
	return plan
}

func TestPlan(t *testing.T) {
	s := schema(t, topical, everyday)
	f := focus(t, Options{Snapshot: s})
	to := func(name, anchor, context string) orbweaver.Link {
		return orbweaver.Link{To: "http://p.test/" + name, Anchor: anchor, Context: context}
	}
	for _, tc := range []struct {
		name      string
		low, high orbweaver.Link
	}{
		{"an anchor of the topic", to("1", "football", ""), to("2", "insulin", "")},
		{"a context of the topic", to("1", "here", "music"), to("2", "here", "glucose and diabetes")},
		{"a URL of the topic", to("1", "", ""), to("Insulin_glucose.html", "", "")},
		{"an anchor more than a context", to("1", "", "insulin"), to("2", "insulin", "")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			plan := planned(t, f, 0.8, true, tc.low, tc.high)
			if len(plan) != 2 || plan[0].Score >= plan[1].Score {
				t.Errorf("%+v", plan)
			}
		})
	}
	plan := planned(t, f, 0.8, true, to("1", "here", ""), to("1", "insulin", ""), orbweaver.Link{To: "http://p.test/2", Rel: "nofollow"}, orbweaver.Link{To: "http://p.test/"})
	if len(plan) != 1 || plan[0].Via.Anchor != "insulin" {
		t.Errorf("%+v", plan)
	}
	paper := focus(t, Options{Snapshot: s, Rule: Paper})
	if plan := planned(t, paper, 0.8, false, to("1", "insulin", "")); plan != nil {
		t.Errorf("links of a rejected page: %+v", plan)
	}
	if plan := planned(t, paper, 0.8, true, to("1", "insulin", "")); len(plan) != 1 || plan[0].Score != 0.5 || plan[0].Reasons[0].Rule != RuleDepth {
		t.Errorf("links of an accepted page: %+v", plan)
	}
}

func TestMerge(t *testing.T) {
	f := focus(t, Options{Snapshot: schema(t, topical, everyday)})
	link := func(anchor string) orbweaver.Link { return orbweaver.Link{To: "http://p.test/x", Anchor: anchor} }
	waiting := planned(t, f, 0.2, false, link("here"))[0]
	again := planned(t, f, 0.9, true, link("insulin"))[0]
	m := f.Merge(waiting.Note, again)
	waiting = step.Merge(m, waiting, again)
	if !m.Follow || waiting.Via.Anchor != "insulin" {
		t.Fatalf("%+v", m)
	}
	waiting.Judgement = f.Rerank(nil, waiting)
	sum := 0.0
	for _, r := range waiting.Reasons {
		sum += r.Weight
	}
	worth, ok := f.Worth(waiting.Note)
	if !ok || worth != waiting.Score || math.Abs(sum-worth) > 1e-12 || waiting.Reasons[len(waiting.Reasons)-1].Evidence != "2 pages link here" {
		t.Errorf("worth %v, %+v", worth, waiting.Judgement)
	}
	if m := f.Merge(nil, again); m.Note != nil {
		t.Error("a seed changed")
	}
}

// A web of pages: pages on the topic link to each other and outwards, others to any page.
func web(seed uint64, size int) (pages []*orbweaver.Page, relevant map[string]bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	relevant = map[string]bool{}
	some := func(of []string, n int) (s []string) {
		for range n {
			s = append(s, of[r.IntN(len(of))])
		}
		return s
	}
	own, common := strings.Fields("Insulin Glucose Diabetes Pancreas Diet"), strings.Fields("Football River Bridge Music day year hour Stone Paper")
	for i := range size {
		p := &orbweaver.Page{URL: fmt.Sprintf("http://w.test/%d", i), Lang: "en"}
		nouns := some(common, 12)
		if i%10 == 1 {
			relevant[p.URL] = true
			nouns = append(some(own, 8), some(common, 4)...)
		}
		p.Text = strings.Join(nouns, " ")
		for range 8 {
			to := r.IntN(size)
			if i%10 == 1 && r.IntN(2) == 0 || r.IntN(30) == 0 {
				to = to/10*10 + 1
			}
			anchor := some(common, 1)[0]
			if to%10 == 1 && r.IntN(2) == 0 {
				anchor = some(own, 1)[0]
			}
			p.Links = append(p.Links, orbweaver.Link{To: fmt.Sprintf("http://w.test/%d", min(to, size-1)), Anchor: anchor})
		}
		pages = append(pages, p)
	}
	return pages, relevant
}

// crawled returns the number of relevant pages that a focus finds in a number of requests, and its
// judgements.
func crawled(tb testing.TB, f *Focus, seed uint64, requests int) (found int, judgements []orbweaver.Judgement) {
	tb.Helper()
	pages, relevant := web(seed, 600)
	waiting := []orbweaver.Proposal{{Request: orbweaver.Request{URL: pages[0].URL}}, {Request: orbweaver.Request{URL: pages[1].URL}}}
	known := map[string]bool{pages[0].URL: true, pages[1].URL: true}
	for n := 0; n < requests && len(waiting) > 0; n++ {
		best := 0
		for i := range waiting {
			if waiting[i].Score > waiting[best].Score {
				best = i
			}
		}
		var at int
		fmt.Sscanf(waiting[best].URL, "http://w.test/%d", &at)
		p := *pages[at]
		p.Request = waiting[best].Request
		waiting = slices.Delete(waiting, best, best+1)
		j := judge(tb, f, &p)
		plan, err := f.Plan(tb.Context(), &p, j)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := f.Learn(tb.Context(), orbweaver.Outcome{Page: &p, Actual: j}); err != nil {
			tb.Fatal(err)
		}
		judgements = append(judgements, j)
		if relevant[p.URL] {
			found++
		}
		for _, q := range plan {
			q.Depth = p.Request.Depth + 1
			if at := slices.IndexFunc(waiting, func(w orbweaver.Proposal) bool { return w.URL == q.URL }); at >= 0 {
				waiting[at] = step.Merge(f.Merge(waiting[at].Note, q), waiting[at], q)
			} else if !known[q.URL] {
				known[q.URL] = true
				waiting = append(waiting, q)
			}
		}
	}
	return found, judgements
}

// TestCrawl: on a web of which a tenth is relevant, the focus finds most of it in a fifth of the requests,
// with a background or by its own rejections, where chance would find 12.
func TestCrawl(t *testing.T) {
	common := []string{"Football River year hour", "Stone Paper Music day", "River Bridge Stone hour", "Paper day Football year", "Music year Stone Bridge"}
	for _, tc := range []struct {
		name  string
		opts  Options
		least int
	}{
		{"background", Options{Snapshot: schema(t, topical, common)}, 45},
		{"learned background", Options{Snapshot: schema(t, topical, nil)}, 40},
		{"learned topic", Options{Snapshot: schema(t, topical, common), Learn: true}, 45},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, judgements := crawled(t, focus(t, tc.opts), 1, 120)
			if found < tc.least {
				t.Errorf("%d of 60 found", found)
			}
			again, same := crawled(t, focus(t, tc.opts), 1, 120)
			if again != found || fmt.Sprint(judgements) != fmt.Sprint(same) {
				t.Error("the same crawl went another way")
			}
		})
	}
}

// TestRestore: a restored focus that learns the remaining pages equals the original.
func TestRestore(t *testing.T) {
	s := schema(t, topical, nil)
	opts := Options{Snapshot: s, Learn: true}
	pages, _ := web(2, 200)
	whole := focus(t, opts)
	var at bytes.Buffer
	teach := func(f *Focus, p *orbweaver.Page) orbweaver.Judgement {
		j := judge(t, f, p)
		if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: j}); err != nil {
			t.Fatal(err)
		}
		return j
	}
	const cut = 100
	var want []orbweaver.Judgement
	for i, p := range pages {
		if i == cut {
			if err := whole.Snapshot(&at); err != nil {
				t.Fatal(err)
			}
		}
		want = append(want, teach(whole, p))
	}
	if whole.learned.inUse == [2]int{} {
		t.Fatal("nothing was learned")
	}
	half := focus(t, opts)
	if err := half.Restore(bytes.NewReader(at.Bytes())); err != nil {
		t.Fatal(err)
	}
	for i, p := range pages[cut:] {
		if got := teach(half, p); fmt.Sprint(got) != fmt.Sprint(want[cut+i]) {
			t.Fatalf("page %d: %+v, want %+v", cut+i, got, want[cut+i])
		}
	}
	var a, b bytes.Buffer
	if err := errors.Join(whole.Snapshot(&a), half.Snapshot(&b)); err != nil || a.String() != b.String() {
		t.Errorf("snapshots differ, %v", err)
	}
	for name, tc := range map[string]struct {
		bytes string
		want  error
	}{
		"nothing":     {"", orbweaver.ErrDamaged},
		"another KRS": {`{"version":1,"krs":"x"}`, orbweaver.ErrForeign},
		"version":     {`{"version":9}`, orbweaver.ErrDamaged},
		"a noun":      {`{"version":1,"krs":"` + s.Digest() + `","accepted":[[3,1]]}`, orbweaver.ErrDamaged},
		"in use":      {`{"version":1,"krs":"` + s.Digest() + `","in_use":[0,4]}`, orbweaver.ErrDamaged},
		"pages met":   {`{"version":1,"krs":"` + s.Digest() + `","met":"/w=="}`, orbweaver.ErrDamaged},
		"threshold":   {`{"version":1,"krs":"` + s.Digest() + `","edge":{"likeness":0.1,"pages":4}}`, orbweaver.ErrDamaged},
	} {
		if err := half.Restore(strings.NewReader(tc.bytes)); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var c bytes.Buffer
	if err := half.Snapshot(&c); err != nil || c.String() != a.String() {
		t.Error("a bad snapshot left something")
	}
}

// TestThresholdMoves: with a background the pages met move the threshold, the score of a page stays, and a restored focus goes on
// from there; not where the user sets the likeness.
func TestThresholdMoves(t *testing.T) {
	s := schema(t, topical, everyday)
	f := focus(t, Options{Snapshot: s})
	of := page("Insulin Glucose Diabetes River")
	first := judge(t, f, of)
	if first.Reasons[len(first.Reasons)-1].Rule != orbweaver.RuleThreshold || f.Least() != s.Calibration().Threshold {
		t.Fatalf("at first: %+v, likeness %v", first, f.Least())
	}
	pages, relevant := web(3, 300)
	for _, p := range pages {
		if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: judge(t, f, p)}); err != nil {
			t.Fatal(err)
		}
	}
	right, accepted := 0, 0
	for _, p := range pages {
		if j := judge(t, f, p); j.Accepted {
			if accepted++; relevant[p.URL] {
				right++
			}
		}
	}
	if len(relevant) != 30 || right < 27 || accepted > right+3 {
		t.Errorf("accepted %d, right %d of %d", accepted, right, len(relevant))
	}
	then := judge(t, f, of)
	if then.Score != first.Score || f.Least() == s.Calibration().Threshold || step.Threshold(then) == 0.5 {
		t.Errorf("after 300 pages: %+v, likeness %v", then, f.Least())
	}
	var kept bytes.Buffer
	again := focus(t, Options{Snapshot: s})
	if err := errors.Join(f.Snapshot(&kept), again.Restore(&kept)); err != nil || again.Least() != f.Least() {
		t.Errorf("restored: %v, %v, want %v", again.Least(), err, f.Least())
	}
	if err := again.Restore(strings.NewReader(`{"version":1,"krs":"` + s.Digest() + `","in_use":[0,0]}`)); err != nil || again.Least() != s.Calibration().Threshold {
		t.Errorf("restored from an older crawl: %v, %v", again.Least(), err)
	}
	least := 0.3
	fixed := focus(t, Options{Snapshot: s, Likeness: &least})
	if _, err := fixed.Learn(t.Context(), orbweaver.Outcome{Page: of, Actual: judge(t, fixed, of)}); err != nil || fixed.Least() != least || step.Threshold(judge(t, fixed, of)) != 0 {
		t.Errorf("a likeness of the user's: %v, %v", fixed.Least(), err)
	}
}

// BenchmarkJudge judges prepared pages of 300 nouns.
func BenchmarkJudge(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	text := func() string {
		var nouns []string
		for range 300 {
			nouns = append(nouns, fmt.Sprintf("Noun%d", r.IntN(1+r.IntN(5000))))
		}
		return strings.Join(nouns, " ")
	}
	var corpus, background []string
	for range 100 {
		corpus, background = append(corpus, text()), append(background, text())
	}
	f := focus(b, Options{Snapshot: schema(b, corpus, background)})
	p := page(text())
	var err error
	if p.Findings, err = f.Prepare(b.Context(), p); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Judge(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
