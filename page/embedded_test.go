package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/embedded"
	"orbweaver/rdf/syntax/microdata"
	"orbweaver/rdf/syntax/microformats"
	"orbweaver/rdf/syntax/opengraph"
	"orbweaver/rdf/syntax/rdfa"
)

// schema stands for the context of schema.org.
const schema = `{"@context": {"@vocab": "http://schema.org/", "url": {"@type": "@id"}, "contentUrl": {"@type": "@id"}}}`

// loading loads that context for whatever is asked.
func loading() DataOptions {
	return DataOptions{Load: func(context.Context, string) (io.ReadCloser, string, string, error) {
		return io.NopCloser(strings.NewReader(schema)), "application/ld+json", "", nil
	}}
}

// withData reads a page and its data.
func withData(t testing.TB, body string, opts DataOptions, headers ...string) *orbweaver.Page {
	t.Helper()
	p := read(t, body, headers...)
	if err := NewReader(Options{}).Data(t.Context(), p, opts); err != nil {
		t.Fatal(err)
	}
	if p.Pending {
		t.Error("pending still")
	}
	return p
}

// told returns a page's quads as "subject predicate object", sorted, and its problems.
func told(p *orbweaver.Page) (quads []string, problems []error) {
	if p.Quads == nil {
		return nil, nil
	}
	for q, err := range p.Quads {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		s := q.S.Value + " " + q.P.Value + " " + q.O.Value
		if !q.G.IsZero() {
			s += " " + q.G.Value
		}
		quads = append(quads, s)
	}
	slices.Sort(quads)
	return quads, problems
}

// triples returns the links of a page that are from triples.
func triples(p *orbweaver.Page) []orbweaver.Link {
	return slices.DeleteFunc(slices.Clone(p.Links), func(l orbweaver.Link) bool { return l.Origin != orbweaver.FromTriple })
}

func TestDataOfPages(t *testing.T) {
	const html = "text/html"
	for _, tc := range []struct{ name, contentType, body, quads, links string }{
		{"nothing", html, "<p>a <a href=x rel=nofollow>b</a>", "", ""},
		{"JSON-LD", html, `<base href=/b/><script type="application/ld+json">{"@context": "https://schema.org/", "@id": "x", "url": "y", "http://www.w3.org/2004/02/skos/core#prefLabel": "An x"}</script>`,
			"http://a.test/b/x http://schema.org/url http://a.test/b/y\nhttp://a.test/b/x http://www.w3.org/2004/02/skos/core#prefLabel An x",
			"http://a.test/b/x|An x|||triple\nhttp://a.test/b/y|||http://schema.org/url|triple"},
		{"RDFa", html, `<p vocab=http://schema.org/ typeof=Thing about=x><a property=url href=y>a</a>`,
			"http://a.test/d/p http://www.w3.org/ns/rdfa#usesVocabulary http://schema.org/\nhttp://a.test/d/x http://schema.org/url http://a.test/d/y\n" +
				"http://a.test/d/x http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://schema.org/Thing",
			"http://a.test/d/x||||triple\nhttp://a.test/d/y|||http://schema.org/url|triple"},
		{"a relation alone", html, `<link rel="dcterms:source" href=y>`,
			"http://a.test/d/p http://purl.org/dc/terms/source http://a.test/d/y", "http://a.test/d/y|||http://purl.org/dc/terms/source|triple"},
		{"Microdata", html, `<p itemscope itemtype=http://schema.org/Thing itemid=http://a.test/d/x><a itemprop=url href=y>a</a>`,
			"http://a.test/d/x http://schema.org/url http://a.test/d/y\nhttp://a.test/d/x http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://schema.org/Thing",
			"http://a.test/d/x||||triple\nhttp://a.test/d/y|||http://schema.org/url|triple"},
		{"Open Graph, once, and no links of it", html, `<html prefix="article: http://ogp.me/ns/article#" lang=en><meta property=og:title content=T><meta property=og:image content=/i.png>` +
			`<meta property=og:url content=http://a.test/other><meta property=article:author content=http://a.test/me><meta property=fb:app_id content=7>`,
			"http://a.test/d/p http://ogp.me/ns#image http://a.test/i.png\nhttp://a.test/d/p http://ogp.me/ns#title T\nhttp://a.test/d/p http://ogp.me/ns#url http://a.test/other\n" +
				"http://a.test/d/p http://ogp.me/ns/article#author http://a.test/me\nhttp://a.test/d/p http://ogp.me/ns/fb#app_id 7", ""},
		{"XHTML", "application/xhtml+xml", "<?xml version='1.0' encoding='iso-8859-1'?><html xmlns='http://www.w3.org/1999/xhtml'><p about='x' property='dc:title'>\xfc</p></html>",
			"http://a.test/d/x http://purl.org/dc/terms/title \u00fc", "http://a.test/d/x|\u00fc|||triple"},
		{"microformats beside it", html, `<div class=h-card vocab=u:><a class="p-name u-url" href=y>Me</a></div>`,
			" http://microformats.org/profile/name Me\n http://microformats.org/profile/url http://a.test/d/y\n" +
				" http://www.w3.org/1999/02/22-rdf-syntax-ns#type http://microformats.org/profile/h-card\nhttp://a.test/d/p http://www.w3.org/ns/rdfa#usesVocabulary u:",
			"http://a.test/d/y|||http://microformats.org/profile/url|triple"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := withData(t, tc.body, loading(), "Content-Type", tc.contentType)
			quads, problems := told(p)
			for i, q := range quads {
				if strings.HasPrefix(q, "microformats") {
					quads[i] = q[strings.IndexByte(q, ' '):]
				}
			}
			slices.Sort(quads)
			if got := strings.Join(quads, "\n"); got != tc.quads || len(problems) > 0 {
				t.Errorf("quads\n%s\nwant\n%s\n%v", got, tc.quads, problems)
			}
			if got := shown(triples(p)); got != tc.links {
				t.Errorf("links\n%s\nwant\n%s", got, tc.links)
			}
			if n, _ := inAll(p); n != int64(len(quads)) || len(p.Data) > 0 && p.Data[0].In == rdf.InDocument {
				t.Errorf("%d statements counted of %d: %+v", n, len(quads), p.Data)
			}
			if again, _ := told(p); len(again) != len(quads) || (p.Quads == nil) != (tc.quads == "") || (p.Body == nil) != (tc.quads == "") {
				t.Errorf("again %d quads; body %d", len(again), len(p.Body))
			}
		})
	}
}

func TestScriptsWithoutTheirContext(t *testing.T) {
	const page = `<script type="application/ld+json">{"@context": "https://schema.org/", "@id": "x", "u:p": "v"}</script>` +
		`<script type="application/ld+json">{"@id": "y", "u:p": "v"}</script>`
	quads, problems := told(withData(t, page, DataOptions{}, "Content-Type", "text/html"))
	var p *embedded.Problem
	if len(quads) != 1 || quads[0] != "http://a.test/d/y u:p v" || len(problems) != 1 || !errors.As(problems[0], &p) || p.Syntax != embedded.JSONLD || p.Line != 1 {
		t.Errorf("%v, %v", quads, problems)
	}
}

func TestDocumentsOfJSONLD(t *testing.T) {
	const document = `{"@context": "http://c.test/", "@id": "http://a.test/d/p", "http://purl.org/dc/terms/title": {"@value": "All x", "@language": "en-GB"},
 "contentUrl": "http://a.test/x", "@graph": [{"@id": "http://a.test/x", "http://www.w3.org/2000/01/rdf-schema#label": "An x"}]}`
	const link = `<http://c.test/>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`
	for _, tc := range []struct {
		name, body, title, links string
		headers                  []string
		quads                    int
	}{
		{"with its context", document, "All x", "http://a.test/x|An x||http://schema.org/contentUrl|triple", []string{"Content-Type", "application/ld+json"}, 3},
		{"an object by its header", `{"@id": "x", "url": "y"}`, "", "http://a.test/d/x||||triple\nhttp://a.test/d/y|||http://schema.org/url|triple", []string{"Content-Type", "application/json", "Link", link}, 1},
		{"an array by its header", ` [{"@id": "x", "url": "y"}]`, "", "http://a.test/d/x||||triple\nhttp://a.test/d/y|||http://schema.org/url|triple", []string{"Content-Type", "application/vnd.x+json", "Link", link}, 1},
		{"nothing by its header", `{}`, "", "", []string{"Content-Type", "application/json", "Link", link}, 0},
	} {
		p := read(t, tc.body, tc.headers...)
		if p.MediaType != typeLDJSON || !p.Pending || p.Quads != nil {
			t.Errorf("%s: %s, pending %v", tc.name, p.MediaType, p.Pending)
		}
		if err := NewReader(Options{Simhash: true}).Data(t.Context(), p, loading()); err != nil {
			t.Fatal(err)
		}
		if quads, problems := told(p); len(quads) != tc.quads || len(problems) > 0 || p.Quads == nil || p.Title != tc.title {
			t.Errorf("%s: %q, %v, %v", tc.name, p.Title, quads, problems)
		}
		if got := shown(triples(p)); got != tc.links {
			t.Errorf("%s: %s", tc.name, got)
		}
		if tc.title != "" && (p.Text != "An x\n\nAll x" || p.Lang != "en") {
			t.Errorf("%s: %q in %q", tc.name, p.Text, p.Lang)
		}
	}
	if p := read(t, `{"a": 1}`, "Content-Type", "application/json"); p.Pending || p.MediaType != typeJSON {
		t.Errorf("%s is pending", p.MediaType)
	}
	p := withData(t, document, DataOptions{}, "Content-Type", "application/ld+json")
	if quads, problems := told(p); len(quads) != 0 || len(problems) != 1 {
		t.Errorf("without a loader: %v, %v", quads, problems)
	}
}

func TestDocumentsWithGraphs(t *testing.T) {
	for contentType, body := range map[string]string{
		"application/n-quads": "<http://a.test/x> <http://b.test/p> <http://a.test/y> <http://g.test/> .\n<http://a.test/x> <http://www.w3.org/2000/01/rdf-schema#label> \"An x\" .\n",
		"application/trig":    "@prefix a: <http://a.test/> . <http://g.test/> { a:x <http://b.test/p> a:y . }\n{ a:x <http://www.w3.org/2000/01/rdf-schema#label> \"An x\" . }",
	} {
		p := read(t, body, "Content-Type", contentType)
		quads, problems := told(p)
		want := "http://a.test/x http://b.test/p http://a.test/y http://g.test/\nhttp://a.test/x http://www.w3.org/2000/01/rdf-schema#label An x"
		if got := strings.Join(quads, "\n"); got != want || len(problems) > 0 || p.Pending || p.Text != "An x" || p.Title != "An x" {
			t.Errorf("%s: %s, %v; %q", contentType, got, problems, p.Text)
		}
		if got := shown(p.Links); got != "http://a.test/x|An x|||triple\nhttp://a.test/y|||http://b.test/p|triple" {
			t.Errorf("%s: %s", contentType, got)
		}
	}
}

// TestRelationsOfTriples: the first predicate counts, but one that leads to data before any.
func TestRelationsOfTriples(t *testing.T) {
	const prefixes = "@prefix v: <http://rdfs.org/ns/void#> . @prefix d: <http://www.w3.org/ns/dcat#> . @prefix : <http://b.test/> .\n"
	for body, want := range map[string]string{
		"<s> :p <o> ; :q <o> .":              "http://b.test/p",
		"<o> :p 1 . <s> :q <o> .":            "http://b.test/q",
		"<o> :p 1 . <s> v:dataDump <o> .":    "http://rdfs.org/ns/void#dataDump",
		"<s> :p <o> ; d:downloadURL <o> .":   "http://www.w3.org/ns/dcat#downloadURL",
		"<s> d:endpointURL <o> ; :p <o> .":   "http://www.w3.org/ns/dcat#endpointURL",
		"<s> v:dataDump <o>, <o> ; a <o> .":  "http://rdfs.org/ns/void#dataDump",
		"<o> a :T .":                         "",
		"<s> v:sparqlEndpoint <o> ; :p <o>.": "http://rdfs.org/ns/void#sparqlEndpoint",
	} {
		p := read(t, prefixes+body, "Content-Type", "text/turtle")
		i := slices.IndexFunc(p.Links, func(l orbweaver.Link) bool { return l.To == "http://a.test/d/o" })
		if i < 0 || p.Links[i].Rel != want || p.Links[i].NoFollow() {
			t.Errorf("%s: %+v, want %q", body, p.Links, want)
		}
	}
	p, err := NewReader(Options{MaxLinks: 1}).Read(t.Context(), response("http://a.test/d/p", "Content-Type", "text/turtle"), []byte(prefixes+"<o> :p <x> . <s> v:dataDump <o>, <y> ."))
	if err != nil || shown(p.Links) != "http://a.test/d/o|||http://rdfs.org/ns/void#dataDump|triple" {
		t.Errorf("%v: %s", err, shown(p.Links))
	}
}

// hostileData are pages whose data costs far more than they do, were reading careless.
func hostileData() []hostile {
	const h, ld = "text/html", "application/ld+json"
	script := func(inside func(n int) string) func(n int) string {
		return func(n int) string { return "<script type=application/ld+json>" + inside(n) + "</script>" }
	}
	return []hostile{
		{"scripts", h, again("", `<script type=application/ld+json>{"@id":"x","u:p":"v"}</script>`, "")},
		{"scripts that are broken", h, again("", "<script type=application/ld+json>{</script>", "")},
		{"scripts of one context", h, again("", `<script type=application/ld+json>{"@context":"http://c.test/","name":"v"}</script>`, "")},
		{"scripts of contexts", h, numbered(`<script type=application/ld+json>{"@context":"http://c.test/%d","name":"v"}</script>`)},
		{"one script", h, script(func(n int) string { return "[" + numbered(`{"@id":"u:%d","u:p":"v"},`)(n) + "{}]" })},
		{"one string in a script", h, script(again(`{"@id":"x","u:p":"`, "a", `"}`))},
		{"a script of nothing but depth", h, script(nested("", `{"u:p":[`, "1", "]}", ""))},
		{"a script of brackets", h, script(again("", "[", ""))},
		{"a script that does not end", h, again("<script type=application/ld+json>", `{"a":`, "")},
		{"a document of JSON-LD", ld, func(n int) string {
			return `{"@context":{},"@graph":[` + numbered(`{"@id":"u:%d","u:p":"v"},`)(n) + "{}]}"
		}},
		{"a document of terms", ld, func(n int) string { return `{"@context":{` + numbered(`"t%d":"u:%[1]d",`)(n) + `"a":"u:b"}}` }},
		{"properties of RDFa", h, numbered("<p about=u:%d property=u:p>a")},
		{"RDFa in each other", h, again("", "<p property=u:p typeof=u:t>a", "")},
		{"prefixes", h, numbered("<p prefix='a%d: u:%[1]d#' property=u:p>")},
		{"items", h, numbered("<p itemscope itemid=u:%d><b itemprop=u:p>a</b></p>")},
		{"items in each other", h, again("", "<p itemscope itemprop=u:p>a", "")},
		{"items that refer to one", h, func(n int) string {
			return "<p id=a itemprop=u:p>" + strings.Repeat("b", n/2) + "</p>" + again("", "<i itemscope itemref=a></i>", "")(n/2)
		}},
		{"cards", h, again("<p vocab=u:>", "<p class=h-card><b class=p-name>a</b></p>", "")},
		{"cards in each other", h, again("<p vocab=u:>", "<div class='h-card p-a'>a", "")},
		{"Open Graph", h, numbered("<meta property=og:a%d content=b>")},
		{"Open Graph by many names", h, again("", "<meta property='"+strings.Repeat("og:a ", 500)+"' content=b>", "")},
		{"problems", h, again("", "<p itemscope><a itemprop=u:p href='http://['>", "")},
	}
}

// TestHostileDataCostsWhatItWeighs reads 256 KiB of each, and of the largest script there can be 9 MiB.
func TestHostileDataCostsWhatItWeighs(t *testing.T) {
	for _, tc := range hostileData() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			size := 1 << 18
			if tc.name == "one string in a script" {
				size = 9 << 20
			}
			checkData(t, withData(t, tc.body(size), loading(), "Content-Type", tc.contentType))
		})
	}
}

// checkData holds the data of a page against its limits.
func checkData(t *testing.T, p *orbweaver.Page) {
	t.Helper()
	checkSizes(t, p, DefaultOptions())
	if p.Quads == nil {
		return
	}
	quads, problems, size := 0, 0, 0
	for q, err := range p.Quads {
		if err != nil {
			problems++
			continue
		}
		quads++
		size += len(q.S.Value) + len(q.P.Value) + len(q.O.Value)
	}
	if quads > maxQuads || problems > maxProblems || size > maxTerms+len(p.Body) {
		t.Errorf("%d quads of %d bytes, %d problems", quads, size, problems)
	}
}

func TestDataEndsWithItsContext(t *testing.T) {
	p := read(t, "<p vocab=u:>", "Content-Type", "text/html")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := NewReader(Options{}).Data(ctx, p, DataOptions{}); !errors.Is(err, context.Canceled) || !p.Pending || p.Quads != nil {
		t.Errorf("%v, %+v", err, p)
	}
}

// TestMoreDataThanIsKept: the first quads are there, and a word that there was more.
func TestMoreDataThanIsKept(t *testing.T) {
	s := store{page: "http://a.test/"}
	for i := 0; ; i++ {
		if !s.add(rdf.Quad{S: rdf.NewIRI(fmt.Sprintf("u:%d", i))}, nil) {
			break
		}
	}
	last := error(nil)
	for _, err := range s.all {
		last = err
	}
	if len(s.quads) != maxQuads || !errors.Is(last, errMoreData) || s.add(rdf.Quad{}, nil) || s.add(rdf.Quad{}, io.EOF) {
		t.Errorf("%d quads, %v", len(s.quads), last)
	}
	s = store{page: "http://a.test/"}
	for i := range maxProblems {
		s.add(rdf.Quad{}, io.EOF)
		s.add(rdf.Quad{O: rdf.NewString(strings.Repeat("a", i))}, nil)
	}
	problems := []error{}
	for q, err := range s.all {
		if err == nil && len(q.O.Value) < len(problems)-1 {
			t.Fatal("out of order")
		}
		if err != nil {
			problems = append(problems, err)
		}
	}
	if len(problems) != maxProblems || problems[maxProblems-1].Error() != "http://a.test/: 1 more problems" {
		t.Errorf("%d problems", len(problems))
	}
	for s = (store{}); s.add(rdf.Quad{O: rdf.NewString(strings.Repeat("a", 1<<20))}, nil); {
	}
	if len(s.quads) != maxTerms>>20+1 {
		t.Errorf("%d quads of a megabyte", len(s.quads))
	}
}

// TestDataOfSamplePages: of every third, each syntax gives a page what its package finds alone, but for what RDFa makes
// of Open Graph, and each quad stands once.
func TestDataOfSamplePages(t *testing.T) {
	for _, name := range []string{"extruct-samples.tar.gz", "recipe-pages.tar.gz"} {
		total := map[embedded.Syntax]int{}
		pages, links, problems, skipped := 0, 0, 0, 0
		all := samples(t, name)
		for i, file := range slices.Sorted(maps.Keys(all)) {
			body := all[file]
			p := withData(t, string(body), loading(), "Content-Type", "text/html")
			found, wrong := told(p)
			pages++
			links += len(triples(p))
			problems += len(wrong)
			if p.Body == nil {
				skipped++
			}
			if p.Body == nil || i%3 > 0 {
				continue
			}
			sum, met := 0, map[string]bool{}
			for _, s := range embedded.All() {
				one := DataOptions{Load: loading().Load, Syntaxes: []embedded.Syntax{s}}
				quads, _ := told(withData(t, string(body), one, "Content-Type", "text/html"))
				total[s] += len(quads)
				for _, q := range quads { // blank nodes are others in each reading
					if !met[q] || strings.Contains(q, "_:") {
						met[q] = true
						sum++
					}
				}
				if alone := aloneIn(s, p.Body); s != embedded.JSONLD && alone != len(quads) {
					t.Errorf("%s: %d quads of %s, %d alone", file, len(quads), s, alone)
				}
			}
			if len(found) > sum || len(found) < sum && aloneIn(embedded.OpenGraph, p.Body) == 0 {
				t.Errorf("%s: %d quads, by syntaxes %d", file, len(found), sum)
			}
		}
		t.Logf("%s: %d pages, %d without data; %v, %d links, %d problems", name, pages, skipped, total, links, problems)
		for _, s := range []embedded.Syntax{embedded.JSONLD, embedded.OpenGraph, embedded.RDFa, embedded.Microdata} {
			if total[s] == 0 {
				t.Errorf("%s: no %s", name, s)
			}
		}
	}
}

// aloneIn counts the different quads that the package of a syntax finds in a page.
func aloneIn(s embedded.Syntax, page []byte) int {
	r, opts := bytes.NewReader(page), syntax.Options{Base: "http://a.test/d/p", Lenient: true}
	read := opengraph.Read(r, opts)
	switch s {
	case embedded.RDFa:
		read = rdfa.Read(r, rdfa.Options{Options: opts})
	case embedded.Microdata:
		read = microdata.Read(r, microdata.Options{Options: opts})
	case embedded.Microformats:
		read = microformats.Read(r, opts)
	}
	found := map[rdf.Triple]bool{}
	for q, err := range read {
		if err == nil {
			found[q] = true
		}
	}
	return len(found)
}

// TestQuadsOnce: what two scripts and two syntaxes say stands once, where it was first said, and problems stay where they were. What is layout
// to one syntax alone is a link.
func TestQuadsOnce(t *testing.T) {
	same := `<script type=application/ld+json>{"@context":{"@vocab":"http://v.test/"},"@id":"http://a.test/x","name":"n","url":{"@id":"http://b.test/"}}</script>`
	broken := `<script type=application/ld+json>{"@id":</script>`
	page := withData(t, same+broken+same+`<p itemscope itemid="http://a.test/x" itemtype="http://v.test/T"><a itemprop=url href="http://b.test/">c</a><span itemprop=name>n</span></p>`,
		loading(), "Content-Type", "text/html")
	found, wrong := told(page)
	if want := 3; len(found) != want || len(wrong) != 1 { // name, url, and the type that only microdata says
		t.Errorf("%d quads, want %d: %v; problems %v", len(found), want, found, wrong)
	}
	at := 0
	for q, err := range page.Quads {
		if err != nil {
			break
		}
		if at++; q.S.Value != "http://a.test/x" {
			t.Errorf("%v", q)
		}
	}
	if at != 2 {
		t.Errorf("the problem stands after %d quads, want 2", at)
	}
	d := data{kept: store{page: "http://a.test/"}}
	for i, name := range []string{"a", "b", "a", "c", "b"} {
		d.kept.add(rdf.Quad{S: rdf.NewIRI(name)}, nil)
		d.said = append(d.said, saying{layout: i == 0 || i == 1 || i == 4})
		d.kept.add(rdf.Quad{}, fmt.Errorf("%d", i))
	}
	d.once()
	var behind []int
	var layout []bool
	for _, s := range d.said {
		layout = append(layout, s.layout)
	}
	for _, p := range d.kept.problems {
		behind = append(behind, p.behind)
	}
	if got := fmt.Sprint(len(d.kept.quads), layout, behind); got != "3 [false true false] [1 2 2 3 3]" {
		t.Error(got)
	}
}

func FuzzData(f *testing.F) {
	for _, seed := range []struct{ contentType, body string }{
		{"text/html", `<base href=b><script type=application/ld+json>{"@context":"http://c.test/","@id":"x","url":"y",}</script><p itemscope itemid=z><b itemprop=a>c`},
		{"text/html", "<meta property=og:image content=x><p vocab=u: typeof=a rel=b resource=c>d<div class='h-card p-name'>e"},
		{"application/xhtml+xml", "<?xml version='1.0' encoding='koi8-r'?><html prefix='a: u:'><p property='a:b'>c</p></html>"},
		{"application/ld+json", `{"@context": {"@vocab": "u:"}, "@graph": [{"@id": "http://a.test/", "a": {"@id": "b"}}]}`},
		{"application/n-quads", "<http://a.test/> <http://b.test/> <http://c.test/> <http://d.test/> ."},
	} {
		f.Add(seed.contentType, []byte(seed.body))
	}
	reader := NewReader(Options{MaxBody: 1 << 16, MaxLinks: 100, MaxText: 1 << 16})
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		before := string(body)
		page, err := reader.Read(t.Context(), response("http://a.test/d/p", "Content-Type", contentType), body)
		if err != nil {
			return
		}
		if err := reader.Data(t.Context(), page, loading()); err != nil {
			t.Fatal(err)
		}
		if string(body) != before {
			t.Fatal("the payload was changed")
		}
		checkPage(t, page)
		if page.Quads != nil {
			for q, err := range page.Quads {
				if err != nil && strings.Contains(err.Error(), "crashed") {
					t.Fatal(err)
				}
				if err == nil && page.MediaType == typeHTML && !utf8.ValidString(q.O.Value) {
					t.Errorf("%q", q.O.Value)
				}
			}
		}
	})
}

// BenchmarkData reads the data of a page of a shop, and of each hostile one.
func BenchmarkData(b *testing.B) {
	product := string(articlePage(1)) + `<script type="application/ld+json">{"@context": "https://schema.org/", "@type": "Product", "name": "Kite", "url": "http://a.test/kite",
"offers": {"@type": "Offer", "price": "9.50", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
"review": [` + strings.Repeat(`{"@type": "Review", "author": {"@type": "Person", "name": "Ada"}, "reviewBody": "It flies."},`, 9) + `{}]}</script>` +
		`<div itemscope itemtype="http://schema.org/BreadcrumbList"><a itemprop=item href=/>a</a></div><meta property=og:title content=Kite>`
	for _, tc := range append(hostileData(), hostile{"a product", "text/html", func(int) string { return product }}) {
		b.Run(tc.name, func(b *testing.B) {
			p := read(b, tc.body(9<<20), "Content-Type", tc.contentType)
			links, reader := p.Links, NewReader(Options{})
			b.SetBytes(int64(len(p.Body)))
			b.ReportAllocs()
			for b.Loop() {
				p.Links, p.Pending = links, true
				if err := reader.Data(b.Context(), p, loading()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
