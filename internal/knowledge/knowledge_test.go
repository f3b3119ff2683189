package knowledge

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/findings"
	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
	"orbweaver/kb/offer"
	"orbweaver/kb/stream"
	"orbweaver/kb/terms"
	"orbweaver/text/item"
)

func read(t *testing.T, path string) (*offer.Source, error) {
	t.Helper()
	return Read(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, nil, path)
}

// find returns the position of an offer.
func find(t *testing.T, s *offer.Source, text string) int {
	t.Helper()
	at := slices.IndexFunc(s.Offers, func(o offer.Offer) bool { return o.Text == text })
	if at < 0 {
		t.Fatalf("%q is not offered", text)
	}
	return at
}

// TestLabels: a model offers its labels with broader ones and where they came up; its other terms are anchors, and all
// occur together as the model counted.
func TestLabels(t *testing.T) {
	m, err := stream.New(stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	drift, err := stream.OpenDrift(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	var r item.Reader
	for i := range 90 {
		text := fmt.Sprintf("word%c%c filler%c", 'a'+i/26, 'a'+i%26, 'a'+i%20)
		if i%5 == 0 {
			text += " orchestra orchestra"
			if i%15 == 0 {
				text += " violin violin"
			}
		}
		_, changes := m.Learn(fmt.Sprintf("http://p.test/%d", i), time.Time{}, r.Read(text, "", "en"))
		if err := drift.Add(changes); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(drift.Close(), m.Write(dir, nil)); err != nil {
		t.Fatal(err)
	}
	s, err := read(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	violin, orchestra := find(t, s, "violin"), find(t, s, "orchestra")
	o := s.Offers[violin]
	if o.Anchor || o.Count != 6 || len(o.Above) != 1 || o.Above[0].Text != "orchestra" || len(o.Examples) == 0 {
		t.Errorf("%+v", o)
	}
	if s.Together(violin, orchestra) != 6 || s.Together(orchestra, orchestra) != 18 || s.Items != 90 {
		t.Errorf("%v %v %v", s.Together(violin, orchestra), s.Together(orchestra, orchestra), s.Items)
	}
	if one := s.Offers[find(t, s, "wordaa")]; !one.Anchor {
		t.Errorf("%+v", one)
	}
}

// TestNouns: score by hand. 4 of 4 documents of the corpus and 1 of 16 of the background have insulin.
func TestNouns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "topic.krs")
	documents := func(n int, of func(i int) []krs.Noun) func(func(krs.Document, error) bool) {
		return func(yield func(krs.Document, error) bool) {
			for i := range n {
				if !yield(krs.Document{ID: fmt.Sprintf("http://%d.test/%d", n, i), Nouns: of(i)}, nil) {
					return
				}
			}
		}
	}
	store, err := krsdb.Build(t.Context(), dir, krs.Plan{
		Topic: "diabetes",
		Documents: documents(4, func(i int) []krs.Noun {
			all := []krs.Noun{{Lemma: "insulin"}, {Lemma: "day"}}
			if i < 3 {
				all = append(all, krs.Noun{Lemma: "glucose", IRI: "http://kb.test/Glucose"})
			}
			if i < 2 {
				all = append(all, krs.Noun{Lemma: "rare"})
			}
			return all
		}),
		Background: documents(16, func(i int) []krs.Noun {
			all := []krs.Noun{{Lemma: "day"}}
			if i == 0 {
				all = append(all, krs.Noun{Lemma: "insulin"}, krs.Noun{Lemma: "other"})
			}
			return all
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := read(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Offers) != 3 { // not rare, which two have, nor other, which the corpus lacks
		t.Errorf("%+v", s.Offers)
	}
	i, g := find(t, s, "insulin"), find(t, s, "glucose")
	o := s.Offers[i]
	// 2·(4 ln 4 + 1 ln 1 + 15 ln 15 + 20 ln 20 − 5 ln 5 − 15 ln 15 − 4 ln 4 − 16 ln 16), and a chance of 1/(1 + 19/16)
	want := math.Sqrt(2*(20*math.Log(20)-5*math.Log(5)-16*math.Log(16))) / (1 + 19./16)
	if math.Abs(o.Score-want) > 1e-9 || o.On != 1 || o.Off != 1./16 || o.Count != 4 || len(o.Examples) != 3 {
		t.Errorf("%+v, score %v", o, want)
	}
	if s.Offers[g].IRI != "http://kb.test/Glucose" || s.Together(i, g) != 3 || s.Together(i, i) != 5 || s.Items != 20 {
		t.Errorf("%+v %v %v", s.Offers[g], s.Together(i, g), s.Together(i, i))
	}
	if day := s.Offers[find(t, s, "day")]; !day.Anchor {
		t.Errorf("%+v", day)
	}
}

// TestClasses: what a path says a class to be below of, or the same as; a path upwards says neither.
func TestClasses(t *testing.T) {
	const below, same = "http://www.w3.org/2000/01/rdf-schema#subClassOf", "http://www.w3.org/2002/07/owl#equivalentClass"
	step := func(from, property string, inverse bool, to string) terms.Step {
		return terms.Step{From: from, Property: property, Inverse: inverse, To: to, Dataset: "http://one.test/"}
	}
	down := step("http://a/Ship", below, true, "http://a/Ferry")
	dir := t.TempDir()
	found := findings.Findings{Terms: []terms.Term{
		{IRI: "http://a/Ship", Label: "ship"},
		{IRI: "http://a/Ferry", Stage: 1, Paths: []terms.Path{{down}}, Document: "http://a/doc"},
		{IRI: "http://b/Ferry", Stage: 2, Label: "ferry boat", Paths: []terms.Path{{down, step("http://a/Ferry", same, false, "http://b/Ferry")}}, Judged: &terms.Verdict{Score: .9}},
		{IRI: "http://a/Vehicle", Stage: 1, Paths: []terms.Path{{step("http://a/Ship", below, false, "http://a/Vehicle")}}},
	}}
	if err := found.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "crawl.yaml"), []byte("x: y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := read(t, dir)
	if err != nil || len(s.Offers) != 4 {
		t.Fatalf("%+v %v", s, err)
	}
	ship, ferry, boat, vehicle := s.Offers[0], s.Offers[1], s.Offers[2], s.Offers[3]
	if ship.Score != 1 || ferry.Score != .5 || boat.Score != .9 || !ferry.Class || ferry.Text != "Ferry" {
		t.Errorf("%+v", s.Offers)
	}
	above := offer.Ref{Text: "ship", IRI: "http://a/Ship"}
	if !slices.Equal(ferry.Above, []offer.Ref{above}) || ferry.Same != nil || !slices.Equal(ferry.Examples, []string{"http://a/doc", "http://one.test/"}) {
		t.Errorf("%+v", ferry)
	}
	if !slices.Equal(boat.Above, []offer.Ref{above}) || len(boat.Same) != 1 || boat.Same[0].IRI != "http://a/Ferry" {
		t.Errorf("%+v", boat)
	}
	if vehicle.Above != nil || vehicle.Same != nil {
		t.Errorf("%+v", vehicle)
	}
}

// TestNothingToRead: a folder without knowledge is named.
func TestNothingToRead(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if _, err := read(t, path); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
