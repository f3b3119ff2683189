package replay

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// maxNested bounds the nesting of documents in attributes and noscript that are rewritten.
const maxNested = 3

// A rewriting rewrites the links of one document. All other bytes stay.
type rewriting struct {
	links *linker
	xml   bool // a self-closing tag has no text
	out   []byte
	found []attribute // of the current tag
}

// rewriteHTML rewrites a document of HTML, XHTML or SVG, in UTF-8. The error wraps ErrTooLarge if the document
// grows too much.
func rewriteHTML(links *linker, src []byte, xml bool) ([]byte, error) {
	if href, ok := baseOf(src); ok {
		links.rebase(href)
	}
	p := &rewriting{links: links, xml: xml, out: make([]byte, 0, len(src)+len(src)/4)}
	if err := p.document(src, 0); err != nil {
		return nil, err
	}
	return p.out, nil
}

// baseOf finds the first base element with an href, anywhere: it applies to the whole document.
func baseOf(src []byte) (href string, ok bool) {
	if !bytes.Contains(bytes.ToLower(src), []byte("<base")) {
		return "", false
	}
	z := html.NewTokenizer(bytes.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return "", false
		case html.StartTagToken, html.SelfClosingTagToken:
			raw := z.Raw()
			end := tagNameEnd(raw)
			if !strings.EqualFold(string(raw[1:end]), "base") {
				continue
			}
			for _, a := range attributes(raw, end, nil) {
				if strings.EqualFold(string(raw[a.name.start:a.name.end]), "href") {
					return unescape(raw[a.value.start:a.value.end]), true
				}
			}
		}
	}
}

// tagNameEnd is the end of a tag's name.
func tagNameEnd(tag []byte) int {
	at := 1
	for at < len(tag) && !isSpace(tag[at]) && tag[at] != '/' && tag[at] != '>' {
		at++
	}
	return at
}

// document rewrites a document, or a nested part with a tokenizer of its own.
func (p *rewriting) document(src []byte, depth int) error {
	z := html.NewTokenizer(bytes.NewReader(src))
	z.AllowCDATA(p.xml)
	read, within := 0, "" // the element whose text comes next
	for {
		kind := z.Next()
		raw := z.Raw()
		if kind == html.ErrorToken {
			p.out = append(p.out, src[read:]...)
			return nil
		}
		read += len(raw)
		var err error
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			within, err = p.tag(raw, depth)
			if p.xml && kind == html.SelfClosingTagToken {
				z.NextIsNotRawText()
				within = ""
			}
		case html.TextToken:
			err = p.text(raw, within, depth)
		default:
			p.out = append(p.out, raw...)
			within = ""
		}
		if err == nil {
			err = p.links.check(len(p.out))
		}
		if err != nil {
			return err
		}
	}
}

// text rewrites the text of an element.
func (p *rewriting) text(raw []byte, within string, depth int) error {
	switch {
	case within == "style":
		p.out = p.links.appendCSS(p.out, raw)
	case within == "noscript" && depth < maxNested: // shown if scripts are off
		return p.document(bytes.Clone(raw), depth+1)
	default:
		p.out = append(p.out, raw...)
	}
	return nil
}

// tag rewrites a start tag, and returns its name.
func (p *rewriting) tag(raw []byte, depth int) (name string, err error) {
	end := tagNameEnd(raw)
	name = strings.ToLower(string(raw[1:end]))
	p.found = attributes(raw, end, p.found[:0])
	if name == "meta" && p.meta(raw) {
		return name, nil
	}
	found := slices.Clone(p.found) // a nested document has tags of its own
	done := 0
	for _, a := range found {
		key := strings.ToLower(string(raw[a.name.start:a.name.end]))
		if disturbs(key) {
			p.out = append(p.out, raw[done:a.name.start]...)
			done = a.quoted.end
			continue
		}
		value, changed, err := p.value(name, key, raw[a.value.start:a.value.end], depth)
		if err != nil {
			return name, err
		}
		if changed {
			p.out = append(p.out, raw[done:a.quoted.start]...)
			p.quote(value)
			done = a.quoted.end
		}
	}
	p.out = append(p.out, raw[done:]...)
	return name, nil
}

// quote writes an attribute's value.
func (p *rewriting) quote(value string) {
	p.out = append(p.out, '"')
	p.out = append(p.out, html.EscapeString(value)...)
	p.out = append(p.out, '"')
}

// value rewrites the value of an attribute.
func (p *rewriting) value(tag, key string, raw []byte, depth int) (value string, changed bool, err error) {
	switch key {
	case "href", "src", "action", "formaction", "poster", "background", "cite", "longdesc",
		"xlink:href", "lowsrc", "dynsrc", "manifest", "codebase":
		value, changed = p.links.link(unescape(raw))
	case "data":
		if tag == "object" {
			value, changed = p.links.link(unescape(raw))
		}
	case "srcset", "imagesrcset":
		value, changed = p.links.srcset(unescape(raw))
	case "style":
		declarations := unescape(raw)
		value = string(p.links.appendCSS(nil, []byte(declarations)))
		changed = value != declarations
	case "srcdoc":
		return p.nested(raw, depth)
	}
	return value, changed, nil
}

// nested rewrites a document in an attribute's value.
func (p *rewriting) nested(raw []byte, depth int) (value string, changed bool, err error) {
	source := unescape(raw)
	if depth >= maxNested {
		return source, false, nil
	}
	inner := &rewriting{links: p.links}
	err = inner.document([]byte(source), depth+1)
	return string(inner.out), string(inner.out) != source, err
}

// disturbs reports whether an attribute must be removed: it refers to bytes that were rewritten, needs an
// origin that does not exist here, or reports to other hosts.
func disturbs(key string) bool {
	switch key {
	case "integrity", "crossorigin", "nonce", "ping", "referrerpolicy", "attributionsrc":
		return true
	}
	return false
}

// meta writes the current meta element, if it is of a kind that is rewritten or removed.
func (p *rewriting) meta(raw []byte) (done bool) {
	var equiv, name string
	var content *attribute
	for i := range p.found {
		a := &p.found[i]
		value := raw[a.value.start:a.value.end]
		switch strings.ToLower(string(raw[a.name.start:a.name.end])) {
		case "http-equiv":
			equiv = strings.ToLower(strings.TrimSpace(unescape(value)))
		case "name":
			name = strings.ToLower(strings.TrimSpace(unescape(value)))
		case "content":
			content = a
		}
	}
	switch {
	case name == "referrer":
		return true
	case equiv == "content-security-policy", equiv == "content-security-policy-report-only",
		equiv == "set-cookie", equiv == "x-dns-prefetch-control":
		return true
	case equiv != "refresh" || content == nil:
		return false
	}
	value, changed := p.links.refresh(unescape(raw[content.value.start:content.value.end]))
	if !changed {
		return false
	}
	p.out = append(p.out, raw[:content.quoted.start]...)
	p.quote(value)
	p.out = append(p.out, raw[content.quoted.end:]...)
	return true
}
