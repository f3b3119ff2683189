package syntax

import "bytes"

// ofStatement distinguishes a first statement of N-Triples or N-Quads, a whole line, from one of Turtle.
// Without the IRI or label of a predicate it returns Unknown.
func ofStatement(head []byte) Format {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	space := bytes.IndexAny(line, " \t")
	if space < 0 {
		return Unknown
	}
	subject, rest := line[:space], bytes.TrimLeft(line[space:], " \t")
	if subject[0] == '<' && (subject[len(subject)-1] != '>' || bytes.IndexByte(subject, ':') < 0) {
		return Unknown
	}
	switch {
	case whole && bytes.HasPrefix(rest, []byte("<")) && bytes.HasSuffix(line, []byte(".")) && bytes.Contains(rest, []byte("> ")):
		switch {
		case isAnnotated(line):
			return Turtle
		case hasFourth(head):
			return NQuads
		}
		return NTriples
	case bytes.HasPrefix(rest, []byte("a ")), bytes.HasPrefix(rest, []byte("<")):
		return Turtle
	}
	return Unknown
}

// isAnnotated reports whether a statement has a reifier or an annotation behind it.
func isAnnotated(line []byte) bool {
	for {
		k, text, rest := token(line)
		switch {
		case k == end:
			return false
		case k == opening, k == word && text[0] == '~':
			return true
		}
		line = rest
	}
}

// hasFourth reports whether one of the leading statement lines has a fourth term.
func hasFourth(head []byte) bool {
	for {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole {
			return false
		}
		n := 0
		for {
			var k kind
			if k, _, line = token(line); k == stop || k == end {
				break
			}
			if k != term && (k != literal || n != 2) {
				return false
			}
			n++
		}
		if n != 3 && n != 0 { // 0: a comment
			return n == 4
		}
		head = rest
	}
}

// hasGraph reports whether a graph of TriG starts in the first bytes: a brace at the start of a statement,
// alone or after a name.
func hasGraph(head []byte) bool {
	n, named := 0, false // tokens of the statement so far; whether its first is GRAPH
	for {
		var k kind
		var text []byte
		k, text, head = token(head)
		switch {
		case k == end:
			return false
		case k == opening:
			return n == 0 || n == 1 || n == 2 && named
		case k == stop, k == closing:
			n, named = 0, false
			continue
		case n == 0 && k == word:
			named = bytes.EqualFold(text, []byte("graph"))
			n -= declared(text)
		}
		n++
	}
}

// declared returns the number of tokens of a SPARQL-style declaration, which has no full stop; 0 for another
// word.
func declared(word []byte) int {
	switch {
	case bytes.EqualFold(word, []byte("prefix")):
		return 3
	case bytes.EqualFold(word, []byte("base")), bytes.EqualFold(word, []byte("version")):
		return 2
	}
	return 0
}

// startsGraph reports whether a document starts with an anonymous graph of TriG, or with GRAPH. Since JSON
// also starts with a brace, an IRI or a label must follow.
func startsGraph(head []byte) bool {
	k, text, rest := token(head)
	if k != opening && !(k == word && bytes.EqualFold(text, []byte("graph"))) {
		return false
	}
	k, text, _ = token(rest)
	return k == term && bytes.IndexByte(text, ':') >= 0
}

// A kind is the kind of a token.
type kind uint8

const (
	end     kind = iota // no further complete token
	term                // an IRI in brackets or a blank node's label
	literal             // a string with its tag or datatype
	word                // a prefixed name, number, keyword or directive
	stop                // "."
	opening             // "{"
	closing             // "}"
	other               // other punctuation
)

// token cuts off the first token and the white space and comments before it. It accepts any input, since the
// format is unknown.
func token(b []byte) (k kind, text, rest []byte) {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		if len(b) == 0 {
			return end, nil, nil
		}
		if b[0] != '#' {
			break
		}
		eol := bytes.IndexAny(b, "\r\n")
		if eol < 0 {
			return end, nil, nil
		}
		b = b[eol:]
	}
	length := 1
	switch b[0] {
	case '<':
		length, k = iriEnd(b), term
		if bytes.HasPrefix(b, []byte("<<(")) {
			length, k = tripleEnd(b), literal // it stands where literals do
		}
	case '"', '\'':
		length, k = literalEnd(b), literal
	case '.':
		k = stop
	case '{':
		k = opening
	case '}':
		k = closing
	case '[', ']', '(', ')', ',', ';', '^', '=', '>', '|', '!':
		k = other
	default:
		length, k = wordEnd(b), word
		if bytes.HasPrefix(b, []byte("_:")) {
			k = term
		}
	}
	if length == 0 {
		return end, nil, nil
	}
	return k, b[:length], b[length:]
}

// tripleEnd returns the length of the triple term at the start of b, 0 if it is incomplete.
func tripleEnd(b []byte) int {
	rest := b[len("<<("):]
	for depth := 1; depth > 0; {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		switch {
		case bytes.HasPrefix(rest, []byte(")>>")):
			depth--
			rest = rest[len(")>>"):]
		case bytes.HasPrefix(rest, []byte("<<(")):
			depth++
			rest = rest[len("<<("):]
		default:
			var k kind
			if k, _, rest = token(rest); k == end {
				return 0
			}
		}
	}
	return len(b) - len(rest)
}

// iriEnd returns the length of the IRI in brackets at the start of b, 1 if there is none.
func iriEnd(b []byte) int {
	if i := bytes.IndexAny(b, "> \t\r\n"); i >= 0 && b[i] == '>' {
		return i + 1
	}
	return 1
}

// wordEnd returns the length of the word at the start of b, without a final full stop.
func wordEnd(b []byte) int {
	length := bytes.IndexAny(b, " \t\r\n<>\"'{}[](),;^")
	if length < 0 {
		length = len(b)
	}
	return len(bytes.TrimRight(b[:length], "."))
}

// literalEnd returns the length of the string at the start of b with its tag or datatype, 0 if it is
// incomplete.
func literalEnd(b []byte) int {
	quotes := b[:1]
	if len(b) > 2 && b[1] == b[0] && b[2] == b[0] {
		quotes = b[:3]
	}
	i := len(quotes)
	for ; i < len(b) && !bytes.HasPrefix(b[i:], quotes); i++ {
		if b[i] == '\\' {
			i++
		}
	}
	if i >= len(b) {
		return 0
	}
	i += len(quotes)
	if i < len(b) && b[i] == '@' {
		return i + wordEnd(b[i:])
	}
	if !bytes.HasPrefix(b[i:], []byte("^^")) {
		return i
	}
	if i += 2; i < len(b) && b[i] == '<' {
		return i + iriEnd(b[i:])
	}
	return i + wordEnd(b[i:])
}
