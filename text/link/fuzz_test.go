package link

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// FuzzParse: whatever is in a file with a right checksum, it is refused or can be used.
func FuzzParse(f *testing.F) {
	plain := build(f, Label{Text: "New York", IRI: "NY", Lang: "en", Count: 2}, Label{Text: "Rome", IRI: "Rome"},
		Label{Text: "Rome (city)", IRI: "City", Lang: "de"}, Label{Text: "US", IRI: "US"})
	trainer := NewTrainer(plain)
	doc := said("In Rome we saw New York , US . And Rome is New York .")
	for range 3 {
		trainer.Learn(doc, []Truth{{1, 1, "http://e/Rome"}, {4, 5, "http://e/NY"}})
	}
	g, err := trainer.Gazetteer()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain.data)
	f.Add(g.data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= header {
			data = slices.Clone(data)
			binary.LittleEndian.PutUint64(data[16:], xxhash.Sum64(data[24:]))
		}
		g, err := Parse(data)
		if err != nil {
			return
		}
		for _, m := range NewLinker(g, Options{}).Link(doc) {
			if m.First < 0 || m.Last < m.First || m.Last >= len(doc.Words) || !(m.Similarity >= 0 && m.Similarity <= 1) {
				t.Errorf("%+v", m)
			}
		}
		g.entity("http://e/Rome")
		trainer := NewTrainer(g)
		trainer.Learn(doc, []Truth{{1, 1, "http://e/Rome"}})
		if _, err := trainer.Gazetteer(); err != nil {
			t.Error(err)
		}
	})
}

// FuzzBuild: of any labels comes a gazetteer that can be read again, and finds the labels.
func FuzzBuild(f *testing.F) {
	f.Add("New York\nRome (city)\nAT&T\nU.S.\nthe lions'\n\n(!)", uint8(3))
	f.Add("\xff\x00É\u2019s ß\nİ\n北京", uint8(0))
	f.Fuzz(func(t *testing.T, lines string, seed uint8) {
		var b Builder
		var kept []string
		for i, line := range strings.Split(lines, "\n") {
			l := Label{Text: line, IRI: fmt.Sprintf("http://e/%d", i/2), Kind: Kind(seed + uint8(i)), Count: i % 3}
			if b.Add(l) == nil {
				kept = append(kept, line)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(g.data); err != nil {
			t.Fatal(err)
		}
		m := NewMatcher(g)
		for _, line := range kept {
			if plain, ok := unqualified(line); ok {
				line = plain
			}
			found := len(m.Match(Document{Words: []string{line}})) > 0
			if parts := fold(nil, line, 0); !found && len(words(slices.Clone(parts))) == len(parts) {
				t.Errorf("%q is not found", line)
			}
		}
	})
}

// FuzzLink: any tokens can be linked, twice alike.
func FuzzLink(f *testing.F) {
	g := build(f, Label{Text: "New York", IRI: "NY"}, Label{Text: "Rome", IRI: "Rome"}, Label{Text: "York", IRI: "York"},
		Label{Text: "a", IRI: "a"}, Label{Text: "a a", IRI: "aa"}, Label{Text: "Isaac Newton", IRI: "N"})
	f.Add("Isaac Newton ( IN ) saw New York . Newton a a a", uint16(5))
	f.Fuzz(func(t *testing.T, text string, at uint16) {
		doc := Document{Words: strings.Split(text, " "), Sentences: []int{int(at % 7), int(at)}}
		doc.Tags, doc.Lemmas = make([]string, len(doc.Words)), slices.Clone(doc.Words)
		l := NewLinker(g, Options{Confidence: float64(at%10) / 10})
		first := fmt.Sprint(l.Link(doc))
		if again := fmt.Sprint(l.Link(doc)); again != first {
			t.Errorf("%s, then %s", first, again)
		}
		last := -1
		for _, m := range l.Link(doc) {
			if m.First <= last || m.Last >= len(doc.Words) {
				t.Errorf("%+v after token %d", m, last)
			}
			last = m.Last
		}
		if n := len(fold(nil, text, 0)); n > utf8.RuneCountInString(text) {
			t.Errorf("%d parts", n)
		}
	})
}
