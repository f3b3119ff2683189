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
	"sync"

	"orbweaver"
	"orbweaver/internal/step"
)

// send sends the body of an archived response, after the header fields that w has already.
func (s *Server) send(w http.ResponseWriter, r *http.Request, resp *step.Response) {
	h := w.Header()
	if h["Content-Type"] == nil {
		h["Content-Type"] = nil // net/http would guess one
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
	release := sync.OnceFunc(leave)
	defer release()
	if held, ok := body.(*bytes.Reader); ok {
		defer lend(w, held.Len(), release)()
	}
	if resp.Status == http.StatusNoContent {
		delete(h, "Content-Length")
	}
	w.WriteHeader(resp.Status)
	if r.Method == http.MethodHead || resp.Status == http.StatusNoContent {
		return
	}
	if _, err := io.Copy(w, body); err != nil {
		panic(http.ErrAbortHandler) // the client would take the part for the whole
	}
}

// failed answers that a body could not be read, and clears the fields that describe it.
func failed(w http.ResponseWriter, err error) {
	clear(w.Header())
	http.Error(w, "the archive's answer cannot be read: "+err.Error(), http.StatusBadGateway)
}

// unchanged reports whether the client has the current response: RFC 9110, section 13.2.2.
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

// uncoded returns a body in a coding that the client accepts, and corrects the fields h. A declared coding
// that the body does not have, as in many archives, is removed from h.
func (s *Server) uncoded(r *http.Request, h http.Header, resp *step.Response) (body io.Reader, leave func(), err error) {
	leave = func() {}
	codings := codingsOf(h)
	if len(codings) == 0 {
		return resp.Body, leave, nil
	}
	buffered := bufio.NewReader(resp.Body)
	start, _ := buffered.Peek(4) // an error recurs when the body is read
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

// decoded reads a body and removes its codings.
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

// codingsOf lists the declared content codings, in lower case.
func codingsOf(h http.Header) (codings []string) {
	for coding := range strings.SplitSeq(strings.Join(h["Content-Encoding"], ","), ",") {
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding != "" && coding != "identity" {
			codings = append(codings, coding)
		}
	}
	return codings
}

// begins reports whether bytes may be the start of a coding, by its magic number if it has one.
func begins(coding string, start []byte) bool {
	switch coding {
	case "gzip", "x-gzip":
		return bytes.HasPrefix(start, []byte{0x1f, 0x8b})
	case "zstd":
		return bytes.HasPrefix(start, []byte{0x28, 0xb5, 0x2f, 0xfd})
	}
	return true
}

// accepts reports whether the client accepts all of the codings: RFC 9110, section 12.5.3.
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
