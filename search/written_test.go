package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/search"
)

// TestWordsAsWritten asks for words whose capitals matter, of what waits and of segments.
func TestWordsAsWritten(t *testing.T) {
	db, store := on(t, vfs.NewMem())
	defer db.Close()
	w := writer(t, store)
	texts := []string{
		"Foreign aid, and hearing aids for us.", "People with AIDS in Africa.", "AIDS research by the US, of long URLs.",
		"The server speaks HTTP.", "The server speaks HTTPS.", "ALL ABOUT US AND THEM", "it is mysql, and MySQL.",
	}
	put(t, db, w, texts...)
	for _, how := range []string{"waiting", "compacted"} {
		for _, tc := range []struct{ query, want string }{
			{"AIDS", "1 2"}, {"aids", "0 1 2"}, {"aid", "0 1 2"}, {`"AIDS research"`, "2"}, {`"people with AIDS"`, "1"},
			{`"foreign AIDS"`, ""}, {"HTTPS", "4"}, {"US", "2"}, {"URL", "2"}, {"MySQL", "6"}, {"+US -AIDS people", ""},
			{"US AND THEM", "0 2 5 6"},       // no small letter: capitals say nothing
			{"DNA Africa", "1"}, {"IT", "6"}, // nothing has them so
		} {
			var got []string
			res := ask(t, store.Over(db), tc.query)
			for _, h := range res.Hits {
				got = append(got, fmt.Sprint(h.ID))
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != tc.want {
				t.Errorf("%s: %s: got %s, want %s", how, tc.query, s, tc.want)
			}
		}
		if err := w.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	q, err := store.Over(db).Parse("AIDS")
	if err != nil {
		t.Fatal(err)
	}
	text := "Hearing aids, AIDS and AIDS's end"
	var marked []string
	for _, s := range store.Over(db).Highlights(q, search.Text{Field: "text", Text: text}) {
		marked = append(marked, text[s.Start:s.End])
	}
	if got := strings.Join(marked, ", "); got != "AIDS, AIDS's" {
		t.Errorf("marked %s", got)
	}
}
