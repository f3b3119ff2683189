package pdf

import (
	"bytes"
	"strconv"
)

// An object is one of: nil, bool, float64, name, str, array, dict, *stream, ref; and in the content of
// pages, keyword.
type object any

type (
	name    string // without "/"
	str     string // bytes, decoded
	array   []object
	dict    map[name]object
	ref     int // id of an object
	keyword string
)

// A stream is bytes and a dictionary that describes their encoding.
type stream struct {
	head   dict
	raw    []byte
	sealed bool   // raw is encrypted, with the key of
	of     origin // this object
}

// Limits of one object: nesting depth, and elements of one array or dictionary.
const maxDepth, maxElements = 48, 1 << 16

// A lexer reads objects from bytes.
type lexer struct {
	b      []byte
	i      int
	values *int // budget of values: 0 stops reading
}

// An end closes an array or dictionary, or is the end of input.
type end string

// object reads the next object, keyword or end.
func (l *lexer) object(depth int) object {
	l.skip()
	if *l.values--; l.i >= len(l.b) || *l.values < 0 {
		l.i = len(l.b)
		return end("")
	}
	switch c := l.b[l.i]; {
	case c == '/':
		l.i++
		return l.name()
	case c == '(':
		return l.literal()
	case c == '[':
		l.i++
		return l.array(depth)
	case c == '<' && l.at(1) == '<':
		l.i += 2
		return l.dict(depth)
	case c == '<':
		return l.hex()
	case c == '>' && l.at(1) == '>':
		l.i += 2
		return end(">>")
	case c == ']':
		l.i++
		return end("]")
	case c == '+' || c == '-' || c == '.' || c >= '0' && c <= '9':
		return l.number()
	case isDelimiter(c): // without an opening one
		l.i++
		return nil
	}
	return l.word()
}

// at returns a byte at a distance; 0 behind the end.
func (l *lexer) at(n int) byte {
	if l.i+n < len(l.b) {
		return l.b[l.i+n]
	}
	return 0
}

// skip skips white space and comments.
func (l *lexer) skip() {
	for l.i < len(l.b) {
		switch c := l.b[l.i]; {
		case isSpace(c):
			l.i++
		case c == '%':
			n := bytes.IndexAny(l.b[l.i:], "\r\n")
			if n < 0 {
				n = len(l.b) - l.i
			}
			l.i += n
		default:
			return
		}
	}
}

// isSpace says whether a byte is white space, and isDelimiter whether it ends a word.
func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}
func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

// run returns the bytes up to the next white space or delimiter.
func (l *lexer) run() []byte {
	start := l.i
	for l.i < len(l.b) && !isSpace(l.b[l.i]) && !isDelimiter(l.b[l.i]) {
		l.i++
	}
	return l.b[start:l.i]
}

// name reads a name behind its slash.
func (l *lexer) name() object {
	raw := l.run()
	if bytes.IndexByte(raw, '#') < 0 {
		return name(raw)
	}
	var out []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) && hexValue(raw[i+1]) >= 0 && hexValue(raw[i+2]) >= 0 {
			out = append(out, byte(hexValue(raw[i+1])<<4|hexValue(raw[i+2])))
			i += 2
			continue
		}
		out = append(out, raw[i])
	}
	return name(out)
}

// word reads a keyword.
func (l *lexer) word() object {
	switch w := l.run(); string(w) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	default:
		return keyword(w)
	}
}

// number reads a number, or the reference that starts with one.
func (l *lexer) number() object {
	start := l.i
	n, whole := parseNumber(l.run())
	if l.i == start { // unreachable: a number starts here
		l.i++
	}
	if !whole || n < 0 || n > 1e7 {
		return n
	}
	after := l.i
	if l.skipFew(); l.i < len(l.b) && l.b[l.i] >= '0' && l.b[l.i] <= '9' {
		if _, whole = parseNumber(l.run()); whole {
			if l.skipFew(); l.at(0) == 'R' && (l.i+1 == len(l.b) || isSpace(l.b[l.i+1]) || isDelimiter(l.b[l.i+1])) {
				l.i++
				return ref(n)
			}
		}
	}
	l.i = after
	return n
}

// skipFew skips a little white space: references are on one line.
func (l *lexer) skipFew() {
	for n := 0; n < 4 && l.i < len(l.b) && isSpace(l.b[l.i]); n++ {
		l.i++
	}
}

// parseNumber returns a number, 0 if it is invalid, and whether it is an unsigned integer.
func parseNumber(b []byte) (n float64, whole bool) {
	if len(b) > 0 && len(b) < 16 {
		i := 0
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			n = n*10 + float64(b[i]-'0')
			i++
		}
		if i == len(b) {
			return n, true
		}
	}
	n, err := strconv.ParseFloat(string(b[:min(len(b), 64)]), 64)
	if err != nil || n != n || n > 1e12 || n < -1e12 {
		return 0, false
	}
	return n, false
}

// literal reads a string in round brackets.
func (l *lexer) literal() object {
	l.i++
	var out []byte
	for depth := 1; l.i < len(l.b); l.i++ {
		c := l.b[l.i]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.i++
				return str(out)
			}
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, c)
	}
	return str(out)
}

// escape decodes the characters after a backslash, and stops on the last of them.
func (l *lexer) escape(out []byte) []byte {
	l.i++
	switch c := l.at(0); c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case '\r':
		if l.at(1) == '\n' {
			l.i++
		}
		return out
	case '\n':
		return out
	default:
		if c < '0' || c > '7' {
			if l.i < len(l.b) {
				out = append(out, c)
			}
			return out
		}
	}
	n := 0
	for k := 0; k < 3 && l.at(0) >= '0' && l.at(0) <= '7'; k++ {
		n = n<<3 | int(l.at(0)-'0')
		l.i++
	}
	l.i--
	return append(out, byte(n))
}

// hex reads a string in angle brackets.
func (l *lexer) hex() object {
	l.i++
	n := bytes.IndexByte(l.b[l.i:], '>')
	if n < 0 {
		n = len(l.b) - l.i
	}
	out := unhex(l.b[l.i : l.i+n])
	l.i = min(l.i+n+1, len(l.b))
	return str(out)
}

// unhex decodes digits, all else between them skipped.
func unhex(b []byte) []byte {
	out := make([]byte, 0, len(b)/2+1)
	high, odd := 0, false
	for _, c := range b {
		v := hexValue(c)
		switch {
		case v < 0:
			continue
		case odd:
			out = append(out, byte(high<<4|v))
		}
		high, odd = v, !odd
	}
	if odd {
		out = append(out, byte(high<<4))
	}
	return out
}

// hexValue returns the value of a digit; -1: it is none.
func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// array reads the elements of an array up to its end.
func (l *lexer) array(depth int) object {
	var a array
	for depth < maxDepth {
		o := l.object(depth + 1)
		if _, over := o.(end); over || o == keyword("endobj") {
			break
		}
		if len(a) < maxElements {
			a = append(a, o)
		}
	}
	return a
}

// dict reads the entries of a dictionary up to its end. Of two with one key the last counts.
func (l *lexer) dict(depth int) object {
	d := dict{}
	for depth < maxDepth {
		key := l.object(depth + 1)
		if e, over := key.(end); over {
			if e == "]" {
				continue
			}
			break
		}
		k, ok := key.(name)
		if !ok {
			if w, stray := key.(keyword); stray && (w == "endobj" || w == "stream") {
				break
			}
			continue
		}
		value := l.object(depth + 1)
		if _, over := value.(end); over {
			break
		}
		if len(d) < maxElements {
			d[k] = value
		}
	}
	return d
}

// streamStart returns the start of the data of a stream after its dictionary; -1: none.
func (l *lexer) streamStart() int {
	l.skip()
	if !bytes.HasPrefix(l.b[l.i:], []byte("stream")) {
		return -1
	}
	i := l.i + len("stream")
	if i < len(l.b) && l.b[i] == '\r' {
		i++
	}
	if i < len(l.b) && l.b[i] == '\n' {
		i++
	}
	return i
}
