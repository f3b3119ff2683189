package pipeline

import (
	"context"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/internal/step"
)

// SmallBody is the number of bytes of a payload that Payload buffers before it calls reserve.
const SmallBody = 256 << 10

// Payload reads and closes the body of a response, up to limit bytes; limit 0 means no limit. It calls
// reserve, unless nil, once before it buffers more than SmallBody. If reading fails, or ends at the limit
// with ErrTooLarge, it returns the bytes read so far with the error.
func Payload(response *step.Response, limit int64, reserve func() error) ([]byte, error) {
	defer response.Body.Close()
	if limit <= 0 {
		limit = math.MaxInt64 - 1
	}
	body := io.LimitReader(response.Body, limit+1)
	payload := make([]byte, 0, initialSize(response.Header, limit))
	for {
		n, err := body.Read(payload[len(payload):cap(payload)])
		payload = payload[:len(payload)+n]
		switch {
		case int64(len(payload)) > limit:
			return payload, orbweaver.ErrTooLarge
		case err == io.EOF:
			return payload, nil
		case err != nil:
			return payload, err
		case len(payload) == cap(payload):
			more := len(payload)
			if reserve != nil && 2*len(payload) > SmallBody {
				if err := reserve(); err != nil {
					return payload, err
				}
				reserve = nil
				more = max(more, declared(response.Header, limit)+1-len(payload)) // the memory is ours: no copies on the way
			}
			payload = slices.Grow(payload, more)
		}
	}
}

// initialSize returns the first capacity of a payload's buffer: one byte more than a plausible
// Content-Length, so that the buffer need not grow to find the end, else 512.
func initialSize(header http.Header, limit int64) int64 {
	n, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 || n > min(limit, SmallBody-1) {
		n = 511
	}
	return n + 1
}

// declared returns the Content-Length of a header, if it is within the limit; else 0.
func declared(header http.Header, limit int64) int {
	n, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 || n > limit {
		return 0
	}
	return int(n)
}

// Archived is a Renderer that runs no script: of a page that was rendered it takes what the archive has.
type Archived struct{ Reader }

// ArchivedIf returns an Archived for pages of a crawl that renders, and nil for those of one that reads pages as they were received, whatever its
// archive has.
func ArchivedIf(renders bool, reader Reader) Renderer {
	if !renders {
		return nil
	}
	return Archived{reader}
}

// Render implements Renderer.
func (a Archived) Render(ctx context.Context, response *step.Response, _ []byte, page *orbweaver.Page, _ Get) (*orbweaver.Page, error) {
	if response.Rendered == nil {
		return page, nil
	}
	html, err := response.Rendered()
	if err != nil {
		return nil, err
	}
	made, err := a.Read(ctx, Made(response), html)
	if err != nil {
		return nil, err
	}
	made.Digest, made.Size = page.Digest, page.Size // of the received document
	return made, nil
}

// Reread reads a page again from an answer of an archive, without the data that needs other documents: as its scripts left it, if it was rendered by the
// crawl.
func Reread(ctx context.Context, reader Reader, response *step.Response, limit int64, rendered bool) (*orbweaver.Page, error) {
	payload, err := Payload(response, limit, nil)
	if err != nil {
		return nil, err
	}
	if rendered && response.Rendered != nil {
		html, err := response.Rendered()
		if err != nil {
			return nil, err
		}
		response, payload = Made(response), html
	}
	return reader.Read(ctx, response, payload)
}

// Made is the response with the header of a page that its scripts made: HTML in UTF-8, without content coding.
func Made(response *step.Response) *step.Response {
	made := *response
	made.Ran = true
	made.Header = response.Header.Clone()
	made.Header.Del("Content-Encoding")
	made.Header.Set("Content-Type", "text/html; charset=utf-8")
	return &made
}
