package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// An answer is a record that becomes a response. It is used once: returned as a response, used as the revisit
// of another answer, or closed.
type answer struct {
	record  *record
	ref     orbweaver.Ref
	limit   int64             // bytes of the body
	release func()            // returns the record to its pool
	failure orbweaver.Failure // the Failure of an unreadable record

	status int // 0: the record has no HTTP head
	header http.Header
	length string // of the body, once it is open; empty: known only at its end
}

// open reads the record's WARC and HTTP heads. After an error there is nothing to close.
func (a *answer) open(s *source, offset, length int64) error {
	err := a.record.open(s, offset, length)
	if err == nil {
		err = a.readHead()
	}
	if err != nil {
		a.close()
		return a.damaged(err)
	}
	return nil
}

func (a *answer) readHead() error {
	r := a.record
	switch {
	case r.header.kind == "resource":
		a.status, a.header = http.StatusOK, http.Header{}
		if r.header.contentType != "" {
			a.header.Set("Content-Type", r.header.contentType)
		}
	case r.isHTTP():
		h, err := r.head()
		if err != nil {
			return err
		}
		a.status, a.header = h.status, h.header()
	case r.header.kind != "revisit":
		return fmt.Errorf("a %.20q record that is no HTTP answer", r.header.kind)
	}
	return nil
}

func (a *answer) close() {
	if a.release != nil {
		a.release()
		a.release = nil
	}
}

// damaged adds the place to an error and makes it a failure.
func (a *answer) damaged(err error) error {
	var failure orbweaver.Failure
	if errors.As(err, &failure) {
		return fmt.Errorf("%s at byte %d: %w", a.ref.File, a.ref.Offset, err)
	}
	return fmt.Errorf("%s at byte %d: %w: %w", a.ref.File, a.ref.Offset, a.failure, err)
}

// response returns the answer; closing its body releases the record.
func (a *answer) response() (*step.Response, error) {
	body, err := a.body(a.header)
	if err != nil {
		a.close()
		return nil, err
	}
	return &step.Response{
		Status: a.status, Header: a.header, Body: body, At: a.record.header.date, Record: a.ref,
	}, nil
}

// revisit is the response of an answer whose body is in another record. An answer without a head, or with a
// 304, takes the other's head.
func (a *answer) revisit(origin *answer) (*step.Response, error) {
	own := a.status != 0 && a.status != http.StatusNotModified
	at := a.record.header.date
	a.close()
	resp, err := origin.response()
	if err != nil {
		return nil, err
	}
	resp.At, resp.Record = at, a.ref
	if own {
		resp.Status, resp.Header = a.status, a.header
		delete(a.header, "Transfer-Encoding")
		setLength(a.header, origin.length)
	}
	return resp, nil
}

// body returns the rest of the record as entity body, without the transfer coding, and corrects the fields that
// describe its length.
func (a *answer) body(header http.Header) (io.ReadCloser, error) {
	r := a.record
	chunked := false
	if codings, ok := header["Transfer-Encoding"]; ok {
		var err error
		chunked, err = r.isChunked(codings)
		if err != nil {
			return nil, a.damaged(err)
		}
		delete(header, "Transfer-Encoding")
	}
	if chunked {
		delete(header, "Content-Length")
		return &body{answer: a, from: httputil.NewChunkedReader(bufio.NewReader(r)), left: a.limit, chunked: true}, nil
	}
	if r.left > a.limit {
		return nil, a.damaged(fmt.Errorf("%w: %d bytes, of %d allowed", orbweaver.ErrTooLarge, r.left, a.limit))
	}
	a.length = strconv.FormatInt(r.left, 10)
	setLength(header, a.length)
	return &body{answer: a, from: r, left: a.limit}, nil
}

// setLength corrects an existing Content-Length; an empty length removes it.
func setLength(header http.Header, length string) {
	switch _, ok := header["Content-Length"]; {
	case ok && length != "":
		header["Content-Length"] = []string{length}
	case ok:
		delete(header, "Content-Length")
	}
}

// A body reads an entity from its record.
type body struct {
	answer  *answer
	from    io.Reader
	left    int64 // bytes not read yet
	chunked bool
	err     error
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		n, err = 0, fmt.Errorf("%w: over %d bytes", orbweaver.ErrTooLarge, b.answer.limit)
	}
	if err != nil && err != io.EOF {
		err = b.answer.damaged(err)
	}
	b.err = err
	return n, err
}

// Close releases the record. It may be called again.
func (b *body) Close() error {
	b.err = errClosed
	b.answer.close()
	return nil
}

var errClosed = errors.New("read of a closed body")

// isChunked reports whether the rest of the block really is chunked: archives often keep the field and drop the
// coding.
func (r *record) isChunked(codings []string) (bool, error) {
	if !strings.Contains(strings.ToLower(strings.Join(codings, ",")), "chunked") {
		return false, nil
	}
	start, _, err := r.peek()
	if err != nil {
		return false, err
	}
	return startsChunk(start, r.left), nil
}

// startsChunk reports whether b, the first of left bytes, starts with a chunk (RFC 9112, section 7.1): size,
// extension, line end, that many bytes, line end.
func startsChunk(b []byte, left int64) bool {
	i := bytes.IndexByte(b[:min(len(b), 1024)], '\n')
	if i < 0 {
		return false
	}
	digits, _, _ := bytes.Cut(b[:i], []byte(";"))
	size, err := strconv.ParseUint(string(bytes.TrimRight(digits, " \t\r")), 16, 62)
	if err != nil {
		return false
	}
	end := int64(i) + 1 + int64(size)
	if size == 0 {
		return true
	}
	if end >= left {
		return false
	}
	return end >= int64(len(b)) || b[end] == '\r' || b[end] == '\n'
}
