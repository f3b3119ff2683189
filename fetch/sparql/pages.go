package sparql

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/rdf/sparql/results"
)

const usualPages = 10_000

// Paging says how a query is asked in pages. The zero value asks for the whole first, and for pages if
// that was cut.
type Paging struct {
	Size  int64    // rows a page; 0: as many as the endpoint answers with
	Order []string // variables to order by, without "?"; none: all columns
	Pages int      // to be asked for at most; 0: 10 000
}

// Pages are all rows of a SELECT without LIMIT, from an endpoint that does not answer with all at
// once. What is asked is the query with ORDER BY, LIMIT and OFFSET: rows are lost or come twice if the
// endpoint's data changes meanwhile, or if the order leaves rows equal that are not.
type Pages struct {
	Vars  []string // columns; there with the first row
	Asked int      // requests so far

	client   *Client
	endpoint *Endpoint
	query    Query
	paging   Paging
	rows     int64 // handed out
}

// Pages returns the pages of a query. The endpoint's Dialect learns of each: no other caller may use it
// meanwhile.
func (c *Client) Pages(e *Endpoint, q Query, p Paging) *Pages {
	if p.Pages <= 0 {
		p.Pages = usualPages
	}
	return &Pages{client: c, endpoint: e, query: q, paging: p}
}

// Rows asks and hands out the rows, once; it ends with its first error. A page is held at a time. The
// client's limits stand for all pages together.
func (p *Pages) Rows(ctx context.Context) iter.Seq2[results.Row, error] {
	return func(yield func(results.Row, error) bool) {
		if err := p.run(ctx, func(row results.Row) bool { return yield(row, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

// run hands out rows as long as they are wanted.
func (p *Pages) run(ctx context.Context, yield func(results.Row) bool) error {
	if p.query.Form != Select || p.query.Limit != NoLimit || p.query.offset {
		return fmt.Errorf("sparql %s: pages are of a SELECT without LIMIT and OFFSET: %w", p.endpoint.URL, orbweaver.ErrInput)
	}
	order, size := p.paging.Order, p.paging.Size
	if len(order) == 0 {
		order = p.query.Vars
	}
	if size <= 0 {
		size = p.endpoint.Dialect.Limit
	}
	if size <= 0 || len(order) == 0 && !p.query.ordered {
		whole, cut, err := p.ask(ctx, p.query)
		if err != nil {
			return err
		}
		if cut == "" {
			_, err := p.hand(whole, yield)
			return err
		}
		if size <= 0 {
			size = int64(len(whole))
		}
		if len(order) == 0 {
			order = p.Vars
		}
	}
	return p.each(ctx, variables(order), size, yield)
}

// each asks for page after page.
func (p *Pages) each(ctx context.Context, order []string, size int64, yield func(results.Row) bool) error {
	if len(order) == 0 && !p.query.ordered {
		return p.failed(ErrShape, "no column to order pages by")
	}
	var last []results.Row
	for offset := int64(0); ; {
		if p.Asked >= p.paging.Pages {
			return p.failed(ErrAboveLimit, fmt.Sprintf("more than %d pages", p.paging.Pages))
		}
		page, cut, err := p.ask(ctx, p.query.page(order, size, offset))
		if err != nil {
			return err
		}
		got := int64(len(page))
		switch {
		case got > size:
			return p.failed(ErrShape, fmt.Sprintf("LIMIT is ignored: %d rows, where %d were wanted", got, size))
		case got > 0 && isRepeated(last, page):
			return p.failed(ErrShape, "OFFSET is ignored: the same page again")
		}
		if more, err := p.hand(page, yield); err != nil || !more {
			return err
		}
		if got == 0 || got < size && cut == "" {
			return nil
		}
		last, size, offset = page, got, offset+got
	}
}

// isRepeated reports whether a page is the one before once more. In a table that is ordered two pages
// are only equal if all their rows are: those are let pass.
func isRepeated(last, page []results.Row) bool {
	equal := func(a, b results.Row) bool { return slices.Equal(a, b) }
	return slices.EqualFunc(last, page, equal) &&
		slices.ContainsFunc(page, func(row results.Row) bool { return !equal(row, page[0]) })
}

// ask asks one query and reads all of its answer.
func (p *Pages) ask(ctx context.Context, q Query) ([]results.Row, Cut, error) {
	p.Asked++
	a, err := p.client.Ask(ctx, *p.endpoint, q)
	var rows []results.Row
	if err == nil {
		for row, broken := range a.Rows {
			if err = broken; err == nil {
				rows = append(rows, row)
			}
		}
	}
	p.endpoint.Dialect = p.endpoint.Dialect.Learn(a, err)
	switch {
	case err != nil:
		return nil, "", err
	case a.Cut() == CutTime:
		e := p.failed(ErrTimedOut, fmt.Sprintf("gave up on time after %d rows", len(rows)))
		e.stated = true
		return nil, "", e
	case p.Vars == nil:
		p.Vars = a.Vars
	case !slices.Equal(p.Vars, a.Vars) && len(rows) > 0:
		return nil, "", p.failed(ErrShape, "pages of other columns")
	}
	return rows, a.Cut(), nil
}

// hand hands rows out; more says that others are wanted.
func (p *Pages) hand(rows []results.Row, yield func(results.Row) bool) (more bool, err error) {
	limit := int64(p.client.Limits.filled().Rows)
	for _, row := range rows {
		if p.rows++; p.rows > limit {
			return false, p.failed(ErrAboveLimit, fmt.Sprintf("more than %d rows", limit))
		}
		if !yield(row) {
			return false, nil
		}
	}
	return true, nil
}

func (p *Pages) failed(class Class, message string) *Error {
	return &Error{Endpoint: p.endpoint.URL, Class: class, Message: message, seen: seen{modern: p.query.Modern}}
}

// page returns the query of one page.
func (q Query) page(order []string, size, offset int64) Query {
	var b strings.Builder
	b.WriteString(q.Text[:q.tail])
	if !q.ordered && len(order) > 0 {
		b.WriteString("\nORDER BY")
		for _, name := range order {
			b.WriteString(" ?" + name)
		}
	}
	fmt.Fprintf(&b, "\nLIMIT %d OFFSET %d\n", size, offset)
	b.WriteString(q.Text[q.tail:])
	q.Text, q.Limit, q.ordered, q.offset = b.String(), size, true, true
	return q
}

// variables returns the names that can be of variables: columns are what an endpoint says they are.
func variables(names []string) (good []string) {
	for _, name := range names {
		if name != "" && !strings.ContainsFunc(name, func(r rune) bool {
			return r < 0x80 && (r == '-' || r == '.' || !isName(byte(r)))
		}) {
			good = append(good, name)
		}
	}
	return good
}
