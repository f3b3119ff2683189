package sparql

import (
	"context"
	"fmt"
)

// Verify returns nil if the rows of an answer, read to their end, are complete, and otherwise an error of the
// class ErrPartial, or ErrTimedOut if the endpoint reports a time limit. The number of rows may suggest
// truncation by chance: then Verify requests one more row, at an offset, and drops the assumed limit if there
// is none. This is impossible for a query with LIMIT or OFFSET, whose rows count as truncated.
func (c *Client) Verify(ctx context.Context, a *Answer) error {
	switch {
	case a.cut == "":
		return nil
	case a.cut == CutTime:
		e := a.failed(ErrTimedOut, fmt.Sprintf("gave up on time after %d rows", a.count))
		e.stated = true
		return e
	case a.query.Limit != NoLimit || a.query.offset:
		return a.failed(ErrPartial, fmt.Sprintf("it stops at %d rows", a.count))
	}
	more, err := c.more(ctx, a)
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		return a.failed(ErrPartial, fmt.Sprintf("it stops at %d rows, and whether there are more it does not say: %v", a.count, err))
	case more:
		return a.failed(ErrPartial, fmt.Sprintf("it stops at %d rows, and there are more", a.count))
	}
	a.cut, a.seen.cutAt = "", 0
	return nil
}

// more reports whether there is a row after those of an answer. A server that ignores OFFSET returns one.
func (c *Client) more(ctx context.Context, a *Answer) (bool, error) {
	behind, err := c.Ask(ctx, a.endpoint, a.query.row(a.count))
	if err != nil {
		return false, err
	}
	defer behind.Close()
	for _, err := range behind.Rows {
		return err == nil, err
	}
	return false, nil
}

// row returns the query for one row at an offset.
func (q Query) row(offset int64) Query {
	q.Text = fmt.Sprintf("%s\nLIMIT 1 OFFSET %d\n%s", q.Text[:q.tail], offset, q.Text[q.tail:])
	q.Limit, q.offset = 1, true
	return q
}
