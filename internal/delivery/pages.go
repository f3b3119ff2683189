package delivery

import (
	"context"
	"errors"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/offline/chunk"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/page/dublin"
	"orbweaver/sink"
)

// Pages reads the pages of outcomes again. Its methods may be called beside the crawl.
type Pages struct {
	Folder string // the crawl's own archive; empty: it keeps none
	// Web answers the requests of a crawl of an archive; nil: the crawl is of the live Web.
	Web  pipeline.Fetcher
	Body int64 // limit of a payload, in bytes
	Dump int64 // likewise, of data in bulk

	reader *page.Reader
}

// fill adds to an event's item what its page has.
func (p *Pages) fill(ctx context.Context, e *event) error {
	o := e.page
	if o == nil {
		return nil
	}
	line := ledger.LineOf(*o)
	e.Item.Page = &sink.Page{
		Outcome: o.N, Title: line.Title, Score: line.Score, Class: line.Class, Reasons: line.Reasons, Lang: line.Lang, Type: line.Type,
		Fetched: o.At.UTC(), Digest: line.Digest, Record: o.Record,
	}
	read, blocks, err := p.read(ctx, *o)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		e.Item.Page.Unread = err.Error()
		return nil
	}
	stated := dublin.Of(read, nil)
	e.Item.Page.Text = chunk.Markdown(read.Text, blocks, chunk.Escape)
	e.Item.Page.Creators, e.Item.Page.Published, e.Item.Page.Rights = stated.Creator, stated.Date, stated.Rights
	return nil
}

var errNoArchive = errors.New("the crawl keeps no archive")

// read reads the page of an outcome.
func (p *Pages) read(ctx context.Context, o orbweaver.Outcome) (read *orbweaver.Page, blocks []page.Block, err error) {
	defer pipeline.Catch(&err, "read", o.Request.URL)
	if p.reader == nil {
		p.reader = page.NewReader(page.Options{MaxBody: p.Body, MaxDump: p.Dump, MaxLinks: 64, KeepBody: true})
	}
	var response *step.Response
	switch {
	case p.Folder != "" && o.Record != (orbweaver.Ref{}):
		response, err = archive.ReadAt(p.Folder, o.Record)
	case p.Web != nil:
		response, err = p.Web.Fetch(ctx, o.Request)
	default:
		err = errNoArchive
	}
	if err != nil {
		return nil, nil, err
	}
	response.Request = o.Request
	payload, err := pipeline.Payload(response, max(p.Body, p.Dump), nil)
	if err != nil {
		return nil, nil, err
	}
	if o.Page.Rendered && response.Rendered != nil {
		html, err := response.Rendered()
		if err != nil {
			return nil, nil, err
		}
		response, payload = pipeline.Made(response), html
	}
	return p.reader.ReadBlocks(ctx, response, payload)
}
