package sparql

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/internal/step"
)

const (
	maxCodings = 4       // content codings over each other
	zstdWindow = 8 << 20 // that a sender may ask for: RFC 9659
	tailLength = 256     // bytes of an answer's end that are kept
)

// A body is the body of an answer without its content codings, limited, with its last bytes at hand.
type body struct {
	ctx     context.Context
	in      io.Reader
	closers []func()
	left    int64 // bytes that may still come, and one more to see that they did
	tail    []byte
}

// newBody opens the body of a response. What it returns has to be closed, with an error too.
func newBody(ctx context.Context, r *step.Response, limit int64) (*body, error) {
	b := &body{ctx: ctx, in: r.Body, left: min(limit, math.MaxInt64-1) + 1, closers: []func(){func() { r.Body.Close() }}}
	codings := strings.Split(strings.Join(r.Header.Values("Content-Encoding"), ","), ",")
	if len(codings) > maxCodings {
		return b, fmt.Errorf("%d content codings: %w", len(codings), orbweaver.ErrMalformed)
	}
	for i := len(codings) - 1; i >= 0; i-- {
		if err := b.decode(strings.ToLower(strings.TrimSpace(codings[i]))); err != nil {
			return b, fmt.Errorf("%s: %w", codings[i], errors.Join(err, orbweaver.ErrMalformed))
		}
	}
	return b, nil
}

// decode takes a coding off. What is only said to be coded passes as it is, where that can be seen.
func (b *body) decode(coding string) (err error) {
	in := bufio.NewReader(b.in)
	switch coding {
	case "gzip", "x-gzip":
		if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
			b.in, err = gzip.NewReader(in)
			return err
		}
	case "deflate":
		if magic, _ := in.Peek(2); len(magic) == 2 && magic[0]&0x0f == 8 && (int(magic[0])<<8|int(magic[1]))%31 == 0 {
			b.in, err = zlib.NewReader(in)
			return err
		}
		b.in = flate.NewReader(in)
		return nil
	case "br":
		b.in = brotli.NewReader(in)
		return nil
	case "zstd":
		if magic, _ := in.Peek(4); string(magic) == "\x28\xb5\x2f\xfd" {
			d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
			if err != nil {
				return err
			}
			b.in, b.closers = d, append(b.closers, d.Close)
			return nil
		}
	case "", "identity":
		return nil
	}
	b.in = in
	return nil
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
