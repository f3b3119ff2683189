package spotlight

import (
	"errors"
	"fmt"
	"io"

	"orbweaver"
	"orbweaver/internal/coding"
	"orbweaver/internal/step"
)

// maxAnswer is how many bytes an answer may have, with its content codings and without.
const maxAnswer = 8 << 20

// readBody returns the body of a response without its content codings: up to limit bytes, and of a
// longer one these and ErrTooLarge. Codings that cannot be taken off are ErrMalformed; what came before
// the error is returned.
func readBody(response *step.Response, limit int64) ([]byte, error) {
	codings, err := coding.List(response.Header.Values("Content-Encoding"))
	if err != nil {
		return nil, err
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

// decode removes a coding that the client asked for.
func decode(name string, coded io.Reader) (in io.Reader, end func(), err error) {
	switch name {
	case "", "identity", "gzip", "x-gzip", "zstd", "br":
		return coding.NewReader(name, coded)
	}
	return nil, nil, errors.New("a content coding that was not asked for")
}
