package store

import (
	"strings"
	"testing"

	"orbweaver/search"
)

// TestSnippets: a snippet is the part with the most matches, cut at word boundaries.
func TestSnippets(t *testing.T) {
	long := strings.Repeat("words and words ", 40) + "a kite here, and a second kite, and " + strings.Repeat("nothing of the kind ", 30) + "one kite."
	var spans []search.Span
	for at := 0; ; {
		i := strings.Index(long[at:], "kite")
		if i < 0 {
			break
		}
		spans = append(spans, search.Span{Start: at + i, End: at + i + 4})
		at += i + 4
	}
	s := snippetOf(long, spans)
	if len(s.Marks) != 2 || len(s.Text) > window+nearby || !strings.Contains(s.String(), "a *kite* here, and a second *kite*") || strings.HasPrefix(s.Text, "ords") {
		t.Errorf("%+v", s)
	}
	if s := snippetOf(long, nil); !strings.HasPrefix(s.Text, "words") || len(s.Marks) > 0 || len(s.Text) > window+nearby {
		t.Errorf("%+v", s)
	}
	if s := snippetOf("", nil); s.String() != "" {
		t.Errorf("%+v", s)
	}
	accents := strings.Repeat("é", 500)
	if s := snippetOf(accents, []search.Span{{Start: 600, End: 602}}); !strings.Contains(accents, s.Text) || strings.Contains(s.String(), "\uFFFD") {
		t.Errorf("%q", s.Text)
	}
}
