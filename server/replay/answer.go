package replay

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// send sends an archived answer's body, under the fields that w has already.
func (s *Server) send(w http.ResponseWriter, r *http.Request, resp *step.Response) {
	h := w.Header()
	if h["Content-Type"] == nil {
		h["Content-Type"] = nil // or else one would be guessed
	}
	if !resp.At.IsZero() {
		h.Set("Memento-Datetime", resp.At.UTC().Format(http.TimeFormat)) // RFC 7089, section 2.1.1
	}
	if resp.Status == http.StatusOK && unchanged(r.Header, h) {
		delete(h, "Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body, leave, err := s.uncoded(r, h, resp)
	if err != nil {
		failed(w, err)
		return
	}
	defer leave()
	if resp.Status == http.StatusNoContent {
		delete(h, "Content-Length")
	}
	w.WriteHeader(resp.Status)
	if r.Method == http.MethodHead || resp.Status == http.StatusNoContent {
		return
	}
	if _, err := io.Copy(w, body); err != nil {
		panic(http.ErrAbortHandler) // or else what came would be taken for all of it
	}
}

// failed answers that a body could not be read, in place of all that was to be said of it.
func failed(w http.ResponseWriter, err error) {
	clear(w.Header())
	http.Error(w, "the archive's answer cannot be read: "+err.Error(), http.StatusBadGateway)
}

// unchanged reports whether a client has the answer already: RFC 9110, section 13.2.2.
func unchanged(asked, has http.Header) bool {
	etag := strings.TrimPrefix(has.Get("ETag"), "W/")
	if tags := asked.Values("If-None-Match"); len(tags) > 0 {
		for tag := range strings.SplitSeq(strings.Join(tags, ","), ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || etag != "" && strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(asked.Get("If-Modified-Since"))
	if err != nil {
		return false
	}
	modified, err := http.ParseTime(has.Get("Last-Modified"))
	return err == nil && !modified.After(since)
}

// uncoded returns a body in a coding that the client takes, and corrects what the fields h say of
// it. A coding that is said to be there and is not, as of many archives, is no longer said to be.
func (s *Server) uncoded(r *http.Request, h http.Header, resp *step.Response) (body io.Reader, leave func(), err error) {
	leave = func() {}
	codings := codingsOf(h)
	if len(codings) == 0 {
		return resp.Body, leave, nil
	}
	buffered := bufio.NewReader(resp.Body)
	start, _ := buffered.Peek(4) // an error comes again when the body is read
	if len(codings) == 1 && !begins(codings[0], start) {
		delete(h, "Content-Encoding")
		return buffered, leave, nil
	}
	if accepts(r.Header, codings) {
		return buffered, leave, nil
	}
	delete(h, "Content-Encoding")
	delete(h, "Content-Length")
	h.Add("Vary", "Accept-Encoding")
	if r.Method == http.MethodHead {
		return buffered, leave, nil
	}
	if leave, err = s.hold(r.Context()); err != nil {
		return nil, nil, err
	}
	payload, err := s.decoded(r.Context(), resp.Header, buffered)
	if err != nil {
		leave()
		return nil, nil, err
	}
	h.Set("Content-Length", strconv.Itoa(len(payload)))
	return bytes.NewReader(payload), leave, nil
}

// decoded reads all of a body and takes its codings off.
func (s *Server) decoded(ctx context.Context, h http.Header, body io.Reader) ([]byte, error) {
	payload, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(payload) > maxBody:
		return nil, fmt.Errorf("body above %d bytes: %w", maxBody, orbweaver.ErrTooLarge)
	}
	return s.opts.Decode(h, payload, maxBody)
}

// codingsOf lists the content codings that fields tell of, in lower case.
func codingsOf(h http.Header) (codings []string) {
	for coding := range strings.SplitSeq(strings.Join(h["Content-Encoding"], ","), ",") {
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding != "" && coding != "identity" {
			codings = append(codings, coding)
		}
	}
	return codings
}

// begins reports whether bytes can be the start of a coding, as far as codings have a mark.
func begins(coding string, start []byte) bool {
	switch coding {
	case "gzip", "x-gzip":
		return bytes.HasPrefix(start, []byte{0x1f, 0x8b})
	case "zstd":
		return bytes.HasPrefix(start, []byte{0x28, 0xb5, 0x2f, 0xfd})
	}
	return true
}

// accepts reports whether a client takes all of the codings: RFC 9110, section 12.5.3.
func accepts(asked http.Header, codings []string) bool {
	weights := map[string]bool{}
	for element := range strings.SplitSeq(strings.Join(asked.Values("Accept-Encoding"), ","), ",") {
		coding, parameter, _ := strings.Cut(element, ";")
		_, weight, _ := strings.Cut(parameter, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		weights[strings.ToLower(strings.TrimSpace(coding))] = err != nil || q > 0
	}
	for _, coding := range codings {
		if taken, named := weights[strings.TrimPrefix(coding, "x-")]; !taken && (named || !weights["*"]) {
			return false
		}
	}
	return true
}
