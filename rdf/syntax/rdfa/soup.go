package rdfa

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// A soup nests HTML's tags: it infers omitted tags and closes elements in the wrong order.
type soup struct {
	*parser
	nest    []nested // parallel to the parser's frames
	page    []byte
	tokens  *html.Tokenizer
	at      int  // offset of the current token
	beyond  int  // open elements beyond MaxDepth
	foreign int  // open svg and math elements
	head    bool // a head is open
	headed  bool // a head was opened
	body    bool // a body was opened
	feed    bool // a leading line feed is not text
}

// A nested is an open element.
type nested struct {
	kind
	doomed bool // its end tag came before that of a block in it
}

// A kind is the name of a tag.
type kind struct {
	name  string
	atom  atom.Atom // 0 for names unknown to HTML
	class class
}

// named returns the kind of a name in lower case. Names of HTML are not allocated.
func named(written []byte) kind {
	a := atom.Lookup(written)
	name := a.String()
	if a == 0 {
		name = string(written)
	}
	return kind{name, a, classOf(name)}
}

// is reports whether two kinds have the same name.
func (k *kind) is(other kind) bool {
	return k.atom == other.atom && (k.atom != 0 || k.name == other.name)
}

// soup reads HTML.
func (p *parser) soup(page []byte) *syntax.Error {
	p.begin(p.baseOf(page))
	s := soup{parser: p, nest: make([]nested, 1, 64), page: page, tokens: html.NewTokenizer(bytes.NewReader(page))}
	for !p.out.full {
		token := s.tokens.Next()
		switch token {
		case html.ErrorToken:
			return p.wrong
		case html.TextToken:
			s.textToken()
		case html.StartTagToken, html.SelfClosingTagToken:
			s.startTag(token == html.SelfClosingTagToken)
		case html.EndTagToken:
			s.endTag()
		}
		if p.wrong != nil && !p.opts.Lenient {
			return p.wrong
		}
		s.at += len(s.tokens.Raw())
	}
	return s.mistake(tooMuch)
}

// baseOf returns the base of a page's references: that of its first base element.
func (p *parser) baseOf(page []byte) iri.Base {
	if !mentionsTag(page, "<base") {
		return p.document
	}
	for tokens := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return p.document
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			for is := string(name) == "base"; is && more; {
				var key, value []byte
				if key, value, more = tokens.TagAttr(); string(key) == "href" {
					return p.rebased(string(value))
				}
			}
		}
	}
}

// mentionsTag reports whether the start of a tag occurs in the page, in any case.
func mentionsTag(page []byte, tag string) bool {
	for {
		i := bytes.IndexByte(page, '<')
		if i < 0 || len(page)-i < len(tag) {
			return false
		}
		if strings.EqualFold(string(page[i:i+len(tag)]), tag) {
			return true
		}
		page = page[i+1:]
	}
}

// rebased returns the base that an href gives.
func (p *parser) rebased(href string) iri.Base {
	full, err := p.document.Resolve(encoded(strings.TrimSpace(href)))
	if err != nil {
		return p.document
	}
	base, err := iri.ParseBase(full)
	if err != nil {
		return p.document
	}
	return base
}

// mistake returns a mistake at the current token.
func (s *soup) mistake(msg string) *syntax.Error {
	seen := s.page[:min(s.at, len(s.page))]
	return &syntax.Error{
		Name: s.opts.Name, Line: 1 + bytes.Count(seen, []byte{'\n'}),
		Column: 1 + len(bytes.Runes(seen[bytes.LastIndexByte(seen, '\n')+1:])), Msg: msg,
	}
}

// textToken reads text.
func (s *soup) textToken() {
	feed := s.feed
	s.feed = false
	if s.literals.idle() && !s.head {
		return
	}
	text := s.tokens.Text()
	if feed {
		text = bytes.TrimPrefix(text, []byte{'\n'})
	}
	if bytes.IndexByte(text, 0) >= 0 {
		text = bytes.ReplaceAll(text, []byte{0}, nil)
	}
	current := s.current()
	if s.head && current == atom.Head && len(bytes.TrimSpace(text)) > 0 {
		s.closeHead()
	}
	s.text(text, current == atom.Script || current == atom.Style)
}

// current returns the innermost open element.
func (s *soup) current() atom.Atom { return s.nest[len(s.nest)-1].atom }

// startTag reads a start tag.
func (s *soup) startTag(closed bool) {
	s.feed = false
	written, more := s.tokens.TagName()
	k := named(written)
	if s.misplaced(k.atom) {
		return
	}
	s.tag.reset()
	if k.atom != atom.Html && len(s.nest) == 1 {
		s.open(named([]byte("html")))
	}
	if s.foreign == 0 {
		s.imply(k)
	}
	for more {
		var key, value []byte
		key, value, more = s.tokens.TagAttr()
		s.attribute(key, value)
	}
	if s.foreign > 0 || k.atom == atom.Noscript {
		s.tokens.NextIsNotRawText()
	}
	if k.class&void != 0 && s.tag.refers() && len(s.stack[len(s.stack)-1].scope.incomplete) == 0 {
		s.tag.present = 0 // the element has no content
	}
	s.open(k)
	if k.class&void != 0 || closed && s.foreign > 0 {
		s.pop()
	}
	s.feed = k.atom == atom.Pre || k.atom == atom.Textarea || k.atom == atom.Listing
}

// attribute reads an attribute if RDFa uses it.
func (s *soup) attribute(key, value []byte) {
	if len(s.literals.captures) > 0 {
		s.tag.all = append(s.tag.all, attr{string(key), string(value)})
	}
	if which, ours := attributeOf(key); ours {
		s.tag.set(which, string(value))
	} else if bytes.HasPrefix(key, []byte("xmlns")) {
		s.tag.add(string(key), string(value))
	}
}

// misplaced reports whether a tag is ignored at its place.
func (s *soup) misplaced(a atom.Atom) bool {
	switch a {
	case atom.Html:
		return len(s.nest) > 1
	case atom.Head:
		return s.headed || s.body || len(s.nest) > 2
	case atom.Body:
		return s.body
	}
	return false
}

// imply closes the elements that a start tag ends.
func (s *soup) imply(k kind) {
	c := k.class
	switch {
	case k.atom == atom.Head:
		s.head, s.headed = true, true
	case k.atom == atom.Body:
		s.body = true
		s.closeHead()
		s.closeFrom(2)
	case s.head && c&ofHead == 0 && s.current() == atom.Head:
		s.closeHead()
	}
	listed := c&(item|description) != 0
	if c&noParagraph != 0 && !listed {
		s.closeTo(paragraph, barrier|button)
	}
	if ended, barriers := endedBy(c); ended != 0 {
		s.closeTo(ended, barriers)
	}
	if listed {
		s.closeTo(paragraph, barrier|button)
	}
}

// closeHead closes the head.
func (s *soup) closeHead() {
	if !s.head {
		return
	}
	s.head = false
	for i := len(s.nest) - 1; i > 0; i-- {
		if s.nest[i].atom == atom.Head {
			s.closeFrom(i)
			return
		}
	}
}

// closeTo closes the innermost open element of a class, unless a barrier is open inside it.
func (s *soup) closeTo(c, barriers class) {
	for i := len(s.nest) - 1; i > 1; i-- {
		switch is := s.nest[i].class; {
		case is&c != 0:
			s.closeFrom(i)
			return
		case is&barriers != 0:
			return
		}
	}
}

// closeNamed is like closeTo, by name.
func (s *soup) closeNamed(k kind, barriers class) {
	for i := len(s.nest) - 1; i > 1; i-- {
		switch open := &s.nest[i]; {
		case open.is(k):
			s.closeFrom(i)
			return
		case open.class&barriers != 0:
			return
		}
	}
}

// closeFrom closes the open elements from index i on.
func (s *soup) closeFrom(i int) {
	for len(s.nest) > i {
		s.pop()
	}
}

// open opens an element.
func (s *soup) open(k kind) {
	if s.beyond > 0 || len(s.nest) > s.opts.MaxDepth {
		if s.beyond++; s.wrong == nil {
			s.wrong = s.mistake("elements are nested too deep")
		}
		return
	}
	s.start(k.name)
	s.nest = append(s.nest, nested{kind: k})
	if k.class&foreign != 0 {
		s.foreign++
	}
}

// pop closes the innermost element and any doomed ones around it.
func (s *soup) pop() {
	if s.beyond > 0 {
		s.beyond--
		return
	}
	for {
		last := len(s.nest) - 1
		if s.nest[last].class&foreign != 0 {
			s.foreign--
		}
		s.nest = s.nest[:last]
		s.end()
		if !s.nest[last-1].doomed {
			return
		}
	}
}

// endTag reads an end tag.
func (s *soup) endTag() {
	s.feed = false
	written, _ := s.tokens.TagName()
	k := named(written)
	switch c := k.class; {
	case s.beyond > 0:
		s.beyond--
	case k.atom == atom.Html, k.atom == atom.Body, c&void != 0:
	case k.atom == atom.Head:
		s.closeHead()
	case c&heading != 0:
		s.closeTo(heading, barrier)
	case c&(section|row|cell) != 0:
		s.closeNamed(k, table|inert)
	case c&table != 0:
		s.closeNamed(k, inert)
	case c&block != 0:
		s.closeNamed(k, barrier)
	default:
		s.closeInline(k)
	}
}

// closeInline closes an inline element: at once, or, if it is a formatting element with a block open in it,
// together with the block.
func (s *soup) closeInline(k kind) {
	blocked := false
	for i := len(s.nest) - 1; i > 1; i-- {
		switch open := &s.nest[i]; {
		case open.is(k) && !blocked:
			s.closeFrom(i)
			return
		case open.is(k) && !open.doomed:
			open.doomed = true
			return
		case open.class&barrier != 0, open.class&block != 0 && k.class&formatting == 0:
			return
		case open.class&block != 0:
			blocked = true
		}
	}
}
