package keyword

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

func focus(tb testing.TB, terms ...string) *Focus {
	tb.Helper()
	f, err := New(terms, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func page(title, text string, links ...orbweaver.Link) *orbweaver.Page {
	return &orbweaver.Page{URL: "http://p.test/", Title: title, Text: text, Lang: "en", Links: links}
}

// judged returns a focus's judgement of a page without the reason of the threshold, which is the last.
func judged(tb testing.TB, f *Focus, p *orbweaver.Page) orbweaver.Judgement {
	tb.Helper()
	j, err := f.Judge(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	if j.Score == 0 {
		return j
	}
	last := len(j.Reasons) - 1
	if last < 0 || j.Reasons[last].Rule != orbweaver.RuleThreshold {
		tb.Fatalf("no threshold among %v", j.Reasons)
	}
	j.Reasons = j.Reasons[:last]
	return j
}

func planned(tb testing.TB, f *Focus, p *orbweaver.Page) []orbweaver.Proposal {
	tb.Helper()
	plan, err := f.Plan(tb.Context(), p, judged(tb, f, p))
	if err != nil {
		tb.Fatal(err)
	}
	return plan
}

func sum(reasons []orbweaver.Reason) (weight float64) {
	for _, r := range reasons {
		weight += r.Weight
	}
	return weight
}

// filler returns a number of words that name nothing.
func filler(words int) string { return strings.Repeat(" word", words) }

// TestScore checks r/(r+½) against numbers computed by hand: r is 1 for an occurrence on a page of 200 words.
func TestScore(t *testing.T) {
	for _, tc := range []struct {
		name, title, text string
		score             float64
		accepted          bool
	}{
		{"nothing named", "Title", "text", 0, false},
		{"once in 200 words", "", "glider" + filler(199), 2. / 3, true},
		{"once in 1 400 words", "", "glider" + filler(1399), 1. / 3, false},
		{"twice in 200 words", "", "gliders. Glider" + filler(198), 0.8, true},
		{"in 600 words as once in 200", "", "gliders. Glider" + filler(598), 2. / 3, true},
		{"in the title alone", "Gliders", filler(199), 8. / 9, true},
		{"often in the title is no more", "Glider, gliders", filler(198), 8. / 9, true},
		{"in a heading as twice in the text", "", "The glider\n\n" + filler(198), 0.8, true},
		{"a short sentence is no heading", "", "The glider.\n\n" + filler(198), 2. / 3, true},
		{"the end of a page is no heading", "", filler(198) + "\n\nThe glider", 2. / 3, true},
	} {
		j := judged(t, focus(t, "glider"), page(tc.title, tc.text))
		if math.Abs(j.Score-tc.score) > 1e-12 || j.Accepted != tc.accepted {
			t.Errorf("%s: %v, %v; want %v, %v", tc.name, j.Score, j.Accepted, tc.score, tc.accepted)
		}
		if math.Abs(sum(j.Reasons)-j.Score) > 1e-12 {
			t.Errorf("%s: reasons %v do not add up to %v", tc.name, j.Reasons, j.Score)
		}
	}
}

// TestLists: a list of links is about what most of its items are about.
func TestLists(t *testing.T) {
	of := func(gliders, others int) *orbweaver.Page {
		p := page("Things", strings.Repeat("Glider of wood\n", gliders)+strings.Repeat("House of wood\n", others))
		p.Items = gliders + others
		return p
	}
	f := focus(t, "glider")
	if mixed, pure := judged(t, f, of(1, 22)), judged(t, f, of(23, 0)); mixed.Accepted || !pure.Accepted {
		t.Errorf("one of 23 items scores %v, all of them %v", mixed.Score, pure.Score)
	}
}

// TestEvidence: evidence names the words on the page, the most frequent first.
func TestEvidence(t *testing.T) {
	p := page("The Glider", "Gliders\n\nGliders fly. A tail wing, a glider; glider and Gliders are\ngliders, tail\nwings.")
	j := judged(t, focus(t, "tail wing", "glider"), p)
	got := make([]string, len(j.Reasons))
	for i, r := range j.Reasons {
		got[i] = r.Rule + " " + r.Evidence
	}
	want := []string{"term glider: Gliders ×3, glider ×2, gliders ×1, in the title, in headings ×1", "term tail wing: tail wing ×1, tail wings ×1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHostileForms: separators between the words of a phrase, and variant spellings, do not make evidence
// long.
func TestHostileForms(t *testing.T) {
	far := "tail" + strings.Repeat(" -", 10_000) + " wing "
	var anchor strings.Builder
	for i := range 64 {
		for bit, c := range "glider" {
			anchor.WriteRune(c - rune(i>>bit&1)*('a'-'A'))
		}
		anchor.WriteString(" ")
	}
	f := focus(t, "tail wing", "glider")
	p := page(far, far+anchor.String(), orbweaver.Link{To: "http://p.test/x", Anchor: anchor.String() + far})
	for _, r := range slices.Concat(judged(t, f, p).Reasons, planned(t, f, p)[0].Reasons) {
		if len(r.Evidence) > 500 {
			t.Errorf("%s: %d bytes of evidence", r.Rule, len(r.Evidence))
		}
	}
}

// TestMonotone: on random pages, replacing another word by a word of a term never lowers the score.
func TestMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 3))
	f := focus(t, "glider", "tail wing", "sport", "sports")
	for range 300 {
		words := make([]string, 1+rng.IntN(400))
		for i := range words {
			if words[i] = "word"; rng.IntN(20) == 0 {
				words[i] = [...]string{"glider", "sports"}[rng.IntN(2)]
			}
		}
		at := rng.IntN(len(words))
		before := judged(t, f, page("", strings.Join(words, " "))).Score
		replaced := words[at]
		words[at] = "glider"
		after := judged(t, f, page("", strings.Join(words, " "))).Score
		titled := judged(t, f, page("glider", strings.Join(words, " "))).Score
		if replaced == "word" && after <= before || titled <= after || titled >= 1 {
			t.Fatalf("%v, with a word more %v, titled %v", before, after, titled)
		}
		f.rarity.learn(f.prepare(page("", strings.Join(words, " "))).hits)
	}
}

// TestRarity: a frequent term counts less than a rare one; a term on no page, or a repeated one, does not
// devalue the others.
func TestRarity(t *testing.T) {
	f := focus(t, "common", "rare", "unheard", "commons")
	for i := range 100 {
		text := "common"
		if i%25 == 0 {
			text += " rare"
		}
		p := page("", text)
		if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: judged(t, f, p)}); err != nil {
			t.Fatal(err)
		}
	}
	if s := f.rarity.shares; s[0] < 0.75 || s[0] > 1 || s[1] < 2*s[0] || s[2] < s[1] {
		t.Errorf("shares %v", s)
	}
	alone := focus(t, "common")
	for range 10 {
		alone.rarity.learn([]hit{{term: 0}})
	}
	if alone.rarity.shares[0] != 1 {
		t.Errorf("a term alone counts %v", alone.rarity.shares)
	}
}

// TestPlan: a link is ranked by its page, anchor, URL and the words around it; there is one proposal per
// target, by its best link, with reasons that add up.
func TestPlan(t *testing.T) {
	links := []orbweaver.Link{
		{To: "http://p.test/", Anchor: "glider"}, {To: "http://p.test/n", Anchor: "glider", Rel: "nofollow"}, {},
		{To: "http://p.test/plain", Anchor: "plain"},
		{To: "http://p.test/a", Anchor: "more"}, {To: "http://p.test/a", Anchor: "All gliders"},
		{To: "http://p.test/old-gliders.html", Anchor: "more"},
		{To: "http://p.test/titled", Anchor: "more", Title: "Gliders"},
		{To: "http://p.test/c", Anchor: "more", Context: "of the glider"},
	}
	p := page("", "glider glider"+filler(198), links...) // scores one half
	var got []string
	for _, q := range planned(t, focus(t, "glider"), p) {
		if q.Drop || math.Abs(sum(q.Reasons)-q.Score) > 1e-12 || q.Via == nil || q.Via.To != q.URL {
			t.Errorf("%+v", q)
		}
		got = append(got, fmt.Sprintf("%s %.2f %s", strings.TrimPrefix(q.URL, "http://p.test/"), q.Score, q.Reasons[len(q.Reasons)-2].Evidence))
	}
	want := []string{
		"plain 0.10 http://p.test/ scores 0.8", "a 0.30 gliders", "old-gliders.html 0.30 gliders", "titled 0.30 Gliders", "c 0.15 glider",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	p.NoFollow = true
	if plan := planned(t, focus(t, "glider"), p); len(plan) > 0 {
		t.Errorf("follows %+v", plan)
	}
}

// TestUnnamedLinks: at most three consecutive links without evidence are followed; evidence restarts the
// count.
func TestUnnamedLinks(t *testing.T) {
	f := focus(t, "glider")
	for _, tc := range []struct{ name, way, dropped string }{
		{"three from a seed", "more more more more", "no no no drop"},
		{"an anchor on the way", "more more more glider more more more more", "no no no no no no no drop"},
		{"a page on the way", "more more PAGE more more more more", "no no no no no no no"},
	} {
		var request orbweaver.Request // of the page; first a seed's
		var got []string
		text := "nothing"
		for anchor := range strings.FieldsSeq(tc.way) {
			p := page("", text, orbweaver.Link{To: "http://p.test/next", Anchor: anchor})
			p.Request = request
			q := planned(t, f, p)[0]
			got = append(got, map[bool]string{true: "drop", false: "no"}[q.Drop])
			if (q.Score == 0) != (q.Reasons[0].Rule == RuleUnnamed) {
				t.Errorf("%s: %+v", tc.name, q)
			}
			if j := f.Rerank(nil, q); math.Abs(sum(j.Reasons)-j.Score) > 1e-12 || len(j.Reasons) != len(q.Reasons) {
				t.Errorf("%s: ranked again %+v, before %+v", tc.name, j, q.Judgement)
			}
			request, text = q.Request, "nothing"
			if anchor == "PAGE" {
				text = "a glider"
			}
		}
		if strings.Join(got, " ") != tc.dropped {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.dropped)
		}
	}
}

// TestMerge: a request has the mean of all links to it and the reasons of the best; a seed stays unchanged.
func TestMerge(t *testing.T) {
	f := focus(t, "glider")
	at := func(anchor string) orbweaver.Proposal {
		return planned(t, f, page("", "", orbweaver.Link{To: "http://p.test/x", Anchor: anchor}))[0]
	}
	weak, strong := at("more"), at("glider")
	merged := f.Merge(weak.Note, strong)
	if score, ok := f.Worth(merged.Note); !merged.Follow || math.Abs(merged.Score-0.4/3) > 1e-12 || score != merged.Score || !ok {
		t.Errorf("%+v is worth %v", merged, score)
	}
	if again := f.Merge(strong.Note, weak); again.Follow || again.Score != merged.Score {
		t.Errorf("the other way round %+v", again)
	}
	waiting := step.Merge(merged, weak, strong)
	if j := f.Rerank(nil, waiting); math.Abs(sum(j.Reasons)-j.Score) > 1e-12 || j.Score != merged.Score {
		t.Errorf("%+v", j)
	}
	if got := f.Merge(nil, strong); got.Note != nil {
		t.Errorf("a seed became %+v", got)
	}
}

// TestSnapshot: a restored focus gives the same judgements; an invalid snapshot changes nothing.
func TestSnapshot(t *testing.T) {
	f := focus(t, "glider", "tail wing")
	for i := range 20 {
		f.rarity.learn([]hit{{term: int32(i % 7 / 6)}})
	}
	var b, again bytes.Buffer
	restored := focus(t, "glider", "tail wing")
	if err := errors.Join(f.Snapshot(&b), restored.Restore(bytes.NewReader(b.Bytes())), restored.Snapshot(&again)); err != nil {
		t.Fatal(err)
	}
	p := page("", "a glider and its tail wing")
	if b.String() != again.String() || judged(t, f, p).Score != judged(t, restored, p).Score {
		t.Errorf("%s, again %s", &b, &again)
	}
	for _, tc := range []struct {
		name, snapshot string
		want           orbweaver.Failure
	}{
		{"cut off", b.String()[:9], orbweaver.ErrDamaged},
		{"another version", `{"version":9,"pages":1}`, orbweaver.ErrDamaged},
		{"more pages than there were", `{"version":1,"pages":1,"df":{"glider":2}}`, orbweaver.ErrDamaged},
		{"another's term", `{"version":1,"pages":1,"df":{"zeppelin":1}}`, orbweaver.ErrForeign},
	} {
		if err := restored.Restore(strings.NewReader(tc.snapshot)); orbweaver.FailureOf(err) != tc.want {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	if judged(t, f, p).Score != judged(t, restored, p).Score {
		t.Error("a bad snapshot was taken")
	}
}

func TestBadTerms(t *testing.T) {
	for _, terms := range [][]string{nil, {""}, {"plane", " - "}} {
		if _, err := New(terms, Options{}); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %v", terms, err)
		}
	}
}

// FuzzPage judges and plans arbitrary pages: scores stay in 0..1 and reasons add up.
func FuzzPage(f *testing.F) {
	f.Add("The Glider", "Gliders\n\nA glider.", "glider", "of a tail wing", "http://p.test/glider.html")
	f.Add("", "\n\n\n\nglider\n\n", "\xff", "", "http://%zz")
	f.Fuzz(func(t *testing.T, title, text, anchor, context, to string) {
		p := page(title, text, orbweaver.Link{To: to, Anchor: anchor, Context: context})
		focus := focus(t, "glider", "tail wing")
		if j := judged(t, focus, p); j.Score < 0 || j.Score > 1 || math.Abs(sum(j.Reasons)-j.Score) > 1e-9 {
			t.Fatalf("%+v", j)
		}
		for _, q := range planned(t, focus, p) {
			if q.Score < 0 || q.Score > 1 || math.Abs(sum(q.Reasons)-q.Score) > 1e-9 {
				t.Fatalf("%+v", q)
			}
		}
	})
}
