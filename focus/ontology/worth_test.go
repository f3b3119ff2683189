package ontology

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

func TestContrast(t *testing.T) {
	for _, tc := range []struct {
		name      string
		some, all mass
		want      float64
	}{
		{"on all pages about the topic and on no other", mass{10_000, 0}, mass{10_000, 10_000}, 40 * math.Ln2},
		{"as often on both", mass{5_000, 10_000}, mass{10_000, 20_000}, 0},
		{"more often on others", mass{1_000, 5_000}, mass{10_000, 10_000}, 0},
		{"no other pages", mass{10_000, 0}, mass{10_000, 0}, 0},
		{"no pages", mass{}, mass{}, 0},
		{"more than there are, of a state that was changed", mass{9_000, 0}, mass{1_000, 1_000}, 2 * math.Ln2},
	} {
		if got := contrast(tc.some, tc.all); got < 0 || math.IsNaN(got) || tc.some.on <= tc.all.on && math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestNames(t *testing.T) {
	var a around
	for _, tc := range []struct{ title, anchor, want string }{
		{"Landing gear", "", "Landing gear*"},
		{"json \u2014 JSON encoder and decoder \u2014 Python 3.11.2 documentation", "", "json*"},
		{"Mercury (element)", "the Internet", "Mercury*, element*, Internet"},
		{"", "history of flight", ""},
		{"", "a phrase of far too many words", ""},
		{"", "four words are many", ""},
		{"", "1984 Olympics", ""},
		{"Wings", "wing", "Wings*"},
		{"", strings.Repeat("x", maxForm+1), ""},
		{"", strings.Repeat("x ", maxAnchor), ""},
	} {
		p := page("")
		p.Title, p.Links = tc.title, []orbweaver.Link{{To: "http://other.test/", Anchor: tc.anchor}, {To: p.URL, Anchor: "Contents"}}
		var got []string
		for _, n := range a.names(p) {
			if n.key != keyOf(n.form) {
				t.Errorf("%s has another key than in a text", n.form)
			}
			if n.title {
				n.form += "*"
			}
			got = append(got, n.form)
		}
		if strings.Join(got, ", ") != tc.want {
			t.Errorf("%q, %q: %q, want %q", tc.title, tc.anchor, got, tc.want)
		}
	}
	p := page("")
	for i := range 2 * maxNaming {
		p.Links = append(p.Links, orbweaver.Link{To: "http://other.test/", Anchor: fmt.Sprint("w", i)})
	}
	if n := len(a.names(p)); n != maxNames {
		t.Errorf("%d names of a page", n)
	}
}

// learnt lets a focus learn a page with a URL, title and links.
func learnt(t testing.TB, f *Focus, url, title, text string, anchors ...string) {
	t.Helper()
	p := page(text)
	p.URL, p.Title = url, title
	for _, anchor := range anchors {
		p.Links = append(p.Links, orbweaver.Link{To: "http://other.test/" + anchor, Anchor: anchor})
	}
	j, _ := judged(t, f, p)
	if _, err := f.Learn(t.Context(), orbweaver.Outcome{Page: p, Actual: j}); err != nil {
		t.Fatal(err)
	}
}

// TestNamesGoFirst: of words equally frequent near an entity, one that titles and links name ranks first,
// although it is on fewer pages.
func TestNamesGoFirst(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	for i := range 100 {
		title, links := "Some page", []string{"Home"}
		if i%10 == 0 {
			title = "Glider"
		}
		if i%2 == 0 {
			links = append(links, "gliders")
		}
		learnt(t, f, fmt.Sprintf("http://p%d.test/", i), title, "a plane, gliders; spinning, interesting", links...)
		learnt(t, f, fmt.Sprintf("http://q%d.test/", i), "Some page", "the sea, with waves and fish", "Home")
	}
	got := listed(suggestions(t, f))
	if !strings.HasPrefix(got, "word gliders (Airplane) 100; ") || strings.Contains(got, "Home") {
		t.Errorf("got %s", got)
	}
}

// TestPlainWordsAreNotSuggested: general words are suggested only if titles and links confirm them as names.
func TestPlainWordsAreNotSuggested(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	for i := range 50 {
		text := "new plane, turned; five years; the date: in October, quickly flown, highly rated, and a plane with one wing"
		learnt(t, f, fmt.Sprintf("http://p%d.test/", i), "Plane", text, "October")
		learnt(t, f, fmt.Sprintf("http://q%d.test/", i), "Sea", "the sea, with waves and fish")
	}
	got := listed(suggestions(t, f))
	if got != "word October (Airplane) 50; word wing (Airplane) 50; word flown (Airplane) 50" {
		t.Errorf("got %s", got)
	}
}

// TestBoilerplateIsNotSuggested: words on nearly all pages of a host, and that host's name, are not
// suggested.
func TestBoilerplateIsNotSuggested(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	for i := range 100 {
		text := "plane, wings; plane, newsletter"
		if i%2 == 0 {
			text = "plane, wings, Skylines; plane, newsletter, glider"
		}
		learnt(t, f, fmt.Sprintf("http://www.skylines.test/%d", i), "", text)
		if i%3 == 0 {
			text = "plane, wings, glider"
		} else {
			text = "the sea"
		}
		learnt(t, f, fmt.Sprintf("http://other%d.test/", i), "", text)
	}
	if got := listed(suggestions(t, f)); got != "word glider (Airplane) 84" && got != "word wings (Airplane) 134; word glider (Airplane) 84" {
		t.Errorf("got %s", got)
	}
}

// TestMenuIsNotSuggested: what nearly all pages have as a link is not suggested, although each host has few pages.
func TestMenuIsNotSuggested(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	for i := range 300 {
		at, text, links := fmt.Sprintf("http://p%d.test/%d", i%20, i), "the sea, with waves", []string{"Countries"}
		switch {
		case i%2 == 0:
			text, links = "a plane, gliders", []string{"Countries", "gliders"}
		case i%3 == 0: // of another make, as an error page
			links = nil
		}
		learnt(t, f, at, "Some page", text, links...)
	}
	if got := listed(suggestions(t, f)); got != "word gliders (Airplane) 150" {
		t.Errorf("got %s", got)
	}
}

// TestEarlierSnapshot: a state of the first version is loaded and counted on from; contrasts begin with it.
func TestEarlierSnapshot(t *testing.T) {
	f := focus(t, options(t, kb.Total, "Airplane"))
	var w stateWriter
	w.words(newWords())
	for _, n := range []int64{5, 2, 1, 0, 0} { // 5 and 2 pages; one word, in a new sketch
		w.number(n)
	}
	w.key(keyOf("wing"))
	for _, n := range []int64{5, 0, 5, 0} { // on 5 pages, without excess; nearest on 5 to entity 0
		w.number(n)
	}
	w.text("http://example.org/Airplane")
	w.number(0) // nearest to no other entity
	w.number(1) // on 1 far page
	w.text("wings")
	for _, n := range []int64{4, 1, 0} { // four votes; one example, the URL number 0
		w.number(n)
	}
	w.text("http://p.test/old")
	for range 3 { // no pairs
		w.number(0)
	}
	head, err := json.Marshal(snapshot{Version: snapshotVersion, Pages: 7})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Restore(strings.NewReader(string(head) + "\n" + string(w.b))); err != nil {
		t.Fatal(err)
	}
	if got := listed(suggestions(t, f)); got != "word wings (Airplane) 5" {
		t.Errorf("taken over: %s", got)
	}
	teach(t, f, 100, "a plane with wings", "the sea", "a plane with wings")
	g := focus(t, options(t, kb.Total, "Airplane"))
	if err := g.Restore(strings.NewReader(snapshotOf(t, f))); err != nil || snapshotOf(t, g) != snapshotOf(t, f) {
		t.Fatalf("written anew it is another, %v", err)
	}
	if got := listed(suggestions(t, g)); got != "word wings (Airplane) 7" {
		t.Errorf("counted on: %s", got)
	}
}
