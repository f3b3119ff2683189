package eval

import (
	"slices"
	"testing"

	"orbweaver"
)

// like builds a frozen Likeness of pages given as URL, title, text.
func like(pages ...[3]string) *Likeness {
	l := NewLikeness()
	for _, p := range pages {
		l.Add(p[0], l.Count(&orbweaver.Page{URL: p[0], Title: p[1], Text: p[2], Lang: "en"}))
	}
	l.Freeze()
	return l
}

func TestAbove(t *testing.T) {
	l := like([3]string{"item", "Ship", "The sea"}, [3]string{"half", "", "sea boat"}, [3]string{"twin", "Sea", "ships"},
		[3]string{"half", "ship", "sea"}, [3]string{"empty", "the", "of"}, [3]string{"other", "", "moon"}, [3]string{"more", "", "sun"})
	if l.Len() != 5 {
		t.Fatalf("%d pages, want 5: one has no term, one was added twice", l.Len())
	}
	for _, tc := range []struct {
		name, item string
		above      float64
		want       []string
	}{
		{"all that shares a word, not the item itself", "item", 0, []string{"half", "twin"}},
		{"the same words in title or text", "item", 0.9, []string{"twin"}},
		{"above, not at", "item", 1, nil},
		{"nothing like it", "other", 0, nil},
		{"a page without a term", "empty", 0, nil},
		{"a page that is not there", "nowhere", 0, nil},
	} {
		truth := l.Above(tc.item, tc.above)
		var got []string
		for _, url := range []string{"item", "half", "twin", "empty", "other", "more", "nowhere"} {
			if truth.Relevant(url) {
				got = append(got, url)
			}
		}
		if !slices.Equal(got, tc.want) || truth.Len() != len(tc.want) {
			t.Errorf("%s: %v (%d), want %v", tc.name, got, truth.Len(), tc.want)
		}
	}
}

func TestLinks(t *testing.T) {
	w := NewWeb()
	w.Add("a", 200, "", []string{"c", "a", "b", "c"})
	w.Add("b", 301, "a", nil)
	w.Freeze()
	if got := w.Links("a"); !slices.Equal(got, []string{"c", "b"}) {
		t.Errorf("links of a: %v", got)
	}
	if b, nowhere := w.Links("b"), w.Links("d"); b != nil || nowhere != nil {
		t.Errorf("links of a redirect %v, of a stranger %v", b, nowhere)
	}
}
