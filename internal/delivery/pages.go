package delivery

import (
	"context"
	"errors"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/page/dublin"
	"orbweaver/sink"
	"orbweaver/text"
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
	read, err := p.read(ctx, *o)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		e.Item.Page.Unread = err.Error()
		return nil
	}
	stated := dublin.Of(read, nil)
	e.Item.Page.Text = markdown(text.Parts(read.Text, read.Article))
	e.Item.Page.Creators, e.Item.Page.Published, e.Item.Page.Rights = stated.Creator, stated.Date, stated.Rights
	return nil
}

var errNoArchive = errors.New("the crawl keeps no archive")

// read reads the page of an outcome.
func (p *Pages) read(ctx context.Context, o orbweaver.Outcome) (read *orbweaver.Page, err error) {
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
		return nil, err
	}
	response.Request = o.Request
	payload, err := pipeline.Payload(response, max(p.Body, p.Dump), nil)
	if err != nil {
		return nil, err
	}
	if o.Page.Rendered && response.Rendered != nil {
		html, err := response.Rendered()
		if err != nil {
			return nil, err
		}
		response, payload = pipeline.Made(response), html
	}
	return p.reader.Read(ctx, response, payload)
}

// markdown writes blocks of plain text so that Markdown shows them as they are.
func markdown(plain string) string {
	plain = strings.ToValidUTF8(plain, "\ufffd")
	var b strings.Builder
	for i, block := range strings.Split(strings.TrimSpace(plain), "\n\n") {
		if i > 0 {
			b.WriteString("\n\n")
		}
		for k, line := range strings.Split(strings.TrimSpace(block), "\n") {
			if k > 0 {
				b.WriteByte('\n')
			}
			writeLine(&b, strings.TrimSpace(line))
		}
	}
	return b.String()
}

// writeLine escapes what Markdown (CommonMark 0.31) would read as markup.
func writeLine(b *strings.Builder, line string) {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	for i, c := range line {
		switch {
		case strings.ContainsRune("\\`*_[]<&", c), i == 0 && strings.ContainsRune("#+-=>|~", c), digits > 0 && i == digits && (c == '.' || c == ')'):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
}
