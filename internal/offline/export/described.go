package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/services/contexts"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/page/dublin"
	"orbweaver/rdf"
)

// describer reads what archived pages state of themselves. It holds one page at a time; nil knows nothing.
type describer struct {
	*Run
	stock    *archive.Stock
	reader   *page.Reader
	shelves  *shelves
	contexts *contexts.Library
	at       map[int64]Pick // by number of the line
}

// describe returns the describer of a table; nil if there is no archive, or with Options.Plain.
func (x *Run) describe(ctx context.Context, lines *Standing) (*describer, error) {
	if x.Opts.Plain {
		return nil, nil
	}
	stock, err := x.OpenStock()
	if err != nil {
		return nil, ctx.Err() // a table without an archive, or with a damaged one, lacks these columns alone
	}
	d, err := x.describer(stock)
	if err != nil {
		return nil, errors.Join(err, stock.Close())
	}
	picks, err := lines.Pick(x.Opts.Accepted, false)
	if err == nil {
		err = picks.Find(ctx, stock)
	}
	if err != nil {
		return nil, errors.Join(err, stock.Close())
	}
	found, _ := picks.Here()
	for _, k := range found {
		d.at[k.N] = k
	}
	return d, nil
}

// describer returns the describer of an archive.
func (x *Run) describer(stock *archive.Stock) (*describer, error) {
	shelves, err := x.OpenShelves(stock)
	if err != nil {
		return nil, err
	}
	return &describer{
		Run: x, stock: stock, shelves: shelves, contexts: contexts.NewLibrary(maxChain), at: map[int64]Pick{},
		reader: page.NewReader(page.Options{MaxBody: x.Body, MaxDump: x.Dump, KeepBody: true}),
	}, nil
}

func (d *describer) close() error {
	if d == nil {
		return nil
	}
	return d.stock.Close()
}

// of returns what the page of a line states; nothing if it cannot be read.
func (d *describer) of(ctx context.Context, line ledger.Line) (r dublin.Record, err error) {
	if d == nil {
		return r, nil
	}
	k, chosen := d.at[line.N]
	if !chosen {
		return r, nil
	}
	p, err := d.Read(ctx, d.stock, d.reader, k)
	if err != nil {
		return r, ctx.Err()
	}
	return d.ofPage(ctx, p)
}

// ofPage returns what a page states.
func (d *describer) ofPage(ctx context.Context, p *orbweaver.Page) (dublin.Record, error) {
	return dublin.Of(p, d.statements(ctx, p)), ctx.Err()
}

// statements returns the data of a page; nil: it has none.
func (d *describer) statements(ctx context.Context, p *orbweaver.Page) iter.Seq[rdf.Triple] {
	_, _ = d.contexts.Data(ctx, d.reader, p, nil, d.shelves.Get, contexts.AtOnce) // data that cannot be read states nothing
	if p.Quads == nil {
		return nil
	}
	return func(yield func(rdf.Triple) bool) {
		for q, err := range p.Quads {
			if err == nil && !yield(rdf.Triple{S: q.S, P: q.P, O: q.O}) {
				return
			}
		}
	}
}

// with returns the text of a line with what its page states at its end.
func (d *describer) with(ctx context.Context, line JournalLine) ([]byte, error) {
	stated, err := d.of(ctx, line.Line)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(stated); err != nil {
		return nil, err
	}
	more, ended := bytes.TrimSpace(b.Bytes()), bytes.HasSuffix(line.text, []byte("}"))
	if len(more) <= len("{}") || !ended || len(line.text) <= len("{}") {
		return line.text, nil
	}
	text := append(bytes.Clone(line.text[:len(line.text)-1]), ',')
	return append(text, more[1:]...), nil
}
