package prose_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	libtag "github.com/jdkato/prose/v3/tag"
	"github.com/jdkato/prose/v3/tag/aptagmodel"

	"orbweaver/text/tag"
	"orbweaver/text/tag/prose"
)

// asProse returns the tags that prose itself gives.
func asProse(t *libtag.Tagger, words []string) []string {
	as := map[string]string{"\u201c": "``", "\u201d": "''", "n\u2019t": "n't", "\u2019s": "'s"}
	plain := slices.Clone(words)
	for i, w := range words {
		if sign, ok := as[w]; ok {
			plain[i] = sign
		}
	}
	var names []string
	for _, token := range t.Tag(plain) {
		names = append(names, token.Tag)
	}
	return names
}

// pennOf returns the Penn tag for what prose names a word's.
func pennOf(word, name string) tag.Tag {
	switch {
	case word == "-":
		return tag.HYPH
	case strings.Contains("( [ {", word) && len(word) == 1, name == "(":
		return tag.LRB
	case strings.Contains(") ] }", word) && len(word) == 1, name == ")":
		return tag.RRB
	}
	if t, ok := tag.Parse(name); ok && name != "" {
		return t
	}
	return tag.NN
}

// same compares tags with those of prose.
func same(t *testing.T, ours *prose.Tagger, theirs *libtag.Tagger, words []string) {
	t.Helper()
	got, want := ours.Append(words, nil), asProse(theirs, words)
	for i, word := range words {
		if w := pennOf(word, want[i]); got[i] != w {
			t.Fatalf("%q: %q is %v, and with prose %v (%s)", words, word, got[i], w, want[i])
		}
	}
}

// oddities are words that have a rule of their own.
const oddities = `- -- :) 8-) xD XDD o_O ¯\(ツ)/¯ @ @x @_@ 0 00 * *-1 *T*-2 *?* *x* *ICH*-1 -LRB- -RRB- -ABC- -abc- 1999 +123 -123 -12 2007 12 3.5 1st
	well-known -dash Straße ÉCOLE İstanbul ( ) [ ] { } . , ; : ! ? $ % “ ” ‘ ’s n’t 's '' ` + "``" + ` # & U.S. Mr. a A I x`

// TestSameAsProse: tags are those of prose, on sentences of its own words in any order, with words that have a rule of their own and
// words of no model.
func TestSameAsProse(t *testing.T) {
	ours, theirs := taggers(t)
	common := strings.Fields(`the The a of to and in is was for that on with as it by at from are be this which or an not have has had were but their its
		old pages crawler visit visited visiting run runs running did do does can could will would may he she they his her who what when where there
		more most better best quickly new first two million people year years time work works said says number state war water light house company
		American Europe London John Charles University River high long great small made found used known called often however since because if than
		then also only some many each other such between against under over after before while during no so up out about into`)
	odd := strings.Fields(oddities)
	random := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		words := make([]string, random.IntN(25))
		for i := range words {
			switch words[i] = common[random.IntN(len(common))]; random.IntN(8) {
			case 0:
				words[i] = odd[random.IntN(len(odd))]
			case 1:
				words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
			case 2:
				words[i] += common[random.IntN(len(common))]
			case 3:
				words[i] = words[i][random.IntN(len(words[i])):]
			}
		}
		same(t, ours, theirs, words)
	}
}

// TestModel: the packed model is that of the library.
func TestModel(t *testing.T) {
	file, err := os.Open("english.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if model, err := io.ReadAll(r); err != nil || !bytes.Equal(model, aptagmodel.English) {
		t.Errorf("%d bytes of %d, or not the same: %v", len(model), len(aptagmodel.English), err)
	}
}

func taggers(tb testing.TB) (*prose.Tagger, *libtag.Tagger) {
	ours, err := prose.New()
	if err != nil {
		tb.Fatal(err)
	}
	theirs, err := libtag.New()
	if err != nil {
		tb.Fatal(err)
	}
	return ours, theirs
}

// FuzzSame: tags are those of prose, whatever the words.
func FuzzSame(f *testing.F) {
	ours, theirs := taggers(f)
	f.Add("The crawler did n't visit -LRB- *-1 old pages")
	f.Add(oddities)
	f.Fuzz(func(t *testing.T, text string) { same(t, ours, theirs, strings.Split(text, " ")) })
}

// BenchmarkAppend tags sentences of 20 words.
func BenchmarkAppend(b *testing.B) {
	ours, _ := taggers(b)
	words := strings.Fields("The old crawler , which visited pages of many hosts in 1999 , was often found to be slower than others .")
	var tags []tag.Tag
	for b.Loop() {
		tags = ours.Append(words, tags[:0])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(words)), "ns/word")
}
