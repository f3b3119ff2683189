package rdfa_test

import (
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfa"
)

// TestFlaws: a flaw in the middle of a page loses no triple before or after it.
func TestFlaws(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"a prefix that is not declared", `<p about="x:m" property="x:p">m</p>`},
		{"a prefix without an IRI", `<p prefix="x:" property="x:p">m</p>`},
		{"prefixes without colons", `<p prefix="x http://x.test/ y" property="x:p">m</p>`},
		{"an underscore as prefix", `<p prefix="_: http://x.test/" property="_:p">m</p>`},
		{"an IRI that is none", `<p about="http://[a" property="p">m</p>`},
		{"a blank in an IRI", `<a about="http://a.test/x y" rel="p" href="http://a.test/x y">m</a>`},
		{"a CURIE that does not end", `<p about="[v:m" property="p">m</p>`},
		{"no subject", `<p about="" property="">m</p>`},
		{"a datatype that is none", `<p property="p" datatype="x y">m</p>`},
		{"a language that is none", `<p property="p" lang="-">m</p>`},
		{"XML that is none", `<p property="p" datatype="rdf:XMLLiteral"><b>m<i></b></p>`},
		{"an element that is not closed", `<p about="#m" property="p">m`},
		{"an end tag that closes nothing", `</p></b><p about="#m" property="p">m</p>`},
		{"an attribute that is not quoted", `<p about=#m property=p>m</p>`},
		{"an attribute twice", `<p about="#m" about="#n" property="p">m</p>`},
		{"an attribute without a value", `<p about property typeof rel>m</p>`},
		{"a bracket", `<p about="#m" property="p">m < n</p>`},
		{"an empty tag", `<><p about="#m" property="p">m</p>`},
		{"a comment that is none", `<!- a -><p about="#m" property="p">m</p>`},
		{"CDATA", `<![CDATA[ m ]]><p about="#m" property="p">m</p>`},
		{"bytes that are no UTF-8", "<p about=\"#m\" property=\"p\">\xe9</p>"},
		{"a NUL", "<p about=\"#m\x00\" property=\"p\">\x00</p>"},
		{"a reference that does not end", `<p about="#m&#6" property="p&amp">m &copy</p>`},
		{"a table in a paragraph", `<p about="#m" property="p"><table><tr property="p">m</p></table>`},
		{"a list in parts", `<p about="#m" inlist rel="p"></p><p inlist property="p">m</p>`},
		{"a vocabulary that is none", `<div vocab="::"><p about="#m" property="p">m</p></div>`},
	} {
		page := `<!DOCTYPE html><html><body vocab="http://v.org/"><div about="#before" property="p">1</div><div>` + tc.flaw +
			`</div><div about="#after" property="p">1</div><div><a about="#last" rel="p" href="#x">1</a></div></body></html>`
		var got []string
		opts := rdfa.Options{Options: syntax.Options{Base: "http://a.test/", Lenient: true}}
		for q, err := range rdfa.Read(strings.NewReader(page), opts) {
			if err == nil && q.P.Value == "http://v.org/p" {
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
