package client

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"strings"
)

// mended returns a reader whose first head has none of the lines that browsers ignore, and that otherwise is in, with
// their number. Nil: in needs no mending, or its head is not within its buffer. No other reader may use in from then on.
func mended(in *bufio.Reader) (better *bufio.Reader, lines int) {
	head := buffered(in)
	for line := range fieldLines(head) {
		if _, is := sound(line); !is {
			lines++
		}
	}
	if lines == 0 {
		return nil, 0
	}
	status, _, _ := bytes.Cut(head, []byte("\n"))
	out := append(bytes.Clone(status), '\n')
	for line := range fieldLines(head) {
		line, _ = sound(line)
		out = append(out, line...)
	}
	out = append(out, "\r\n"...)
	in.Discard(len(head)) // it is in the buffer
	return bufio.NewReaderSize(io.MultiReader(bytes.NewReader(out), in), readerLen), lines
}

// buffered returns the head at the start of a reader, with the empty line that ends it; nil if it ends early, or is
// longer than the buffer.
func buffered(in *bufio.Reader) []byte {
	for seen := 0; ; {
		window, _ := in.Peek(in.Buffered())
		if n := headEnd(window, seen); n > 0 {
			return window[:n]
		}
		seen = max(0, len(window)-3)
		if _, err := in.Peek(len(window) + 1); err != nil {
			return nil
		}
	}
}

// headEnd returns the length of the head at the start of b, of which nothing before seen ends it; 0: it goes on.
func headEnd(b []byte, seen int) int {
	for at := seen; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return 0
		}
		at += i + 1
		switch rest := b[at:]; {
		case bytes.HasPrefix(rest, []byte("\r\n")):
			return at + 2
		case bytes.HasPrefix(rest, []byte("\n")):
			return at + 1
		}
	}
}

// fieldLines yields the lines of a head behind its status, with their ends; one that continues another is part of
// it.
func fieldLines(head []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		start := bytes.IndexByte(head, '\n') + 1
		for end := start; end < len(head); {
			end += bytes.IndexByte(head[end:], '\n') + 1
			if end < len(head) && end > start && (head[end] == ' ' || head[end] == '\t') {
				continue
			}
			line := head[start:end]
			start = end
			if len(bytes.TrimRight(line, "\r\n")) > 0 && !yield(line) {
				return
			}
		}
	}
}

// sound returns a line of a head as browsers take it, and whether that is how it came: empty if they ignore it, because
// it has no colon, or no name before that (RFC 9112, section 5; curl and WHATWG's Fetch likewise), or a transfer coding
// that is none.
func sound(line []byte) (as []byte, is bool) {
	name, value, found := bytes.Cut(line, []byte(":"))
	trimmed := bytes.TrimRight(name, " \t")
	if !found || len(trimmed) == 0 || bytes.ContainsFunc(trimmed, func(c rune) bool { return !isToken(c) }) {
		return nil, false
	}
	if isTransfer(line) {
		switch coding := strings.ToLower(string(bytes.TrimSpace(value))); coding {
		case "", "identity", "none", "binary", "8bit":
			return nil, false
		}
	}
	if len(trimmed) == len(name) && !hasControl(value) {
		return line, true
	}
	as = append(append(bytes.Clone(trimmed), ':'), value...)
	for i := len(trimmed); i < len(as); i++ {
		if isControl(as[i:]) {
			as[i] = ' '
		}
	}
	return as, false
}

// hasControl reports whether isControl at a place of b.
func hasControl(b []byte) bool {
	for i, c := range b {
		if (c < ' ' || c == 0x7f) && isControl(b[i:]) {
			return true
		}
	}
	return false
}

// isControl reports whether b starts with a control character that is no tab, and ends no line.
func isControl(b []byte) bool {
	switch c := b[0]; c {
	case '\t', '\n':
		return false
	case '\r':
		return len(b) > 1 && b[1] != '\n'
	default:
		return c < ' ' || c == 0x7f
	}
}

// isTransfer reports whether a line is of Transfer-Encoding.
func isTransfer(line []byte) bool {
	const name = "transfer-encoding"
	return len(line) > len(name) && bytes.EqualFold(line[:len(name)], []byte(name)) && bytes.IndexByte(line, ':') >= len(name)
}

// isToken reports whether a character may be in the name of a field (RFC 9110, section 5.6.2).
func isToken(c rune) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune("\"(),/:;<=>?@[\\]{}", c)
}
