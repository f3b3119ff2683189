package page

import (
	"fmt"
	"strings"
	"testing"
)

// TestFlawsInHTML: a flaw in the middle of a page loses no text and no link before or after it.
func TestFlawsInHTML(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"an element that is not closed", "<div><p><b><i>mid"},
		{"end tags that close nothing", "</div></p></b></section>"},
		{"elements that overlap", "<b><i>mid</b></i>"},
		{"a tag that does not end", "<p class='x' <p>mid</p>"},
		{"an attribute that does not end", `<p title="mid'>mid</p><p title=">mid</p>`},
		{"an attribute without quotes", "<a href=/m?a=1&b=2>mid</a>"},
		{"an attribute twice", `<a href="/m" href="/n">mid</a>`},
		{"a bracket", "a < b and c <d and e<5"},
		{"an empty tag", "<></><><p>mid</p>"},
		{"a tag with a number", "<3 hearts</3>"},
		{"a comment with dashes", "<!-- a -- b --><!--> mid <!---> mid"},
		{"a comment that ends otherwise", "<!-- a --!> mid"},
		{"a bogus comment", "<!mid><?php echo 'x'; ?></ mid>"},
		{"CDATA", "<![CDATA[ mid ]]>"},
		{"a reference without a semicolon", "R&ampD &copy 2020 &#65 &#x41 &unknown; &"},
		{"a reference to no character", "&#0;&#x110000;&#xd800;&#99999999999;"},
		{"a NUL", "mid\x00dle"},
		{"controls", "mid\x01\x02\x7f\x0cdle"},
		{"bytes that are no UTF-8", "mid \xe9\xff dle"},
		{"a body in the body", "<body><html><head><title>mid</title></head>"},
		{"a link in a link", `<a href="/m">mid <a href="/n">dle</a></a>`},
		{"a link to no URL", `<a href="http://[m">mid</a><a href="">mid</a><a>mid</a>`},
		{"a table in parts", "<table>mid<tr>mid<td>mid</table>"},
		{"a form in a form", "<form><form action='http://[m'><input></form>"},
		{"a script that is empty", "<script></script>"},
		{"a list without a list", "<li>mid<dd>mid<option>mid"},
		{"an SVG that is not closed", "<svg><path d='x'>mid"},
		{"a base that is none", `<base href="http://[m">`},
		{"a template that is closed", "<template><p>mid</template>"},
		{"a frame", "<frameset><frame src=/m></frameset>"},
		{"a meta refresh that is none", `<meta http-equiv=refresh content="soon; url=">`},
		{"a charset in the middle", `<meta charset="utf-16"><meta charset="none">`},
	} {
		part := func(name string) string {
			return fmt.Sprintf(`<div><p>The harbour of %s has water that rises twice a day, and <a href="/%[1]s">fishermen</a> wait for it.</p></div>`, name)
		}
		body := "<!DOCTYPE html><html><head><title>Title</title></head><body>" + part("before") + tc.flaw + part("after") + part("last") + "</body></html>"
		page := read(t, body, "Content-Type", "text/html; charset=utf-8")
		for _, name := range []string{"before", "after", "last"} {
			if !strings.Contains(page.Text, "harbour of "+name+" has") || !strings.Contains(brief(page.Links), "/"+name) || page.Title != "Title" {
				t.Errorf("%s: %q, %s", tc.name, page.Text, brief(page.Links))
				break
			}
		}
	}
}

// TestFlawsInJSONFeeds: a flaw in the middle of a JSON Feed loses no item before or after it, where the JSON can be mended.
func TestFlawsInJSONFeeds(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"an empty item", `{}`},
		{"null", `null`},
		{"no address", `{"id":"m","title":"m"}`},
		{"an address that is none", `{"id":"m","url":"http://[m"}`},
		{"a number as id", `{"id":7,"url":"http://a.test/m"}`},
		{"a title that is a number", `{"id":"m","title":7,"url":"http://a.test/m"}`},
		{"a title that is null", `{"id":"m","title":null,"url":null}`},
		{"a list as content", `{"id":"m","content_html":["m"]}`},
		{"a date that is none", `{"id":"m","date_published":"soon"}`},
		{"a date that is a number", `{"id":"m","date_published":1700000000}`},
		{"tags that are a text", `{"id":"m","tags":"a, b"}`},
		{"authors that are a text", `{"id":"m","authors":"me","author":"me"}`},
		{"attachments that are none", `{"id":"m","attachments":{"url":5}}`},
		{"a text", `"m"`},
		{"a number", `7`},
		{"a list", `[{"id":"m"}]`},
		{"an escape of Python", `{"id":"m","title":"\U0001F600\x41"}`},
		{"a quote escaped in vain", `{"id":"m","title":"it\'s"}`},
		{"a raw tab", "{\"id\":\"m\",\"title\":\"a\tb\"}"},
		{"a raw line end", "{\"id\":\"m\",\"title\":\"a\nb\"}"},
		{"a comma too many", `{"id":"m","title":"m",}`},
		{"bytes that are no UTF-8", "{\"id\":\"m\",\"title\":\"\xe9\"}"},
		{"half a pair", `{"id":"m","title":"\ud83d"}`},
		{"a name twice", `{"id":"m","id":"n"}`},
	} {
		item := func(name string) string {
			return fmt.Sprintf(`{"id":"%s","url":"http://a.test/%[1]s","title":"%[1]s"}`, name)
		}
		body := `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[` + item("before") + "," + tc.flaw + "," + item("after") + "," + item("last") + `]}`
		got := brief(read(t, body, "Content-Type", "application/feed+json").Links)
		for _, want := range []string{"/before", "/after", "/last"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s", tc.name, got)
				break
			}
		}
	}
}

// TestFlawsInOpenSearch: a flaw in the middle of a description loses no template before or after it.
func TestFlawsInOpenSearch(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"a bare ampersand", `<Url type="text/html" template="http://a.test/m?a=1&q={searchTerms}"/>`},
		{"an entity of HTML", `<Description>a&nbsp;b&eacute;</Description>`},
		{"a reference without a semicolon", `<Description>&#65 a</Description>`},
		{"a bracket", `<Description>a < b, a<b</Description>`},
		{"a tag that does not end", `<Url type="text/html" <Description>m</Description>`},
		{"an attribute without quotes", `<Url type=text/html template=http://a.test/m?q={searchTerms}/>`},
		{"an attribute without a value", `<Url type template/>`},
		{"an attribute twice", `<Url type="text/html" type="x" template="http://a.test/m"/>`},
		{"an attribute that does not end", `<Url type="text/html template="http://a.test/m"/>`},
		{"no template", `<Url type="text/html"/>`},
		{"no type", `<Url template="http://a.test/m?q={searchTerms}"/>`},
		{"no search terms", `<Url type="text/html" template="http://a.test/m"/>`},
		{"a parameter that is not closed", `<Url type="text/html" template="http://a.test/m?q={searchTerms"/>`},
		{"a parameter of nobody", `<Url type="text/html" template="http://a.test/m?q={searchTerms}&amp;x={x:y}"/>`},
		{"an address that is none", `<Url type="text/html" template="http://[m?q={searchTerms}"/>`},
		{"a method", `<Url type="text/html" method="post" template="http://a.test/m?q={searchTerms}"/>`},
		{"a prefix that is not declared", `<moz:SearchForm>http://a.test/</moz:SearchForm>`},
		{"an end tag that closes nothing", `</Url></p>`},
		{"an element that is not closed", `<ShortName>m`},
		{"dashes in a comment", `<!-- a -- b -->`},
		{"a control character", "<ShortName>m\x02</ShortName>"},
		{"bytes of another encoding", "<ShortName>\xe9</ShortName>"},
		{"the end of CDATA", `<ShortName>a ]]> b</ShortName>`},
		{"a declaration in the middle", `<?xml version="1.0"?><!DOCTYPE x>`},
	} {
		url := func(name string) string {
			return `<Url type="text/html" template="http://a.test/` + name + `?q={searchTerms}"/>`
		}
		body := `<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">` + url("before") + tc.flaw +
			url("after") + url("last") + `</OpenSearchDescription>`
		got := fmt.Sprint(read(t, body, "Content-Type", "application/opensearchdescription+xml").Searches)
		for _, want := range []string{"/before?", "/after?", "/last?"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s", tc.name, got)
				break
			}
		}
	}
}
