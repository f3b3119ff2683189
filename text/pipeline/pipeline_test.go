package pipeline_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"orbweaver/text/link"
	"orbweaver/text/pipeline"
	"orbweaver/text/tag"
)

// gazetteer returns a gazetteer of the labels.
func gazetteer(tb testing.TB, labels ...link.Label) *link.Gazetteer {
	tb.Helper()
	var b link.Builder
	for _, l := range labels {
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

func aircraft(tb testing.TB) *link.Gazetteer {
	return gazetteer(tb,
		link.Label{Text: "Airbus A320", IRI: "urn:a320"},
		link.Label{Text: "Boeing", IRI: "urn:boeing"},
		link.Label{Text: "jet engine", IRI: "urn:jet", Lang: "en"},
		link.Label{Text: "Flugzeug", IRI: "urn:aircraft", Lang: "de"})
}

func newPipeline(tb testing.TB, o pipeline.Options) *pipeline.Pipeline {
	tb.Helper()
	p, err := pipeline.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

const planes = "The Airbus A320 has two jet engines. Mr. Smith, who flew it on Monday, wasn't happy with his new planes!"

func TestRead(t *testing.T) {
	d := newPipeline(t, pipeline.Options{Gazetteer: aircraft(t)}).Read(planes, "")
	if d.Lang != "en" || d.Degraded != "" || len(d.Sentences) != 2 {
		t.Errorf("lang %q, degraded %q, sentences %v", d.Lang, d.Degraded, d.Sentences)
	}
	var words, lemmas, stops []string
	for i, k := range d.Tokens {
		words, lemmas = append(words, d.Of(i)), append(lemmas, k.Lemma)
		if k.Tag == tag.Unknown {
			t.Errorf("%s has no tag", d.Of(i))
		}
		if k.Stop {
			stops = append(stops, d.Of(i))
		}
	}
	for _, c := range []struct {
		name      string
		got       []string
		want      string
		separator string
	}{
		{"words", words, "The Airbus A320 has two jet engines . Mr. Smith , who flew it on Monday , was n't happy with his new planes !", " "},
		{"lemmas", lemmas, "the airbus a320 have two jet engine . mr. smith , who fly it on monday , be not happy with his new plane !", " "},
		{"stop words", stops, "The has Mr. who it on was n't with his", " "},
	} {
		if got := strings.Join(c.got, c.separator); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	var phrases []string
	for _, p := range d.Phrases {
		phrases = append(phrases, d.Between(p.First, p.Last))
	}
	if got := strings.Join(phrases, "; "); got != "Airbus A320; jet engines; Mr. Smith; Monday; new planes" {
		t.Errorf("phrases: %s", got)
	}
}

func TestNouns(t *testing.T) {
	kinds := map[string]string{"urn:a320": "Type"}
	p := newPipeline(t, pipeline.Options{Gazetteer: aircraft(t), Confidence: 0.3, Type: func(iri string) string { return kinds[iri] }})
	var got []string
	for _, n := range p.Read(planes+" The people at Boeing smiled.", "en-GB").Nouns() {
		got = append(got, fmt.Sprint(n.Lemma, " ", n.Tag, " ", n.Type, " ", n.IRI, " ", n.Phrase, " ", n.First, "-", n.Last))
	}
	want := []string{
		"airbus a320 NNP Type urn:a320 true 1-2",
		"jet engine NNS  urn:jet true 5-6",
		"Smith NNP PER  false 9-9",
		"Monday NNP DATE  false 15-15",
		"plane NNS  false 23-23",
		"people NNS  false 26-26",
		"Boeing NNP MISC urn:boeing false 28-28",
	}
	for i := range want {
		want[i] = strings.Replace(want[i], "NNS  false", "NNS   false", 1)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("nouns:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTypes: a few clue words decide the type of a name.
func TestTypes(t *testing.T) {
	p := newPipeline(t, pipeline.Options{})
	for _, tc := range []struct{ text, noun, want string }{
		{"She met Dr. Brown.", "Brown", "PER"},
		{"She met Mary Brown.", "Brown", "PER"},
		{"Shares of Apple Inc. fell.", "Apple", "ORG"},
		{"He studied at Cornell University.", "Cornell", "ORG"},
		{"They landed in France.", "France", "LOC"},
		{"They swam in Lake Geneva.", "Geneva", "LOC"},
		{"They left in September.", "September", "DATE"},
		{"They bought Photoshop.", "Photoshop", "MISC"},
		{"They bought planes.", "plane", ""},
	} {
		found := false
		for _, n := range p.Read(tc.text, "en").Nouns() {
			if n.Lemma == tc.noun {
				found = true
				if n.Type != tc.want {
					t.Errorf("%s: %s is %q, want %q", tc.text, n.Lemma, n.Type, tc.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: %s is no noun", tc.text, tc.noun)
		}
	}
}

// TestNamesThatAreStopWords: US is a name, us is not.
func TestNamesThatAreStopWords(t *testing.T) {
	d := newPipeline(t, pipeline.Options{}).Read("The US gave us nothing.", "en")
	if d.Tokens[1].Stop || !d.Tokens[3].Stop {
		t.Errorf("US %v, us %v", d.Tokens[1], d.Tokens[3])
	}
}

// TestAnotherLanguage: another language gets stems instead of tags, and entities with labels in it.
func TestAnotherLanguage(t *testing.T) {
	p := newPipeline(t, pipeline.Options{Gazetteer: aircraft(t)})
	d := p.Read("Das Flugzeug fliegt. Häuser sind jet engine.", "de-AT")
	if d.Degraded != `language "de" has no model: tokens and stems only` || d.Lang != "de" {
		t.Errorf("%q: degraded %q", d.Lang, d.Degraded)
	}
	if len(d.Mentions) != 1 || d.Mentions[0].IRI != "urn:aircraft" {
		t.Errorf("mentions %v", d.Mentions)
	}
	if got := d.Tokens[4]; got.Lemma != "haus" || got.Tag != tag.Unknown {
		t.Errorf("Häuser is %v", got)
	}
	if n := d.Nouns(); len(n) != 1 || n[0].IRI != "urn:aircraft" || n[0].Type != "" {
		t.Errorf("nouns %v", n)
	}
	if d := p.Read("Voda.", "cs"); !strings.Contains(d.Degraded, "lower case only") || d.Tokens[0].Lemma != "voda" {
		t.Errorf("%v: %s", d.Tokens, d.Degraded)
	}
}

func TestNew(t *testing.T) {
	if _, err := pipeline.New(pipeline.Options{Language: "de"}); !errors.Is(err, pipeline.ErrLanguage) {
		t.Errorf("German without a model: %v", err)
	}
	m := &tag.Model{}
	if _, err := pipeline.New(pipeline.Options{Model: m}); !errors.Is(err, tag.ErrModel) {
		t.Errorf("an empty model: %v", err)
	}
	m.Put(pipeline.LanguageSection, []byte("fr"))
	if _, err := pipeline.New(pipeline.Options{Model: m, Language: "en"}); !errors.Is(err, pipeline.ErrLanguage) {
		t.Errorf("a model of French for English: %v", err)
	}
	if _, err := pipeline.Load("pipeline_test.go", pipeline.Options{}); !errors.Is(err, tag.ErrModel) || !strings.Contains(err.Error(), "pipeline_test.go") {
		t.Errorf("a file that is no model: %v", err)
	}
}

// TestShared: concurrent reads give the same result.
func TestShared(t *testing.T) {
	p := newPipeline(t, pipeline.Options{Gazetteer: aircraft(t)})
	texts := []string{planes, "Boeing flies.", "", "Das Flugzeug. " + planes}
	var want []*pipeline.Document
	for _, s := range texts {
		want = append(want, p.Read(s, ""))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 20 * len(texts) {
				d, w := p.Read(texts[i%4], ""), want[i%4]
				if !reflect.DeepEqual(d.Tokens, w.Tokens) || !reflect.DeepEqual(d.Mentions, w.Mentions) || !reflect.DeepEqual(d.Nouns(), w.Nouns()) {
					t.Errorf("%q is read otherwise", d.Text)
				}
			}
		})
	}
	all.Wait()
}

// FuzzRead: no input causes a panic, tokens are in order, and nouns are within the text.
func FuzzRead(f *testing.F) {
	f.Add(planes, "en")
	f.Add("Ünïcödé \xff\xfe U.S. of A.\n\n\n- x's", "de")
	f.Add("Mr. Mr. Mr. US IT \u2019s n\u2019t", "x-y")
	p := newPipeline(f, pipeline.Options{Gazetteer: aircraft(f)})
	f.Fuzz(func(t *testing.T, s, lang string) {
		d := p.Read(s, lang)
		for _, n := range d.Nouns() {
			if n.First > n.Last || d.Between(n.First, n.Last) == "" || n.Lemma == "" {
				t.Errorf("%q: noun %v", s, n)
			}
		}
		for i := 1; i < len(d.Tokens); i++ {
			if d.Tokens[i].Start < d.Tokens[i-1].End {
				t.Errorf("%q: token %d overlaps", s, i)
			}
		}
	})
}
