package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"orbweaver"
)

// errNoWARC means that the bytes do not start a WARC record.
var errNoWARC = errors.New("not a WARC record")

// A header is the part of a WARC header that this package uses.
type header struct {
	kind        string // WARC-Type, lower case
	id          string // with its angle brackets
	target      string // WARC-Target-URI without brackets
	date        time.Time
	length      int64 // of the block; never negative
	contentType string
	digest      string // WARC-Payload-Digest
	block       string // WARC-Block-Digest
	concurrent  string // record id with angle brackets: a request's answer, or an answer's request
	refersTo    string // record id, with its angle brackets
	refersURI   string
	refersDate  time.Time
	rendered    span          // the rendered page of an answer: bytes before the answer's record at which it begins, and its length; 0: there is none
	elsewhere   elsewhere     // of a revisit in a crawl's own archive: the response of another archive that has the payload; length 0: none
	payload     orbweaver.Ref // of a revisit in a crawl's own archive: the response that has the payload; zero: not said
}

// readHeader reads a WARC header up to and including its empty line. It returns io.EOF if only line ends are
// left, and errNoWARC if other bytes than a record follow.
func readHeader(r *bufio.Reader) (header, error) {
	var h header
	budget := maxWARCHead
	if err := readVersion(r, &budget); err != nil {
		return h, err
	}
	h.length = -1
	var name, value []byte // the current field, which a folded line may extend
	for {
		line, err := readLine(r, &budget)
		if err != nil {
			return h, cut(err)
		}
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			value = append(append(value, ' '), bytes.TrimSpace(line)...)
			continue
		}
		if err := h.set(name, value); err != nil {
			return h, err
		}
		if len(line) == 0 {
			break
		}
		k, v, _ := bytes.Cut(line, []byte(":"))
		name = append(name[:0], bytes.TrimSpace(k)...)
		value = append(value[:0], bytes.TrimSpace(v)...)
	}
	if h.length < 0 {
		return h, fmt.Errorf("%w: no Content-Length", errNoWARC)
	}
	return h, nil
}

// readVersion skips the line ends after the previous record and reads the line "WARC/…".
func readVersion(r *bufio.Reader, budget *int) error {
	for {
		line, err := readLine(r, budget)
		switch {
		case err == io.EOF && len(line) == 0:
			return io.EOF
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			if isPrefixOfVersion(line) {
				return io.ErrUnexpectedEOF
			}
			return errNoWARC
		case err != nil:
			return err
		case len(line) == 0:
			continue
		case !bytes.HasPrefix(line, []byte("WARC/")):
			return errNoWARC
		}
		return nil
	}
}

// isPrefixOfVersion reports whether a line is a truncated version line.
func isPrefixOfVersion(line []byte) bool {
	const version = "WARC/"
	n := min(len(line), len(version))
	return string(line[:n]) == version[:n]
}

// set stores a field; names are case-insensitive. A negative or unreadable Content-Length is an error, an
// unreadable date is the zero time.
func (h *header) set(name, value []byte) error {
	if len(name) > 32 {
		return nil
	}
	var buf [32]byte
	switch string(appendLower(buf[:0], name)) {
	case "warc-type":
		h.kind = strings.ToLower(string(value))
	case "warc-record-id":
		h.id = string(value)
	case "warc-target-uri":
		h.target = unbracket(value)
	case "warc-date":
		h.date = parseDate(value)
	case "content-length":
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%w: Content-Length %.40q", errNoWARC, value)
		}
		h.length = n
	case "content-type":
		h.contentType = string(value)
	case "warc-payload-digest":
		h.digest = string(value)
	case "warc-block-digest":
		h.block = string(value)
	case "warc-concurrent-to":
		h.concurrent = string(value)
	case "warc-refers-to":
		h.refersTo = string(value)
	case "warc-refers-to-target-uri":
		h.refersURI = unbracket(value)
	case "warc-refers-to-date":
		h.refersDate = parseDate(value)
	case renderedField:
		h.rendered = parseRendered(value)
	case elsewhereField:
		h.elsewhere = parseElsewhere(value)
	case payloadField:
		h.payload = parsePayload(value)
	}
	return nil
}

// unbracket removes the angle brackets that the text of WARC 1.0 requires around target URIs.
func unbracket(v []byte) string {
	if len(v) > 1 && v[0] == '<' && v[len(v)-1] == '>' {
		v = v[1 : len(v)-1]
	}
	return string(v)
}

func parseDate(v []byte) time.Time {
	t, err := time.Parse(time.RFC3339Nano, string(v))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

func appendLower(dst, s []byte) []byte {
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// readLine reads a line without its end (LF or CRLF) and subtracts its length from the budget. The line is
// valid until the next read. At the end of input the last bytes come with io.EOF.
func readLine(r *bufio.Reader, budget *int) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	*budget -= len(line)
	if err == bufio.ErrBufferFull {
		line = bytes.Clone(line)
		for err == bufio.ErrBufferFull && *budget >= 0 {
			var more []byte
			more, err = r.ReadSlice('\n')
			*budget -= len(more)
			line = append(line, more...)
		}
	}
	if *budget < 0 {
		return nil, fmt.Errorf("%w: header over %d bytes", errNoWARC, maxWARCHead)
	}
	if err != nil {
		return line, err
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}

// cut turns io.EOF into io.ErrUnexpectedEOF.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
