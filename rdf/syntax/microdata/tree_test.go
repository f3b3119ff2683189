package microdata

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
)

// TestTreeIsTheParsers: on real pages, Tree and HTML's own tree give the same triples.
func TestTreeIsTheParsers(t *testing.T) {
	files := rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/")
	files = append(files, rdftest.Archive(t, "recipe-pages.tar.gz", "")...)
	compared := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name, "html") || !Mentions(f.Data) {
			continue
		}
		page, err := Bytes(bytes.NewReader(f.Data), syntax.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tame, err := Tree(page, syntax.Options{})
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		plain, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(false))
		if err != nil {
			t.Fatal(err)
		}
		got, want := triplesOf(t, tame), triplesOf(t, plain)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d triples, %d of the parser's tree", f.Name, len(got), len(want))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("first difference: got\n%q\nwant\n%q", got[i], want[i])
					break
				}
			}
		}
		compared += min(1, len(want))
	}
	if compared < 60 {
		t.Errorf("%d pages compared", compared)
	}
}

// triplesOf returns the triples of a tree's items.
func triplesOf(t *testing.T, root *html.Node) (out []rdf.Triple) {
	t.Helper()
	base, err := iri.ParseBase("http://e.org/")
	if err != nil {
		t.Fatal(err)
	}
	p := reader{base: base, left: maxOutput, visits: maxVisits, yield: func(triple rdf.Triple, _ error) bool {
		out = append(out, triple)
		return true
	}}
	p.opts.Options = syntax.Options{Lenient: true}.Filled()
	p.opts.Registry = Registry()
	p.survey(root)
	for _, el := range p.top {
		if _, err := p.item(el, nil, 1); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestTree(t *testing.T) {
	for _, tc := range []struct{ name, page, want string }{
		{"formatting is plain", `<p><b>a</p><p>b</b>c`, "<p><b>a</b></p><p>bc</p>"},
		{"in whatever case", `<P><STRONG CLASS=x>a</Strong>b`, `<p><strong class="x">a</strong>b</p>`},
		{"an <a> ends the one before", `<a href=1>x<a href=2>y</a>z`, `<a href="1">x</a><a href="2">y</a>z`},
		{"text is as it was", `<i title="<a> <a> <b>">&lt;b&gt;</i><textarea><a> <a></textarea>`,
			`<i title="&lt;a&gt; &lt;a&gt; &lt;b&gt;">&lt;b&gt;</i><textarea>&lt;a&gt; &lt;a&gt;</textarea>`},
		{"scripts too", "<script>'<a><a>'</script>", "<script>'<a><a>'</script>"},
		{"marks of a page vanish", "<b\x01>a\x01</b>", "<b>a</b>"},
		{"of another name", "<body><base><br><strikes>x</strikes>", "<base/><br/><strikes>x</strikes>"},
		{"<noscript> is markup", "<body><noscript><p>a</noscript>", "<noscript><p>a</p></noscript>"},
		{"a tag that does not end", "x<b", "x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, err := Tree([]byte(tc.page), syntax.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := html.Render(&out, root); err != nil {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(strings.Replace(out.String(), "<head></head>", "", 1), "<body>")
			if got = strings.TrimSuffix(got, "</body></html>"); got != tc.want {
				if head, _, ok := strings.Cut(strings.TrimPrefix(out.String(), "<html><head>"), "</head>"); !ok || head != tc.want {
					t.Errorf("got %s, want %s", got, tc.want)
				}
			}
		})
	}
}

// TestTreesOfHostilePages: pages that take other parsers minutes or gigabytes end soon. The test counts
// nodes, not seconds.
func TestTreesOfHostilePages(t *testing.T) {
	numbered := func(before string, n int, after string) string {
		var s strings.Builder
		for i := range n {
			s.WriteString(before)
			s.WriteString(strings.Repeat("x", 1+i%7))
			s.WriteString(string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)))
			s.WriteString(after)
		}
		return s.String()
	}
	for _, tc := range []struct {
		name, page string
		nodes      int // at most
	}{
		{"formatting left open before blocks", "<p>" + numbered("<b ", 400, ">") + "</p>" + strings.Repeat("<p>x", 50_000), 110_000},
		{"attributes of a <body> too many", numbered("<body ", 50_000, ">"), 20},
		{"end tags of formatting", strings.Repeat("<i><p></i>", 50_000), 120_000},
		{"links in tables", "<table>" + strings.Repeat("<a>", 50_000), 60_000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, err := Tree([]byte(tc.page), syntax.Options{})
			if err != nil {
				return // rejected, which is as cheap
			}
			nodes := 0
			for range everything(root) {
				nodes++
			}
			if nodes > tc.nodes {
				t.Errorf("%d nodes from %d bytes", nodes, len(tc.page))
			}
		})
	}
}
