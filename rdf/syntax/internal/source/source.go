// Package source is the base of RDF parsers: a sliding window over a document, with positions, and the
// characters and escapes that the syntaxes share.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"orbweaver/rdf/syntax"
)

// GreatestDepth is how deep readers that call themselves follow nesting, whatever Options allow: deeper
// ones could use up the stack.
const GreatestDepth = 10_000

const (
	minWindow  = 512
	fullWindow = 64 << 10
	byteOrder  = "\ufeff"
)

var (
	errTooLong  = errors.New("token is too long")
	errNoBytes  = errors.New("reader returns neither bytes nor an error")
	errReadOver = errors.New("reader returns more than it was asked for")
)

// A Source is a window over a document. A parser reads Window, calls More if a token does not end in it, and
// Offset is the place of the window's first byte in the document, in bytes.
func (s *Source) Offset() int { return s.gone + s.pos }

// Advance for the bytes consumed. The window never exceeds twice the longest token allowed.
type Source struct {
	r        io.Reader
	buf      []byte
	pos, end int
	gone     int // bytes of the document before buf
	eof      bool
	err      error // why there is no more, besides the end
	maxToken int
	name     string
	mark     int // never behind pos
	line     int // of buf[mark], from 1
	column   int // of buf[mark], from 1
	token    int // where a token starts whose place nobody has asked for; negative: none
	start    place
}

// A place is one in the document.
type place struct{ line, column int }

// New returns a source at the start of a document, after its byte order mark if it has one.
func New(r io.Reader, opts syntax.Options) *Source {
	opts = opts.Filled()
	s := &Source{r: r, maxToken: opts.MaxToken, name: opts.Name, line: 1, column: 1, token: -1}
	s.buf = make([]byte, windowFor(r))
	s.More()
	if bytes.HasPrefix(s.Window(), []byte(byteOrder)) {
		s.pos, s.column = len(byteOrder), 0
	}
	return s
}

// windowFor makes short documents cheap.
func windowFor(r io.Reader) int {
	if l, ok := r.(interface{ Len() int }); ok {
		return min(max(l.Len()+1, minWindow), fullWindow)
	}
	return fullWindow
}

// Window returns the unread bytes. It is valid until More.
func (s *Source) Window() []byte { return s.buf[s.pos:s.end] }

// Advance moves on by n bytes of the window.
func (s *Source) Advance(n int) { s.pos += n }

// More makes the window longer, and reports whether it did: not at the document's end, not when
// reading failed (Err tells), and not when the window already holds the longest token allowed.
func (s *Source) More() bool {
	if s.eof || s.err != nil {
		return false
	}
	if s.end-s.pos > s.maxToken {
		s.err = errTooLong
		return false
	}
	s.drop()
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	before := s.end
	s.fill()
	return s.end > before
}

// drop removes consumed bytes.
func (s *Source) drop() {
	if s.pos == 0 {
		return
	}
	s.setMark()
	copy(s.buf, s.buf[s.pos:s.end])
	s.gone += s.pos
	s.end -= s.pos
	s.pos, s.mark = 0, 0
}

// fill reads until the buffer is full, so that short reads cost no second look at a token.
func (s *Source) fill() {
	empty := 0
	for s.end < len(s.buf) {
		n, err := s.r.Read(s.buf[s.end:])
		if n < 0 || n > len(s.buf)-s.end {
			s.err = errReadOver
			return
		}
		s.end += n
		if empty++; n > 0 {
			empty = 0
		}
		switch {
		case err == io.EOF:
			s.eof = true
			return
		case err != nil:
			s.err = err
			return
		case empty >= 100:
			s.err = errNoBytes
			return
		}
	}
}

// AtEnd reports whether all of the document is in the window.
func (s *Source) AtEnd() bool { return s.eof && s.err == nil }

// Err returns why there is no more to read, nil at the document's plain end.
func (s *Source) Err() error {
	if s.err == errTooLong {
		return nil
	}
	return s.err
}

// Forgive lets a source continue after a token that was too long: advance over it first.
func (s *Source) Forgive() {
	if s.err == errTooLong {
		s.err = nil
	}
}

// setMark moves the mark to the current position, so that many errors of one long line are reported without
// scanning all of it each time.
func (s *Source) setMark() {
	s.find()
	s.line, s.column = s.position(0)
	s.mark = s.pos
}

// Start marks the start of a token. Its position is only computed if a caller needs it.
func (s *Source) Start() { s.token = s.pos }

// Started returns where the token starts, as a mistake without a message.
func (s *Source) Started() syntax.Error {
	s.find()
	return syntax.Error{Name: s.name, Line: s.start.line, Column: s.start.column}
}

// find moves the mark to where the token starts, if nobody has asked for it yet.
func (s *Source) find() {
	if s.token < 0 {
		return
	}
	s.line, s.column = s.position(s.token - s.pos)
	s.mark, s.token = s.token, -1
	s.start = place{s.line, s.column}
}

// position returns line and column of the window's byte at offset.
func (s *Source) position(offset int) (line, column int) {
	seen := s.buf[s.mark:min(s.pos+offset, s.end)]
	line = s.line + bytes.Count(seen, []byte{'\n'})
	if last := bytes.LastIndexByte(seen, '\n'); last >= 0 {
		return line, 1 + utf8.RuneCount(seen[last+1:])
	}
	return line, s.column + utf8.RuneCount(seen)
}

// Errorf returns a mistake of the document at an offset of the window.
func (s *Source) Errorf(offset int, format string, args ...any) *syntax.Error {
	s.setMark()
	line, column := s.position(offset)
	return &syntax.Error{Name: s.name, Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
}

// Incomplete returns the error of a token that starts at an offset of the window and does not end:
// reading failed, the token is too long, or msg.
func (s *Source) Incomplete(offset int, msg string) *syntax.Error {
	if s.err == nil {
		return s.Errorf(offset, "%s", msg)
	}
	if s.err == errTooLong {
		return s.Errorf(offset, "%s of more than %d bytes", "token", s.maxToken)
	}
	e := s.Errorf(s.end-s.pos, "reading")
	e.Err = s.err
	return e
}
