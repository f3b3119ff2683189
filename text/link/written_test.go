package link

import (
	"strings"
	"testing"
)

// TestLabelsAsWritten looks for labels in sentences whose words tell by their capitals, and in some that do not.
func TestLabelsAsWritten(t *testing.T) {
	for _, tc := range []struct{ name, label, text, want string }{
		{"an abbreviation", "AIDS", "Many people have AIDS now .", "AIDS"},
		{"in small letters", "AIDS", "Many people have hearing aids now .", ""},
		{"what it would be one of", "AIDS", "Many people have some aid now .", ""},
		{"no plural of another word", "aid", "Many people have AIDS now .", ""},
		{"us", "US", "They told us of it now .", ""},
		{"US", "US", "They went to the US by ship .", "US"},
		{"it", "IT", "They told it to her .", ""},
		{"a line in capitals", "AIDS", "AIDS IN AFRICA", "AIDS"},
		{"a plural", "URL", "They gave long URLs to her .", "URLs"},
		{"GPS", "GPS", "They saw a GP and two GPs .", ""},
		{"inner capitals", "MySQL", "They put it in MySQL now .", "MySQL"},
		{"without them", "MySQL", "They put it in mysql now .", ""},
		{"a small letter first", "iPhone", "They put it in an iphone now .", ""},
		{"a capital and digits", "B52", "They saw a B52 over there .", "B52"},
		{"a small letter and digits", "B52", "They saw a b52 over there .", ""},
	} {
		g := build(t, Label{Text: tc.label, IRI: "x", Count: 20})
		doc := said(tc.text)
		doc.Tags = make([]string, len(doc.Words))
		for i, word := range doc.Words {
			if word == "US" {
				doc.Tags[i] = "NNP"
			}
		}
		var got []string
		for _, m := range NewLinker(g, Options{Confidence: 0.05}).Link(doc) {
			got = append(got, spoken(doc, m.First, m.Last))
		}
		if s := strings.Join(got, ", "); s != tc.want {
			t.Errorf("%s: %q in %q: got %q, want %q", tc.name, tc.label, tc.text, s, tc.want)
		}
	}
}
