package ontology

import (
	"slices"
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
	"orbweaver/text"
)

// TestAbbreviatedNames: a name is suggested whole, with the abbreviations and initials in it.
func TestAbbreviatedNames(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"a saint", "the plane over Mount St. Helens and on", "Mount St. Helens"},
		{"at its beginning", "a plane to Mt. Rainier", "Mt. Rainier"},
		{"a title", "plane of Dr. Hugo Junkers", "Dr. Hugo Junkers"},
		{"initials", "the plane, by J. S. Bach", "J. S. Bach"},
		{"initials without a blank", "the plane, by J.R.R. Tolkien", "J.R.R. Tolkien"},
		{"initials between", "plane: George H. W. Bush", "George H. W. Bush"},
		{"one initial", "the plane of William E. Boeing is", "William E. Boeing"},
		{"letters with dots", "planes of the U.S. Navy, too", "U.S. Navy"},
		{"these alone", "plane in the U.S., too", "U.S."},
		{"an end with a dot", "plane of Martin Luther King Jr. and him", "Martin Luther King Jr."},
		{"nothing behind such an end", "a plane by Acme Inc. Wings are", "Acme Inc.; Wings"},
		{"a letter beyond ASCII", "a plane to St. Émilion", "St. Émilion"},
		{"a sentence's end", "a plane, wings. Landing is", "Landing; wings"},
		{"the end of a sentence in lower case", "plane in the st. Landing is", "Landing; st"},
		{"a sentence behind a title's word", "a plane in St. and landing", "St; landing"},
		{"no initial: a word", "the plane that I. Wings", "Wings"},
		{"no initial: the end of a name of a host", "plane: www.u.S. Wings", "Wings"},
		{"no words in lower case before it", "planes see Dr. Hugo Junkers", "Dr. Hugo Junkers"},
		{"no piece of a name that goes on", "planes see U.S. Naval Observatory", "U.S. Naval Observatory"},
		{"words in lower case behind letters with dots", "planes: U.S. economy", "U.S. economy"},
		{"four words are not one name", "plane: Aa Bb Cc St. Dd", "Aa Bb Cc; Bb Cc St. Dd"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, s := range suggestions(t, taught(t, options(t, kb.Total, "Airplane"), tc.text, tc.text, tc.text)) {
				got = append(got, s.Text)
				if WordID(s.Text, "en") != s.ID {
					t.Errorf("%s has the ID %s, of itself %s", s.Text, s.ID, WordID(s.Text, "en"))
				}
			}
			if slices.Sort(got); strings.Join(got, "; ") != tc.want {
				t.Errorf("got %q, want %s", got, tc.want)
			}
		})
	}
}

// TestAbbreviatedTitles: titles and anchors name with abbreviations, too.
func TestAbbreviatedTitles(t *testing.T) {
	var a around
	for _, tc := range []struct{ title, want string }{
		{"Mount St. Helens - A volcano", "Mount St. Helens; volcano"},
		{"J. S. Bach", "J. S. Bach"},
		{"The U.S. Geological Survey", "U.S. Geological Survey"},
		{"Martin Luther King Jr., preacher", "Martin Luther King Jr.; preacher"},
		{"Dr. Strange and planes", ""},
		{"Wings. Landing", "Wings; Landing"},
		{"St.", "St"},
		{"www.st.Helens.example", ""},
	} {
		var got []string
		for _, n := range a.names(&orbweaver.Page{Title: tc.title, Lang: "en"}) {
			got = append(got, n.form)
		}
		if strings.Join(got, "; ") != tc.want {
			t.Errorf("%s: %q, want %s", tc.title, got, tc.want)
		}
	}
}

// TestAbbreviatedEntries: what was accepted is an entry, found as it was suggested, and not suggested again.
func TestAbbreviatedEntries(t *testing.T) {
	forms := []string{"Mount St. Helens", "J. S. Bach", "U.S. Navy", "U.S.", "King Jr."}
	var phrases []text.Phrase
	for i, form := range forms {
		phrases = append(phrases, text.Phrase{Text: form, ID: int32(i)})
	}
	m := text.NewLexicon(phrases).Matcher("")
	defer m.Release()
	for _, form := range forms {
		if !isEntry(m, form) {
			t.Errorf("%s is no entry", form)
		}
	}
}
