package spotlight

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/internal/step"
)

const (
	maxAnswer  = 8 << 20 // bytes of an answer, with its content codings and without
	maxCodings = 3       // over each other
	zstdWindow = 8 << 20 // that a sender may ask for: RFC 9659
)

// readBody returns the body of a response without its content codings: up to limit bytes, and of a
// longer one these and ErrTooLarge. Codings that cannot be taken off are ErrMalformed; what came before
// the error is returned.
func readBody(response *step.Response, limit int64) ([]byte, error) {
	codings := strings.FieldsFunc(strings.ToLower(strings.Join(response.Header.Values("Content-Encoding"), ",")),
		func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	if len(codings) > maxCodings {
		return nil, fmt.Errorf("%w: %d content codings", orbweaver.ErrMalformed, len(codings))
	}
	coded := &io.LimitedReader{R: response.Body, N: maxAnswer + 1} // a coding may make nothing of any number of bytes
	in := io.Reader(coded)
	for i := len(codings) - 1; i >= 0; i-- {
		decoder, end, err := decode(codings[i], in)
		if err != nil {
			return nil, malformed(codings[i], err)
		}
		defer end()
		in = decoder
	}
	body, err := io.ReadAll(io.LimitReader(in, limit+1))
	switch {
	case int64(len(body)) > limit || coded.N <= 0:
		return body[:min(int64(len(body)), limit)], fmt.Errorf("%w: an answer of more than %d bytes", orbweaver.ErrTooLarge, limit)
	case err != nil:
		return body, malformed("body", err)
	}
	return body, nil
}

// malformed is the failure of reading a body: its own, if it has one, as those of the network do.
func malformed(what string, err error) error {
	if orbweaver.FailureOf(err) != "error" {
		return err
	}
	return fmt.Errorf("%w: %s: %w", orbweaver.ErrMalformed, what, err)
}

// decode takes a coding off. What is only said to be coded passes as it is, where that can be seen.
func decode(coding string, coded io.Reader) (in io.Reader, end func(), err error) {
	b := bufio.NewReader(coded)
	end = func() {}
	switch coding {
	case "gzip", "x-gzip":
		if magic, _ := b.Peek(2); string(magic) == "\x1f\x8b" {
			in, err = gzip.NewReader(b)
			return in, end, err
		}
	case "zstd":
		if magic, _ := b.Peek(4); string(magic) == "\x28\xb5\x2f\xfd" {
			z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
			if err != nil {
				return nil, end, err
			}
			return z, z.Close, nil
		}
	case "br":
		return brotli.NewReader(b), end, nil
	case "identity":
	default:
		return nil, end, errors.New("a content coding that nobody asked for")
	}
	return b, end, nil
}
