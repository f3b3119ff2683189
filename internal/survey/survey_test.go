package survey

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/sitemap"
	"orbweaver/internal/urllist"
)

const seed = "http://a.test/"

// herons is a web about herons on a.test; each URL says why a crawl from seed gets there or not.
func herons() []toy.Answer {
	return []toy.Answer{
		{URL: seed + "robots.txt", Kind: "text/plain", Body: "User-agent: *\nDisallow: /forbidden\n"},
		{URL: seed, Body: `<a href=/linked>1</a><a href=/forbidden>2</a><a rel=nofollow href=/nofollow>3</a>` +
			`<a href=http://out.test/x>4</a><a href=/gone>5</a><a href=/quiet>6</a><a href=/moved-out>7</a><a href=/data.ttl>8</a>`},
		{URL: seed + "linked", Body: `A heron. <a href=/moved>on</a>`},
		{URL: seed + "moved", Status: 301, Location: seed + "target"},
		{URL: seed + "target", Body: "Two herons and a heron."},
		{URL: seed + "moved-out", Status: 301, Location: "http://out.test/x"},
		{URL: seed + "forbidden", Body: `A heron. <a href=/behind>on</a>`},
		{URL: seed + "behind", Body: "A heron."},
		{URL: seed + "nofollow", Body: "A heron."},
		{URL: seed + "quiet", Body: `<meta name=robots content=nofollow><a href=/silent>no</a>`},
		{URL: seed + "silent", Body: "A heron."},
		{URL: seed + "gone", Status: 404, Body: "No heron."},
		{URL: seed + "data.ttl", Kind: "text/turtle", Body: "<http://a.test/x> <http://a.test/lead> <http://a.test/led> ."},
		{URL: seed + "led", Body: "Nothing."},
		{URL: seed + "beside", Body: "Nothing."},
		{URL: "http://out.test/x", Body: "A heron."},
	}
}

// data is a kind that finds RDF, and leads on to what it is about.
type data struct{ kindtest.Kind }

func (data) Traits() crawlfile.Traits { return crawlfile.Traits{Key: "data"} }

func (data) Abilities(any) kind.Abilities {
	return kind.Abilities{Class: "R", Forms: "text/turtle", Leads: func(*orbweaver.Page) []string {
		return []string{"http://out.test/x", seed + "beside", seed + "forbidden"}
	}}
}

// looked is an archive, with what a survey of it needs. a.test is its scope.
type looked struct {
	schema crawlfile.Schema
	web    *archive.Web
	gate   *gate.Gate
	given  *sitemap.Web
}

// open writes an archive and opens it, with a sitemap of a share of its pages.
func open(t *testing.T, answers []toy.Answer, share float64) looked {
	t.Helper()
	web, err := archive.OpenWeb([]string{toy.WebOf(t, answers)}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.Close() })
	l := looked{schema: kind.Registry{kindtest.Kind{}, data{}}.Schema(), web: web}
	if l.gate, err = gate.New(crawlfile.Scope{Hosts: []string{"a.test"}}, web, true, "orbweaver"); err != nil {
		t.Fatal(err)
	}
	l.given = sitemap.New(web, crawlfile.Sitemap{Share: &share, Seed: 1}, []string{seed})
	return l
}

func (l looked) lens(truth *crawlfile.Truth, focuses ...crawlfile.Focus) *Lens {
	return NewLens(l.schema, l.web, l.given, nil, crawlfile.Limits{Body: 1 << 20}, truth, focuses...)
}

func (l looked) survey(t *testing.T, lens *Lens, truth *crawlfile.Truth) *Survey {
	t.Helper()
	s, err := Web(t.Context(), l.web, lens, l.gate, truth, []string{seed})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTruth: documents are those in scope that answered, relevant those that robots.txt allows, and reachable those that
// links lead to which a crawl follows.
func TestTruth(t *testing.T) {
	folder := t.TempDir()
	topics := toy.Put(t, folder, "topics.tsv", "url\ttopic\n"+seed+"target\tbirds.herons\n"+seed+"behind\tbirds\n"+seed+"led\tfish\n")
	for _, tc := range []struct {
		name                         string
		truth                        crawlfile.Truth
		title                        string
		relevant, reachable, reached int
	}{
		{"keywords", crawlfile.Truth{Keywords: []string{"heron"}},
			"pages that hold heron", 5, 2, 6},
		{"several", crawlfile.Truth{Keywords: []string{"two", "nothing"}}, "pages that hold two, nothing", 3, 2, 6},
		{"topics, and those below them", crawlfile.Truth{File: topics, Topics: []string{"birds"}}, "topics birds", 2, 1, 6},
		{"data leads on", crawlfile.Truth{Class: "R"}, "RDF documents", 1, 1, 7},
	} {
		l := open(t, herons(), 0)
		s := l.survey(t, l.lens(&tc.truth), &tc.truth)
		if s.Name != tc.title || s.Relevant != tc.relevant || s.Reachable != tc.reachable || s.Reached != tc.reached || s.Documents != 11 {
			t.Errorf("%s: %q, %d relevant, %d reachable of %d reached of %d", tc.name, s.Name, s.Relevant, s.Reachable, s.Reached, s.Documents)
		}
		if s.Likeness != nil || s.Items != nil {
			t.Errorf("%s: a truth of its own has items %v", tc.name, s.Items)
		}
	}
}

// TestTruthErrors: tables that cannot be read and an end by the user are errors, each its own.
func TestTruthErrors(t *testing.T) {
	l := open(t, herons(), 0)
	missing := filepath.Join(t.TempDir(), "none.tsv")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tc := range map[string]struct {
		ctx   context.Context
		truth crawlfile.Truth
		want  error
	}{
		"topics":      {t.Context(), crawlfile.Truth{File: missing, Topics: []string{"x"}}, orbweaver.ErrInput},
		"item topics": {t.Context(), crawlfile.Truth{File: missing, Of: "item"}, orbweaver.ErrInput},
		"interrupted": {ended, crawlfile.Truth{Keywords: []string{"heron"}}, console.ErrInterrupted},
	} {
		if s, err := Web(tc.ctx, l.web, l.lens(&tc.truth), l.gate, &tc.truth, nil); !errors.Is(err, tc.want) || s != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestItems: a page of ItemWords words may be an item; a shorter one, or one that is no HTML, may not. All have a cosine.
func TestItems(t *testing.T) {
	words := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "heron%c%c ", 'a'+i/26, 'a'+i%26)
		}
		return b.String()
	}
	l := open(t, []toy.Answer{
		{URL: seed, Body: "Other words."}, {URL: seed + "other", Body: "More of them."},
		{URL: seed + "long", Body: words(ItemWords)},
		{URL: seed + "short", Body: words(ItemWords - 1)},
		{URL: seed + "plain", Kind: "text/plain", Body: words(2 * ItemWords)},
		{URL: seed + "x", Kind: "application/xhtml+xml", Body: "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>" + words(ItemWords) + "</p></body></html>"},
		{URL: "http://out.test/long", Body: words(ItemWords)},
	}, 0)
	cosine := 0.25
	topics := toy.Put(t, t.TempDir(), "topics.tsv", "url\ttopic\n"+seed+"long\tbirds\n")
	for _, truth := range []crawlfile.Truth{{Cosine: &cosine}, {File: topics, Of: "item"}} {
		s := l.survey(t, l.lens(&truth), &truth)
		if want := []string{seed + "long", seed + "x"}; !slices.Equal(s.Items, want) || s.Likeness == nil {
			t.Errorf("items %v, want %v", s.Items, want)
		}
		if s.Truth != nil || s.Relevant != 0 || (s.Topics != nil) != (truth.Of != "") {
			t.Errorf("%+v: there is one truth for all items: %+v", truth, s)
		}
		if truth.Cosine != nil && (s.Name != "pages whose cosine to the item is above 0.25" || !s.Likeness.Above(seed+"long", .1).Relevant(seed+"plain")) {
			t.Errorf("%q: the page of plain text has no cosine", s.Name)
		}
	}
}

// TestStarts: a crawl starts with its seeds, the lists that it was given, and the sitemap of each of its hosts, once; what
// they list can be reached, as far as scope and robots.txt allow.
func TestStarts(t *testing.T) {
	truth := &crawlfile.Truth{Keywords: []string{"heron"}}
	l := open(t, herons(), 1)
	s := l.survey(t, l.lens(truth), truth)
	at := l.given.Of("http://a.test")
	if got, want := s.Starts([]string{seed, seed + "quiet", "http://none.test/"}), []string{seed, seed + "quiet", "http://none.test/", at}; !slices.Equal(got, want) {
		t.Errorf("starts %v, want %v", got, want)
	}
	if s.Relevant != 5 || s.Reachable != 5 {
		t.Errorf("with a sitemap %d of %d can be reached", s.Reachable, s.Relevant)
	}

	l = open(t, herons(), 0)
	path := toy.Put(t, t.TempDir(), "list.txt", seed+"behind\n"+seed+"forbidden\n"+seed+"nowhere\nhttp://out.test/x\n")
	opened, err := urllist.OpenAll([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	lists, lens := urllist.Of(opened), l.lens(truth)
	t.Cleanup(lists.Close)
	lens.List(lists)
	s = l.survey(t, lens, truth)
	starts := s.Starts([]string{seed})
	if len(starts) != 2 || s.Reachable != 3 || s.Graph.Has(seed+"nowhere") {
		t.Errorf("with a list that has one page more, crawls start with %v and reach %d", starts, s.Reachable)
	}
	if links := s.Graph.Links(starts[1]); !slices.Equal(links, []string{seed + "behind"}) {
		t.Errorf("the list leads to %v", links)
	}
}

// TestLens: RDF is asked for and followed if the truth or a focus is about it, else not; a page that says nofollow leads
// nowhere.
func TestLens(t *testing.T) {
	l := open(t, herons(), 0)
	words := &crawlfile.Truth{Keywords: []string{"heron"}}
	plain, rdf := l.schema.Focus("sightings", nil), l.schema.Focus("data", nil)
	for _, tc := range []struct {
		name    string
		truth   *crawlfile.Truth
		focuses []crawlfile.Focus
		leads   bool
	}{
		{"neither", words, []crawlfile.Focus{plain}, false},
		{"no truth, no focus", nil, nil, false},
		{"a focus", words, []crawlfile.Focus{plain, rdf}, true},
		{"a focus without a truth", nil, []crawlfile.Focus{rdf}, true},
		{"the truth", &crawlfile.Truth{Class: "R"}, nil, true},
	} {
		lens := l.lens(tc.truth, tc.focuses...)
		if (lens.Complete != nil) != tc.leads || (lens.beside != nil) != tc.leads {
			t.Errorf("%s: leads besides links: %v", tc.name, lens.beside != nil)
		}
		_, p, err := lens.Look(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{seed + "linked", seed + "gone", seed + "quiet", seed + "moved-out", seed + "data.ttl"}
		if tc.leads {
			want = append(want, seed+"beside")
		}
		if got := lens.leads(p, l.gate); !slices.Equal(got, want) {
			t.Errorf("%s: leads to %v, want %v", tc.name, got, want)
		}
		if _, p, err = lens.Look(t.Context(), seed+"quiet"); err != nil || lens.leads(p, l.gate) != nil {
			t.Errorf("%s: %v, a page that says nofollow leads to %v", tc.name, err, lens.leads(p, l.gate))
		}
	}
}
