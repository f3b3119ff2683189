package prose_test

import (
	"slices"
	"strings"
	"testing"

	"orbweaver/text/tag"
	"orbweaver/text/tag/prose"
)

func TestTags(t *testing.T) {
	tagger, err := prose.New()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields("The crawler did n\u2019t visit old pages ( \u201c slowly \u201d ) .")
	want := []tag.Tag{
		tag.DT, tag.NN, tag.VBD, tag.RB, tag.VB, tag.JJ, tag.NNS, tag.LRB, tag.Open, tag.RB, tag.Close, tag.RRB, tag.Stop,
	}
	got := tagger.Append(words, []tag.Tag{tag.UH})
	if got[0] != tag.UH || len(got) != len(words)+1 {
		t.Fatalf("%d words appended as %v", len(words), got)
	}
	for i, w := range want {
		if got[i+1] != w {
			t.Errorf("%q is %v, not %v", words[i], got[i+1], w)
		}
	}
}

// FuzzTags: every word has a tag, whatever it is.
func FuzzTags(f *testing.F) {
	tagger, err := prose.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("a b")
	f.Add("-LRB- *-1 @x :-) \xff \u201c 0")
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, " ")
		tags := tagger.Append(words, nil)
		if len(tags) != len(words) || slices.Contains(tags, tag.Unknown) {
			t.Errorf("%q is %v", words, tags)
		}
	})
}
