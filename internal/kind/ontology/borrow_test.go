package ontology

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"orbweaver"
	focus "orbweaver/focus/ontology"
	"orbweaver/internal/kind"
	"orbweaver/kb/offer"
	kb "orbweaver/kb/ontology"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const music = `
@prefix ex: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Music a owl:Class ; rdfs:label "music" .
ex:Guitar rdfs:subClassOf ex:Music ; rdfs:label "guitar" ; owl:equivalentClass <http://other.example/Gitarre> .
ex:Song rdfs:subClassOf ex:Music ; rdfs:label "song" .
ex:Weather a owl:Class ; rdfs:label "weather" .
`

func guitars(t testing.TB) receiver {
	t.Helper()
	o, err := kb.Build(turtle.Read(strings.NewReader(music), syntax.Options{Name: "music.ttl"}))
	if err != nil {
		t.Fatal(err)
	}
	f, err := focus.New(focus.Options{Ontology: o, Targets: []string{"http://example.org/Music"}, Relevance: kb.Total, IDF: focus.None})
	if err != nil {
		t.Fatal(err)
	}
	return receiver{ontology: o, weight: f.Weight, decided: f.IsDecided}
}

// listed formats suggestions: kind, text, what it would become, of which entity.
func listed(t testing.TB, r receiver, src *offer.Source) string {
	t.Helper()
	all, err := r.suggestions(src)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range all {
		out = append(out, fmt.Sprintf("%s %s %s %s", s.Kind, s.Text, s.As, kb.LocalName(s.Entity)))
	}
	return strings.Join(out, "\n")
}

// TestPlaces: what the source states comes before the head of a name, that before co-occurrence, that before a word within
// it; and nothing is suggested that the ontology has.
func TestPlaces(t *testing.T) {
	for name, tc := range map[string]struct {
		offer offer.Offer
		want  string
	}{
		"broader by its words":     {offer.Offer{Text: "banjo", Above: []offer.Ref{{Text: "string"}, {Text: "Guitars"}}}, "word banjo subclass Guitar"},
		"broader by its IRI":       {offer.Offer{Text: "ukulele", Above: []offer.Ref{{IRI: "http://example.org/Guitar"}}}, "word ukulele subclass Guitar"},
		"the same, by equivalence": {offer.Offer{Text: "Klampfe", Same: []offer.Ref{{IRI: "http://other.example/Gitarre"}}}, "word Klampfe entry Gitarre"},
		"the head of its name":     {offer.Offer{Text: "bass guitar"}, "word bass guitar subclass Guitar"},
		"a word within it":         {offer.Offer{Text: "guitar string"}, "word guitar string entry Guitar"},
		"an entity elsewhere":      {offer.Offer{Text: "steel guitar", IRI: "http://other.example/Steel"}, "entity steel guitar instance Guitar"},
		"a class elsewhere":        {offer.Offer{Text: "steel guitar", IRI: "http://other.example/Steel", Class: true}, "entity steel guitar subclass Guitar"},
		"an entity, no place":      {offer.Offer{Text: "harp", IRI: "http://other.example/Harp", Class: true, Score: 1}, "entity harp subclass "},
		"nothing is known":         {offer.Offer{Text: "harp", Score: 1}, "word harp entry "},
		"nothing, without a topic": {offer.Offer{Text: "harp"}, ""},
		"in the ontology, stemmed": {offer.Offer{Text: "Songs", Score: 1}, ""},
		"a class below another":    {offer.Offer{Text: "weather", Above: []offer.Ref{{Text: "harp"}, {Text: "Songs"}}}, "broader weather – song broader Weather"},
		"below it already":         {offer.Offer{Text: "song", Above: []offer.Ref{{Text: "music"}}}, ""},
		"above itself":             {offer.Offer{Text: "music", Above: []offer.Ref{{Text: "song"}}}, ""},
		"its IRI is known":         {offer.Offer{Text: "Axe", IRI: "http://other.example/Gitarre", Score: 1}, ""},
		"an anchor only":           {offer.Offer{Text: "bass guitar", Anchor: true}, ""},
		"no words":                 {offer.Offer{Text: "1984", Score: 1}, ""},
		"a control character":      {offer.Offer{Text: "bass\x1b guitar", Score: 1}, ""},
	} {
		if got := listed(t, guitars(t), &offer.Source{Offers: []offer.Offer{tc.offer}}); got != tc.want {
			t.Errorf("%s: %q, not %q", name, got, tc.want)
		}
	}
}

// TestTogether: co-occurrence places a name beside the entity that it goes with most surely, weighted for the target, with
// the shares of items; the score is the root of the ratio times the weight.
func TestTogether(t *testing.T) {
	src := &offer.Source{Items: 20, Offers: []offer.Offer{{Text: "chord"}, {Text: "songs", Anchor: true}, {Text: "music", Anchor: true}, {Text: "weather", Anchor: true}}}
	counts := map[[2]int]float64{{0, 0}: 10, {1, 1}: 10, {0, 1}: 10, {2, 2}: 12, {0, 2}: 7, {3, 3}: 10, {0, 3}: 10}
	src.Together = func(i, j int) float64 { return counts[[2]int{i, j}] }
	all, err := guitars(t).suggestions(src)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	s := all[0]
	// song is one step from music (weight 1/2), weather has no path to it
	if want := math.Sqrt(40*math.Ln2) / 2; s.Entity != "http://example.org/Song" || math.Abs(s.Score-want) > 1e-9 || s.On != 1 || s.Off != 0 {
		t.Errorf("%+v, score %v", s, want)
	}
}

// pagesOf yields pages whose offers are listed.
func pagesOf(failed error, pages ...offer.Page) iter.Seq2[offer.Page, error] {
	return func(yield func(offer.Page, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
		if failed != nil {
			yield(offer.Page{}, failed)
		}
	}
}

// TestPages: the pages of a source tell what its offers occur with, by the words that the ontology knows.
func TestPages(t *testing.T) {
	var all []offer.Page
	for i := range 12 {
		p := offer.Page{URL: fmt.Sprintf("http://p.test/%d", i), Lang: "en", Text: "Rain and wind."}
		if i < 4 {
			p.Title, p.Text, p.Has = "A guitar", "Six strings.", []int{0}
		}
		all = append(all, p)
	}
	src := &offer.Source{Offers: []offer.Offer{{Text: "fret", Count: 99}}, Pages: pagesOf(nil, all...)}
	list, err := guitars(t).suggestions(src)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	s := list[0]
	if s.Entity != "http://example.org/Guitar" || s.Count != 4 || s.On != 1 || s.Off != 0 || len(s.Examples) != 3 || s.Examples[0] != "http://p.test/0" {
		t.Errorf("%+v", s)
	}
	broken := errors.New("the archive is damaged")
	src.Pages = pagesOf(broken, all...)
	if _, err := guitars(t).suggestions(src); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// TestDecidedOnce: what was decided under the ID of the name or of the IRI is not suggested from any source, and the ID of
// a word is that of the same word in other forms.
func TestDecidedOnce(t *testing.T) {
	word, entity := focus.WordID("bass guitar", ""), focus.EntityID("http://other.example/Bass")
	if other := focus.WordID("Bass-Guitars", "en"); other != word {
		t.Errorf("%s and %s", word, other)
	}
	for _, id := range []string{word, entity} {
		r := guitars(t)
		r.decided = func(asked string) bool { return asked == id }
		src := &offer.Source{Offers: []offer.Offer{{Text: "Bass guitars", IRI: "http://other.example/Bass"}, {Text: "lead guitar"}}}
		if got := listed(t, r, src); got != "word lead guitar subclass Guitar" {
			t.Errorf("%s decided: %s", id, got)
		}
	}
}

// TestDistinct: of names that mostly are part of a longer one only that is left, and one name in two forms once.
func TestDistinct(t *testing.T) {
	src := &offer.Source{Offers: []offer.Offer{
		{Text: "hip", Score: 3, Count: 5}, {Text: "hip hop", Score: 2, Count: 4}, {Text: "hop", Score: 1, Count: 20},
		{Text: "drums", Score: .5, Count: 3}, {Text: "drum", Score: .4, Count: 3},
	}}
	if got, want := listed(t, guitars(t), src), "word hip hop entry \nword hop entry \nword drums entry "; got != want {
		t.Errorf("%s", got)
	}
}

// FuzzSuggestions: names of any form give no panic, and no suggestion without an ID, or with a control character.
func FuzzSuggestions(f *testing.F) {
	f.Add("bass guitar", "music", "http://a/")
	f.Add("\x00", "ﬁ", "%")
	f.Add("İ", "", "")
	r := guitars(f)
	f.Fuzz(func(t *testing.T, text, above, iri string) {
		all, err := r.suggestions(&offer.Source{Offers: []offer.Offer{{Text: text, IRI: iri, Score: 1, Above: []offer.Ref{{Text: above, IRI: iri}}}}})
		if err != nil || len(all) > 1 {
			t.Fatal(all, err)
		}
		for _, s := range all {
			if len(s.ID) != 8 || strings.ContainsAny(s.Text, "\x00\n\x1b") || s.Kind == orbweaver.SuggestPair {
				t.Errorf("%+v", s)
			}
		}
	})
}

// TestBroader: what is suggested as broader puts one class below another, as suggested or elsewhere; a pair may be decided so, too.
func TestBroader(t *testing.T) {
	const ex = "http://example.org/"
	known := guitars(t).ontology
	suggested := orbweaver.Suggestion{ID: "1", Kind: orbweaver.SuggestBroader, Text: "weather – song", Entity: ex + "Weather", Other: ex + "Song", As: orbweaver.AsBroader}
	pair := orbweaver.Suggestion{ID: "2", Kind: orbweaver.SuggestPair, Text: "weather – song", Entity: ex + "Weather", Other: ex + "Song"}
	for name, tc := range map[string]struct {
		of     orbweaver.Suggestion
		choice kind.Verdict
		want   string
	}{
		"as suggested":    {suggested, kind.Verdict{}, ex + "Song"},
		"below another":   {suggested, kind.Verdict{Range: "Guitar"}, ex + "Guitar"},
		"a pair":          {pair, kind.Verdict{As: orbweaver.AsBroader}, ex + "Song"},
		"above itself":    {suggested, kind.Verdict{Entity: "Music"}, ""},
		"below it before": {suggested, kind.Verdict{Entity: "Song", Range: "Music"}, ""},
	} {
		d, err := decision(known, tc.choice, tc.of)
		if tc.want == "" {
			if !errors.Is(err, orbweaver.ErrInput) {
				t.Errorf("%s: %+v, %v", name, d, err)
			}
			continue
		}
		if err != nil || d.As != orbweaver.AsBroader || len(d.Added) != 1 || d.Added[0].S.Value != ex+"Weather" || d.Added[0].O.Value != tc.want || d.Range != tc.want {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}
