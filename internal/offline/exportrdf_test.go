package offline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf"
	"orbweaver/rdf/canon"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/void"
)

// writtenQuads parses an export in strict mode.
func writtenQuads(t *testing.T, text string, format syntax.Format) (all []rdf.Quad) {
	t.Helper()
	for q, err := range document.Quads(strings.NewReader(text), format, syntax.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all
}

// canonical returns a dataset's canonical form.
func canonical(t *testing.T, quads []rdf.Quad) string {
	t.Helper()
	text, err := canon.Canonical(quads)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// objects returns the objects of a subject in the default graph, by the local name of the property.
func objects(quads []rdf.Quad, subject rdf.Term, property string) (found []string) {
	for _, q := range quads {
		if q.G.IsZero() && q.S == subject && strings.HasSuffix(q.P.Value, property) {
			found = append(found, q.O.Value)
		}
	}
	slices.Sort(found)
	return found
}

// dataset returns the node of the export's description.
func dataset(t *testing.T, quads []rdf.Quad) rdf.Term {
	t.Helper()
	for _, q := range quads {
		if q.P.Value == void.NS+"distinctSubjects" {
			return q.S
		}
	}
	t.Fatal("no dataset is described")
	return rdf.Term{}
}

// checkFigures recounts an export.
func checkFigures(t *testing.T, quads []rdf.Quad) {
	t.Helper()
	graphs, subjects, objectsOf, properties := map[rdf.Term]int{}, map[rdf.Term]bool{}, map[rdf.Term]bool{}, map[rdf.Term]bool{}
	triples := 0
	for _, q := range quads {
		if !q.G.IsZero() {
			triples++
			graphs[q.G]++
			subjects[q.S], objectsOf[q.O], properties[q.P] = true, true, true
		}
	}
	it := dataset(t, quads)
	for property, want := range map[string]int{
		"void#triples": triples, "void#documents": len(graphs), "void#distinctSubjects": len(subjects), "void#distinctObjects": len(objectsOf), "void#properties": len(properties),
	} {
		if got := objects(quads, it, property); !slices.Equal(got, []string{fmt.Sprint(want)}) {
			t.Errorf("%s is %v, want %d", property, got, want)
		}
	}
	for graph, n := range graphs {
		if got := objects(quads, graph, "void#triples"); !slices.Equal(got, []string{fmt.Sprint(n)}) {
			t.Errorf("%s has %v statements, want %d", graph.Value, got, n)
		}
	}
}

// checkMessages compares the printed counts with the output.
func checkMessages(t *testing.T, messages string, quads []rdf.Quad) {
	t.Helper()
	graphs, within := map[rdf.Term]bool{}, 0
	for _, q := range quads {
		if !q.G.IsZero() {
			within++
			graphs[q.G] = true
		}
	}
	want := fmt.Sprintf(": %d statements: %d of the pages' data in %d graphs, %d about them in the default graph; pages read: ", len(quads), within, len(graphs), len(quads)-within)
	if !strings.Contains(messages, want) {
		t.Errorf("messages %q, wrote %q", messages, want)
	}
}

// TestExportAsRDF: both formats hold the same data, identical in every export, for a crawl with its own
// archive and one of another archive, and the counts are right.
func TestExportAsRDF(t *testing.T) {
	crawls := map[string]string{}
	for name, more := range map[string]string{"its own": "archive: on\n", "the one it crawled": ""} {
		dir := apptest.CrawledFor(t, more)
		for _, accepted := range []bool{false, true} {
			opts := export.Options{Format: export.NQuads, Accepted: accepted, Out: filepath.Join(t.TempDir(), "x.nq")}
			messages := toy.MustExport(t, dir, opts)
			text, err := os.ReadFile(opts.Out)
			if err != nil {
				t.Fatal(err)
			}
			quads := writtenQuads(t, string(text), syntax.NQuads)
			checkFigures(t, quads)
			checkMessages(t, messages, quads)
			opts.Out, opts.Format = filepath.Join(t.TempDir(), "x.trig"), export.TriG
			messages = toy.MustExport(t, dir, opts)
			if text, err = os.ReadFile(opts.Out); err != nil {
				t.Fatal(err)
			}
			checkMessages(t, messages, writtenQuads(t, string(text), syntax.TriG))
			opts.Out = ""
			out, _, err := toy.Exported(dir, opts)
			if err != nil {
				t.Fatal(err)
			}
			form := canonical(t, quads)
			if canonical(t, writtenQuads(t, out, syntax.TriG)) != form {
				t.Errorf("%s: TriG and N-Quads differ", name)
			}
			if again, _, err := toy.Exported(dir, opts); err != nil || again != out {
				t.Errorf("%s: another export differs: %v", name, err)
			}
			graphs := map[string]bool{}
			for _, q := range quads {
				graphs[q.G.Value] = true
			}
			if len(graphs) < 3 || !strings.Contains(messages, fmt.Sprintf("in %d graphs", len(graphs)-1)) {
				t.Errorf("%s: %d graphs; %s", name, len(graphs), messages)
			}
			for _, l := range toy.LinesOf(t, dir) {
				if graphs[l.URL] && (!export.IsPage(l) || accepted && !l.Accepted) || l.Type == "text/turtle" && export.IsPage(l) && (!accepted || l.Accepted) && !graphs[l.URL] {
					t.Errorf("%s: graph %v of %+v", name, graphs[l.URL], l)
				}
			}
			key := fmt.Sprint(accepted)
			if form = canonical(t, withoutCrawl(quads)); crawls[key] != "" && crawls[key] != form {
				t.Errorf("%s: the archives give different graphs", name)
			}
			crawls[key] = form
		}
	}
}

// withoutCrawl removes the crawl's node, which depends on the crawl file.
func withoutCrawl(quads []rdf.Quad) []rdf.Quad {
	return slices.DeleteFunc(slices.Clone(quads), func(q rdf.Quad) bool {
		return strings.HasPrefix(q.S.Value, "urn:uuid:") || strings.HasPrefix(q.O.Value, "urn:uuid:")
	})
}

// dataWeb is a small web of documents with data.
func dataWeb(t testing.TB) string {
	const turtle = "text/turtle"
	return toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: `<a href="/old">first</a> <a href="/b">b</a> <a href="/c">c</a> <a href="/x|y.nt">d</a> <a href="/plain">e</a> <a href="/empty">f</a> <a href="/wrong">g</a> <a href="http://b.test/ground">h</a> <a href="http://b.test/ground2">i</a>`},
		{URL: "http://a.test/old", Status: 301, Location: "/older"},
		{URL: "http://a.test/older", Status: 302, Location: "/first"},
		{URL: "http://a.test/first", Kind: turtle, Body: `@prefix v: <http://v.test/> . _:b0 a v:Kite; v:next [ v:name "x" ] ; v:name "x", "x" .`},
		{URL: "http://a.test/b", Kind: turtle, Body: `@prefix v: <http://v.test/> . _:b0 v:name "x" . _:b1 v:next _:b0 . _:b1 v:name "x" . _:b1 a v:Kite .`},
		{URL: "http://a.test/c", Kind: turtle, Body: `@prefix v: <http://v.test/> . _:b0 v:name "y" . <> v:part _:b0 .`},
		{URL: "http://a.test/x|y.nt", Kind: "application/n-triples", Body: "<http://v.test/s> <http://v.test/p> \"z\" .\n_:b0 <http://v.test/p> <http://v.test/a/../b> .\n"},
		{URL: "http://a.test/plain", Kind: "text/plain", Body: "nothing of interest"},
		{URL: "http://a.test/empty", Kind: turtle, Body: "@prefix v: <http://v.test/> ."},
		{URL: "http://a.test/wrong", Kind: turtle, Body: "x:y x:z ."},
		{URL: "http://b.test/ground", Kind: turtle, Body: `<http://v.test/1> <http://v.test/p> 1 . <http://v.test/2> <http://v.test/p> 2 .`},
		{URL: "http://b.test/ground2", Kind: turtle, Body: `<http://v.test/2> <http://v.test/p> 2 . <http://v.test/1> <http://v.test/p> 1 .`},
	})
}

// TestExportOfDocuments: provenance, duplicates, and statements that a syntax cannot express.
func TestExportOfDocuments(t *testing.T) {
	dir := apptest.CrawledWeb(t, dataWeb(t))
	for _, format := range []string{export.NQuads, export.TriG} {
		out, log, err := toy.Exported(dir, export.Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		read := map[string]syntax.Format{export.NQuads: syntax.NQuads, export.TriG: syntax.TriG}[format]
		quads := writtenQuads(t, out, read)
		checkFigures(t, quads)
		for _, distinct := range []bool{false, true} {
			opts := export.Options{Format: format, Distinct: distinct, Out: filepath.Join(t.TempDir(), "x")}
			messages, _, err := toy.Exported(dir, opts)
			text, missing := os.ReadFile(opts.Out)
			if err := errors.Join(err, missing); err != nil {
				t.Fatal(err)
			}
			checkMessages(t, messages, writtenQuads(t, string(text), read))
		}
		first := rdf.NewIRI("http://a.test/first")
		for property, want := range map[string]string{
			"ns#type": "http://www.w3.org/ns/prov#Entity http://xmlns.com/foaf/0.1/Document", "wasDerivedFrom": "http://a.test/", "terms/source": "http://a.test/old",
			"generatedAtTime": "2001-09-09T01:46:43Z", "format": export.MediaTypes + "text/turtle", "void#triples": "4", "alternateOf": "",
		} {
			if got := strings.Join(objects(quads, first, property), " "); got != want {
				t.Errorf("%s: %s is %q, want %q", format, property, got, want)
			}
		}
		crawl := rdf.NewIRI(objects(quads, first, "wasGeneratedBy")[0])
		if got := objects(quads, crawl, "ns#type"); !slices.Equal(got, []string{export.NSPROV + "Activity"}) {
			t.Errorf("the crawl is %v", got)
		}
		for url, same := range map[string]string{"http://a.test/b": "http://a.test/first", "http://b.test/ground2": "http://b.test/ground", "http://a.test/c": ""} {
			if got := strings.Join(objects(quads, rdf.NewIRI(url), "alternateOf"), " "); got != same {
				t.Errorf("%s: %s is an alternate of %q, want %q", format, url, got, same)
			}
		}
		if got := objects(quads, rdf.NewIRI("http://a.test/x%7Cy.nt"), "void#triples"); format == export.NQuads && !slices.Equal(got, []string{"2"}) || format == export.TriG && !slices.Equal(got, []string{"1"}) {
			t.Errorf("%s: %v statements about a URL that is not an IRI", format, got)
		}
		for _, want := range map[string][]string{export.NQuads: {"could not be parsed: 1\n", "without statements: 1\n", "with the statements of another: 2;"}, export.TriG: {"mistakes: 2, in documents: 2\n", "http://a.test/x|y.nt: "}}[format] {
			if !strings.Contains(log, want) {
				t.Errorf("%s: no %q in %s", format, want, log)
			}
		}
		if strings.Contains(out, "http://a.test/empty> <http://www.w3") || strings.Contains(out, "<http://a.test/plain>") {
			t.Error(out)
		}
	}
}

// TestExportOfPages: data embedded in HTML, with a context from the archive, and the named graphs of a
// document merged into its one graph.
func TestExportOfPages(t *testing.T) {
	dir := apptest.CrawledWeb(t, toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: `<a href="/page">p</a> <a href="/g.trig">g</a> <a href="/d.jsonld">d</a> <a href="/none">n</a>`},
		{URL: "http://a.test/page", Body: `<title>Kite</title><script type="application/ld+json">{"@context": "http://c.test/c", "@id": "#it", "name": "Kite"}</script>
			<p vocab="http://v.test/" resource="#it"><b property="size">12</b>`},
		{URL: "http://c.test/c", Status: 302, Location: "/c.jsonld"},
		{URL: "http://c.test/c.jsonld", Kind: "application/ld+json", Body: `{"@context": {"@vocab": "http://words.test/"}}`},
		{URL: "http://a.test/g.trig", Kind: "application/trig", Body: `@prefix v: <http://v.test/> . v:a v:p _:x . v:g { v:b v:p _:x } _:x { v:a v:p _:x }`},
		{URL: "http://a.test/d.jsonld", Kind: "application/ld+json", Body: `{"@context": "http://c.test/c", "@id": "http://v.test/x", "name": "X"}`},
		{URL: "http://a.test/none", Body: `<script type="application/ld+json">{"@context": "http://c.test/gone", "name": "Kite"}</script>`},
	}))
	out, log, err := toy.Exported(dir, export.Options{Format: export.NQuads})
	if err != nil || !strings.Contains(log, "http://a.test/none: ") || !strings.Contains(log, "mistakes: 1, in documents: 1\n") {
		t.Fatal(err, log)
	}
	quads := writtenQuads(t, out, syntax.NQuads)
	checkFigures(t, quads)
	for _, want := range []string{
		`<http://a.test/page#it> <http://words.test/name> "Kite" <http://a.test/page> .`, `<http://a.test/page#it> <http://v.test/size> "12" <http://a.test/page> .`,
		`<http://v.test/x> <http://words.test/name> "X" <http://a.test/d.jsonld> .`, `<http://v.test/b> <http://v.test/p> _:d3_x <http://a.test/g.trig> .`,
		`<http://a.test/page> <http://purl.org/dc/terms/format> <` + export.MediaTypes + `text/html> .`,
	} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if got := objects(quads, rdf.NewIRI("http://a.test/g.trig"), "void#triples"); !slices.Equal(got, []string{"2"}) {
		t.Errorf("%v statements of a document with graphs", got)
	}
}

// TestExportOfDistinct: repeated data is written once, with the provenance of all documents.
func TestExportOfDistinct(t *testing.T) {
	out, log, err := toy.Exported(apptest.CrawledWeb(t, dataWeb(t)), export.Options{Format: export.NQuads, Distinct: true})
	if err != nil || !strings.Contains(log, "another has the same statements: 2\n") {
		t.Fatal(err, log)
	}
	quads := writtenQuads(t, out, syntax.NQuads)
	it := dataset(t, quads)
	if got := objects(quads, it, "void#documents"); !slices.Equal(got, []string{"4"}) {
		t.Errorf("%v documents", got)
	}
	b := rdf.NewIRI("http://a.test/b")
	if slices.ContainsFunc(quads, func(q rdf.Quad) bool { return q.G == b }) || objects(quads, b, "alternateOf")[0] != "http://a.test/first" || objects(quads, b, "void#triples") != nil {
		t.Error(out)
	}
}

// TestExportOfLargeDocuments: a document with more statements than are held is read twice, and its
// repetitions are found if it has no blank nodes.
func TestExportOfLargeDocuments(t *testing.T) {
	var up, down, blank strings.Builder
	const n = export.HeldStatements + 500
	for i := range n {
		fmt.Fprintf(&up, "<http://v.test/%d> <http://v.test/p> \"v\" .\n<http://v.test/%d> <http://v.test/p> \"v\" .\n", i, i/2)
		fmt.Fprintf(&down, "<http://v.test/%d> <http://v.test/p> \"v\" .\n", n-1-i)
		fmt.Fprintf(&blank, "_:b%d <http://v.test/p> \"v%d\" .\n", i, i)
	}
	const kind = "application/n-triples"
	web := toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: `<a href="/up">u</a> <a href="/down">d</a> <a href="/blank">b</a> <a href="/blank2">b</a>`},
		{URL: "http://a.test/up", Kind: kind, Body: up.String()}, {URL: "http://a.test/down", Kind: kind, Body: down.String()},
		{URL: "http://a.test/blank", Kind: kind, Body: blank.String()}, {URL: "http://a.test/blank2", Kind: kind, Body: "# the same\n" + blank.String()},
	})
	out, log, err := toy.Exported(apptest.CrawledWeb(t, web), export.Options{Format: export.NQuads, Distinct: true})
	if err != nil || !strings.Contains(log, "another has the same statements: 1\n") {
		t.Fatal(err, log)
	}
	quads := writtenQuads(t, out, syntax.NQuads)
	if got := objects(quads, dataset(t, quads), "void#triples"); !slices.Equal(got, []string{fmt.Sprint(3 * n)}) {
		t.Errorf("%v statements, want %d", got, 3*n)
	}
	checkFigures(t, quads)
}

// TestExportRefusesRDF: without data there is no output, and an interrupted export leaves no file.
func TestExportRefusesRDF(t *testing.T) {
	dir, folder := apptest.CrawledWeb(t, toy.WebOf(t, []toy.Answer{{URL: "http://a.test/", Body: "<p>nothing"}})), t.TempDir()
	out := filepath.Join(folder, "x.trig")
	if _, _, err := toy.Exported(dir, export.Options{Format: export.TriG, Out: out}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "none of its pages has data") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := export.Write(ctx, &console.Console{Out: io.Discard, Err: io.Discard}, apptest.CrawledWeb(t, dataWeb(t)), export.Options{Format: export.NQuads, Out: out})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// TestShelves: documents of the crawl file come first, then the archive, JSON preferred to a page;
// redirects are followed.
func TestShelves(t *testing.T) {
	folder := t.TempDir()
	local := filepath.Join(folder, "c.jsonld")
	if err := os.WriteFile(local, []byte(`{"@context": {"@vocab": "local:"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	web := toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: "<p>page"},
		{URL: "http://c.test/", Body: `{"@context": {}}`, Kind: "application/ld+json"}, {URL: "http://c.test/", Body: "<p>page"},
		{URL: "http://c.test/old", Status: 302, Location: "/"}, {URL: "http://c.test/gone", Status: 404},
	})
	apptest.CrawlIn(t, folder, "seeds: [http://a.test/]\nweb: {archive: "+web+"}\ndocuments: {'http://l.test/': "+local+"}\nfocus: {breadth_first: {}}\n")
	stock, err := archive.OpenStock(web, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer stock.Close()
	shelves, err := (&export.Run{Dir: filepath.Join(folder, "crawl"), Body: 1000}).OpenShelves(stock)
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{"http://c.test/": `{"@context": {}}`, "http://c.test/old": `{"@context": {}}`, "http://l.test/c": `{"@context": {"@vocab": "local:"}}`, "http://c.test/gone": "", "http://d.test/": ""} {
		body, _, _, err := contexts.Find(t.Context(), url, 5, shelves.Get)
		if string(body) != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v", url, body, err)
		}
	}
}
