package datasets_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/datasets"
	"orbweaver/internal/realdata"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/step"
)

// music is a dump of three albums, one of which is also a record.
const music = `@prefix m: <http://music.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
m:a a m:Album . m:b a m:Album . m:c a m:Album, m:Record .
m:LP rdfs:subClassOf m:Album . m:c m:title "Sea" .
`

func open(t testing.TB, dir string, limits datasets.Limits) *datasets.Store {
	t.Helper()
	s, err := datasets.Open(dir, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// file writes a dump.
func file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// nowhere is a web without documents.
type nowhere struct{ err error }

func (n nowhere) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	return nil, fmt.Errorf("fetch %s: %w", r.URL, n.err)
}

// ask sends a query like a crawl, and summarizes the answer: rows, a boolean or the number of triples,
// with truncation; or the failure.
func ask(t testing.TB, s *datasets.Store, url, query string) string {
	t.Helper()
	r := orbweaver.Request{URL: url, Query: query, Purpose: orbweaver.ForQuery}
	response, err := s.Before(nowhere{orbweaver.ErrBadURL}).Fetch(t.Context(), r)
	if err != nil {
		return string(orbweaver.FailureOf(err))
	}
	payload, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	page, err := endpoints.Reader{}.Read(t.Context(), response, payload)
	switch {
	case err != nil:
		var messages interface{ Again() bool }
		if !errors.As(err, &messages) || messages.Again() {
			t.Errorf("%s: is worth another try: %v", query, err)
		}
		return string(orbweaver.FailureOf(err))
	case page.Quads != nil:
		n := 0
		for _, err := range page.Quads {
			if n++; err != nil {
				t.Error(err)
			}
		}
		return fmt.Sprint(n, " triples")
	case page.Results.Boolean != nil:
		return fmt.Sprint(*page.Results.Boolean)
	}
	var rows []string
	for _, row := range page.Results.Rows {
		var values []string
		for _, term := range row {
			values = append(values, strings.TrimPrefix(term.Value, "http://music.example/"))
		}
		rows = append(rows, strings.Join(values, " "))
	}
	slices.Sort(rows)
	return strings.TrimSpace(strings.Join(rows, ", ") + " " + page.Results.Cut)
}

const albums = "PREFIX m: <http://music.example/> SELECT ?x {?x a m:Album}"

func TestAnswers(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "new"), datasets.Limits{Rows: 3, Answer: 2000})
	if _, fresh, err := s.Load(t.Context(), "music", datasets.Source{Path: file(t, "music.ttl", music)}); err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	other := "<http://music.example/z> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://music.example/Album> ."
	if _, _, err := s.Load(t.Context(), "other", datasets.Source{Path: file(t, "other.nt", other)}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, url, query, want string }{
		{"the dataset's own", "dataset:music", albums, "a, b, c"},
		{"another's", "dataset:other", albums, "z"},
		{"a count", "dataset:music", "PREFIX m: <http://music.example/> SELECT (COUNT(DISTINCT ?i) AS ?n) {?i a m:Album}", "3"},
		{"subclasses by a union", "dataset:music", "PREFIX m: <http://music.example/> PREFIX r: <http://www.w3.org/2000/01/rdf-schema#> SELECT ?c {{?c r:subClassOf m:Album} UNION {m:Album r:subClassOf ?c}}", "LP"},
		{"ASK", "dataset:music", "ASK {?x <http://music.example/title> 'Sea'}", "true"},
		{"a graph", "dataset:music", "CONSTRUCT WHERE {?x a <http://music.example/Record>}", "1 triples"},
		{"no rows", "dataset:other", "SELECT ?x {?x <a:a> ?y}", ""},
		{"more rows than may be", "dataset:music", "SELECT (1 AS ?n) {?s ?p ?o}", "1, 1, 1 max-rows"},
		{"a graph of more triples than may be", "dataset:music", "CONSTRUCT WHERE {?s ?p ?o}", "endpoint-error"},
		{"a long answer", "dataset:music", `SELECT (CONCAT(?w, ?w, ?w) AS ?v) {?x <http://music.example/title> ?y BIND("` + strings.Repeat("x", 800) + `" AS ?w)}`, "endpoint-error"},
		{"no way to another dataset", "dataset:music", "SELECT ?x {GRAPH <dataset:other> {?x ?p ?o}}", ""},
		{"nor by FROM", "dataset:music", "SELECT ?x FROM <dataset:other> {?x a <http://music.example/Record>}", "c"},
		{"a bad query", "dataset:music", "SELECT {", "query-refused"},
		{"an update", "dataset:music", "DROP ALL", "query-refused"},
		{"a service", "dataset:music", "SELECT * {SERVICE <http://a.test/> {?s ?p ?o}}", "query-refused"},
		{"no such dataset", "dataset:none", albums, "absent"},
		{"no name", "dataset:", albums, "absent"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := ask(t, s, tc.url, tc.query); got != tc.want {
				t.Errorf("%s, not %s", got, tc.want)
			}
		})
	}
}

// TestTime: a query over its time limit ends with a permanent failure.
func TestTime(t *testing.T) {
	s := open(t, t.TempDir(), datasets.Limits{Time: time.Microsecond})
	if _, _, err := s.Load(t.Context(), "music", datasets.Source{Path: file(t, "music.ttl", music)}); err != nil {
		t.Fatal(err)
	}
	query := "SELECT (COUNT(*) AS ?n) {?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n2 ?o . ?p ?q ?r . ?s ?t ?u . ?v ?w ?x}"
	if got := ask(t, s, "dataset:music", query); got != string(orbweaver.ErrTimeout) {
		t.Error(got)
	}
}

// TestWeb: requests for other URLs, and for unknown datasets, go to the web.
func TestWeb(t *testing.T) {
	s := open(t, t.TempDir(), datasets.Limits{})
	for _, store := range []*datasets.Store{nil, s} {
		for url, want := range map[string]orbweaver.Failure{"http://a.test/": orbweaver.ErrConnect, "dataset:a": orbweaver.ErrConnect} {
			_, err := store.Before(nowhere{orbweaver.ErrConnect}).Fetch(t.Context(), orbweaver.Request{URL: url, Query: "ASK {}"})
			if orbweaver.FailureOf(err) != want {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Load(t.Context(), "a", datasets.Source{Path: file(t, "a.ttl", music)}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Before(nowhere{}).Fetch(ctx, orbweaver.Request{URL: "dataset:a", Query: "ASK {}"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// packed compresses a text with gzip.
func packed(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bzipped is "<http://a.test/s> <http://a.test/p> <http://a.test/o> .\n" compressed with bzip2.
const bzipped = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x7c\xad\x30\x03\x00\x00\x0b\x59\x80\x00\x10\x40\x01\x80\x15\x22\x40\xcc\x00\x20\x00\x22\x3d\x53\x13\xd4\x0c\x84\x00\x00\x74\x46\x84\x22\xca\x32\xdb\xa8\xb4\x23\xc3\xb9\x86\xa2\x4a\x24\xb3\xe2\xee\x48\xa7\x0a\x12\x0f\x95\xa6\x00\x60"

// TestSyntaxes: a dump may have any syntax, compression and named graphs.
func TestSyntaxes(t *testing.T) {
	const triple = "<http://a.test/s> <http://a.test/p> <http://a.test/o>"
	s := open(t, t.TempDir(), datasets.Limits{})
	for name, content := range map[string]string{
		"a.nt":       triple + " .\n",
		"a.ttl":      "@base <http://a.test/> . <s> <p> <o> .",
		"a.nq":       triple + " <http://a.test/g> .\n" + triple + " <http://a.test/h> .\n",
		"a.trig":     "<http://a.test/g> {" + triple + "}",
		"a.rdf":      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="http://a.test/s"><p xmlns="http://a.test/" rdf:resource="http://a.test/o"/></rdf:Description></rdf:RDF>`,
		"a.jsonld":   `{"@id": "http://a.test/s", "http://a.test/p": {"@id": "http://a.test/o"}}`,
		"a.json":     `{"@id": "http://a.test/s", "http://a.test/p": {"@id": "http://a.test/o"}}`,
		"a.nt.gz":    packed(t, triple+" .\n"),
		"a.ttl.gz":   packed(t, "@prefix a: <http://a.test/> . a:s a:p a:o ."),
		"a.nt.bz2":   bzipped,
		"unnamed":    triple + " .\n",
		"unnamed.gz": packed(t, "@prefix a: <http://a.test/> . a:s a:p a:o ."),
	} {
		r, fresh, err := s.Load(t.Context(), "a", datasets.Source{Path: file(t, name, content)})
		if err != nil || !fresh || r.Triples != 1 || r.Size != int64(len(content)) {
			t.Errorf("%s: %+v, %t, %v", name, r, fresh, err)
			continue
		}
		if got := ask(t, s, "dataset:a", "SELECT ?s ?o {?s <http://a.test/p> ?o}"); got != "http://a.test/s http://a.test/o" {
			t.Errorf("%s: %s", name, got)
		}
	}
	r, fresh, err := s.Load(t.Context(), "empty", datasets.Source{Path: file(t, "empty", "")})
	if err != nil || !fresh || r.Triples != 0 || ask(t, s, "dataset:empty", "ASK {?s ?p ?o}") != "false" {
		t.Errorf("empty: %+v, %v", r, err)
	}
}

// TestMistakes: the error of a malformed dump has its position; its dataset is left out and the others
// stay.
func TestMistakes(t *testing.T) {
	s := open(t, t.TempDir(), datasets.Limits{Triples: 5, Dump: 1000})
	if _, _, err := s.Load(t.Context(), "good", datasets.Source{Path: file(t, "good.nt", "<a:a> <a:b> <a:c> .\n")}); err != nil {
		t.Fatal(err)
	}
	whole := packed(t, strings.Repeat("<a:a> <a:b> <a:c> .\n", 4))
	for _, tc := range []struct{ name, content, says string }{
		{"line.nt", "<a:a> <a:b> <a:c> .\n<a:a> <a:b> .\n", "line.nt:2"},
		{"line.ttl.gz", packed(t, "\n\n@prefix a: <a:> .\na:a a:b ; ; ] .\n"), "line.ttl.gz:4"},
		{"words.txt", "a letter to nobody", "words.txt: not recognized as RDF"},
		{"cut.nt.gz", whole[:len(whole)-9], "cut.nt.gz"},
		{"long.nt", "<a:a> <a:b> 1, 2, 3 .", "long.nt:1"},
		{"many.ttl", "<a:a> <a:b> 1, 2, 3, 4, 5, 6 .", "more than 5 triples"},
		{"bomb.nt.gz", packed(t, strings.Repeat("#", 2000)), "bomb.nt.gz: too many bytes"},
		{"notpacked.bz2", "BZh no", "notpacked.bz2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, _, err := s.Load(t.Context(), "bad", datasets.Source{Path: file(t, "first.nt", "<a:a> <a:b> <a:c> .\n")}); err != nil {
				t.Fatal(err)
			}
			_, _, err := s.Load(t.Context(), "bad", datasets.Source{Path: file(t, tc.name, tc.content)})
			if err == nil || !strings.Contains(err.Error(), tc.says) || !strings.HasPrefix(err.Error(), "dataset bad: ") {
				t.Errorf("%v, which does not say %s", err, tc.says)
			}
			if f := orbweaver.FailureOf(err); f != orbweaver.ErrInput && f != orbweaver.ErrTooLarge {
				t.Errorf("%s: %v", f, err)
			}
			if got := ask(t, s, "dataset:bad", "ASK {?s ?p ?o}"); got != "absent" {
				t.Errorf("it answers %s", got)
			}
			if got := ask(t, s, "dataset:good", "ASK {?s ?p ?o}"); got != "true" {
				t.Errorf("the other answers %s", got)
			}
		})
	}
	for name, from := range map[string]datasets.Source{
		"good":  {Path: filepath.Join(t.TempDir(), "none.nt")},
		"good2": {Path: t.TempDir()},
		"a/b":   {Path: file(t, "a.nt", "")},
	} {
		if _, _, err := s.Load(t.Context(), name, from); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := ask(t, s, "dataset:good", "ASK {?s ?p ?o}"); got != "true" {
		t.Errorf("what cannot be opened took the dataset away: %s", got)
	}
}

// TestUnchanged: an unchanged dump is not read again, also in another session; a changed one replaces all
// old statements.
func TestUnchanged(t *testing.T) {
	dir, path := t.TempDir(), file(t, "a.nt", "<a:a> <a:b> \"1\" .\n<a:a> <a:b> \"2\" .\n")
	load := func(from datasets.Source) (datasets.Record, bool) {
		t.Helper()
		s, err := datasets.Open(dir, datasets.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		r, fresh, err := s.Load(t.Context(), "a", from)
		if err != nil {
			t.Fatal(err)
		}
		return r, fresh
	}
	first, fresh := load(datasets.Source{Path: path})
	if again, twice := load(datasets.Source{Path: path}); !fresh || twice || again != first {
		t.Errorf("%t, %t: %+v, %+v", fresh, twice, first, again)
	}
	if err := os.WriteFile(path, []byte("<a:a> <a:b> \"3\" .\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r, fresh := load(datasets.Source{Path: path}); !fresh || r.Triples != 1 {
		t.Errorf("changed: %+v, %t", r, fresh)
	}
	opened := 0
	web := func(etag string) datasets.Source {
		return datasets.Source{URL: "http://a.test/dump", MediaType: "text/turtle", Version: orbweaver.Version{ETag: etag}, Open: func(context.Context) (io.ReadCloser, error) {
			opened++
			return io.NopCloser(strings.NewReader("<#s> <a:b> \"4\" .")), nil
		}}
	}
	for i, tc := range []struct {
		etag  string
		fresh bool
	}{{"x", true}, {"x", false}, {"y", true}, {"", true}, {"", true}} {
		if r, fresh := load(web(tc.etag)); fresh != tc.fresh || r.Source != "http://a.test/dump" {
			t.Errorf("%d: %+v, %t", i, r, fresh)
		}
	}
	s := open(t, dir, datasets.Limits{})
	if got := ask(t, s, "dataset:a", "SELECT * {?s ?p ?o}"); got != "a:b 4 http://a.test/dump#s" && got != "http://a.test/dump#s a:b 4" && got != "4 a:b http://a.test/dump#s" {
		t.Errorf("%s, of %d", got, opened)
	}
	if err := s.Remove(t.Context(), "a"); err != nil || ask(t, s, "dataset:a", "ASK {}") != "absent" {
		t.Error(err)
	}
	if all, err := s.All(); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
}

// TestReplaceMany: a graph larger than a removal batch is replaced completely.
func TestReplaceMany(t *testing.T) {
	s := open(t, t.TempDir(), datasets.Limits{})
	dump := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "<a:%d> <a:p> \"%d\" .\n", i, i%7)
		}
		return file(t, "many.nt", b.String())
	}
	for _, tc := range []struct{ from, to int }{{0, 45_000}, {40_000, 50_000}, {0, 0}} {
		r, _, err := s.Load(t.Context(), "many", datasets.Source{Path: dump(tc.from, tc.to)})
		if err != nil || r.Triples != int64(tc.to-tc.from) {
			t.Fatalf("%+v, %v", r, err)
		}
		if got := ask(t, s, "dataset:many", "SELECT (COUNT(*) AS ?n) {?s ?p ?o}"); got != fmt.Sprint(tc.to-tc.from) {
			t.Errorf("%s, not %d", got, tc.to-tc.from)
		}
	}
}

// TestInterrupted: an interrupted load leaves no dataset, and the next load is complete.
func TestInterrupted(t *testing.T) {
	s := open(t, t.TempDir(), datasets.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	from := datasets.Source{URL: "http://a.test/a.nt", Open: func(context.Context) (io.ReadCloser, error) {
		text := strings.NewReader(strings.Repeat("<a:a> <a:b> <a:c> .\n", 100_000))
		return io.NopCloser(io.MultiReader(io.LimitReader(text, 1_000_000), stopper(cancel), text)), nil
	}}
	if _, _, err := s.Load(ctx, "a", from); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := ask(t, s, "dataset:a", "ASK {}"); got != "absent" {
		t.Error(got)
	}
	if r, fresh, err := s.Load(t.Context(), "a", from); err != nil || !fresh || r.Triples != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// stopper is a reader that calls a function on the first read.
type stopper func()

func (s stopper) Read([]byte) (int, error) {
	s()
	return 0, io.EOF
}

// TestOwner: one process owns the folder, and the folder holds datasets only.
func TestOwner(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, datasets.Limits{})
	if _, err := datasets.Open(dir, datasets.Limits{}); !errors.Is(err, orbweaver.ErrBusy) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	other := filepath.Dir(file(t, "letter.txt", "dear"))
	if _, err := datasets.Open(other, datasets.Limits{}); !errors.Is(err, orbweaver.ErrForeign) {
		t.Error(err)
	}
}

// TestOntology: a real ontology answers the queries of the paper's crawler: the subclasses and equivalents
// of MusicalWork.
func TestOntology(t *testing.T) {
	path := realdata.File(t, "ontologies/dbpedia-3.9.owl.gz")
	s := open(t, t.TempDir(), datasets.Limits{})
	r, _, err := s.Load(t.Context(), "dbpedia", datasets.Source{Path: path})
	if err != nil || r.Triples < 1000 {
		t.Fatal(r, err)
	}
	query := "PREFIX r: <http://www.w3.org/2000/01/rdf-schema#> SELECT ?c {?c r:subClassOf <http://dbpedia.org/ontology/MusicalWork>}"
	got := ask(t, s, "dataset:dbpedia", query)
	for _, want := range []string{"Album", "Song", "Single"} {
		if !strings.Contains(got, "http://dbpedia.org/ontology/"+want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}

// FuzzQuery: the store answers or refuses every query, and never fails.
func FuzzQuery(f *testing.F) {
	s := open(f, f.TempDir(), datasets.Limits{Time: time.Second, Rows: 100, Answer: 10_000, Memory: 1 << 20})
	if _, _, err := s.Load(f.Context(), "a", datasets.Source{Path: file(f, "a.ttl", music)}); err != nil {
		f.Fatal(err)
	}
	for _, q := range []string{albums, "ASK {}", "DESCRIBE <a:a>", "CONSTRUCT WHERE {?s ?p ?o}", "SELECT * {?s ?p*/?q ?o}", "", "SELECT"} {
		f.Add(q)
	}
	front := s.Before(nowhere{orbweaver.ErrAbsent})
	f.Fuzz(func(t *testing.T, query string) {
		if query == "" { // without a query the answer is a page
			return
		}
		response, err := front.Fetch(t.Context(), orbweaver.Request{URL: "dataset:a", Query: query})
		if err != nil {
			t.Fatal(err)
		}
		payload, err := io.ReadAll(response.Body)
		if err != nil || len(payload) > 10_000 && response.Status == 200 {
			t.Fatal(len(payload), err)
		}
		page, err := endpoints.Reader{Limits: sparql.Limits{Rows: 100}}.Read(t.Context(), response, payload)
		if (err == nil) != (response.Status == 200 && page != nil) {
			t.Errorf("%d: %v", response.Status, err)
		}
	})
}
