package ontology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// shown returns the spans of a page: field, words, name.
func shown(tb testing.TB, f *Focus, p *orbweaver.Page) (all []string) {
	tb.Helper()
	spans, err := f.Evidence(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range spans {
		in := p.Text
		if s.Field == orbweaver.InTitle {
			in = p.Title
		}
		if s.Rule != RuleEntity || s.IRI == "" || s.Start < 0 || s.Start >= s.End || s.End > len(in) {
			tb.Fatalf("%+v", s)
		}
		if utf8.ValidString(in) && !utf8.ValidString(in[s.Start:s.End]) {
			tb.Fatalf("%+v cuts a character of %q", s, in)
		}
		all = append(all, s.Field+" "+in[s.Start:s.End]+" "+s.Name)
	}
	return all
}

// TestEvidence: spans are the longest matches, with each entity of an ambiguous form ("plane" is also
// Geometry) that reasons name.
func TestEvidence(t *testing.T) {
	p := page("Größe: a jet engine, a jet, planes’ wings and a geometry.\n\nThe plane")
	p.Title = "Jets"
	for _, tc := range []struct {
		how     Combine
		targets []string
		want    string
	}{
		{Sum, []string{"Airplane"}, "title Jets Airplane; text jet Airplane; text planes Airplane; text plane Airplane"},
		{Max, []string{"Airplane", "JetEngine"}, "title Jets Airplane; text jet Airplane; text planes Airplane; text plane Airplane"},
		{Sum, []string{"Airplane", "Geometry"}, "title Jets Airplane; text jet Airplane; text planes Airplane; text planes plane; text plane Airplane; text plane plane"},
		{Sum, []string{"Pilot"}, ""},
	} {
		opts := options(t, kb.Single, tc.targets...)
		opts.Combine = tc.how
		f := focus(t, opts)
		before, _ := judged(t, f, p)
		if got := strings.Join(shown(t, f, p), "; "); got != tc.want {
			t.Errorf("%v: %s, not %s", tc.targets, got, tc.want)
		}
		if after, _ := judged(t, f, p); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%v: %v became %v", tc.targets, before, after)
		}
	}
}

// FuzzEvidence: each entity in a reason has a span where it occurs, at character boundaries.
func FuzzEvidence(f *testing.F) {
	f.Add("Planes", "A jet engine, a plane\n\njets", "en")
	f.Add("Flugzeug\xff", "Das Flugzeug, flugzeuge", "de")
	f.Add("", "İ plane’s jet\u00ads 東京jet", "")
	about := focus(f, options(f, kb.Total, "Airplane"))
	f.Fuzz(func(t *testing.T, title, text, lang string) {
		p := &orbweaver.Page{URL: "http://p.test/", Title: title, Text: text, Lang: lang}
		j, _ := judged(t, about, p)
		all := shown(t, about, p)
		for _, r := range j.Reasons {
			if name, _, ok := EntityOf(r); ok && !slices.ContainsFunc(all, func(s string) bool { return strings.HasSuffix(s, " "+name) }) {
				t.Fatalf("%s is not among %q", name, all)
			}
		}
	})
}
