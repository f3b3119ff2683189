package rdfa

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
)

// readTree reads a page by the tree of HTML's own parser.
func readTree(t *testing.T, page []byte, opts Options) ([]rdf.Triple, bool) {
	t.Helper()
	opts.Options = opts.Options.Filled()
	p := newParser(opts)
	if wrong := p.run(strings.NewReader("")); wrong != nil { // for its initialization
		t.Fatal(wrong)
	}
	p.out = output{left: literalFloor + literalRatio*len(page)}
	page = decoded(page)
	root, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, false
	}
	p.begin(p.baseOf(page))
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.TextNode:
			p.text([]byte(n.Data), n.Parent.Data == "script" || n.Parent.Data == "style")
			return
		case html.ElementNode:
			p.tag.reset()
			for _, a := range n.Attr {
				name := a.Key
				if a.Namespace != "" {
					name = a.Namespace + ":" + name
				}
				p.tag.all = append(p.tag.all, attr{name, a.Val})
				p.tag.add(name, a.Val)
			}
			p.start(n.Data)
			defer p.end()
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return p.result(), true
}

// TestTree: the package's nesting and HTML's give the same triples for real pages.
func TestTree(t *testing.T) {
	var pages []rdftest.File
	for archive, prefix := range map[string]string{"extruct-samples.tar.gz": "", "recipe-pages.tar.gz": "", "rdfa-test-suite.tar.gz": "test-suite/test-cases/rdfa1.1/html"} {
		pages = append(pages, rdftest.Archive(t, archive, prefix)...)
	}
	pages = slices.DeleteFunc(pages, func(f rdftest.File) bool {
		return !strings.Contains(f.Name, ".html") && !strings.Contains(f.Name, ".testhtml")
	})
	triples, same := 0, 0
	for _, f := range pages {
		opts := Options{Options: syntax.Options{Name: f.Name, Base: "http://e.org/page", Lenient: true, OnError: func(err error) { t.Log(err) }}}
		got, err := rdftest.All(Read(bytes.NewReader(f.Data), opts))
		if err != nil {
			t.Error(err)
			continue
		}
		want, ok := readTree(t, f.Data, opts)
		if !ok {
			t.Logf("%s: no tree", f.Name)
			continue
		}
		triples += len(want)
		if rdftest.Isomorphic(got, want) || slices.Equal(got, want) {
			same++
		} else {
			t.Logf("%s: %d, %d", f.Name, len(got), len(want))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Logf("%v\nthere %v", got[i], want[i])
					break
				}
			}
		}
		if len(got) > 0 && !Mentions(f.Data) {
			t.Errorf("%s: has triples and does not mention them", f.Name)
		}
	}
	if same != len(pages) || triples < 3000 {
		t.Errorf("%d of %d pages the same, %d triples", same, len(pages), triples)
	}
}
