package link

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// build makes a gazetteer; IRIs are given without "http://e/".
func build(tb testing.TB, labels ...Label) *Gazetteer {
	tb.Helper()
	b := Builder{Stop: stopWord}
	for _, l := range labels {
		l.IRI = "http://e/" + l.IRI
		if err := b.Add(l); err != nil {
			tb.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// said cuts a text; sentences end with a point.
func said(s string) Document { return cut(Document{Sentences: []int{0}}, s) }

func spoken(doc Document, first, last int) string { return strings.Join(doc.Words[first:last+1], " ") }

func TestFold(t *testing.T) {
	for _, tc := range []struct{ a, b string }{
		{"New York", "new york"},
		{"U.S.", "US"},
		{"Saint-Denis", "saint denis"},
		{"Hudson's Bay", "Hudson Bay"},
		{"Hudson’s", "hudson"},
		{"O'Brien", "O’Brien"},
		{"AT&T", "at and t"},
		{"\"Heroes\"", "heroes"},
		{"ÉCOLE", "école"},
	} {
		if a, b := hashes(tc.a), hashes(tc.b); !slices.Equal(a, b) {
			t.Errorf("%q and %q differ: %x, %x", tc.a, tc.b, a, b)
		}
	}
	for _, tc := range []struct{ a, b string }{
		{"C++", "C"},
		{"3.5", "35"},
		{"Paris, Texas", "Paris Texas"},
		{"ab c", "a bc"},
		{"less", "les"},
	} {
		if a, b := hashes(tc.a), hashes(tc.b); slices.Equal(a, b) {
			t.Errorf("%q and %q are the same", tc.a, tc.b)
		}
	}
}

func hashes(s string) (h []uint64) {
	for _, p := range fold(nil, s, 0) {
		h = append(h, p.hash)
	}
	return h
}

func TestShapes(t *testing.T) {
	for s, want := range map[string]shape{
		"water": lower, "computer science": lower, "Water": initial, "Computer science": initial, "A": initial,
		"New York": proper, "University of Oxford": proper, "US dollar": proper, "US": upper, "NATO": upper,
		"iPhone": mixed, "McDonald": mixed, "1984": caseless, "北京": caseless, "Éire": initial,
	} {
		if got := shapeOf(fold(nil, s, 0)); got != want {
			t.Errorf("%s has shape %d, not %d", s, got, want)
		}
	}
}

func TestSingular(t *testing.T) {
	for plural, one := range map[string]string{
		"lions": "lion", "Cities": "city", "boxes": "box", "churches": "church", "glasses": "glass",
		"houses": "house", "vêtements": "vêtement",
	} {
		if fold(nil, plural, 0)[0].singular != fold(nil, one, 0)[0].hash {
			t.Errorf("%s is no plural of %s", plural, one)
		}
	}
	for _, word := range []string{"glass", "virus", "crisis", "bus", "DOS", "s", "a.s."} {
		if fold(nil, word, 0)[0].singular != 0 {
			t.Errorf("%s is a plural", word)
		}
	}
}

func TestMatch(t *testing.T) {
	g := build(t, Label{Text: "New York", IRI: "NY"}, Label{Text: "New York City", IRI: "NYC"},
		Label{Text: "City", IRI: "City"}, Label{Text: "lion", IRI: "Lion"}, Label{Text: "Paris, Texas", IRI: "PT"},
		Label{Text: "Mercury (planet)", IRI: "Mercury"}, Label{Text: "mouse", IRI: "Mouse"}, Label{Text: "Hudson's Bay", IRI: "HB"})
	for _, tc := range []struct{ text, want string }{
		{"to New York City .", "New York|New York City|City"},
		{"New . York", ""},
		{"the lions' lion's lion", "lions|lion's|lion"},
		{"in Paris, Texas", "Paris , Texas"},
		{"in Paris Texas", ""},
		{"New (York) City", "City"},
		{"a New-York life", "New-York"},
		{"a New-Yorker", ""},
		{"Mercury (planet)", "Mercury"},
		{"Hudson 's Bay", "Hudson ' s Bay"},
		{"", ""},
	} {
		doc := said(tc.text)
		if tc.text == "Hudson 's Bay" { // as Penn tokens are
			doc.Words, tc.want = []string{"Hudson", "'s", "Bay"}, "Hudson 's Bay"
		}
		var got []string
		for _, s := range NewMatcher(g).Match(doc) {
			got = append(got, spoken(doc, s.First, s.Last))
		}
		if strings.Join(got, "|") != tc.want {
			t.Errorf("%s: %q, not %q", tc.text, got, tc.want)
		}
	}
	doc := said("three mice")
	if doc.Lemmas = []string{"three", "mouse"}; len(NewMatcher(g).Match(doc)) != 1 {
		t.Error("the lemma of mice is not found")
	}
}

// links are the mentions of a text as "words=IRI".
func links(g *Gazetteer, o Options, doc Document) string {
	var all []string
	for _, m := range NewLinker(g, o).Link(doc) {
		all = append(all, spoken(doc, m.First, m.Last)+"="+strings.TrimPrefix(m.IRI, "http://e/"))
	}
	return strings.Join(all, "|")
}

func TestLink(t *testing.T) {
	g := build(t,
		Label{Text: "United States", IRI: "USA"}, Label{Text: "US", IRI: "USA", Kind: Acronym},
		Label{Text: "New York", IRI: "NY"}, Label{Text: "New York City", IRI: "NYC"},
		Label{Text: "Isaac Newton", IRI: "Newton"}, Label{Text: "Newton", IRI: "unit", Kind: Hidden}, Label{Text: "The", IRI: "The"},
		Label{Text: "May", IRI: "May"}, Label{Text: "Water", IRI: "Water"}, Label{Text: "Paris", IRI: "Paris", Count: 900},
		Label{Text: "Paris", IRI: "Troy", Count: 20}, Label{Text: "World Health Organization", IRI: "WHO"},
		Label{Text: "Berlin", IRI: "Berlin", Lang: "de"}, Label{Text: "Olivia", IRI: "Olivia"},
		Label{Text: "Georgia", IRI: "G1"}, Label{Text: "Georgia", IRI: "G2"})
	for _, tc := range []struct{ text, want string }{
		{"They live in New York City now .", "New York City=NYC"},
		{"They told us that The end may come . May it not ?", ""},
		{"The water was cold .", ""},
		{"he went to Paris in spring .", "Paris=Paris"},
		{"Here Isaac Newton wrote . Then Newton left .", "Isaac Newton=Newton|Newton=Newton"},
		{"Here Isaac Newton wrote . Then Gerald Newton left .", "Isaac Newton=Newton"},
		{"Here Isaac Newton wrote that a newton weighs .", "Isaac Newton=Newton"},
		{"The World Health Organization (WHO) warned . Later WHO did too .", "World Health Organization=WHO|WHO=WHO|WHO=WHO"},
		{"We saw New York . Duke of York came .", "New York=NY"},
		{"he went to Georgia by car .", ""},
		{"we like Berlin very much .", "Berlin=Berlin"},
	} {
		if got := links(g, Options{Confidence: 0.5}, said(tc.text)); got != tc.want {
			t.Errorf("%s: %s, not %s", tc.text, got, tc.want)
		}
	}
	doc := said("we like Berlin very much .")
	for lang, want := range map[string]string{"de-AT": "Berlin=Berlin", "fr": "", "": "Berlin=Berlin"} {
		if doc.Lang = lang; links(g, Options{Confidence: 0.5}, doc) != want {
			t.Errorf("Berlin in a text of language %s: %s", lang, links(g, Options{}, doc))
		}
	}
}

func TestLinkByTag(t *testing.T) {
	g := build(t, Label{Text: "May", IRI: "May"})
	doc := said("so we May go")
	if doc.Tags = []string{"RB", "PRP", "MD", "VB"}; links(g, Options{Confidence: 0.3}, doc) != "" {
		t.Error("a modal verb is linked")
	}
	if doc.Tags[2] = "NNP"; links(g, Options{Confidence: 0.3}, doc) == "" {
		t.Error("a proper noun is not linked")
	}
}

func TestMention(t *testing.T) {
	g := build(t, Label{Text: "Paris", IRI: "Paris", Count: 900}, Label{Text: "Paris", IRI: "Troy", Count: 100})
	all := NewLinker(g, Options{Confidence: 0.3}).Link(said("he went to Paris in spring ."))
	if len(all) != 1 {
		t.Fatalf("%d mentions", len(all))
	}
	m := all[0]
	if m.First != 3 || m.Last != 3 || m.Support != 900 || len(m.Candidates) != 2 || m.Candidates[1].IRI != "http://e/Troy" {
		t.Errorf("%+v", m)
	}
	if math.Abs(m.Second-0.112) > 0.002 { // 100.. to 901, within what logarithms keep
		t.Errorf("second candidate at %.4f of the first", m.Second)
	}
	if len(NewLinker(g, Options{Confidence: 0.3, Support: 901}).Link(said("he went to Paris in spring ."))) > 0 {
		t.Error("support is not asked for")
	}
}

// TestTrained: where two entities share a label what stands around decides, and words that are no
// mentions in the examples are none.
func TestTrained(t *testing.T) {
	plain := build(t, Label{Text: "Mercury (planet)", IRI: "planet"}, Label{Text: "Mercury (metal)", IRI: "metal"},
		Label{Text: "Sun", IRI: "sun"}, Label{Text: "Time", IRI: "time"})
	trainer := NewTrainer(plain)
	for i := range 40 {
		planet := said(fmt.Sprintf("near the sun the planet Mercury has a short orbit and no moon filler%d .", i))
		trainer.Learn(planet, []Truth{{2, 2, "http://e/sun"}, {5, 5, "http://e/planet"}})
		metal := said(fmt.Sprintf("at that time the liquid metal Mercury was used for thermometers and mirrors other%d .", i))
		trainer.Learn(metal, []Truth{{6, 6, "http://e/metal"}})
	}
	l := newLanguage(10_000) // what is usual
	for range 20 {
		doc, _ := l.document(500)
		trainer.Describe("http://e/time", doc)
	}
	if trainer.Describe("http://e/none", said("nothing")) || !trainer.Describe("http://e/sun", said("a star")) {
		t.Error("who is known?")
	}
	g, err := trainer.Gazetteer()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"an orbit of the planet Mercury takes long .":          "Mercury=planet",
		"in mirrors and thermometers there is Mercury .":       "Mercury=metal",
		"what a waste of time to look at liquid metal lamps .": "",
	} {
		if got := links(g, Options{Confidence: 0.5}, said(text)); got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
	if again, err := Parse(g.data); err != nil || !bytes.Equal(again.data, g.data) {
		t.Errorf("read again: %v", err)
	}
}

// TestOrder: the order of the stream does not matter.
func TestOrder(t *testing.T) {
	l := newLanguage(300)
	var labels []Label
	for i := range 3000 {
		text := l.label()
		labels = append(labels, Label{Text: text, IRI: fmt.Sprintf("http://e/%d", i%700), Kind: Kind(i % 4),
			Lang: []string{"", "en", "de", "fr"}[i/4%4], Count: i % 7})
	}
	var first []byte
	for seed := range uint64(3) {
		var b Builder
		for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(labels)) {
			if err := b.Add(labels[i]); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = g.data
		}
		if !bytes.Equal(first, g.data) {
			t.Error("another order, other bytes")
		}
	}
}

// TestAllFound: every label is found in itself, and every entity by its IRI.
func TestAllFound(t *testing.T) {
	l := newLanguage(2000)
	var b Builder
	labels := map[string]string{}
	for i := range 20_000 {
		label := Label{Text: l.label(), IRI: fmt.Sprintf("http://e/%d", i/3)}
		if b.Add(label) == nil {
			labels[label.Text] = label.IRI
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := NewMatcher(g)
	for label, iri := range labels {
		doc := said(label)
		if !slices.ContainsFunc(m.Match(doc), func(s Span) bool { return s.First == 0 && s.Last == len(doc.Words)-1 }) {
			t.Fatalf("%s is not found", label)
		}
		if entity, ok := g.entity(iri); !ok || g.iri(entity) != iri {
			t.Fatalf("%s is not found", iri)
		}
	}
	if _, ok := g.entity("http://e/none"); ok {
		t.Error("an entity that there is not")
	}
}

func TestBadLabels(t *testing.T) {
	var b Builder
	for _, l := range []Label{
		{"", "http://e/a", Preferred, "", 0}, {"(!)", "http://e/a", Preferred, "", 0}, {"a", "", Preferred, "", 0},
		{"a", "http://e/a b", Preferred, "", 0}, {strings.Repeat("a ", 17), "http://e/a", Preferred, "", 0},
		{strings.Repeat("a", 1025), "http://e/a", Preferred, "", 0}, {"a", strings.Repeat("a", 2049), Preferred, "", 0},
	} {
		if err := b.Add(l); !errors.Is(err, ErrLabel) {
			t.Errorf("%.30q of %.30q: %v", l.Text, l.IRI, err)
		}
	}
	g, err := b.Build()
	if err != nil || g.Names() != 0 || len(NewLinker(g, Options{}).Link(said("a b c"))) != 0 {
		t.Errorf("an empty gazetteer: %v", err)
	}
}

func TestFile(t *testing.T) {
	g := build(t, Label{Text: "New York", IRI: "NY", Count: 3, Lang: "en"}, Label{Text: "Rome", IRI: "Rome"})
	path := filepath.Join(t.TempDir(), "names.gazetteer")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Load(path)
	if err != nil || !reflect.DeepEqual(again, g) {
		t.Errorf("read again: %v", err)
	}
	for i := range g.data {
		bad := slices.Clone(g.data)
		if bad[i] ^= 0x10; !damaged(bad) || !damaged(g.data[:i]) {
			t.Fatalf("damage at byte %d is not seen", i)
		}
	}
	if _, err := Load(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func damaged(data []byte) bool {
	_, err := Parse(data)
	return errors.Is(err, ErrFormat)
}
