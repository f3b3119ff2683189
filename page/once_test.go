package page

import (
	"testing"

	"orbweaver"
	"orbweaver/rdf"
)

// TestQuadsOnce: a page that says the same in two syntaxes says it once, and what describes its layout stays no link.
func TestQuadsOnce(t *testing.T) {
	const html = `<html><head><title>A</title><script type="application/ld+json">{"@id":"http://a.test/x","http://schema.org/name":"A","http://schema.org/sameAs":{"@id":"http://b.test/"}}</script>
<script type="application/ld+json">{"@id":"http://a.test/x","http://schema.org/name":"A","http://schema.org/sameAs":{"@id":"http://b.test/"}}</script></head>
<body><div vocab="http://schema.org/" resource="http://a.test/x"><span property="name">A</span> <span property="name">B</span></div></body></html>`
	p := &orbweaver.Page{URL: "http://a.test/", MediaType: typeHTML, Body: []byte(html), Pending: true}
	r := NewReader(Options{})
	if err := r.Data(t.Context(), p, DataOptions{}); err != nil {
		t.Fatal(err)
	}
	seen, names := map[rdf.Quad]int{}, 0
	for q, err := range p.Quads {
		if err != nil {
			t.Fatal(err)
		}
		if seen[q]++; q.P.Value == "http://schema.org/name" {
			names++
		}
	}
	for q, n := range seen {
		if n > 1 {
			t.Errorf("%v stands %d times", q, n)
		}
	}
	if names != 2 {
		t.Errorf("%d names, want A and B", names)
	}
}
