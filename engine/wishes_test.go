package engine_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A shyReader reads pages with nofollow links, marked by "nofollow" after the score, and page-level robots
// directives, each in a line of its own: "!nofollow" or "!noindex".
type shyReader struct{}

func (shyReader) Read(ctx context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	p, err := reader{}.Read(ctx, r, payload)
	all := p.Links
	p.Links = nil
	for _, l := range all {
		switch score, rel, _ := strings.Cut(l.Anchor, " "); l.To {
		case "!nofollow":
			p.NoFollow = true
		case "!noindex":
			p.NoIndex = true
		default:
			l.Anchor, l.Rel = score, rel
			p.Links = append(p.Links, l)
		}
	}
	return p, err
}

// A forgetful focus follows all links, and URLs of its own, regardless of nofollow.
type forgetful struct{ focus }

func (f forgetful) Plan(ctx context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	plan, err := f.focus.Plan(ctx, p, j)
	if to, ok := strings.CutPrefix(p.Text, "!nofollow\nmade "); ok {
		plan = append(plan, orbweaver.Proposal{Request: orbweaver.Request{URL: to}})
	}
	return plan, err
}

// refusedBy returns the sampled links that were refused for a reason.
func refusedBy(t *testing.T, dir, reason string) []string {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for _, r := range book.Refused() {
		if r.Reason == reason {
			slices.Sort(r.Examples)
			return r.Examples
		}
	}
	return nil
}

// TestNoFollow: nofollow binds a focus that follows everything. Another link without nofollow still leads to
// the target.
func TestNoFollow(t *testing.T) {
	w := web{
		"http://a/": "http://a/shy 1 nofollow\nhttp://a/both .9 nofollow\nhttp://a/both .1\nhttp://a/else .8 nofollow ugc\n" +
			"http://a/page .5\nhttp://a/makes .4",
		"http://a/page":  "!nofollow\nhttp://a/of-page 1",
		"http://a/makes": "!nofollow\nmade http://a/made",
		"http://a/both":  "http://a/else .2", "http://a/else": "", "http://a/shy": "", "http://a/of-page": "", "http://a/made": "",
	}
	dir := t.TempDir()
	if _, err := (session{web: w, focus: forgetful{}, read: shyReader{}}).run(t, dir); err != nil {
		t.Fatal(err)
	}
	want := []string{"a/", "a/both", "a/page", "a/makes", "a/else"}
	if got := lines(t, dir); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := refusedBy(t, dir, step.RefusedNoFollow); !slices.Contains(got, "http://a/shy") {
		t.Errorf("refused: %q", got)
	}
}

// A late focus proposes the links of its pages when a round ends.
type late struct {
	focus
	plan *[]orbweaver.Proposal
}

func (l late) Plan(ctx context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	plan, err := l.focus.Plan(ctx, p, j)
	for i := range plan {
		plan[i].Parent = p.URL
	}
	*l.plan = append(*l.plan, plan...)
	return nil, err
}

func (late) RoundSize() int { return 0 }

func (l late) EndRound(context.Context, orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	plan := *l.plan
	*l.plan = nil
	return plan, orbweaver.Lesson{}, nil
}

// TestNoFollowAtRoundsEnd: nofollow also binds proposals at the end of a round.
func TestNoFollowAtRoundsEnd(t *testing.T) {
	w := web{
		"http://a/":     "http://a/page .5\nhttp://a/open .4",
		"http://a/page": "!nofollow\nhttp://a/shy 1\nhttp://a/next 1", "http://a/open": "http://a/next .1", "http://a/next": "", "http://a/shy": "",
	}
	dir := t.TempDir()
	if _, err := (session{web: w, focus: late{plan: new([]orbweaver.Proposal)}, read: shyReader{}}).run(t, dir); err != nil {
		t.Fatal(err)
	}
	if got, want := lines(t, dir), []string{"a/", "a/page", "a/open", "a/next"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := refusedBy(t, dir, step.RefusedNoFollow); !slices.Equal(got, []string{"http://a/next", "http://a/shy"}) {
		t.Errorf("refused: %q", got)
	}
}

// TestNoIndex: a noindex page is judged, archived and followed as usual, but not accepted; its line has the
// reason.
func TestNoIndex(t *testing.T) {
	w := web{"http://a/": "!noindex\nhttp://a/1 .5", "http://a/1": ""}
	dir := t.TempDir()
	progress, err := session{web: w, focus: focus{}, read: shyReader{}}.run(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if progress.Pages != 2 || progress.Accepted != 1 {
		t.Errorf("%+v", progress)
	}
	for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		shy := l.URL == "http://a/"
		because := slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return r.Rule == orbweaver.RuleNoIndex })
		if l.Score != .5 || l.Accepted == shy || l.NoIndex != shy || because != shy {
			t.Errorf("%+v", l)
		}
	}
}
