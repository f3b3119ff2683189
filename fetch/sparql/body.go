package sparql

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"orbweaver"
	"orbweaver/internal/coding"
	"orbweaver/internal/step"
)

// tailLength is the number of last bytes of an answer that are kept.
const tailLength = 256

// A body is the body of an answer without its content codings, limited. It keeps its last bytes.
type body struct {
	ctx     context.Context
	in      io.Reader
	closers []func()
	left    int64 // bytes left, and one more to detect a longer body
	tail    []byte
}

// newBody opens the body of a response. The result must be closed even after an error.
func newBody(ctx context.Context, r *step.Response, limit int64) (*body, error) {
	b := &body{ctx: ctx, in: r.Body, left: min(limit, math.MaxInt64-1) + 1, closers: []func(){func() { r.Body.Close() }}}
	codings, err := coding.List(r.Header.Values("Content-Encoding"))
	if err != nil {
		return b, err
	}
	for i := len(codings) - 1; i >= 0; i-- {
		in, end, err := coding.NewReader(codings[i], b.in)
		if err != nil {
			return b, fmt.Errorf("%s: %w", codings[i], errors.Join(err, orbweaver.ErrMalformed))
		}
		b.in, b.closers = in, append(b.closers, end)
	}
	return b, nil
}

// Read reads within the limit and the context's time.
func (b *body) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := 0, error(nil)
	if b.left > 0 {
		n, err = b.in.Read(p[:min(int64(len(p)), b.left)])
	}
	if b.left -= int64(n); b.left <= 0 {
		return max(0, n-1), fmt.Errorf("answer of too many bytes: %w", orbweaver.ErrTooLarge)
	}
	kept := p[max(0, n-tailLength):n]
	b.tail = append(b.tail[max(0, min(len(b.tail), len(b.tail)+len(kept)-tailLength)):], kept...)
	return n, err
}

// Close closes the body. It may be called again.
func (b *body) Close() {
	for _, f := range b.closers {
		f()
	}
	b.closers = nil
}
