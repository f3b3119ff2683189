package endpoints

import (
	"context"
	"fmt"
	"iter"

	"orbweaver"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/rdf"
)

// PageReader reads responses other than answers to queries. It implements pipeline.Reader.
type PageReader interface {
	Read(context.Context, *step.Response, []byte) (*orbweaver.Page, error)
}

// Reader reads answers to queries, whatever their status, and leaves all else to Pages. It is safe for
// concurrent use.
type Reader struct {
	Pages  PageReader
	Book   *Book // nil: nothing is recorded
	Limits sparql.Limits
}

// Read reads a response with its payload. Rows, and the boolean of ASK, become the page's Results, a graph
// its Quads; the page of an answer has no text and no links. The error for a malformed answer is a
// *sparql.Error: it wraps the failure of the endpoint, and says whether a retry may help.
func (r Reader) Read(ctx context.Context, response *step.Response, payload []byte) (*orbweaver.Page, error) {
	if response.Request.Query == "" {
		return r.Pages.Read(ctx, response, payload)
	}
	whole, err := sparql.ReadWhole(ctx, response, payload, r.Limits)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("read %s: %w", response.Request.URL, ctx.Err())
	}
	r.learn(response, whole, err)
	if err != nil {
		return nil, err
	}
	p := &orbweaver.Page{
		Request: response.Request, URL: response.Request.URL, Status: response.Status, Fetched: response.At,
		MediaType: whole.Media, Digest: response.Digest, Size: int64(len(payload)), Results: whole.Results,
	}
	if p.Digest == "" {
		p.Digest = page.Digest(payload)
	}
	if whole.Graph != nil {
		p.Quads = each(whole.Graph)
		if n := len(whole.Graph); n > 0 {
			p.Data = []rdf.Count{{In: rdf.InDocument, Triples: int64(n)}}
		}
	}
	return p, nil
}

// learn records what an answer of the live Web shows of the endpoint. Answers from an archive were
// recorded when they were fetched.
func (r Reader) learn(response *step.Response, whole *sparql.Whole, err error) {
	if r.Book == nil || response.Asked == nil {
		return
	}
	var a *sparql.Answer
	if whole != nil {
		a = whole.Answer
	}
	r.Book.learn(response.Request.URL, a, err)
}

// each yields quads; it can be ranged over repeatedly.
func each(quads []rdf.Quad) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for _, q := range quads {
			if !yield(q, nil) {
				return
			}
		}
	}
}
