package metadata_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/focus/metadata"
	"orbweaver/internal/realdata"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	sparql "orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// A web has documents by URL prefix and endpoints by URL. It also serves as the crawl's knowledge.
type web struct {
	tb        testing.TB
	documents map[string][]byte // Turtle, N-Triples or RDF/XML
	endpoints map[string]func(query string) (*rdf.Results, error)
	known     *quads.Memory
	outcomes  map[string]orbweaver.Outcome
	asked     []string // queries and URLs, in order
	facts     []rdf.Quad
}

func newWeb(tb testing.TB) *web {
	return &web{
		tb: tb, documents: map[string][]byte{}, endpoints: map[string]func(string) (*rdf.Results, error){},
		known: quads.NewMemory(), outcomes: map[string]orbweaver.Outcome{},
	}
}

// real reads a file of a real ontology.
func (w *web) real(name string) []byte {
	b, err := os.ReadFile(realdata.File(w.tb, "ontologies/"+name))
	if err != nil {
		w.tb.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			w.tb.Fatal(err)
		}
		if b, err = io.ReadAll(z); err != nil {
			w.tb.Fatal(err)
		}
	}
	return b
}

// statements reads a document.
func statements(b []byte, base string) iter.Seq2[rdf.Quad, error] {
	return document.Quads(bytes.NewReader(b), syntax.Detect("", "", b[:min(len(b), 2000)]), syntax.Options{Base: base})
}

// dataset creates an endpoint over documents.
func (w *web) dataset(url string, documents ...[]byte) {
	store := quads.NewMemory()
	for _, b := range documents {
		if _, err := store.Load(statements(b, "http://base.test/"), url); err != nil {
			w.tb.Fatal(err)
		}
	}
	w.endpoints[url] = func(query string) (*rdf.Results, error) { return evaluate(store.Snapshot(), query) }
}

func evaluate(r quads.Reader, query string) (*rdf.Results, error) {
	tree, err := sparql.ParseQuery(query, sparql.Options{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, orbweaver.ErrQuery)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		return nil, err
	}
	answer, err := eval.Query(context.Background(), r, q, eval.Options{})
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	results := &rdf.Results{Vars: answer.Vars}
	for row, err := range answer.Rows() {
		if err != nil {
			return nil, err
		}
		results.Rows = append(results.Rows, append([]rdf.Term(nil), row...))
	}
	return results, nil
}

// fetch returns the outcome of a request.
func (w *web) fetch(r orbweaver.Request) orbweaver.Outcome {
	o := orbweaver.Outcome{Request: r}
	if r.Purpose == orbweaver.ForQuery {
		w.asked = append(w.asked, r.URL+" "+r.Query)
		results, err := w.endpoints[r.URL](r.Query)
		if o.Err = err; err == nil {
			o.Page = &orbweaver.Page{Request: r, URL: r.URL, Results: results}
		}
		return o
	}
	w.asked = append(w.asked, r.URL)
	longest := ""
	for prefix := range w.documents {
		if strings.HasPrefix(r.URL, prefix) && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	if longest == "" {
		o.Err = fmt.Errorf("fetch %s: %w", r.URL, orbweaver.ErrAbsent)
		w.outcomes[r.URL] = o
		return o
	}
	graph := rdf.NewIRI(r.URL)
	all := func(yield func(rdf.Quad, error) bool) {
		for q, err := range statements(w.documents[longest], r.URL) {
			q.G = graph
			if !yield(q, err) {
				return
			}
		}
	}
	if _, err := w.known.Load(all, r.URL); err != nil {
		w.tb.Fatal(err)
	}
	o.Page = &orbweaver.Page{Request: r, URL: r.URL, Quads: all}
	w.outcomes[r.URL] = orbweaver.Outcome{Request: r}
	return o
}

// Inlinks returns none.
func (w *web) Inlinks(string) iter.Seq[string] { return func(func(string) bool) {} }

// Outlinks returns none.
func (w *web) Outlinks(string) iter.Seq[string] { return func(func(string) bool) {} }

// Outcome returns what was fetched.
func (w *web) Outcome(url string) (orbweaver.Outcome, error) {
	o, ok := w.outcomes[url]
	if !ok {
		return o, orbweaver.ErrUnknown
	}
	return o, nil
}

// Quads matches the statements of documents.
func (w *web) Quads(s, p, o, g rdf.Term) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		r := w.known.Snapshot()
		ids := [4]quads.ID{quads.Any, quads.Any, quads.Any, quads.Named}
		for i, t := range [...]rdf.Term{s, p, o, g} {
			if t.IsZero() {
				continue
			}
			id, known, err := r.Lookup(t)
			if err != nil {
				yield(rdf.Quad{}, err)
			}
			if err != nil || !known {
				return
			}
			ids[i] = id
		}
		c := r.Cursor()
		defer c.Close()
		c.Seek(quads.Pattern{S: ids[0], P: ids[1], O: ids[2], G: ids[3]})
		for c.Next() {
			if q, err := quads.Terms(r, c.Quad()); !yield(q, err) {
				return
			}
		}
	}
}

// crawl acts as the engine. Before the end of each round, and in the middle, the focus is replaced by one
// restored from its snapshot.
func (w *web) crawl(opts metadata.Options) *metadata.Focus {
	ctx := context.Background()
	must := func(err error) {
		if err != nil {
			w.tb.Helper()
			w.tb.Fatal(err)
		}
	}
	f, err := metadata.New(opts)
	must(err)
	waiting, err := f.Seeds(ctx, w)
	must(err)
	return w.goOn(f, opts, waiting)
}

// goOn acts as the engine from where requests wait.
func (w *web) goOn(f *metadata.Focus, opts metadata.Options, waiting []orbweaver.Proposal) *metadata.Focus {
	ctx := context.Background()
	must := func(err error) {
		if err != nil {
			w.tb.Helper()
			w.tb.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for n, round := 0, 1; ; round++ {
		for len(waiting) > 0 {
			r := waiting[0].Request
			waiting = waiting[1:]
			if key := r.URL + "\x00" + r.Query; seen[key] {
				continue
			} else {
				seen[key] = true
			}
			o := w.fetch(r)
			var more []orbweaver.Proposal
			var err error
			if o.Err != nil {
				more, err = f.Recover(ctx, o)
			} else {
				j, e := f.Judge(ctx, o.Page)
				must(e)
				more, err = f.Plan(ctx, o.Page, j)
			}
			must(err)
			waiting = append(waiting, more...)
			_, err = f.Learn(ctx, o)
			must(err)
			if n++; n%7 == 0 {
				f = w.again(f, opts)
			}
		}
		var err error
		var lesson orbweaver.Lesson
		waiting, lesson, err = f.EndRound(ctx, orbweaver.Round{N: round, Known: w})
		must(err)
		w.facts = append(w.facts, lesson.Facts...)
		if len(waiting) == 0 {
			return f
		}
	}
}

// again returns the focus restored from its snapshot.
func (w *web) again(f *metadata.Focus, opts metadata.Options) *metadata.Focus {
	var b, second bytes.Buffer
	if err := f.Snapshot(&b); err != nil {
		w.tb.Fatal(err)
	}
	restored, err := metadata.New(opts)
	if err == nil {
		err = restored.Restore(bytes.NewReader(b.Bytes()))
	}
	if err == nil {
		err = restored.Snapshot(&second)
	}
	if err != nil {
		w.tb.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), second.Bytes()) {
		w.tb.Fatal("the snapshot of a focus restored is another")
	}
	return restored
}
