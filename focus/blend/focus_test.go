package blend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// A toy accepts pages that have its word, and ranks links whose anchors have it. It counts the pages it learned.
type toy struct {
	word    string
	learned int
}

func (f *toy) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	if strings.Contains(p.Text, "crash "+f.word) {
		return orbweaver.Judgement{}, errors.New("crashed")
	}
	j := orbweaver.Judgement{Class: f.word, Score: 0.1}
	if found, ok := p.Findings.(string); !ok || found != f.word {
		return j, fmt.Errorf("findings %v are not those of %s", p.Findings, f.word)
	}
	if j.Accepted = strings.Contains(p.Text, f.word); j.Accepted {
		j.Score = 0.9
	}
	j.Reasons = []orbweaver.Reason{{Rule: "word", Evidence: f.word, Weight: j.Score}}
	return j, nil
}

func (f *toy) Prepare(context.Context, *orbweaver.Page) (any, error) { return f.word, nil }

func (f *toy) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) (plan []orbweaver.Proposal, err error) {
	for i := range p.Links {
		l := &p.Links[i]
		q := orbweaver.Proposal{Request: orbweaver.Request{URL: l.To, Via: l, Note: []byte(f.word)}, Keys: []string{"k"}}
		q.Score, q.Class, q.Drop = 0.2, "link", strings.Contains(l.Anchor, "never")
		if strings.Contains(l.Anchor, f.word) {
			q.Score = 0.8
		}
		q.Reasons = []orbweaver.Reason{{Rule: "anchor", Evidence: f.word, Weight: q.Score}}
		plan = append(plan, q)
	}
	return plan, nil
}

func (f *toy) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Request.Via != nil && string(o.Request.Note) != f.word {
		return orbweaver.Lesson{}, fmt.Errorf("note %q is not that of %s", o.Request.Note, f.word)
	}
	if o.Page != nil && o.Actual.Accepted != strings.Contains(o.Page.Text, f.word) {
		return orbweaver.Lesson{}, fmt.Errorf("%s learns another's judgement: %+v", f.word, o.Actual)
	}
	f.learned++
	return orbweaver.Lesson{Stale: []string{"k"}}, nil
}

func (f *toy) Snapshot(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s %d", f.word, f.learned)
	return err
}

func (f *toy) Restore(r io.Reader) error {
	var word string
	if _, err := fmt.Fscanf(r, "%s %d", &word, &f.learned); err != nil || word != f.word {
		return fmt.Errorf("%s: %w", word, orbweaver.ErrDamaged)
	}
	return nil
}

func joined(t *testing.T, combine string, words ...string) *Focus {
	t.Helper()
	opts := Options{Combine: combine}
	for _, w := range words {
		opts.Parts = append(opts.Parts, Part{Name: w, Weight: 1, Focus: &toy{word: w}})
	}
	f, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return f.(*Focus)
}

func read(t *testing.T, f *Focus, text string, links ...orbweaver.Link) *orbweaver.Page {
	t.Helper()
	p := &orbweaver.Page{URL: "http://p.test/", Text: text, Links: links}
	var err error
	if p.Findings, err = f.Prepare(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestJudge(t *testing.T) {
	f := joined(t, "a and not b", "a", "b")
	for _, tc := range []struct {
		text     string
		accepted bool
	}{{"a", true}, {"b", false}, {"a b", false}, {"", false}} {
		j, err := f.Judge(t.Context(), read(t, f, tc.text))
		if err != nil || j.Accepted != tc.accepted || (j.Score >= 0.5) != tc.accepted || j.Class != "a:a b:b" {
			t.Errorf("%q: %+v, %v", tc.text, j, err)
		}
		var rules []string
		sum := 0.0
		for _, r := range j.Reasons {
			if rules = append(rules, r.Rule); r.Rule == orbweaver.RulePart {
				sum += r.Weight
			}
		}
		if !slices.Equal(rules, []string{"part", "part", "a/word", "b/word"}) || math.Abs(sum-j.Score) > 1e-9 {
			t.Errorf("%q: %+v", tc.text, j.Reasons)
		}
	}
	if _, err := f.Judge(t.Context(), read(t, f, "crash b")); err == nil || !strings.Contains(err.Error(), "part b: crashed") {
		t.Errorf("a part that fails: %v", err)
	}
}

func TestPlan(t *testing.T) {
	f := joined(t, "all", "a", "b")
	p := read(t, f, "a", orbweaver.Link{To: "http://p.test/x", Anchor: "a b"}, orbweaver.Link{To: "http://p.test/y", Anchor: "a"},
		orbweaver.Link{To: "http://p.test/z", Anchor: "never"})
	plan, err := f.Plan(t.Context(), p, orbweaver.Judgement{})
	if err != nil || len(plan) != 3 {
		t.Fatal(plan, err)
	}
	// 0.8 · 0.8 and 0.8 · 0.2; what both drop is dropped
	if math.Abs(plan[0].Score-0.64) > 1e-9 || math.Abs(plan[1].Score-0.16) > 1e-9 || plan[0].Drop || !plan[2].Drop {
		t.Errorf("%+v", plan)
	}
	if !slices.Equal(plan[0].Keys, []string{"a/k", "b/k"}) || plan[0].Class != "a:link b:link" {
		t.Errorf("%+v", plan[0])
	}
	merged := f.Merge(plan[1].Note, plan[0])
	if worth, ok := f.Worth(merged.Note); !ok || !merged.Follow || math.Abs(merged.Score-0.64) > 1e-9 || worth != merged.Score {
		t.Errorf("%+v is worth %v", merged, worth)
	}
	if again := f.Merge(plan[0].Note, plan[1]); again.Follow || again.Score != merged.Score {
		t.Errorf("the other way round %+v", again)
	}
	j := f.Rerank(nil, plan[0])
	if j.Score != plan[0].Score || j.Reasons[0].Evidence != "a: worth 0.8, chance 0.7999, score 0.8" || j.Reasons[2].Rule != "a/anchor" {
		t.Errorf("%+v", j)
	}
}

// TestLearn: each part learns with its own note and judgement; what was learned survives in a snapshot, and a link is worth
// what such links led to.
func TestLearn(t *testing.T) {
	f := joined(t, "all", "a", "b")
	first := read(t, f, "a b", orbweaver.Link{To: "http://p.test/x", Anchor: "a b"}, orbweaver.Link{To: "http://p.test/y", Anchor: "a"})
	plan, err := f.Plan(t.Context(), first, orbweaver.Judgement{})
	if err != nil {
		t.Fatal(err)
	}
	stale := map[string]int{}
	for range 100 {
		for i, text := range []string{"a", "b"} { // links of both words lead to a alone, those of one to b
			p := read(t, f, text)
			p.Request = plan[i].Request
			j, err := f.Judge(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			lesson, err := f.Learn(t.Context(), orbweaver.Outcome{Request: p.Request, Page: p, Predicted: plan[i].Judgement, Actual: j})
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range lesson.Stale {
				stale[key]++
			}
		}
	}
	if stale["a/k"] != 200 || stale["b/k"] != 200 || stale["*"] < 3 || stale["*"] > 10 {
		t.Errorf("stale: %v", stale)
	}
	j := f.Rerank(nil, plan[0])
	if j.Score > 0.45 || j.Score < 0.1 {
		t.Errorf("a link of both words, none of which led to b, is worth %v", j.Score)
	}
	var b, again bytes.Buffer
	restored := joined(t, "all", "a", "b")
	if err := errors.Join(f.Snapshot(&b), restored.Restore(bytes.NewReader(b.Bytes())), restored.Snapshot(&again)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) || restored.Rerank(nil, plan[0]).Score != j.Score {
		t.Error("restored, it differs")
	}
	if err := joined(t, "all", "a", "c").Restore(bytes.NewReader(b.Bytes())); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("of other parts: %v", err)
	}
	for _, cut := range []int{0, 1, 9, b.Len() - 1} {
		if err := restored.Restore(bytes.NewReader(b.Bytes()[:cut])); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%d of %d bytes: %v", cut, b.Len(), err)
		}
	}
}

// inRounds works in rounds.
type inRounds struct{ toy }

func (f *inRounds) RoundSize() int { return 7 }

func (f *inRounds) EndRound(context.Context, orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	return []orbweaver.Proposal{{Request: orbweaver.Request{URL: "http://p.test/r"}, Judgement: orbweaver.Judgement{Score: 0.5}}},
		orbweaver.Lesson{Stale: []string{"k", "*"}}, nil
}

// noting notes its rounds.
type noting struct {
	inRounds
	replayed string
}

func (f *noting) RoundNote() []byte { return []byte("note") }

func (f *noting) ReplayRound(n int, note []byte) error {
	f.replayed += fmt.Sprint(n, string(note))
	return nil
}

// TestRoundsReplayed: a blend replays rounds if the part that works in them does.
func TestRoundsReplayed(t *testing.T) {
	part := &noting{inRounds: inRounds{toy{word: "r"}}}
	for _, rounds := range []orbweaver.Focus{part, &part.inRounds} {
		f, err := New(Options{Combine: Any, Parts: []Part{{Name: "a", Weight: 1, Focus: &toy{word: "a"}}, {Name: "r", Weight: 1, Focus: rounds}}})
		if err != nil {
			t.Fatal(err)
		}
		again, ok := f.(replayer)
		if _, is := f.(orbweaver.Rounder); !is || ok != (rounds == orbweaver.Focus(part)) {
			t.Errorf("%T of %T", f, rounds)
		}
		if ok && (string(again.RoundNote()) != "note" || again.ReplayRound(3, []byte("x")) != nil || part.replayed != "3x") {
			t.Errorf("replayed %q", part.replayed)
		}
	}
}

func TestRounds(t *testing.T) {
	one := Part{Name: "r", Weight: 1, Focus: &inRounds{toy{word: "r"}}}
	f, err := New(Options{Combine: Any, Parts: []Part{{Name: "a", Weight: 1, Focus: &toy{word: "a"}}, one}})
	if err != nil {
		t.Fatal(err)
	}
	r, ok := f.(orbweaver.Rounder)
	if !ok || r.RoundSize() != 7 {
		t.Fatalf("%T is no Rounder of 7", f)
	}
	plan, lesson, err := r.EndRound(t.Context(), orbweaver.Round{N: 1})
	if err != nil || len(plan) != 1 || !slices.Equal(lesson.Stale, []string{"*", "r/k"}) {
		t.Errorf("%+v, %v, %v", plan, lesson.Stale, err)
	}
	other := one
	other.Name = "s"
	if _, err := New(Options{Combine: Any, Parts: []Part{one, other}}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "r and s both work in rounds") {
		t.Errorf("two that work in rounds: %v", err)
	}
	if _, ok := orbweaver.Focus(joined(t, "all", "a", "b")).(orbweaver.Rounder); ok {
		t.Error("a blend without rounds is a Rounder")
	}
}
