package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"orbweaver/internal/console"
	"orbweaver/internal/offline/graph"
	"orbweaver/rdf"
	"orbweaver/rdf/void"
	"orbweaver/weburl"
)

// merged writes one graph of the documents' data: see package graph. Formats of quads have it as a graph for each document, as
// far as the document says it, with the same default graph as an export of the data as it is; those of triples have it alone.
func (h *harvest) merged(ctx context.Context, found []Pick) (err error) {
	if h.Opts.Graph.Report != "" && h.Opts.Graph.ReportTo == nil {
		if err := h.checkFile(h.Opts.Graph.Report); err != nil {
			return err
		}
	}
	prefixes := harvestPrefixes()
	h.builder, err = graph.New(ctx, h.Console, h.Opts.Graph, h.temp(), func(prefix string) (string, bool) {
		namespace, known := prefixes[prefix]
		return namespace, known
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.builder.Close()) }()
	if err := h.all(ctx, found); err != nil {
		return err
	}
	stdout, err := h.toOutput(func(w io.Writer) error { return h.writeMerged(ctx, w) })
	if err != nil {
		return err
	}
	if !stdout {
		h.wrote(stdout, "%s: %d statements of one graph, from %d documents; pages read: %d", h.Opts.Out, h.stats.Triples(), h.documents, h.pages)
	}
	h.report()
	if h.unmapped > 0 {
		console.Say(h.Err, "documents of which the rules make nothing: %d", h.unmapped)
	}
	for _, line := range h.builder.Problems() {
		console.Say(h.Err, "%s", line)
	}
	return h.builder.Validate(ctx)
}

// build gives a document's statements to the builder.
func (h *harvest) build(ctx context.Context, d *harvested) error {
	kept, err := h.builder.Page(ctx, graph.Page{Graph: d.graph, Crawl: h.crawl.Value, Fetched: d.page.Fetched, Statements: d.statements()})
	if d.written = kept; kept > 0 {
		h.documents++
	} else if err == nil {
		h.unmapped++
	}
	h.unbuilt = err != nil
	return err
}

// writeMerged writes the graph.
func (h *harvest) writeMerged(ctx context.Context, w io.Writer) error {
	h.start(w)
	if h.Opts.Format != NTriples && h.Opts.Format != Turtle {
		return errors.Join(h.quads(ctx), h.out.Close())
	}
	err := h.builder.Triples(ctx, func(t rdf.Triple) error {
		h.stats.Add(t)
		return h.put(rdf.Quad{S: t.S, P: t.P, O: t.O})
	})
	return errors.Join(err, h.out.Close())
}

// quads writes the graph by documents, and the default graph.
func (h *harvest) quads(ctx context.Context) (err error) {
	c := &counting{harvest: h}
	h.builder.Statements(ctx, func(q rdf.Quad, failed error) bool {
		if err = failed; err == nil {
			err = c.take(q)
		}
		return err == nil
	})
	if err = errors.Join(err, c.ended(), ctx.Err()); err != nil {
		return err
	}
	h.out.Settle()
	for _, t := range h.builder.Aliases() {
		if err := h.put(rdf.Quad{S: t.S, P: t.P, O: t.O}); err != nil {
			return err
		}
	}
	return h.describe()
}

// counting counts the statements of each document, as they are when equal entities are known.
type counting struct {
	*harvest
	graph rdf.Term // the latest document
	count int
}

// take writes a quad of a document, or of the default graph.
func (c *counting) take(q rdf.Quad) error {
	if q.G != c.graph {
		if err := c.ended(); err != nil {
			return err
		}
	}
	if !q.G.IsZero() {
		if q.G != c.graph {
			c.out.Settle()
			c.graph = q.G
			c.stats.Document(weburl.PayLevelDomain(weburl.Hostname(q.G.Value)))
		}
		c.count++
		c.stats.Add(rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	return c.put(q)
}

// ended writes the count of the latest document, ahead of the rest that is said of it.
func (c *counting) ended() error {
	if c.count == 0 {
		return nil
	}
	n := rdf.NewTyped(strconv.Itoa(c.count), rdf.XSDInteger)
	c.count = 0
	return c.put(rdf.Quad{S: c.graph, P: rdf.NewIRI(void.NS + "triples"), O: n})
}

// put writes a quad, or counts it if the syntax cannot express it.
func (h *harvest) put(q rdf.Quad) error {
	err := h.out.Write(q)
	if err == nil || h.sink.Err != nil {
		return err
	}
	if h.mistakes++; h.mistakes <= shownDamage {
		console.Say(h.Err, "%s", console.Visible(fmt.Sprint(err), 300))
	}
	return nil
}
