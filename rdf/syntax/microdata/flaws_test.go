package microdata_test

import (
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/microdata"
)

// TestFlaws: a flaw in the middle of a page loses no item before or after it.
func TestFlaws(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"a type that is no IRI", `<div itemscope itemtype="Thing"><p itemprop="name">m</p></div>`},
		{"no type", `<div itemscope itemtype=""><p itemprop="name">m</p></div>`},
		{"types of two vocabularies", `<div itemscope itemtype="http://v.org/T u:x"><p itemprop="name">m</p></div>`},
		{"a type without an item", `<div itemtype="http://v.org/T"><p itemprop="name">m</p></div>`},
		{"an identifier that is no IRI", `<div itemscope itemtype="http://v.org/T" itemid="http://[a"><p itemprop="name">m</p></div>`},
		{"an identifier with a blank", `<div itemscope itemtype="http://v.org/T" itemid="x y"><p itemprop="name">m</p></div>`},
		{"a property without an item", `<p itemprop="name">m</p>`},
		{"an empty property", `<div itemscope itemtype="http://v.org/T"><p itemprop="">m</p></div>`},
		{"a property with a blank in its IRI", `<div itemscope itemtype="http://v.org/T"><p itemprop="http://a b">m</p></div>`},
		{"a reference to nothing", `<div itemscope itemtype="http://v.org/T" itemref="nothing"></div>`},
		{"a reference to itself", `<div id="m" itemscope itemtype="http://v.org/T" itemref="m"><p itemprop="name">m</p></div>`},
		{"a circle", `<div id="m" itemscope itemprop="name" itemref="n"></div><div id="n" itemscope itemprop="name" itemref="m"></div>`},
		{"a link that is none", `<div itemscope itemtype="http://v.org/T"><a itemprop="url" href="http://[a">m</a></div>`},
		{"a time that is none", `<div itemscope itemtype="http://v.org/T"><time itemprop="date" datetime="soon">m</time></div>`},
		{"an item that is not closed", `<div itemscope itemtype="http://v.org/T"><p itemprop="name">m`},
		{"an end tag that closes nothing", `</p></span><div itemscope itemtype="http://v.org/T"><p itemprop="name">m</p></div>`},
		{"an attribute that is not quoted", `<div itemscope itemtype=http://v.org/T><p itemprop=name>m</p></div>`},
		{"an attribute twice", `<div itemscope itemscope itemtype="http://v.org/T" itemtype="u:x"><p itemprop="name">m</p></div>`},
		{"a bracket", `<div itemscope itemtype="http://v.org/T"><p itemprop="name">m < n</p></div>`},
		{"an empty tag", `<><div itemscope itemtype="http://v.org/T"><p itemprop="name">m</p></div>`},
		{"a comment that is none", `<!- a -><div itemscope itemtype="http://v.org/T"></div>`},
		{"bytes that are no UTF-8", "<div itemscope itemtype=\"http://v.org/T\"><p itemprop=\"name\">\xe9</p></div>"},
		{"a NUL", "<div itemscope itemtype=\"http://v.org/T\x00\"><p itemprop=\"na\x00me\">\x00</p></div>"},
		{"a table in a paragraph", `<div itemscope itemtype="http://v.org/T"><p itemprop="name"><table><tr itemprop="x">m</table></div>`},
	} {
		item := func(id string) string {
			return `<section itemscope itemtype="http://v.org/T" itemid="#` + id + `"><p itemprop="name">` + id + `</p></section>`
		}
		page := `<!DOCTYPE html><html><body>` + item("before") + "<div>" + tc.flaw + "</div>" + item("after") + item("last") + `</body></html>`
		var got []string
		opts := microdata.Options{Options: syntax.Options{Base: "http://a.test/", Lenient: true}}
		for q, err := range microdata.Read(strings.NewReader(page), opts) {
			if err == nil && q.P.Value == "http://v.org/name" {
				got = append(got, q.S.Value)
			}
		}
		all := strings.Join(got, " ") + " "
		for _, want := range []string{"#before ", "#after ", "#last "} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: %s", tc.name, all)
				break
			}
		}
	}
}
