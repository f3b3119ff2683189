package relevance

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver/kb/terms"
	"orbweaver/rdf"
)

// kitchen is a small ontology: things, with the branches vessels and tools.
func kitchen() []Class {
	en := func(s string) []Text { return []Text{{s, "en"}} }
	all := []Class{
		{IRI: "x:Thing", Sub: []string{"x:Vessel", "x:Organisation", "x:Person"}},
		{IRI: "x:Organisation", Labels: en("organisation"), Comments: en("A group of people."), Sub: []string{"x:Company", "x:Club"}},
		{IRI: "x:Company", Labels: en("company")},
		{IRI: "x:Club", Labels: en("club")},
		{IRI: "x:Person", Labels: en("person"), Sub: []string{"x:Cook", "x:Potter", "x:Writer"}},
		{IRI: "x:Cook", Labels: en("cook"), Comments: en("Someone who fills a pot.")},
		{IRI: "x:Potter", Labels: en("potter")},
		{IRI: "x:Writer", Labels: en("writer")},
		{IRI: "x:Vessel", Labels: en("vessel"), Sub: []string{"x:TeaPot", "x:CoffeePot", "x:FlowerPot", "x:Jug"}},
		{IRI: "x:TeaPot", Labels: en("tea pot"), Comments: en("A vessel in which tea is made."), Sub: []string{"x:Samovar"}, Equivalent: []string{"y:Q17"}},
		{IRI: "x:CoffeePot", Labels: en("coffee pot"), Comments: en("A vessel in which coffee is made.")},
		{IRI: "x:FlowerPot", Labels: en("flower pot")},
		{IRI: "x:Jug", Labels: en("jug")},
		{IRI: "x:Samovar"},
		{IRI: "y:Q17"},
	}
	above := map[string][]string{}
	for _, c := range all {
		for _, s := range c.Sub {
			above[s] = append(above[s], c.IRI)
		}
	}
	for i := range all {
		all[i].Super = above[all[i].IRI]
	}
	all[len(all)-1].Equivalent = []string{"x:TeaPot"}
	return all
}

// atLarge adds unrelated classes.
func atLarge(b *Background) {
	for i := range 200 {
		b.Add(Class{IRI: fmt.Sprintf("z:%cThing%c", 'A'+rune(i%26), 'a'+rune(i/26)), Comments: []Text{{"A group of people and things.", "en"}}})
	}
}

// ask judges all classes of the kitchen except the terms.
func ask(t *testing.T, given ...string) map[string]terms.Verdict {
	t.Helper()
	b := NewBackground()
	atLarge(b)
	var of, rest []Class
	for _, c := range kitchen() {
		b.Add(c)
		if slices.Contains(given, c.IRI) {
			of = append(of, c)
		} else {
			rest = append(rest, c)
		}
	}
	j, err := NewJudge(b, of)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]terms.Verdict{}
	for i, v := range j.Verdicts(rest) {
		verdicts[rest[i].IRI] = v
	}
	return verdicts
}

func TestVerdicts(t *testing.T) {
	v := ask(t, "x:TeaPot", "x:CoffeePot")
	for _, tc := range []struct {
		why, iri string
		want     bool
	}{
		{"a subclass of a term", "x:Samovar", true},
		{"an equivalent of a term, though it has no name in words", "y:Q17", true},
		{"a superclass whose subclasses are like the terms", "x:Vessel", true},
		{"a sibling that has a word of the terms", "x:FlowerPot", true},
		{"what is above everything", "x:Thing", false},
		{"a class of another branch", "x:Company", false},
		{"a general class", "x:Person", false},
		{"a class of another branch whose comment shares a word by chance", "x:Cook", false},
	} {
		if got := v[tc.iri]; got.Accepted != tc.want || got.Accepted != (got.Score >= Accept) {
			t.Errorf("%s: %s accepted %v, score %.2f, %v", tc.why, tc.iri, got.Accepted, got.Score, got.Reasons)
		}
	}
	if a, b := v["x:FlowerPot"].Score, v["x:Jug"].Score; a <= b {
		t.Errorf("a flower pot is %.2f near to pots, a jug %.2f", a, b)
	}
	if r := v["x:FlowerPot"].Reasons; !slices.ContainsFunc(r, func(r terms.Reason) bool { return r.Rule == RuleName && r.Evidence == "pot" && r.Weight > 0 }) {
		t.Errorf("a flower pot belongs without its name: %v", r)
	}
	if r := v["x:Samovar"].Reasons[0]; r.Rule != RuleSuperclass || r.Evidence != "x:TeaPot" {
		t.Errorf("a samovar belongs by %v", r)
	}
}

// TestReasonsAddUp: the score is that of the best relation or the sum of the class's own reasons.
func TestReasonsAddUp(t *testing.T) {
	reasons := 0
	for iri, v := range ask(t, "x:TeaPot", "x:Potter") {
		itself, most := 0.0, 0.0
		for i, r := range v.Reasons {
			reasons++
			if r.Rule == RuleSuperclass || r.Rule == RuleEquivalent {
				most = max(most, r.Weight)
			} else {
				itself += r.Weight
			}
			if i > 0 && r.Weight > v.Reasons[i-1].Weight {
				t.Errorf("%s: %v comes after a lighter one", iri, r)
			}
		}
		if got := max(itself, most); math.Abs(got-v.Score) > 1e-9 {
			t.Errorf("%s: reasons make %.4f, the score is %.4f", iri, got, v.Score)
		}
	}
	if reasons < 8 {
		t.Errorf("%d reasons", reasons)
	}
}

// TestFewTerms: one term without a comment is enough for its subclasses and equivalents.
func TestFewTerms(t *testing.T) {
	v := ask(t, "x:TeaPot")
	if !v["x:Samovar"].Accepted || !v["y:Q17"].Accepted || v["x:Person"].Accepted {
		t.Errorf("%+v", v)
	}
	if _, err := NewJudge(NewBackground(), nil); !errors.Is(err, ErrNoTerms) {
		t.Errorf("no terms: %v", err)
	}
	j, err := NewJudge(NewBackground(), []Class{{IRI: "x:TeaPot"}})
	if err != nil {
		t.Fatal(err)
	}
	if one := verdictOf(j, Class{}, func(string) (float64, bool) { return 0, false }); math.IsNaN(one.Score) || one.Accepted {
		t.Errorf("nothing is judged %+v", one)
	}
}

// TestOrder: no verdict depends on the order of candidates.
func TestOrder(t *testing.T) {
	b := NewBackground()
	all := kitchen()
	for _, c := range all {
		b.Add(c)
	}
	j, err := NewJudge(b, all[9:11])
	if err != nil {
		t.Fatal(err)
	}
	rest := append(slices.Clone(all[:9]), all[11:]...)
	want := j.Verdicts(rest)
	slices.Reverse(rest)
	got := j.Verdicts(rest)
	slices.Reverse(got)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\n%v", got, want)
	}
}

// TestOtherLanguages: a class with labels in one language only is compared in that.
func TestOtherLanguages(t *testing.T) {
	b := NewBackground()
	j, err := NewJudge(b, []Class{
		{IRI: "x:Q1", Labels: []Text{{"Teekanne", "de"}, {"tea pot", "en"}}},
		{IRI: "x:Q2", Labels: []Text{{"Kaffeekanne", "de"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) (float64, bool) { return 0, false }
	same := verdictOf(j, Class{IRI: "y:Q3", Labels: []Text{{"Kaffeekanne", "de-AT"}}}, none).Score
	other := verdictOf(j, Class{IRI: "y:Q4", Labels: []Text{{"Bürgermeister", "de"}}}, none).Score
	if same <= other {
		t.Errorf("the same label %.2f, another %.2f", same, other)
	}
}

// TestOneLanguage: a class with an English name is not compared by a translation, nor across languages.
func TestOneLanguage(t *testing.T) {
	b := NewBackground()
	atLarge(b)
	for _, c := range kitchen() {
		b.Add(c)
	}
	j, err := NewJudge(b, []Class{
		{IRI: "x:TeaPot", Labels: []Text{{"tea pot", "en"}, {"théière", "fr"}, {"Art", "de"}}},
		{IRI: "x:Kettle", Labels: []Text{{"kettle", "en"}, {"bouilloire", "fr"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		why  string
		c    Class
		want bool
	}{
		{"the English name is T's", Class{IRI: "y:Pot", Labels: []Text{{"pot", "en"}, {"vase", "fr"}}}, true},
		{"a translation alone is T's", Class{IRI: "y:Boiler", Labels: []Text{{"boiler", "en"}, {"bouilloire", "fr"}}}, false},
		{"there is no English name, and the French is T's", Class{IRI: "y:Q5", Labels: []Text{{"bouilloire", "fr"}}}, true},
		{"the same letters in another language", Class{IRI: "y:Art", Labels: []Text{{"art", "en"}}}, false},
	} {
		v := verdictOf(j, tc.c, func(string) (float64, bool) { return 0, false })
		if v.Accepted != tc.want {
			t.Errorf("%s: accepted %v, score %.2f", tc.why, v.Accepted, v.Score)
		}
	}
}

// TestNoCascade: a superclass that shares only a head noun with T does not belong, and its subclasses gain
// nothing; nor do those of a class that belongs by a word.
func TestNoCascade(t *testing.T) {
	var all []Class
	above := func(super string, subs ...string) {
		c := Class{IRI: super, Sub: subs}
		for _, s := range subs {
			all = append(all, Class{IRI: s, Super: []string{super}})
		}
		all = append(all, c)
	}
	above("x:ArtWork", "x:TeaPotWork", "x:Statue", "x:Fresco", "x:Mosaic", "x:Poster")
	above("x:ClayWork", "x:TeaPot", "x:CoffeePot", "x:MilkPot")
	above("x:FlowerPot", "x:Rose", "x:Tulip")
	b := NewBackground()
	atLarge(b)
	var given, rest []Class
	for _, c := range all {
		b.Add(c)
		if slices.Contains([]string{"x:TeaPotWork", "x:TeaPot", "x:CoffeePot"}, c.IRI) {
			given = append(given, c)
		} else {
			rest = append(rest, c)
		}
	}
	j, err := NewJudge(b, given)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"x:ClayWork": true, "x:MilkPot": true, "x:FlowerPot": true}
	for i, v := range j.Verdicts(rest) {
		if iri := rest[i].IRI; v.Accepted != want[iri] {
			t.Errorf("%s accepted %v, score %.2f, %v", iri, v.Accepted, v.Score, v.Reasons)
		}
	}
}

func TestSplit(t *testing.T) {
	for in, want := range map[string]string{
		"TrainStation": "Train Station", "HTTPServer": "HTTP Server", "Book2Author": "Book 2 Author",
		"tea_pot": "tea pot", "tea-pot": "tea-pot", "Q4022": "Q4022", "": "", "été": "été",
	} {
		if got := split(in); got != want {
			t.Errorf("%q is split into %q, not %q", in, got, want)
		}
	}
	r := newReader()
	if got := r.stems(split("RailwayStationQ4022 of 1999"), "", 9); !slices.Equal(got, []string{"railwai", "station"}) {
		t.Errorf("%q", got)
	}
}

// TestBackground: a background is decoded unchanged, and invalid bytes are rejected.
func TestBackground(t *testing.T) {
	b := NewBackground()
	for _, c := range kitchen() {
		b.Add(c)
	}
	data, err := b.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	read := NewBackground()
	if err := read.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if again, _ := read.MarshalBinary(); !bytes.Equal(again, data) || read.Classes() != len(kitchen()) {
		t.Errorf("%d classes, %d bytes; %d bytes were written", read.Classes(), len(again), len(data))
	}
	for n := range data {
		if err := read.UnmarshalBinary(data[:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	if again, _ := read.MarshalBinary(); !bytes.Equal(again, data) {
		t.Error("what was there is lost by what is damaged")
	}
}

func FuzzBackground(f *testing.F) {
	b := NewBackground()
	b.Add(kitchen()[8])
	data, _ := b.MarshalBinary()
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := NewBackground()
		if b.UnmarshalBinary(data) != nil {
			return
		}
		j, err := NewJudge(b, kitchen()[9:10])
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range j.Verdicts(kitchen()) {
			if !(v.Score >= 0 && v.Score <= 1) {
				t.Errorf("a score of %v", v.Score)
			}
		}
	})
}

// FuzzVerdict judges classes of arbitrary names, comments and neighbours.
func FuzzVerdict(f *testing.F) {
	f.Add("http://x/TrainStation", "train station", "en", "A station.", "http://x/Station")
	f.Add("%", "\xff", "x-", "\x00", "")
	f.Fuzz(func(t *testing.T, iri, label, lang, comment, other string) {
		c := Class{iri, []Text{{label, lang}}, []Text{{comment, lang}}, []string{other}, []string{other, iri}, []string{other}, []string{label}}
		b := NewBackground()
		b.Add(c)
		j, err := NewJudge(b, []Class{c, {IRI: other}})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range j.Verdicts([]Class{c, {IRI: label, Super: []string{iri}}, c}) {
			if !(v.Score >= 0 && v.Score <= 1) {
				t.Errorf("a score of %v", v.Score)
			}
		}
	})
}

func TestDescribe(t *testing.T) {
	const (
		rdfs = "http://www.w3.org/2000/01/rdf-schema#"
		owl  = "http://www.w3.org/2002/07/owl#"
		skos = "http://www.w3.org/2004/02/skos/core#"
	)
	iri := rdf.NewIRI
	said := []rdf.Quad{
		{S: iri("x:Pot"), P: iri(rdfs + "label"), O: rdf.NewLang("pot", "en")},
		{S: iri("x:Pot"), P: iri(skos + "prefLabel"), O: rdf.NewLang("Topf", "de")},
		{S: iri("x:Pot"), P: iri(rdfs + "label"), O: rdf.NewLang("pot", "en")},
		{S: iri("x:Pot"), P: iri("http://schema.org/name"), O: rdf.NewString(" ")},
		{S: iri("x:Pot"), P: iri(skos + "definition"), O: rdf.NewString(strings.Repeat("é", maxComment))},
		{S: iri("x:Pot"), P: iri(rdfs + "subClassOf"), O: iri("x:Vessel")},
		{S: iri("x:Pot"), P: iri(rdfs + "subClassOf"), O: rdf.NewBlank("restriction")},
		{S: iri("x:TeaPot"), P: iri(rdfs + "subClassOf"), O: iri("x:Pot")},
		{S: iri("y:Pot"), P: iri(owl + "sameAs"), O: iri("x:Pot")},
		{S: iri("x:Pot"), P: iri(owl + "equivalentClass"), O: iri("x:Pot")},
		{S: iri("x:colour"), P: iri(rdfs + "label"), O: rdf.NewString("colour")},
		{S: iri("x:holds"), P: iri(rdfsDomain), O: iri("x:Pot")},
		{S: iri("x:holds"), P: iri(rdfsRange), O: iri("x:Tea")},
		{S: iri("x:carries"), P: iri(schemaDomain), O: iri("x:Tray")},
		{S: iri("x:carries"), P: iri(schemaRange), O: iri("x:Pot")},
		{S: iri("x:is"), P: iri(rdfsDomain), O: iri("x:Pot")},
	}
	broken := errors.New("broken")
	got, err := describe(func(yield func(rdf.Quad, error) bool) {
		for _, q := range said {
			if !yield(q, nil) {
				return
			}
		}
		yield(rdf.Quad{}, broken)
	}, "x:Pot")
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	comment := got.Comments[0].Text
	got.Comments = nil
	want := Class{"x:Pot", []Text{{"Topf", "de"}, {"pot", "en"}}, nil, []string{"x:Vessel"}, []string{"x:TeaPot"}, []string{"y:Pot"}, []string{"x:Tea", "x:Tray"}}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(comment) > maxComment || strings.Trim(comment, "é") != "" {
		t.Errorf("%v\n%v\n%d bytes", got, want, len(comment))
	}
	d := NewDescriptions(100)
	for _, q := range said {
		d.Add(q)
	}
	if got := d.IRIs(); !slices.Equal(got, []string{"x:Pot", "x:TeaPot", "x:Vessel", "y:Pot"}) {
		t.Errorf("classes: %q", got)
	}
}

// BenchmarkVerdict judges a class with a comment, by nine terms.
func BenchmarkVerdict(b *testing.B) {
	background := NewBackground()
	all := kitchen()
	for _, c := range all {
		background.Add(c)
	}
	j, err := NewJudge(background, all[4:13])
	if err != nil {
		b.Fatal(err)
	}
	known := func(string) (float64, bool) { return 0.5, true }
	for _, neighbours := range []int{3, 40} {
		c := Class{IRI: "x:WateringCan", Labels: []Text{{"watering can", "en"}, {"Gießkanne", "de"}}, Super: []string{"x:Vessel"},
			Comments: []Text{{strings.Repeat("A vessel out of which plants are given what they need. ", 4), "en"}}}
		for i := range neighbours {
			c.Sub = append(c.Sub, fmt.Sprintf("x:Watering%cCan", 'A'+rune(i%26)))
		}
		b.Run(fmt.Sprintf("%d neighbours", neighbours), func(b *testing.B) {
			for b.Loop() {
				verdictOf(j, c, known)
			}
		})
	}
}

// describe returns the description of a class in quads and the first error, with what was read before it.
func describe(quads iter.Seq2[rdf.Quad, error], iri string) (Class, error) {
	d := NewDescriptions(1)
	d.class(iri)
	for q, err := range quads {
		if err != nil {
			return d.Class(iri), err
		}
		d.Add(q)
	}
	return d.Class(iri), nil
}

// verdictOf judges a class by its text and by related classes. Known related classes count as belonging by
// more than a word.
func verdictOf(j *Judge, c Class, known Known) terms.Verdict {
	one := j.candidate(&c, func(string) int { return 0 })
	j.relate(&one, func(iri string) closeness {
		score, ok := known(iri)
		if !ok {
			return closeness{}
		}
		return closeness{score, score}
	})
	return one.verdict()
}
