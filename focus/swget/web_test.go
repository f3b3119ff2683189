package swget

import (
	"bytes"
	"context"
	"iter"
	"testing"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// A web has documents by URL, and is the knowledge of a crawl of it. It records repeated requests.
type web struct {
	documents func(url string) (quads []rdf.Quad, ok bool)
	redirects map[string]string
	down      map[string]bool // requested, and not answered yet
	known     map[string]orbweaver.Outcome
	index     map[string]map[rdf.Term][]rdf.Quad // by graph: the statements of a term, as subject or object
	asked     []string
	judged    map[string]orbweaver.Judgement
	rounds    int
}

func newWeb(documents func(string) ([]rdf.Quad, bool)) *web {
	return &web{
		documents: documents, redirects: map[string]string{}, down: map[string]bool{}, known: map[string]orbweaver.Outcome{},
		index: map[string]map[rdf.Term][]rdf.Quad{}, judged: map[string]orbweaver.Judgement{},
	}
}

func (w *web) Inlinks(string) iter.Seq[string]  { return func(func(string) bool) {} }
func (w *web) Outlinks(string) iter.Seq[string] { return func(func(string) bool) {} }

func (w *web) Outcome(url string) (orbweaver.Outcome, error) {
	o, known := w.known[url]
	if !known {
		return o, orbweaver.ErrUnknown
	}
	return o, nil
}

// Quads yields the quads of fetched graphs only.
func (w *web) Quads(s, p, o, g rdf.Term) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		key := s
		if s.IsZero() {
			key = o
		}
		for _, q := range w.index[g.Value][key] {
			if (s.IsZero() || q.S == s) && (p.IsZero() || q.P == p) && (o.IsZero() || q.O == o) && !yield(q, nil) {
				return
			}
		}
	}
}

// ask answers a request as the engine does, following any number of redirects.
func (w *web) ask(tb testing.TB, f *Focus, r orbweaver.Request) {
	tb.Helper()
	url := r.URL
	if w.down[url] {
		return
	}
	outcome := orbweaver.Outcome{Request: r}
	for w.redirects[url] != "" && w.known[url].Redirect == "" {
		w.known[url] = orbweaver.Outcome{Redirect: w.redirects[url]}
		r.Redirects = append(r.Redirects, url)
		url = w.redirects[url]
	}
	if _, known := w.known[url]; known {
		return
	}
	quads, ok := w.documents(url)
	if !ok {
		outcome.Err = orbweaver.ErrAbsent
		w.known[url] = outcome
		return
	}
	r.URL = url
	page := &orbweaver.Page{Request: r, URL: url, Quads: func(yield func(rdf.Quad, error) bool) {
		for _, q := range quads {
			if !yield(q, nil) {
				return
			}
		}
	}}
	j, err := f.Judge(tb.Context(), page)
	if err != nil {
		tb.Fatal(err)
	}
	w.judged[url], w.known[url] = j, outcome
	w.index[iri.Encode(url)] = indexed(quads)
}

// indexed returns quads by each of their ends, and all of them under the zero term.
func indexed(quads []rdf.Quad) map[rdf.Term][]rdf.Quad {
	index := map[rdf.Term][]rdf.Quad{{}: quads}
	for _, q := range quads {
		index[q.S] = append(index[q.S], q)
		if q.O != q.S {
			index[q.O] = append(index[q.O], q)
		}
	}
	return index
}

// crawl runs a crawl of the web to its end. After each round the focus is restored from its snapshot and
// compared.
func (w *web) crawl(tb testing.TB, f *Focus) {
	tb.Helper()
	proposals, err := f.Seeds(tb.Context(), w)
	for ; err == nil && len(proposals) > 0; w.rounds++ {
		for _, p := range proposals {
			w.asked = append(w.asked, p.URL)
			w.ask(tb, f, p.Request)
		}
		again(tb, f)
		var lesson orbweaver.Lesson
		proposals, lesson, err = f.EndRound(context.Background(), orbweaver.Round{N: w.rounds + 1, Known: w})
		if len(lesson.Stale) > 0 {
			tb.Errorf("stale: %v", lesson.Stale)
		}
	}
	if err != nil {
		tb.Fatal(err)
	}
	met := map[string]bool{}
	for _, url := range w.asked {
		if met[url] {
			tb.Errorf("%s was asked for twice", url)
		}
		met[url] = true
	}
}

// again restores a focus from its own snapshot.
func again(tb testing.TB, f *Focus) {
	tb.Helper()
	var before, after bytes.Buffer
	if err := f.Snapshot(&before); err != nil {
		tb.Fatal(err)
	}
	if err := f.Restore(bytes.NewReader(before.Bytes())); err != nil {
		tb.Fatal(err)
	}
	if err := f.Snapshot(&after); err != nil || !bytes.Equal(before.Bytes(), after.Bytes()) {
		tb.Fatalf("%s\nis restored as\n%s, %v", before.Bytes(), after.Bytes(), err)
	}
}

func focus(tb testing.TB, opts Options) *Focus {
	tb.Helper()
	f, err := New(opts)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// results returns the IRIs of the nodes at which the expression ends, in the order of Nodes.
func results(f *Focus) (all []string) {
	for _, n := range f.Nodes() {
		if n.Result {
			all = append(all, n.IRI)
		}
	}
	return all
}
