package crossref

import (
	"math"
	"strings"
	"testing"

	"orbweaver"
)

// apiaries is a crawl of n pages about bees linked to beside one word, and n others linked to beside another.
func apiaries(t *testing.T, n int, change func(*Options)) *Focus {
	f := focus(t, change)
	learn(t, f, page("http://p.test/words", "apiary gambit lantern"))
	for i := range n {
		for _, of := range [][2]string{{"apiary", "bee honey hive"}, {"gambit", "chess rook castle"}} {
			url := "http://p.test/" + of[0] + string(rune('a'+i))
			teach(t, f, orbweaver.Outcome{Page: page(url, of[1]), Request: orbweaver.Request{URL: url, Note: beside(f, of[0])}})
		}
	}
	endRound(t, f, 1, nil)
	return f
}

// beside returns the Note of a page that one page links to, beside a word.
func beside(f *Focus, words string) []byte {
	e := evidence{links: 1, parents: []parent{{page: 1, relevance: 0.1}}}
	if words != "" {
		e.context = f.words(f.reader.Read(words, "", "en"), maxContext)
	}
	return e.note()
}

// TestFeedback: of two links unlike the item, the one beside a word of links to similar pages goes first, and
// the reasons name the word.
func TestFeedback(t *testing.T) {
	f := apiaries(t, 4, nil)
	worth := func(f *Focus, words string) float64 {
		x, _ := f.Worth(beside(f, words))
		return x
	}
	if good, mean, bad := worth(f, "apiary"), worth(f, ""), worth(f, "gambit"); good <= mean || mean <= bad {
		t.Errorf("beside apiary %v, beside no word %v, beside gambit %v", good, mean, bad)
	}
	if both, good := worth(f, "apiary gambit"), worth(f, "apiary"); both >= good {
		t.Errorf("beside both %v, beside apiary alone %v", both, good)
	}
	named := false
	for _, r := range f.Rerank(nil, orbweaver.Proposal{Request: orbweaver.Request{Note: beside(f, "apiary gambit lantern")}}).Reasons {
		named = named || r.Rule == RuleLearned && r.Evidence == "apiary"
	}
	if !named {
		t.Error("no reason names the word")
	}
	for name, change := range map[string]func(*Options){
		"feedback":          func(o *Options) { o.NoFeedback = true },
		"the paper's order": func(o *Options) { o.Strict = true },
	} {
		f := apiaries(t, 4, change)
		if good, bad := worth(f, "apiary"), worth(f, "gambit"); good != bad {
			t.Errorf("%s: beside apiary %v, beside gambit %v", name, good, bad)
		}
	}
}

// TestValues: by hand.
func TestValues(t *testing.T) {
	b := feedback{mean: standing{0.25}, words: map[uint32]experience{
		1: {pages: 1, sum: [maxLayers]float64{1}},
		2: {pages: 9, sum: [maxLayers]float64{0}},
	}}
	for _, tc := range []struct {
		words vector
		want  float64
	}{
		{nil, 0.25},
		{vector{{7, 5}}, 0.25},                          // a word never met
		{vector{{1, 1}}, (1 + 0.75) / 4},                //
		{vector{{2, 2}}, 0.75 / 12},                     //
		{vector{{1, 1}, {2, 3}}, (0.4375 + 0.1875) / 4}, // by weight
	} {
		if got := b.expects(tc.words, 0); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", tc.words, got, tc.want)
		}
	}
	if got := b.telling(vector{{1, 1}, {2, 3}, {7, 1}}, 0, 3); len(got) != 1 || got[0].id != 1 {
		t.Errorf("telling: %v", got)
	}
}

// TestLaterLinks: the words of links found after a page was fetched count too, up to the limit of a Note.
func TestLaterLinks(t *testing.T) {
	f := focus(t, nil)
	learn(t, f, page("http://p.test/words", "apiary gambit "+strings.Join(letters(60), " ")), page("http://p.test/x", "bee honey"))
	l := link("http://p.test/x", "")
	l.Context = "apiary"
	learn(t, f, page("http://p.test/y", "hive", l))
	k := f.known.find(keyOf("http://p.test/x"))
	if len(k.near) != 1 || f.named(k.near) != "apiary" {
		t.Fatalf("near it: %v", k.near)
	}
	l.Context = strings.Join(letters(60), " ")
	learn(t, f, page("http://p.test/z", "hive", l))
	if len(k.near) != maxContext {
		t.Errorf("near it: %d words", len(k.near))
	}
}

// letters returns n meaningless words.
func letters(n int) (words []string) {
	for i := range n {
		words = append(words, "zq"+strings.Repeat(string(rune('a'+i%26)), 2+i/26)+"x")
	}
	return words
}

// FuzzFeedback: decoding any snapshot terminates, and a completely decoded one is encoded unchanged.
func FuzzFeedback(f *testing.F) {
	var e encoder
	e.feedback(&feedback{mean: standing{0.5}, words: map[uint32]experience{7: {pages: 2, sum: [maxLayers]float64{1}}, 9: {pages: 1}}})
	f.Add(e.b)
	f.Add(e.b[:len(e.b)-1])
	f.Fuzz(func(t *testing.T, b []byte) {
		d := decoder{b: b}
		first := d.feedback()
		if d.failed {
			return
		}
		var once, twice encoder
		once.feedback(&first)
		again := decoder{b: once.b}
		second := again.feedback()
		if twice.feedback(&second); again.failed || len(again.b) > 0 || string(once.b) != string(twice.b) {
			t.Errorf("%x, then %x", once.b, twice.b)
		}
	})
}
