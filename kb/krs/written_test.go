package krs

import "testing"

// abbreviations are documents about AIDS, from a reader that keeps abbreviations as written.
func abbreviations() []Document {
	aids := Noun{Lemma: "AIDS", Folded: "aids", Words: "AIDS", Tag: "NNP"}
	virus := Noun{Lemma: "virus", Words: "viruses", Tag: "NNS"}
	return []Document{{ID: "a", Nouns: []Noun{aids, aids, virus}}, {ID: "b", Nouns: []Noun{aids, virus, virus}}}
}

func TestAbbreviationsAsWritten(t *testing.T) {
	for _, tc := range []struct {
		name   string
		folded bool
		lemma  string
	}{
		{"in a new KRS they are kept so", false, "AIDS"},
		{"one made before has them in small letters", true, "aids"},
	} {
		s := inMemory(t, nil, nil)
		s.state.AsWritten = !tc.folded
		for _, d := range abbreviations() {
			if err := s.Add(d); err != nil {
				t.Fatal(err)
			}
		}
		c := compiled(t, s, Options{})
		if _, known := c.IDF(Key{Lemma: tc.lemma}); !known {
			t.Errorf("%s: no %s", tc.name, tc.lemma)
		}
		mentions := c.Mentions(abbreviations()[0].Nouns)
		v := c.Judge(mentions)
		if len(mentions) != 2 || mentions[0].Lemma != tc.lemma || mentions[0].Words != "AIDS" || v.Judged[0].IDF < 0 {
			t.Errorf("%s: %+v, %+v", tc.name, mentions, v.Judged)
		}
		hearing := c.Judge(c.Mentions([]Noun{{Lemma: "aid", Words: "aids", Tag: "NNS"}}))
		if hearing.Judged[0].IDF >= 0 {
			t.Errorf("%s: hearing aids are known", tc.name)
		}
	}
}

func TestMentionsByTheirWords(t *testing.T) {
	n := func(words string) Noun { return Noun{Lemma: "plane", Words: words} }
	m := Mentions([]Noun{n("plane"), n("planes"), n("Planes"), n("planes"), {Lemma: "jet"}})
	if len(m) != 2 || m[0].Words != "planes" || m[0].Times != 4 || m[1].Words != "" {
		t.Errorf("%+v", m)
	}
}
