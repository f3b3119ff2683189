package crossref

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
	"orbweaver/focus/inlinks"
)

// marked is a base: a page scores what its title says, and is accepted from one half on; every link ranks 0.4.
type marked struct{ pages byte }

func (m *marked) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	if _, err := m.found(p); err != nil {
		return orbweaver.Judgement{}, err
	}
	var score float64
	_, err := fmt.Sscan(p.Title, &score)
	return orbweaver.Judgement{Score: score, Accepted: score >= 0.5}, err
}

// found is an error unless a page has the base's own findings.
func (*marked) found(p *orbweaver.Page) (string, error) {
	if s, ok := p.Findings.(string); ok && s == p.URL {
		return s, nil
	}
	return "", fmt.Errorf("%s has the findings %v", p.URL, p.Findings)
}

func (*marked) Prepare(_ context.Context, p *orbweaver.Page) (any, error) { return p.URL, nil }

func (m *marked) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) (plan []orbweaver.Proposal, err error) {
	for i := range p.Links {
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: p.Links[i].To, Via: &p.Links[i], Note: inlinks.One(0.4).Append(nil)},
			Judgement: orbweaver.Judgement{Score: 0.4, Reasons: []orbweaver.Reason{{Rule: "rank", Weight: 0.4}}},
		})
	}
	return plan, nil
}

func (m *marked) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	m.pages++
	return orbweaver.Lesson{Stale: []string{"word:a"}}, nil
}
func (m *marked) Snapshot(w io.Writer) error { _, err := w.Write([]byte{m.pages}); return err }
func (m *marked) Restore(r io.Reader) error {
	b, err := io.ReadAll(r)
	if err != nil || len(b) != 1 {
		return orbweaver.ErrDamaged
	}
	m.pages = b[0]
	return nil
}
func (*marked) ReadsData(*orbweaver.Page) bool { return false }
func (*marked) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	return p.Judgement
}
func (*marked) Worth(note []byte) (float64, bool) {
	l, _, ok := inlinks.Read(note)
	return l.Best, ok
}
func (*marked) Merge(note []byte, again orbweaver.Proposal) orbweaver.Merged {
	return orbweaver.Merged{Score: 0.4, Note: again.Note}
}
func (*marked) Evidence(context.Context, *orbweaver.Page) ([]orbweaver.Span, error) { return nil, nil }
func (*marked) Suggestions(context.Context) ([]orbweaver.Suggestion, error)         { return nil, nil }
func (*marked) Decide(context.Context, orbweaver.Decision) (orbweaver.Lesson, error) {
	return orbweaver.Lesson{}, nil
}
func (*marked) Relearn(context.Context, orbweaver.Outcome, float64) (orbweaver.Lesson, error) {
	return orbweaver.Lesson{}, nil
}
func (*marked) Unlearn(context.Context, string) (orbweaver.Lesson, error) {
	return orbweaver.Lesson{}, nil
}
func (m *marked) Untaught(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	return m.Judge(ctx, p)
}

func under(tb testing.TB) *Under {
	tb.Helper()
	u, err := NewUnder(new(marked), DefaultUnder())
	if err != nil {
		tb.Fatal(err)
	}
	return u
}

// scored returns a page with a score and links, each with a word near it: "word URL".
func scored(url, score, words string, links ...string) *orbweaver.Page {
	p := &orbweaver.Page{URL: url, Title: score, Text: words, Lang: "en"}
	for _, l := range links {
		word, to, _ := strings.Cut(l, " ")
		p.Links = append(p.Links, orbweaver.Link{To: to, Context: word})
	}
	return p
}

// walk judges, plans and learns pages as an engine does: later links to a request that waits are merged. It returns
// the Notes of what waits.
func walk(tb testing.TB, u *Under, pages ...*orbweaver.Page) map[string][]byte {
	tb.Helper()
	notes, fetched := map[string][]byte{}, map[string]bool{}
	for _, p := range pages {
		found, err := u.Prepare(tb.Context(), p)
		if err != nil {
			tb.Fatal(err)
		}
		p.Findings, fetched[p.URL] = found, true
		j, err := u.Judge(tb.Context(), p)
		if err != nil {
			tb.Fatal(err)
		}
		plan, err := u.Plan(tb.Context(), p, j)
		if err != nil {
			tb.Fatal(err)
		}
		o := orbweaver.Outcome{Request: orbweaver.Request{URL: p.URL, Note: notes[p.URL]}, Page: p, Actual: j}
		delete(notes, p.URL)
		for _, one := range plan {
			switch {
			case fetched[one.URL]:
			case notes[one.URL] != nil:
				notes[one.URL] = u.Merge(notes[one.URL], one).Note
			default:
				notes[one.URL] = one.Note
			}
		}
		if _, err := u.Learn(tb.Context(), o); err != nil {
			tb.Fatal(err)
		}
	}
	return notes
}

// chain is a small web: hub → way → bee, whose links are found before and after the pages.
func chain() []*orbweaver.Page {
	return []*orbweaver.Page{
		scored("http://p.test/hub", "0.1", "honey chess directory index", "portal http://p.test/way", "chess http://p.test/chess"),
		scored("http://p.test/way", "0.2", "garden flower list", "honey http://p.test/bee", "chess http://p.test/chess"),
		scored("http://p.test/bee", "0.9", "bee honey hive nectar", "honey http://p.test/hive", "chess http://p.test/rook"),
		scored("http://p.test/chess", "0", "chess rook pawn king", "chess http://p.test/rook"),
		scored("http://p.test/late", "0.1", "flower meadow garden", "honey http://p.test/bee"),
	}
}

// TestUnderLayers: layer 0 is what the base accepts, the next ones what links there, whether the link was found
// before its page or after.
func TestUnderLayers(t *testing.T) {
	u := under(t)
	walk(t, u, chain()...)
	u.relayer()
	for url, want := range map[string]int8{"bee": 0, "way": 1, "late": 1, "hub": 2, "chess": outside} {
		if k := u.graph.known.find(keyOf("http://p.test/" + url)); k == nil || k.member != want {
			t.Errorf("%s: %+v, want layer %d", url, k, want)
		}
	}
	if got := u.graph.layers; len(got) != 3 || got[0].members != 1 || got[1].members != 2 || got[2].members != 1 {
		t.Errorf("%+v", got)
	}
}

// TestUnderWorth by hand: the five pages score 0.1, 0.2, 0.9, 0 and 0.1, mean μ = 0.26. Near links to the bee is
// "honey", which is thus worth (0.9 + 3μ)/(1 + 3) = 0.42; "chess" led to the page of chess alone: (0 + 3μ)/4 = 0.195.
// Half of that, and half of the base's 0.4, is 0.41 and 0.2975.
func TestUnderWorth(t *testing.T) {
	u := under(t)
	notes := walk(t, u, chain()...)
	if got, ok := u.Worth(notes["http://p.test/hive"]); !ok || got != 0.4 {
		t.Errorf("before there are layers: %v, %v", got, ok)
	}
	u.relayer()
	for url, want := range map[string]float64{"hive": 0.41, "rook": 0.2975} {
		note := notes["http://p.test/"+url]
		got, ok := u.Worth(note)
		if !ok || math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v, %v, want %v", url, got, ok, want)
		}
		j := orbweaver.Judgement{Score: 0.4, Reasons: []orbweaver.Reason{{Rule: "rank", Weight: 0.4}}}
		for range 2 { // ranked anew, it has one reason of the layers still
			j = u.Rerank(nil, orbweaver.Proposal{Request: orbweaver.Request{Note: note}, Judgement: j})
		}
		if math.Abs(j.Score-got) > 1e-12 || len(j.Reasons) != 2 || math.Abs(j.Reasons[0].Weight+j.Reasons[1].Weight-j.Score) > 1e-12 || j.Class != "L0" {
			t.Errorf("%s: %+v", url, j)
		}
		if url == "hive" && j.Reasons[1].Evidence != "of layer 0, 0.42 expected: honey" {
			t.Errorf("%+v", j.Reasons[1])
		}
	}
	if _, ok := u.Worth(nil); ok {
		t.Error("a seed has a worth")
	}
}

// TestUnderRanksAnew: after 25 pages all waiting requests are stale, and after a quarter more again.
func TestUnderRanksAnew(t *testing.T) {
	u := under(t)
	var at []int
	for i := range 70 {
		p := scored(fmt.Sprintf("http://p.test/%d", i), "0.6", "bee honey hive", "honey http://p.test/x")
		j, err := u.Judge(t.Context(), prepared(t, u, p))
		if err != nil {
			t.Fatal(err)
		}
		lesson, err := u.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: j})
		if err != nil || lesson.Stale[0] != "word:a" {
			t.Fatal(lesson, err)
		}
		if slices.Contains(lesson.Stale, "*") {
			at = append(at, i+1)
		}
	}
	if !slices.Equal(at, []int{25, 50}) || u.next != 75 {
		t.Errorf("ranked anew after %v, next after %d", at, u.next)
	}
}

// prepared returns a page with its findings.
func prepared(tb testing.TB, u *Under, p *orbweaver.Page) *orbweaver.Page {
	tb.Helper()
	var err error
	if p.Findings, err = u.Prepare(tb.Context(), p); err != nil {
		tb.Fatal(err)
	}
	return p
}

// TestUnderAccepts: layer 0 goes by the threshold of the page judged last.
func TestUnderAccepts(t *testing.T) {
	u := under(t)
	k := kept{under: judgedItem{score: 0.45}}
	if u.accepts(&k) {
		t.Error("a page that was not accepted is")
	}
	u.threshold = thresholdOf(orbweaver.Judgement{Reasons: []orbweaver.Reason{{Rule: orbweaver.RuleThreshold, Weight: 0.4}}}, 0)
	if !u.accepts(&k) || thresholdOf(orbweaver.Judgement{}, 0.4) != 0.4 {
		t.Errorf("threshold %v", u.threshold)
	}
}

// TestUnderSnapshot: a restored graph has the same bytes and the same worth; damaged snapshots change nothing.
func TestUnderSnapshot(t *testing.T) {
	u := under(t)
	notes := walk(t, u, chain()...)
	u.relayer()
	var b, again bytes.Buffer
	if err := u.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	v := under(t)
	if err := v.Restore(bytes.NewReader(b.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := v.Snapshot(&again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Fatalf("%d bytes, then %d: %v", b.Len(), again.Len(), err)
	}
	for url, note := range notes {
		was, _ := u.Worth(note)
		if is, ok := v.Worth(note); !ok || is != was {
			t.Errorf("%s: %v, then %v", url, was, is)
		}
	}
	w := under(t)
	for n := range b.Len() {
		err := w.Restore(bytes.NewReader(b.Bytes()[:n]))
		if err == nil || !errors.Is(err, orbweaver.ErrDamaged) && !errors.Is(err, orbweaver.ErrForeign) {
			t.Fatalf("%d of %d bytes: %v", n, b.Len(), err)
		}
	}
	if w.pages != 0 || len(w.graph.known.items) != 0 {
		t.Errorf("%d pages of damaged snapshots", w.pages)
	}
}

func TestUnderOptions(t *testing.T) {
	for _, opts := range []UnderOptions{{Layers: 0, MaxItems: 1}, {Layers: maxLayers, MaxItems: 1}, {Layers: 1}} {
		if _, err := NewUnder(new(marked), opts); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

// FuzzUnderNote: a Note of any bytes is refused or read as it was written.
func FuzzUnderNote(f *testing.F) {
	f.Add([]byte{})
	f.Add(joinNotes([]byte("base"), &evidence{links: 1}))
	f.Fuzz(func(t *testing.T, note []byte) {
		base, e, ok := splitNote(note)
		if !ok {
			return
		}
		if again, other, ok := splitNote(joinNotes(base, &e)); !ok || !bytes.Equal(again, base) || other.links != e.links || len(other.context) != len(e.context) {
			t.Errorf("%q: %+v, then %q %+v", base, e, again, other)
		}
	})
}
