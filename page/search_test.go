package page

import (
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/weburl"
)

// searchesOf returns the searches of a page at http://a.test/x/.
func searchesOf(t testing.TB, html string) []string {
	base, err := weburl.NewBase("http://a.test/x/")
	if err != nil {
		t.Fatal(err)
	}
	p := &orbweaver.Page{}
	NewReader(Options{}).readHTML(p, base, []byte(html), "text/html")
	return p.Searches
}

// TestSearches: forms that search have a template; those that post, log in, upload or hold a session have none.
func TestSearches(t *testing.T) {
	for _, c := range []struct{ html, want string }{
		{`<form action=/s><input type=hidden name=lang value="a b"><input name=q><input type=submit name=go></form>`, "http://a.test/s?lang=a+b&q={searchTerms}"},
		{`<FORM ROLE=search><INPUT TYPE=search NAME=words></FORM>`, "http://a.test/x/?words={searchTerms}"},
		{`<form action="/find?old=1"><input name="x" type="text"></form>`, "http://a.test/find?x={searchTerms}"},
		{`<form action=/s method=post><input name=q></form>`, ""},
		{`<form action=/s><input name=q><input type=password name=p></form>`, ""},
		{`<form action=/s><input name=q><input type=hidden name=csrf_token value=1></form>`, ""},
		{`<form action=/s><input name=q><input name=r></form>`, ""},
		{`<form action=/order><input name=amount></form>`, ""},
		{`<form action=/s><input name=q>` + strings.Repeat("<input type=hidden name=a value=b>", 40) + `</form>`, ""},
		{`<form action=/s><input name="{a}"></form><form action="/{b}/search"><input name=q></form>`, "http://a.test/%7Bb%7D/search?q={searchTerms}"},
		{`<link rel=search type="application/opensearchdescription+xml" href=/os.xml>`, "http://a.test/os.xml"},
	} {
		if got := strings.Join(searchesOf(t, c.html), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.html[:min(len(c.html), 100)], got, c.want)
		}
	}
}

// FuzzSearches: whatever forms and descriptions hold, templates are few, short, and have one place for words.
func FuzzSearches(f *testing.F) {
	f.Add(`<form action=/s><input name=q></form>`)
	f.Add(`<OpenSearchDescription><Url type="text/html" template="/s?q={searchTerms}&amp;n={count?}"/></OpenSearchDescription>`)
	f.Add(`<OpenSearchDescription><Url template="{searchTerms}{searchTerms}" type=text/html><!DOCTYPE`)
	f.Fuzz(func(t *testing.T, s string) {
		base, _ := weburl.NewBase("http://a.test/")
		p := &orbweaver.Page{}
		readOpenSearch(p, base, []byte(s))
		NewReader(Options{}).readHTML(p, base, []byte(s), "text/html")
		if len(p.Searches) > maxForms+maxTemplates+1 || slices.ContainsFunc(p.Searches, func(u string) bool {
			return len(u) > weburl.MaxLength || strings.Count(u, searchTerms) > 1 || !strings.HasPrefix(u, "http")
		}) {
			t.Errorf("%q", p.Searches)
		}
	})
}
