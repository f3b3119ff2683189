// Package jsontext mends JSON that programs write by hand: control characters in strings, escapes of other
// languages (\U0001F600, \x41, \'), a comma behind the last member. Everything else passes as it is, so that a
// decoder finds what cannot be mended.
package jsontext

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Reader reads mended JSON (RFC 8259). Memory holds a few kilobytes.
type Reader struct {
	in      *bufio.Reader
	quoted  bool   // within a string
	pending []byte // to be read before the rest of in
	room    [utf8.UTFMax * 2]byte
	flaws   int
	first   string
}

// NewReader returns a reader of a text.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReader(in)} }

// Flaws returns how many flaws were mended so far, and what the first was.
func (r *Reader) Flaws() (n int, first string) { return r.flaws, r.first }

// Read reads mended text.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(r.pending) == 0 {
		if _, err := r.in.Peek(1); err != nil {
			return 0, err
		}
		window, _ := r.in.Peek(r.in.Buffered())
		if n := r.sound(window[:min(len(window), len(p))]); n > 0 {
			copy(p, window[:n])
			r.in.Discard(n)
			return n, nil
		}
		if err := r.odd(); err != nil && err != io.EOF {
			return 0, err
		}
	}
	n := copy(p, r.pending)
	r.pending = r.pending[n:]
	return n, nil
}

// sound returns how many bytes need no second look, and moves over them.
func (r *Reader) sound(b []byte) (n int) {
	for n < len(b) {
		if !r.quoted {
			i := bytes.IndexAny(b[n:], `",`)
			if i < 0 {
				return len(b)
			}
			n += i
			if b[n] == '"' {
				r.quoted = true
				n++
				continue
			}
			next := n + 1 + spaces(b[n+1:])
			if next == len(b) || b[next] == ']' || b[next] == '}' {
				return n
			}
			n = next
			continue
		}
		for n < len(b) && b[n] >= ' ' && b[n] != '"' && b[n] != '\\' {
			n++
		}
		switch {
		case n == len(b):
		case b[n] == '"':
			r.quoted = false
			n++
		case b[n] == '\\' && n+1 < len(b) && isShort(b[n+1]):
			n += 2
		default:
			return n
		}
	}
	return n
}

// spaces returns how many bytes of white space b starts with.
func spaces(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t\r\n")) }

// isShort reports whether a byte ends an escape of two bytes.
func isShort(c byte) bool { return strings.IndexByte(`"\/bfnrt`, c) >= 0 }

// longest is how far odd looks ahead: for the longest escape, and for what follows a comma.
const longest = 256

// odd reads what may be a flaw: an escape, a control character in a string, or a comma.
func (r *Reader) odd() error {
	ahead, err := r.in.Peek(longest)
	if len(ahead) == 0 {
		return err
	}
	taken := 1
	switch c := ahead[0]; {
	case c == ',':
		next := 1 + spaces(ahead[1:])
		if next < len(ahead) && (ahead[next] == ']' || ahead[next] == '}') {
			r.mended("a comma with nothing behind it")
			break
		}
		r.pending = append(r.room[:0], c)
	case c == '\\':
		taken = r.escape(ahead)
	default:
		r.mended(fmt.Sprintf("control character U+%04X in a string", c))
		r.pending = fmt.Appendf(r.room[:0], `\u%04x`, c)
	}
	_, err = r.in.Discard(taken)
	return err
}

// escape handles the escape that b starts with, and returns its length. An unknown escape is the character
// itself, as in JavaScript.
func (r *Reader) escape(b []byte) (taken int) {
	kind := byte(0)
	if len(b) > 1 {
		kind = b[1]
	}
	digits := map[byte]int{'u': 4, 'U': 8, 'x': 2}[kind]
	var value uint64
	known := false
	if digits > 0 && len(b) >= 2+digits {
		var err error
		value, err = strconv.ParseUint(string(b[2:2+digits]), 16, 32)
		known = err == nil && value <= utf8.MaxRune
	}
	switch {
	case isShort(kind):
		r.pending = append(r.room[:0], b[:2]...)
		return 2
	case known && kind == 'u':
		r.pending = append(r.room[:0], b[:6]...)
		return 6
	}
	r.mended("no escape: " + strconv.Quote(string(b[:min(len(b), 2+digits)])))
	if !known {
		return 1
	}
	if c := rune(value); c < ' ' || c == '"' || c == '\\' {
		r.pending = fmt.Appendf(r.room[:0], `\u%04x`, c)
	} else {
		r.pending = utf8.AppendRune(r.room[:0], c)
	}
	return 2 + digits
}

func (r *Reader) mended(what string) {
	if r.flaws++; r.flaws == 1 {
		r.first = what
	}
}
