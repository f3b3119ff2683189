package markup

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"orbweaver/rdf/syntax/internal/source"
)

// The limits of entities. What they put in may not be more than `growth` times the document's bytes
// so far, beyond a free allowance: a namespace behind &xsd; is some ten times its name.
const (
	maxEntity   = 64 << 10 // bytes of one entity, expanded
	maxEntities = 10000    // declared
	allowance   = 1 << 20
	growth      = 100
)

// entity is one that the document declares.
type entity struct {
	text   string // fully expanded
	broken string // why it cannot be used; empty: it can
}

// expand appends text with its references expanded.
func (r *Reader) expand(dst, b []byte, attr bool) ([]byte, error) {
	for {
		amp := bytes.IndexByte(b, '&')
		if amp < 0 {
			return r.clean(dst, b, attr)
		}
		var err error
		if dst, err = r.clean(dst, b[:amp], attr); err != nil {
			return dst, err
		}
		var n int
		if dst, n, err = r.reference(dst, b[amp:]); err != nil {
			return dst, err
		}
		if len(dst) > r.opts.MaxToken {
			return dst, r.wrong("entities make a text too long")
		}
		b = b[amp+n:]
	}
}

// reference appends what the reference at the start of b stands for, and returns its length. In
// lenient mode an ampersand that refers to nothing stands for itself.
func (r *Reader) reference(dst, b []byte) ([]byte, int, error) {
	end := bytes.IndexByte(b[:min(len(b), 256)], ';')
	if end > 1 && b[1] == '#' {
		if c, ok := charRef(b[2:end]); ok {
			return utf8.AppendRune(dst, c), end + 1, nil
		}
	} else if end > 1 {
		name := b[1:end]
		if c := predefined(name); c != 0 {
			return append(dst, c), end + 1, nil
		}
		if e, ok := r.entities[string(name)]; ok && e.broken == "" {
			r.expanded += len(e.text)
			if r.expanded > allowance+growth*r.consumed {
				return dst, 0, r.wrong("entities expand to far more than the document")
			}
			return append(dst, e.text...), end + 1, nil
		} else if ok {
			if err := r.mend("entity &" + string(name) + ";: " + e.broken); err != nil {
				return dst, 0, err
			}
			return append(dst, b[:end+1]...), end + 1, nil
		}
	}
	if err := r.mend("no reference to a character or a declared entity: " + source.Show(b)); err != nil {
		return dst, 0, err
	}
	return append(dst, '&'), 1, nil
}

// predefined returns the character of an entity that every document has, 0 for another name.
func predefined(name []byte) byte {
	switch string(name) {
	case "amp":
		return '&'
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	return 0
}

// charRef reads the number of a character reference, decimal or with an x.
func charRef(b []byte) (rune, bool) {
	base := 10
	if len(b) > 0 && b[0] == 'x' {
		b, base = b[1:], 16
	}
	v, err := strconv.ParseUint(string(b), base, 32)
	if err != nil || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return 0, false
	}
	c := rune(v)
	return c, c >= ' ' && c != 0xFFFE && c != 0xFFFF || c == '\t' || c == '\n' || c == '\r'
}

// doctype reads a document type declaration and keeps the entities of its internal subset.
func (r *Reader) doctype() error {
	if r.begun {
		return r.wrong("a document type declaration may only stand before the root element")
	}
	length, subset, err := r.doctypeEnd()
	if err != nil {
		return err
	}
	for len(subset) > 0 {
		n := declarationEnd(subset)
		if err := r.declare(subset[:n]); err != nil {
			return err
		}
		subset = subset[n:]
	}
	r.take(length)
	return nil
}

// doctypeEnd returns the length of the declaration here, and its internal subset.
func (r *Reader) doctypeEnd() (length int, subset []byte, err error) {
	for size := 0; ; {
		window := r.src.Window()
		if len(window) >= 2*size { // examined again only when twice as long
			size = len(window)
			if length, subset = cutDoctype(window); length > 0 {
				return length, subset, nil
			}
		}
		if !r.src.More() {
			if length, subset = cutDoctype(r.src.Window()); length > 0 {
				return length, subset, nil
			}
			return 0, nil, r.src.Incomplete(0, "the document type declaration does not end")
		}
	}
}

// cutDoctype finds the declaration's end; the length is 0 when it is not in b.
func cutDoctype(b []byte) (length int, subset []byte) {
	start := 0
	for i := len("<!DOCTYPE"); i < len(b); {
		switch c := b[i]; {
		case c == '[' && start == 0:
			start = i + 1
		case c == ']' && start > 0 && subset == nil:
			subset = b[start:i:i]
		case c == '>' && (start == 0 || subset != nil):
			return i + 1, subset
		case start > 0 && subset == nil:
			i += declarationEnd(b[i:])
			continue
		case c == '"' || c == '\'':
			i += quotedEnd(b[i:])
			continue
		}
		i++
	}
	return 0, nil
}

// declarationEnd returns the length of one declaration, comment or instruction at the start of b; 1
// for any other byte.
func declarationEnd(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("<!--")):
		return endOf(b, 4, "-->")
	case bytes.HasPrefix(b, []byte("<?")):
		return endOf(b, 2, "?>")
	case b[0] != '<':
		return 1
	}
	for i := 1; i < len(b); {
		switch b[i] {
		case '>':
			return i + 1
		case '"', '\'':
			i += quotedEnd(b[i:])
		default:
			i++
		}
	}
	return len(b)
}

// endOf returns where a terminator ends, the length of b when there is none.
func endOf(b []byte, start int, terminator string) int {
	if i := bytes.Index(b[start:], []byte(terminator)); i >= 0 {
		return start + i + len(terminator)
	}
	return len(b)
}

// quotedEnd returns the length of what is quoted at the start of b, quotes included.
func quotedEnd(b []byte) int { return endOf(b, 1, string(b[:1])) }

// declare keeps an entity, if the declaration is one of a general entity. The first declaration of a
// name counts. An external entity is kept as one that cannot be used.
func (r *Reader) declare(b []byte) error {
	rest, ok := bytes.CutPrefix(b, []byte("<!ENTITY"))
	if !ok {
		return nil
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	end := nameEnd(rest)
	if end == 0 {
		return nil // a parameter entity
	}
	name := string(rest[:end])
	if _, known := r.entities[name]; known {
		return nil
	}
	if len(r.entities) >= maxEntities {
		return r.wrong("too many entities")
	}
	if r.entities == nil {
		r.entities = map[string]entity{}
	}
	rest = bytes.TrimLeft(rest[end:], " \t\r\n")
	if len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' {
		r.entities[name] = entity{broken: "it is outside of the document"}
		return nil
	}
	r.entities[name] = r.entityOf(rest[1 : quotedEnd(rest)-1])
	return nil
}

// entityOf expands an entity's value: character references at once, other references, those to
// entities before it, in what that leaves.
func (r *Reader) entityOf(value []byte) entity {
	if bytes.IndexByte(value, '<') >= 0 {
		return entity{broken: "it holds markup"}
	}
	if len(value) > maxEntity {
		return entity{broken: "it is too long"}
	}
	text, rest := []byte(nil), charRefs(value)
	for {
		amp := bytes.IndexByte(rest, '&')
		if amp < 0 {
			break
		}
		text = append(text, rest[:amp]...)
		end := bytes.IndexByte(rest[amp:], ';')
		if end < 2 {
			return entity{broken: "its value has an ampersand that is no reference"}
		}
		ref := rest[amp+1 : amp+end]
		if c := predefined(ref); c != 0 {
			text = append(text, c)
		} else if c, ok := charRef(bytes.TrimPrefix(ref, []byte("#"))); ok && ref[0] == '#' {
			text = utf8.AppendRune(text, c)
		} else if e, ok := r.entities[string(ref)]; ok && e.broken == "" {
			text = append(text, e.text...)
		} else {
			return entity{broken: "its value refers to what is not declared before it"}
		}
		if len(text) > maxEntity {
			return entity{broken: "it is too long"}
		}
		rest = rest[amp+end+1:]
	}
	return entity{text: string(bytes.ToValidUTF8(append(text, rest...), []byte("\ufffd")))}
}

// charRefs replaces character references, and nothing else.
func charRefs(b []byte) []byte {
	var out []byte
	for {
		i := bytes.Index(b, []byte("&#"))
		if i < 0 {
			return append(out, b...)
		}
		out = append(out, b[:i]...)
		end := bytes.IndexByte(b[i:], ';')
		c, ok := rune(0), false
		if end > 2 {
			c, ok = charRef(b[i+2 : i+end])
		}
		if !ok {
			out = append(out, "&#"...)
			b = b[i+2:]
			continue
		}
		out = utf8.AppendRune(out, c)
		b = b[i+end+1:]
	}
}
