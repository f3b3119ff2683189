package markup

import (
	"bytes"
	"unicode/utf8"

	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/syntax/internal/source"
)

// rawAttr is an attribute as written, in the window.
type rawAttr struct{ name, value []byte }

// startTag reads a start tag or an empty element's tag.
func (r *Reader) startTag() error {
	switch {
	case r.begun && len(r.open) == 0:
		return r.wrong("a second root element")
	case len(r.open) >= min(r.opts.MaxDepth, source.GreatestDepth):
		return r.wrong("elements are nested too deep")
	}
	length, err := r.tagEnd()
	if err != nil {
		return err
	}
	tag := r.src.Window()[1 : length-1]
	empty := len(tag) > 0 && tag[len(tag)-1] == '/'
	if empty {
		tag = tag[:len(tag)-1]
	}
	written, err := r.cut(tag)
	if err != nil {
		return err
	}
	if err := r.element(written); err != nil {
		return err
	}
	r.take(length)
	r.begun, r.closing = true, empty
	return nil
}

// tagEnd returns the length of the tag here: to a ">" outside of quotes.
func (r *Reader) tagEnd() (int, error) {
	var quote byte
	for i := 1; ; {
		window := r.src.Window()
		for ; i < len(window); i++ {
			switch c := window[i]; {
			case quote != 0:
				n := bytes.IndexByte(window[i:], quote)
				if n < 0 {
					i = len(window) - 1
					break
				}
				i += n
				quote = 0
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				return i + 1, nil
			case c == '<':
				return 0, r.wrong("a tag does not end: " + source.Show(window))
			}
		}
		if !r.src.More() {
			return 0, r.src.Incomplete(0, "a tag does not end")
		}
	}
}

// cut splits a tag into its name, which it returns, and its attributes.
func (r *Reader) cut(tag []byte) (name []byte, err error) {
	end := nameEnd(tag)
	if end == 0 {
		return nil, r.wrong("no element name: " + source.Show(tag))
	}
	name, rest := tag[:end], tag[end:]
	r.raw = r.raw[:0]
	for {
		trimmed := trimSpace(rest)
		if len(trimmed) == 0 {
			return name, nil
		}
		if len(trimmed) == len(rest) {
			return nil, r.wrong("space is missing between attributes: " + source.Show(rest))
		}
		a, n := cutAttr(trimmed)
		if n == 0 {
			return nil, r.wrong("no attribute: " + source.Show(trimmed))
		}
		if r.raw = append(r.raw, a); len(r.raw) > maxAttrs {
			return nil, r.wrong("too many attributes")
		}
		rest = trimmed[n:]
	}
}

// cutAttr reads name="value"; the length is 0 when there is none.
func cutAttr(b []byte) (a rawAttr, length int) {
	end := nameEnd(b)
	if end == 0 {
		return a, 0
	}
	rest := trimSpace(b[end:])
	if len(rest) == 0 || rest[0] != '=' {
		return a, 0
	}
	rest = trimSpace(rest[1:])
	if len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' {
		return a, 0
	}
	n := bytes.IndexByte(rest[1:], rest[0])
	if n < 0 {
		return a, 0
	}
	a.name, a.value = b[:end], rest[1:1+n]
	return a, len(b) - len(rest) + n + 2
}

// nameEnd returns the length of the name, colons included, at the start of b.
func nameEnd(b []byte) int {
	for i := 0; i < len(b); {
		if b[i]|0x20 >= 'a' && b[i]|0x20 <= 'z' { // most of them
			i++
			continue
		}
		c, size := rune(b[i]), 1
		if c >= utf8.RuneSelf {
			if c, size = utf8.DecodeRune(b[i:]); size == 1 {
				return i
			}
		}
		start := lex.IsNameStart(c) || c == '_' || c == ':'
		if !start && (i == 0 || !lex.IsName(c) && c != '.') {
			return i
		}
		i += size
	}
	return len(b)
}

// element makes the token of a start tag whose attributes are in r.raw, and opens the element.
func (r *Reader) element(written []byte) error {
	r.open = append(r.open, element{written: r.strings.Of(written)})
	opened := &r.open[len(r.open)-1]
	if err := r.bind(opened); err != nil {
		return err
	}
	var err error
	if opened.name, err = r.resolve(written, true); err != nil {
		return err
	}
	for _, a := range r.raw {
		if isDeclaration(a.name) {
			continue
		}
		var attr Attr
		if attr.Name, err = r.resolve(a.name, false); err != nil {
			return err
		}
		if attr.Value, err = r.value(a.value); err != nil {
			return err
		}
		if attr.Undeclared() {
			continue
		}
		if r.stands(attr) {
			if err := r.mend("attribute " + string(a.name) + " stands twice"); err != nil {
				return err
			}
			continue
		}
		r.token.Attrs = append(r.token.Attrs, attr)
	}
	r.token.Kind, r.token.Name = Start, opened.name
	return nil
}

// stands reports whether the tag has an attribute of a name already.
func (r *Reader) stands(a Attr) bool {
	for _, other := range r.token.Attrs {
		if other.Local == a.Local && other.Space == a.Space {
			return true
		}
	}
	return false
}

// isDeclaration reports whether an attribute declares a namespace.
func isDeclaration(name []byte) bool {
	return bytes.HasPrefix(name, []byte("xmlns")) && (len(name) == 5 || name[5] == ':')
}

// bind puts the namespaces that an element declares in force.
func (r *Reader) bind(opened *element) error {
	for _, a := range r.raw {
		if !isDeclaration(a.name) {
			continue
		}
		space, err := r.value(a.value)
		if err != nil {
			return err
		}
		var prefix string
		if len(a.name) > 5 {
			prefix = string(a.name[6:])
			if prefix == "" || prefix == "xmlns" || space == "" || (prefix == "xml") != (space == XMLSpace) {
				return r.wrong("no declaration of a namespace: " + source.Show(a.name))
			}
		}
		for _, other := range opened.bound {
			if other == prefix {
				return r.wrong("attribute " + string(a.name) + " stands twice")
			}
		}
		r.spaces[prefix] = append(r.spaces[prefix], space)
		opened.bound = append(opened.bound, prefix)
		clear(r.names)
	}
	return nil
}

// How many names with a prefix are remembered, and how many bytes one of them may have.
const (
	mostNames = 1000
	longName  = 256
)

// resolve finds a name's namespace. An attribute without prefix has none; in lenient mode, nor has a name whose
// prefix is not declared.
func (r *Reader) resolve(written []byte, element bool) (Name, error) {
	if name, known := r.names[string(written)]; known {
		return name, nil
	}
	prefix, local, prefixed := bytes.Cut(written, []byte(":"))
	if !prefixed {
		name := Name{Local: r.strings.Of(written)}
		if element {
			name.Space, _ = r.Namespace("")
		}
		return name, nil
	}
	if len(prefix) == 0 || nameEnd(local) == 0 || bytes.IndexByte(local, ':') >= 0 {
		return Name{}, r.wrong("no name with a prefix: " + source.Show(written))
	}
	name := Name{Prefix: r.strings.Of(prefix), Local: r.strings.Of(local)}
	var bound bool
	if name.Space, bound = r.Namespace(name.Prefix); !bound {
		return name, r.mend("prefix " + string(prefix[:min(len(prefix), 64)]) + " is not declared")
	}
	if len(written) <= longName {
		if len(r.names) >= mostNames {
			clear(r.names)
		}
		r.names[string(written)] = name
	}
	return name, nil
}

// value makes a string of an attribute's value.
func (r *Reader) value(b []byte) (string, error) {
	if plain(b, special|breaks) {
		return r.strings.Of(b), nil
	}
	if bytes.IndexByte(b, '<') >= 0 {
		if err := r.mend(`"<" in the value of an attribute`); err != nil {
			return "", err
		}
	}
	var err error
	if r.text, err = r.expand(r.text[:0], b, true); err != nil {
		return "", err
	}
	return r.strings.Of(r.text), nil
}
