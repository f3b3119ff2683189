// Package markup cuts XML 1.0 with namespaces into tokens, as RDF/XML needs them: well-formedness
// and namespaces are checked, entities of the internal DTD subset are expanded, nothing outside the
// document is ever fetched, and no entity can make a document much longer than it is.
package markup

import (
	"bytes"
	"io"
	"unicode/utf8"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/source"
)

// A Kind says what a token is.
type Kind uint8

// The kinds of tokens. Every Start has its End, also where the document writes <a/>.
const (
	EOF Kind = iota
	Start
	End
	Text        // character data or CDATA, expanded
	Comment     // Text without <!-- and -->
	Instruction // Text is what stands between <? and ?>, target first
)

// The namespaces that every document has.
const (
	XMLSpace   = "http://www.w3.org/XML/1998/namespace"
	XMLNSSpace = "http://www.w3.org/2000/xmlns/"
)

// maxAttrs is how many attributes a tag may have.
const maxAttrs = 1024

// A Name is a name with its namespace.
type Name struct{ Prefix, Local, Space string }

// Undeclared reports whether the name's prefix is not declared, which lenient mode has reported.
func (n Name) Undeclared() bool { return n.Space == "" && n.Prefix != "" }

// An Attr is an attribute; declarations of namespaces are none.
type Attr struct {
	Name
	Value string
}

// A Token is valid until the next one is read.
type Token struct {
	Kind  Kind
	Name  Name   // of Start and End
	Attrs []Attr // of Start
	Text  []byte
}

// A Reader reads tokens.
type Reader struct {
	src      *source.Source
	opts     syntax.Options
	token    Token
	strings  source.Strings
	spaces   map[string][]string // prefix to the namespaces it was bound to, innermost last
	names    map[string]Name     // what names with a prefix stand for, while no prefix is bound anew
	open     []element
	entities map[string]entity
	text     []byte
	raw      []rawAttr

	closing  bool // an empty element was started: its End comes next
	begun    bool // the root element has been seen
	consumed int  // bytes of tokens so far
	expanded int  // bytes that entities have put in
}

// element is one that is open.
type element struct {
	written string // with its prefix
	name    Name
	bound   []string // the prefixes it bound
}

// NewReader returns a reader at the start of a document of any encoding that x/net/html/charset
// knows. The error says that the encoding is unknown.
func NewReader(r io.Reader, opts syntax.Options) (*Reader, error) {
	opts = opts.Filled()
	decoded, err := decode(r, opts)
	if err != nil {
		return nil, err
	}
	return &Reader{
		src: source.New(decoded, opts), opts: opts,
		spaces: map[string][]string{"xml": {XMLSpace}}, names: map[string]Name{},
	}, nil
}

// Next returns the next token; of kind EOF when the document is over. Errors are final.
func (r *Reader) Next() (*Token, error) {
	r.token.Attrs, r.token.Text = r.token.Attrs[:0], nil
	r.src.Start()
	if r.closing {
		r.closing = false
		return r.end(), nil
	}
	for {
		window := r.src.Window()
		switch {
		case len(window) < 16 && r.src.More():
			continue
		case len(window) == 0:
			return r.eof()
		case window[0] != '<':
			found, err := r.chars()
			if found || err != nil {
				return &r.token, err
			}
			r.src.Start()
			continue
		}
		found, err := r.markup(window)
		if found || err != nil {
			return &r.token, err
		}
		r.src.Start()
	}
}

// Namespace returns what a prefix is bound to where the reader stands.
func (r *Reader) Namespace(prefix string) (space string, bound bool) {
	if s := r.spaces[prefix]; len(s) > 0 {
		return s[len(s)-1], true
	}
	return "", prefix == ""
}

// eof checks that the document may end here.
func (r *Reader) eof() (*Token, error) {
	switch {
	case r.src.Err() != nil:
		return nil, r.src.Incomplete(0, "")
	case len(r.open) > 0:
		return nil, r.wrong("<" + r.open[len(r.open)-1].written + "> is not closed")
	case !r.begun:
		return nil, r.wrong("no element")
	}
	r.token.Kind = EOF
	return &r.token, nil
}

// wrong returns a mistake at the token's start.
func (r *Reader) wrong(msg string) error {
	e := r.At()
	e.Msg = msg
	return &e
}

// mend reports a mistake that lenient mode repairs, and returns nil; in strict mode it returns the mistake.
func (r *Reader) mend(msg string) error {
	err := r.wrong(msg)
	if !r.opts.Lenient {
		return err
	}
	r.opts.Report(err)
	return nil
}

// At returns where the token starts, as a mistake without a message.
func (r *Reader) At() syntax.Error { return r.src.Started() }

// take advances over bytes of the window.
func (r *Reader) take(n int) {
	r.src.Advance(n)
	r.consumed += n
}

// until returns what lies between the first `from` bytes of the window and a terminator.
func (r *Reader) until(from int, terminator string) ([]byte, error) {
	for start := from; ; {
		window := r.src.Window()
		start = min(start, len(window))
		if end := bytes.Index(window[start:], []byte(terminator)); end >= 0 {
			return window[min(from, start+end) : start+end], nil
		}
		start = max(from, len(window)-len(terminator)+1)
		if !r.src.More() {
			return nil, r.src.Incomplete(0, `"`+terminator+`" is missing`)
		}
	}
}

// chars reads character data up to the next markup; found is false for space outside the root.
func (r *Reader) chars() (found bool, err error) {
	var data []byte
	for seen := 0; ; {
		window := r.src.Window()
		if i := bytes.IndexByte(window[seen:], '<'); i >= 0 {
			data = window[:seen+i]
			break
		}
		seen = len(window)
		if !r.src.More() {
			if !r.src.AtEnd() {
				return false, r.src.Incomplete(0, "")
			}
			data = window
			break
		}
	}
	if len(r.open) == 0 {
		if len(trimSpace(data)) > 0 {
			return false, r.wrong("text outside of the root element")
		}
		r.take(len(data))
		return false, nil
	}
	r.token.Kind, r.token.Text = Text, data
	if !plain(data, special) {
		if r.text, err = r.expand(r.text[:0], data, false); err != nil {
			return false, err
		}
		r.token.Text = r.text
	}
	r.take(len(data))
	return true, nil
}

// markup reads what starts with "<"; found is false for a declaration.
func (r *Reader) markup(window []byte) (found bool, err error) {
	switch {
	case len(window) > 1 && window[1] == '/':
		return true, r.endTag()
	case bytes.HasPrefix(window, []byte("<!--")):
		return r.enclosed(4, "-->", Comment)
	case bytes.HasPrefix(window, []byte("<![CDATA[")):
		if len(r.open) == 0 {
			return false, r.wrong("text outside of the root element")
		}
		return r.enclosed(9, "]]>", Text)
	case bytes.HasPrefix(window, []byte("<?xml")) && len(window) > 5 && isSpace(window[5]):
		if r.consumed > 0 {
			return false, r.wrong("an XML declaration may only stand at the document's start")
		}
		_, err := r.enclosed(2, "?>", Instruction)
		return false, err
	case bytes.HasPrefix(window, []byte("<?")):
		return r.enclosed(2, "?>", Instruction)
	case bytes.HasPrefix(window, []byte("<!DOCTYPE")):
		return false, r.doctype()
	}
	return true, r.startTag()
}

// enclosed reads what stands between a start of n bytes and a terminator.
func (r *Reader) enclosed(n int, terminator string, kind Kind) (bool, error) {
	data, err := r.until(n, terminator)
	if err != nil {
		return false, err
	}
	if r.text, err = r.clean(r.text[:0], data, false); err != nil {
		return false, err
	}
	r.take(n + len(data) + len(terminator))
	r.token.Kind, r.token.Text = kind, r.text
	return true, nil
}

// endTag reads "</name>".
func (r *Reader) endTag() error {
	data, err := r.until(2, ">")
	if err != nil {
		return err
	}
	name := data
	for len(name) > 0 && isSpace(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	switch {
	case len(r.open) == 0:
		return r.wrong("an end tag closes nothing: " + source.Show(data))
	case r.open[len(r.open)-1].written != string(name):
		return r.wrong("<" + r.open[len(r.open)-1].written + "> is closed by </" + string(name[:min(len(name), 64)]) + ">")
	}
	r.take(2 + len(data) + 1)
	r.end()
	return nil
}

// end closes the innermost element.
func (r *Reader) end() *Token {
	last := &r.open[len(r.open)-1]
	for _, prefix := range last.bound {
		if s := r.spaces[prefix]; len(s) > 1 {
			r.spaces[prefix] = s[:len(s)-1]
		} else {
			delete(r.spaces, prefix)
		}
		clear(r.names)
	}
	r.token.Kind, r.token.Name = End, last.name
	r.open = r.open[:len(r.open)-1]
	return &r.token
}

// clean appends text with its line ends normalised and its characters checked; in attributes all
// space becomes blanks. In lenient mode U+FFFD stands for what is no character.
func (r *Reader) clean(dst, b []byte, attr bool) ([]byte, error) {
	if !attr && plain(b, special) {
		return append(dst, b...), nil
	}
	if !utf8.Valid(b) {
		if err := r.mend("not valid UTF-8: " + source.Show(b[validUntil(b):])); err != nil {
			return dst, err
		}
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	told := false
	for i, c := range b {
		switch {
		case c >= ' ':
			dst = append(dst, c)
		case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
		case attr && isSpace(c):
			dst = append(dst, ' ')
		case c == '\r':
			dst = append(dst, '\n')
		case isSpace(c):
			dst = append(dst, c)
		default:
			if !told {
				if err := r.mend("control character in the text: " + source.Show(b[i:])); err != nil {
					return dst, err
				}
				told = true
			}
			dst = append(dst, "\ufffd"...)
		}
	}
	return dst, nil
}

// The kinds of bytes that text is searched for.
const (
	special = 1 << iota // not to be taken as it is: control characters, returns, references, tags
	breaks              // tabs and line ends, which are blanks in attributes
	high                // of a character that is not ASCII
)

// kinds is never written.
var kinds = func() (t [256]uint8) {
	for c := range ' ' {
		t[c] = special
	}
	t['&'], t['<'], t['\t'], t['\n'] = special, special, breaks, breaks
	for c := utf8.RuneSelf; c < len(t); c++ {
		t[c] = high
	}
	return t
}()

// plain reports whether text is valid and has no byte of some kinds.
func plain(b []byte, without uint8) bool {
	var all uint8
	for _, c := range b {
		all |= kinds[c]
	}
	return all&without == 0 && (all&high == 0 || utf8.Valid(b))
}

// validUntil returns the offset of the first byte that is not UTF-8.
func validUntil(b []byte) int {
	i := 0
	for i < len(b) {
		c, size := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && size <= 1 {
			break
		}
		i += size
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// trimSpace returns b without the space it starts with.
func trimSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	return b
}
