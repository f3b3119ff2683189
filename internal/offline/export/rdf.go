package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/graph"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/page"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/trig"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/rdf/void"
	"orbweaver/weburl"
)

// graphs writes the data of the documents, each in its own graph, and in the default graph their
// provenance and a description of the whole; or one graph of all of them.
func (x *Run) graphs(ctx context.Context, stock *archive.Stock, found []Pick) error {
	shelves, err := x.OpenShelves(stock)
	if err != nil {
		return err
	}
	h := &harvest{
		Run: x, stock: stock, shelves: shelves, contexts: contexts.NewLibrary(maxChain),
		reader: page.NewReader(page.Options{MaxBody: x.Body, MaxDump: x.Dump, KeepBody: true, Mistakes: true}),
		stats:  void.New(void.Limits{}), duplicates: duplicates{first: map[string]string{}}, named: map[string]bool{},
	}
	if x.Opts.Graph.Asked() || x.Opts.Format == NTriples || x.Opts.Format == Turtle {
		return h.merged(ctx, found)
	}
	stdout, err := x.toOutput(func(w io.Writer) error {
		h.start(w)
		err := h.all(ctx, found)
		if err == nil {
			err = h.describe()
		}
		return errors.Join(err, h.out.Close())
	})
	if err != nil {
		return err
	}
	if !stdout {
		x.wrote(stdout, "%s: %d statements: %d of the pages' data in %d graphs, %d about them in the default graph; pages read: %d",
			x.Opts.Out, h.out.written, h.stats.Triples(), h.stats.Documents(), h.out.written-h.stats.Triples(), h.pages)
	}
	h.report()
	return nil
}

// harvest writes an RDF export document by document. It holds one document at a time, and the counts.
type harvest struct {
	*Run
	stock      *archive.Stock
	reader     *page.Reader
	shelves    *shelves
	contexts   *contexts.Library
	sink       *rdffile.Sink
	out        *counter
	crawl      rdf.Term
	named      map[string]bool // graphs written
	stats      *void.Statistics
	duplicates duplicates
	asked      redirects
	builder    *graph.Builder // of one graph; nil: the documents are written as they are
	unbuilt    bool           // it failed, which is no fault of a page

	pages     int
	documents int // with statements
	unmapped  int // of which rules make nothing
	repeated  int // documents whose statements repeat those of another
	silent    int // RDF documents without a statement, and pages whose data had none
	unparsed  int // documents without a statement that have mistakes
	mistakes  int
	faulty    int // documents with mistakes
}

// counter counts the written statements. It does not count a statement that the syntax cannot express.
type counter struct {
	rdffile.Writer
	written int64
}

// Write writes a statement and counts it.
func (c *counter) Write(q rdf.Quad) error {
	err := c.Writer.Write(q)
	if err == nil {
		c.written++
	}
	return err
}

// start begins the output.
func (h *harvest) start(w io.Writer) {
	h.sink = &rdffile.Sink{W: w}
	h.out = &counter{Writer: h.writer()}
}

// writer returns the writer of the format.
func (h *harvest) writer() rdffile.Writer {
	switch h.Opts.Format {
	case TriG:
		return trig.NewWriter(h.sink, syntax.WriteOptions{Prefixes: harvestPrefixes()})
	case Turtle:
		return rdffile.Sentences{Writer: turtle.NewWriter(h.sink, syntax.WriteOptions{Prefixes: harvestPrefixes()})}
	}
	return rdffile.Lines{Writer: nquads.NewWriter(h.sink)}
}

// all writes the documents in commit order.
func (h *harvest) all(ctx context.Context, found []Pick) error {
	byNumber := make(map[int64]Pick, len(found))
	for _, k := range found {
		byNumber[k.N] = k
	}
	for line, err := range h.Chosen.Lines(false) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if h.crawl.IsZero() {
			if h.crawl, err = CrawlNode(h.Dir, line.text); err != nil {
				return err
			}
		}
		h.asked.note(line.Line)
		k, chosen := byNumber[line.N]
		if !chosen {
			continue
		}
		p, err := h.Read(ctx, h.stock, h.reader, k)
		if err == nil {
			h.pages++
			err = h.document(ctx, line, p)
		}
		broken := h.unbuilt || h.sink != nil && h.sink.Err != nil // no sink: nothing is written yet of one graph
		if err != nil && (ctx.Err() != nil || broken || !h.PassOver(err)) {
			return err
		}
	}
	if h.documents == 0 && h.unmapped > 0 {
		return fmt.Errorf("%s: the rules make no statement of any of its pages; --construct as-is keeps what they say (%w)", h.Dir, orbweaver.ErrInput)
	}
	if h.documents == 0 {
		return fmt.Errorf("%s: none of its pages has data (%w)", h.Dir, orbweaver.ErrInput)
	}
	return nil
}

// quadsOf returns the data of a page; nil: it has none. Remote contexts of JSON-LD come from the archive.
func (h *harvest) quadsOf(ctx context.Context, p *orbweaver.Page) (iter.Seq2[rdf.Quad, error], error) {
	_, err := h.contexts.Data(ctx, h.reader, p, nil, h.shelves.Get, contexts.AtOnce)
	return p.Quads, err
}

// document writes the data of a page.
func (h *harvest) document(ctx context.Context, line JournalLine, p *orbweaver.Page) error {
	quads, err := h.quadsOf(ctx, p)
	if err != nil || quads == nil {
		return err
	}
	d := &harvested{line: line, page: p, url: p.URL, quads: quads}
	d.gather(ctx, &h.duplicates)
	h.complain(d)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(d.head) == 0 && d.unread > 0:
		h.unparsed++
		return nil
	case len(d.head) == 0:
		h.silent++
		return nil
	}
	d.graph = h.nameOf(line)
	if d.duplicateOf = h.duplicates.of(d.digest, d.graph.Value); d.duplicateOf != "" {
		h.repeated++
	}
	if d.duplicateOf == "" || !h.Opts.Distinct {
		if err := h.take(ctx, d); err != nil {
			return err
		}
		if d.written == 0 {
			return nil
		}
	}
	write := func(q rdf.Quad) error { return h.write(d, q) }
	if h.builder != nil {
		d.written = 0 // how many statements the document has is known when equal entities are
		write = h.builder.Aside
	}
	for q := range h.origin(d) {
		if err := write(q); err != nil {
			return err
		}
	}
	if h.builder == nil {
		h.out.Settle()
	}
	return nil
}

// nameOf names a document's graph: its URL, followed by the number of its line if a graph of that name
// exists (a URL that was requested for other media types too).
func (h *harvest) nameOf(line JournalLine) rdf.Term {
	name := iri.Encode(archive.TargetURI(orbweaver.Request{URL: line.URL, Query: line.Query}))
	if h.named[name] {
		name = fmt.Sprintf("%s#document-%d", name, line.N)
	}
	h.named[name] = true
	return rdf.NewIRI(name)
}

// take writes a document's statements, or gives them to the builder of one graph.
func (h *harvest) take(ctx context.Context, d *harvested) error {
	if h.builder != nil {
		return h.build(ctx, d)
	}
	return h.statements(ctx, d)
}

// statements writes each of a document's statements once. Statements of its named graphs are among them.
func (h *harvest) statements(ctx context.Context, d *harvested) error {
	scope := rdffile.Scope(fmt.Sprintf("d%d_", d.line.N))
	for t := range d.statements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		q := scope.Of(rdf.Quad{S: t.S, P: t.P, O: t.O, G: d.graph})
		before := d.refused
		if err := h.write(d, q); err != nil {
			return err
		}
		if d.refused > before {
			continue
		}
		if d.written++; d.written == 1 {
			h.documents++
			h.stats.Document(weburl.PayLevelDomain(weburl.Hostname(d.url)))
		}
		h.stats.Add(rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	return nil
}

// write writes a quad, or counts it if the syntax cannot express it.
func (h *harvest) write(d *harvested, q rdf.Quad) error {
	err := h.out.Write(q)
	if err == nil || h.sink.Err != nil {
		return err
	}
	d.refused++
	h.mistake(d, err)
	return nil
}

// complain reports the problems of a document.
func (h *harvest) complain(d *harvested) {
	for _, err := range d.problems {
		h.mistake(d, err)
	}
	h.mistakes += d.unread - len(d.problems)
}

// mistake counts a mistake. Of the first documents with mistakes it reports the first.
func (h *harvest) mistake(d *harvested, err error) {
	h.mistakes++
	if d.faulty {
		return
	}
	d.faulty = true
	if h.faulty++; h.faulty <= shownDamage {
		console.Say(h.Err, "%s: %s", console.Visible(d.url, 200), console.Visible(err.Error(), 300))
	}
}

// report prints the counts of what the output omits.
func (h *harvest) report() {
	if h.mistakes > 0 {
		console.Say(h.Err, "statements omitted because of mistakes: %d, in documents: %d", h.mistakes, h.faulty)
	}
	if h.unparsed > 0 {
		console.Say(h.Err, "documents that could not be parsed: %d", h.unparsed)
	}
	if h.silent > 0 {
		console.Say(h.Err, "documents without statements: %d", h.silent)
	}
	switch {
	case h.repeated > 0 && h.Opts.Distinct:
		console.Say(h.Err, "documents omitted because another has the same statements: %d", h.repeated)
	case h.repeated > 0:
		console.Say(h.Err, "documents with the statements of another: %d; --distinct omits them", h.repeated)
	}
}
