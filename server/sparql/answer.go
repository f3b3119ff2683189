package sparql

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

const (
	heldBack = 64 << 10 // bytes of an answer held back, while an error can still set the status
	worthZip = 1 << 10  // bytes from which an answer is compressed
)

// An answer is a response body whose start is held back.
type answer struct {
	w    http.ResponseWriter
	head bool // of a HEAD request: no body is sent
	zip  bool // the client accepts gzip
	held []byte
	gz   *gzip.Writer
	sent bool
}

// newAnswer returns an answer of a media type.
func newAnswer(w http.ResponseWriter, r *http.Request, mediaType string) *answer {
	w.Header().Set("Content-Type", mediaType)
	return &answer{w: w, head: r.Method == http.MethodHead, zip: readsGzip(r.Header.Values("Accept-Encoding"))}
}

// readsGzip reports whether an Accept-Encoding header accepts gzip.
func readsGzip(accept []string) bool {
	for part := range strings.SplitSeq(strings.ToLower(strings.Join(accept, ",")), ",") {
		name, params, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) == "gzip" {
			return quality(params) > 0
		}
	}
	return false
}

// Write writes a part of the body.
func (a *answer) Write(p []byte) (int, error) {
	if !a.sent && len(a.held)+len(p) <= heldBack {
		a.held = append(a.held, p...)
		return len(p), nil
	}
	if err := a.send(); err != nil {
		return 0, err
	}
	return a.write(p)
}

// send sends what was held back.
func (a *answer) send() error {
	if a.sent {
		return nil
	}
	a.sent = true
	if a.zip && len(a.held) >= worthZip {
		a.w.Header().Set("Content-Encoding", "gzip")
		a.gz = gzip.NewWriter(a.w)
	}
	_, err := a.write(a.held)
	a.held = nil
	return err
}

func (a *answer) write(p []byte) (int, error) {
	if a.gz != nil {
		return a.gz.Write(p)
	}
	return a.w.Write(p)
}

// end ends the body. An error after the status was sent aborts the connection, so that no client takes the
// answer for complete.
func (a *answer) end(err error) error {
	switch {
	case err != nil && a.sent:
		panic(http.ErrAbortHandler)
	case err != nil:
		return err
	}
	if a.head {
		a.w.WriteHeader(http.StatusOK)
		return nil
	}
	if !a.sent && (!a.zip || len(a.held) < worthZip) {
		a.w.Header().Set("Content-Length", strconv.Itoa(len(a.held)))
	}
	err = a.send()
	if a.gz != nil {
		err = errors.Join(err, a.gz.Close())
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}
