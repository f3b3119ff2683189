package offline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/turtle"
)

// extracted extracts a page from standard input.
func extracted(t *testing.T, page string, opts ExtractOptions) (out, messages string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &stdout, Err: &stderr, In: strings.NewReader(page)}}
	err = ExtractRDF(t.Context(), a, "-", opts)
	return stdout.String(), stderr.String(), err
}

// countsOf returns the number of triples per syntax of an extract in JSON.
func countsOf(t *testing.T, out string) (counts map[rdffile.Notation]int, e extract) {
	t.Helper()
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatal(err)
	}
	counts = map[rdffile.Notation]int{}
	for _, p := range e.Syntaxes {
		counts[p.Syntax] = p.Triples
	}
	return counts, e
}

// schemaFile writes a context in place of schema.org's.
func schemaFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "schema.jsonld")
	if err := os.WriteFile(file, []byte(`{"@context": {"@vocab": "http://schema.org/"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestExtractRealPages: Turtle, N-Quads and the counts agree for every page, and the content of some pages
// is checked.
func TestExtractRealPages(t *testing.T) {
	known := map[string]map[rdffile.Notation]int{
		"misc/opengraph_test.html":               {rdffile.InRDFa: 11, rdffile.InOpenGraph: 11},
		"schema.org/product.html":                {rdffile.InMicrodata: 20},
		"schema.org/CreativeWork.001.html":       {rdffile.InJSONLD: 38, rdffile.InMicrodata: 15},
		"w3crdfa/w3c.rdfaprimer.example005.html": {rdffile.InRDFa: 2},
	}
	contexts := []string{"https://schema.org/=" + schemaFile(t)}
	pages, total := 0, map[rdffile.Notation]int{}
	for _, f := range rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/tests/samples/") {
		if !strings.HasSuffix(f.Name, ".html") {
			continue
		}
		pages++
		name := strings.TrimPrefix(f.Name, "extruct/tests/samples/")
		opts := ExtractOptions{JSON: true, Base: "http://page.test/", Contexts: contexts}
		out, _, err := extracted(t, string(f.Data), opts)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		counts, e := countsOf(t, out)
		for _, n := range rdffile.Embedded() {
			total[n] += counts[n]
			if want := known[name]; want != nil && counts[n] != want[n] {
				t.Errorf("%s has %d triples of %s, want %d", name, counts[n], n, want[n])
			}
		}
		opts.JSON, opts.NQuads = false, true
		lines, _, err := extracted(t, string(f.Data), opts)
		opts.NQuads = false
		text, _, wrong := extracted(t, string(f.Data), opts)
		if err != nil || wrong != nil {
			t.Errorf("%s: %v, %v", name, err, wrong)
			continue
		}
		compareExtracts(t, name, counts, lines, text)
		if (e.Triples == 0) != strings.Contains(text, "has no embedded data") {
			t.Errorf("%s: %d triples\n%s", name, e.Triples, text)
		}
	}
	for _, n := range rdffile.Embedded() {
		if total[n] == 0 {
			t.Errorf("no page has %s", n)
		}
	}
	t.Logf("%d pages: %v", pages, total)
}

// compareExtracts checks an extract as N-Quads and as Turtle.
func compareExtracts(t *testing.T, name string, counts map[rdffile.Notation]int, lines, text string) {
	t.Helper()
	var merged []rdf.Triple
	byGraph := map[string]int{}
	for _, q := range rdftest.Collect(t, nquads.Read(strings.NewReader(lines), syntax.Options{})) {
		byGraph[q.G.Value]++
		merged = append(merged, rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	for _, n := range rdffile.Embedded() {
		if got := byGraph["http://page.test/#"+string(n)]; got != counts[n] {
			t.Errorf("%s: %d of %d triples of %s in its graph", name, got, counts[n], n)
		}
	}
	if got := rdftest.Collect(t, turtle.Read(strings.NewReader(text), syntax.Options{})); !rdftest.Isomorphic(got, merged) {
		t.Errorf("%s: Turtle and N-Quads differ\n%s\n%s", name, text, lines)
	}
}

// TestExtractTellsWhatIsWrong: problems have positions and come in the order of syntaxes; the other data
// is extracted.
func TestExtractTellsWhatIsWrong(t *testing.T) {
	const page = "<html><base href='/shop/'>\n<p vocab='http://schema.org/' typeof=Product>\n" +
		`<script type="application/ld+json">{"@id": "kite", "http://schema.org/name": "Kite",}</script>` + "\n" +
		`  <script type='Application/LD+JSON; charset=utf-8'>` + "\n" + `{"@id": ` + "</script>\n" +
		`<script type="application/ld+json">{"@context": "https://words.test/", "@type": "Product", "name": "none"}</script>` +
		`<script>{"@id": "no", "u:p": 1}</script>`
	out, messages, err := extracted(t, page, ExtractOptions{NQuads: true, Base: "http://page.test/a"})
	if err != nil || !strings.Contains(out, `<http://page.test/shop/kite> <http://schema.org/name> "Kite" <http://page.test/a#jsonld> .`) || strings.Contains(out, "none\"") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"# JSON-LD       1 triple\n", "# RDFa          2 triples\n", "# Microdata     none\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	for i, want := range []string{"standard input:3:84: JSON-LD: ", "standard input:5:", "standard input:6:36: JSON-LD: remote context: context https://words.test/: "} {
		if lines := strings.Split(messages, "\n"); len(lines) != 4 || !strings.HasPrefix(lines[i], want) {
			t.Errorf("%q is missing in\n%s", want, messages)
		}
	}
	out, _, err = extracted(t, page, ExtractOptions{JSON: true, Base: "http://page.test/a"})
	if _, e := countsOf(t, out); err != nil || e.URL != "http://page.test/a" || len(e.Syntaxes[0].Problems) != 3 || e.Syntaxes[0].Problems[0].Line != 3 {
		t.Errorf("%v\n%s", err, out)
	}
	scripts := strings.Repeat("<script type='application/ld+json'>{</script>", maxScripts+5)
	out, _, err = extracted(t, scripts, ExtractOptions{JSON: true, Base: "http://page.test/a"})
	if _, e := countsOf(t, out); err != nil || len(e.Syntaxes[0].Problems) != maxProblems || e.Syntaxes[0].More < maxScripts-maxProblems || !strings.HasPrefix(e.Syntaxes[0].Problems[0].Message, "261 scripts") {
		t.Errorf("%v: %+v", err, e)
	}
}

// TestExtractRefuses: files that are not pages, and a page without a known URL.
func TestExtractRefuses(t *testing.T) {
	for want, in := range map[string]string{
		"is Turtle, not a page: read it with orbweaver rdf convert": "@prefix e: <u:e> .\n",
		"give the page's URL with --base":                           "<html>",
	} {
		if _, _, err := extracted(t, in, ExtractOptions{}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	if out, messages, err := extracted(t, "<html>", ExtractOptions{Base: "http://page.test/"}); err != nil || messages != "" || out != "# http://page.test/ has no embedded data\n" {
		t.Errorf("%v %s%s", err, out, messages)
	}
}

// TestExtractLive: fetching is polite, includes contexts, and respects robots.txt.
func TestExtractLive(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		const page = `<script type="application/ld+json">{"@context": "http://words.test/c", "name": "Kite"}</script>` +
			`<script type="application/ld+json">{"@context": "http://words.test/c", "name": "Glider"}</script>` +
			`<script type="application/ld+json">{"@context": "http://words.test/no/c", "name": "secret"}</script>`
		w := fetchtest.NewWeb(fetchtest.Politeness{Delay: time.Second},
			fetchtest.Host{Name: "shop.test", Robots: fetchtest.Robots{Disallow: []string{"/no/"}}, Pages: []fetchtest.Page{
				{Path: "/", Redirect: "/kite"}, {Path: "/kite", Body: page}, {Path: "/no/kite", Body: page}, {Path: "/inside", Redirect: "http://127.0.0.9/"}, {Path: "/data", Type: "text/turtle", Body: "<u:s> <u:p> 1 ."},
			}},
			fetchtest.Host{Name: "words.test", At: 1, Robots: fetchtest.Robots{Disallow: []string{"/no/"}}, Pages: []fetchtest.Page{
				{Path: "/c", Redirect: "/c.jsonld"}, {Path: "/c.jsonld", Type: "application/ld+json", Body: `{"@context": {"@vocab": "http://words.test/"}}`},
			}},
		)
		n := fetchtest.NewNetwork()
		defer n.Close()
		w.Serve(n)
		var out, messages bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Err: &messages}, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
		err := ExtractRDF(t.Context(), a, "http://shop.test/", ExtractOptions{Private: true, NQuads: true})
		if err != nil || !strings.Contains(out.String(), `<http://words.test/name> "Glider" <http://shop.test/kite#jsonld> .`) || strings.Contains(out.String(), "secret") {
			t.Errorf("%v\n%s", err, &out)
		}
		if !strings.Contains(messages.String(), "http://shop.test/kite:1:") || !strings.Contains(messages.String(), "robots: Disallow: /no/") {
			t.Errorf("messages\n%s", &messages)
		}
		for _, v := range w.Violations() {
			t.Error(v)
		}
		if requests := w.Visits(); len(requests) != 6 { // two robots.txt, two redirects, page and context
			t.Errorf("requests: %v", requests)
		}
		crawl := filepath.Join(folder, "f.yaml")
		if err := os.WriteFile(crawl, []byte("seeds: [http://shop.test/]\nfocus: {breadth_first: {}}\nallow_private: true\nscope: {exclude: [shop.test/kite]}\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, tc := range []struct {
			url  string
			opts ExtractOptions
			want orbweaver.Failure
		}{
			{"http://shop.test/no/kite", ExtractOptions{Private: true}, orbweaver.ErrRobots},
			{"http://shop.test/data", ExtractOptions{Private: true}, orbweaver.ErrUnreadable},
			{"http://shop.test/gone", ExtractOptions{Private: true}, orbweaver.ErrStatus},
			{"http://shop.test/kite", ExtractOptions{Crawl: crawl}, orbweaver.ErrScope},
			{"http://shop.test/kite", ExtractOptions{Crawl: "none.yaml"}, orbweaver.ErrInput},
			{"http://127.0.0.1/", ExtractOptions{Force: true}, orbweaver.ErrPrivate},
			{"http://shop.test/inside", ExtractOptions{}, orbweaver.ErrPrivate},
			{"http://shop.test/no/kite", ExtractOptions{Private: true, Force: true}, ""},
		} {
			err := ExtractRDF(t.Context(), a, tc.url, tc.opts)
			if advised := err != nil && strings.Contains(err.Error(), "--allow-private"); advised != strings.Contains(tc.url, "127.0.0.1") {
				t.Errorf("%s: %v", tc.url, err)
			}
			if tc.want == "" && err != nil || tc.want != "" && !errors.Is(err, tc.want) {
				t.Errorf("%s: %v, want %v", tc.url, err, tc.want)
			}
		}
	})
}

// wordWeb answers from a map and counts its requests.
type wordWeb struct {
	toy.ToyWeb
	answers map[string]http.Header // with "Body"
	asked   int
}

func (w *wordWeb) Fetch(_ context.Context, url, accept string) (*step.Response, []byte, error) {
	w.asked++
	header, ok := w.answers[url]
	if !ok || accept != contexts.Accept {
		return nil, nil, fmt.Errorf("fetch %s: %w", url, orbweaver.ErrAbsent)
	}
	return &step.Response{Request: orbweaver.Request{URL: url}, Status: 200, Header: header}, []byte(header.Get("Body")), nil
}

// TestContextsOfTheWeb: an alternate in a header is followed, the contexts of a page are bounded, and
// failed ones are not requested again.
func TestContextsOfTheWeb(t *testing.T) {
	alternate := `</c.jsonld>; rel="alternate"; type="application/ld+json"`
	w := &wordWeb{answers: map[string]http.Header{
		"http://words.test/":         {"Content-Type": {"text/html"}, "Link": {alternate}, "Body": {"<html>"}},
		"http://words.test/c.jsonld": {"Content-Type": {"application/ld+json"}, "Body": {`{"@context": {"@vocab": "u:"}}`}},
		"http://words.test/html":     {"Content-Type": {"text/html"}, "Body": {"<html>"}},
		"http://words.test/circle":   {"Content-Type": {"text/html"}, "Link": {`<other>; rel=alternate; type="application/ld+json"`}, "Body": {"<p>"}},
		"http://words.test/other":    {"Content-Type": {"text/html"}, "Link": {`<circle>; rel=alternate; type="application/ld+json"`}, "Body": {"<p>"}},
	}}
	var b strings.Builder
	for _, url := range []string{"http://words.test/", "http://words.test/html", "http://words.test/circle", "mailto:me@words.test", "http://words.test/gone", "http://words.test/gone"} {
		fmt.Fprintf(&b, `<script type="application/ld+json">{"@context": %q, "p": "v"}</script>`, url)
	}
	asked := &judge.JudgeRun{Web: w, Hops: 2}
	fresh := func() *contexts.Remote {
		c, err := contexts.NewRemote(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.From(t.Context(), asked.Get, asked.Hops))
		return c
	}
	m := &markup{name: "page", base: "http://page.test/", text: []byte(b.String())}
	p := m.extract(t.Context(), fresh()).Syntaxes[0]
	if len(p.quads) != 1 || p.quads[0].P.Value != "u:p" || len(p.Problems) != 5 {
		t.Errorf("%+v", p)
	}
	for i, want := range []string{`"text/html" is no media type of JSON`, "redirects", "bad-url", "absent", "absent"} {
		if i < len(p.Problems) && !strings.Contains(p.Problems[i].Message, want) {
			t.Errorf("problem %d is %q, want %q", i, p.Problems[i].Message, want)
		}
	}
	if w.asked != 7 {
		t.Errorf("%d requests", w.asked)
	}
	b.Reset()
	for i := range 40 {
		fmt.Fprintf(&b, `<script type="application/ld+json">{"@context": "http://words.test/%d", "p": "v"}</script>`, i)
	}
	m.text = []byte(b.String())
	w.asked = 0
	if p = m.extract(t.Context(), fresh()).Syntaxes[0]; w.asked != 16 || len(p.Problems) != 40 || !strings.Contains(p.Problems[39].Message, "more than 16 contexts") {
		t.Errorf("%d requests: %+v", w.asked, p.Problems)
	}
}

// TestSchemaOrgStandsIn: if the context of schema.org is unavailable, its names are still read, with a
// message.
func TestSchemaOrgStandsIn(t *testing.T) {
	const page = `<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Kite"}</script>`
	out, messages, err := extracted(t, page, ExtractOptions{Base: "http://page.test/a", NQuads: true})
	if err != nil || !strings.Contains(out, `<http://schema.org/name> "Kite"`) || !strings.Contains(messages, "schema.org's context is unavailable") {
		t.Errorf("%v\n%s\n%s", err, out, messages)
	}
}
