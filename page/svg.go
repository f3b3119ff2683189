package page

import (
	"bytes"

	"orbweaver"
	"orbweaver/weburl"
)

// typeSVG is the media type of SVG documents.
const typeSVG = "image/svg+xml"

// foreignLinks keeps the links of an SVG or MathML element: of SVG <a> with href (SVG 2) or xlink:href (SVG 1.1), of
// MathML 3 any element. Its text is only their anchors.
func (d *document) foreignLinks(source []byte, name []byte) {
	if !bytes.Contains(source, []byte("href")) {
		return
	}
	for i := 0; i < len(source); {
		i += indexOrEnd(source[i:], '<')
		rest := source[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			i += commentEnd(rest)
			continue
		case len(rest) < 2 || !isLetter(rest[1]):
			i++
			continue
		}
		n := 1 + nameEnd(rest[1:], '>')
		element := rest[1:n]
		local := element[bytes.IndexByte(element, ':')+1:]
		end, closed := d.attrs.read(rest, n)
		if end < 0 {
			return
		}
		i += end
		if len(local) == 1 && local[0]|0x20 == 'a' || string(name) == "math" {
			d.foreignLink(source[i:], element, closed)
		}
	}
}

// foreignLink keeps the link of an element whose attributes were read, if it is one; its content follows.
func (d *document) foreignLink(inside, element []byte, closed bool) {
	ref := d.attrs.get(attrHref)
	if ref == nil {
		ref = d.attrs.get(attrXlink)
	}
	if ref == nil || !d.newLink(orbweaver.FromAnchor, ref) {
		return
	}
	l := &d.links[len(d.links)-1]
	l.lone = true
	if closed {
		return
	}
	inside = inside[:min(len(inside), maxValue)]
	said := make([]byte, 0, 64)
	for i := 0; i < len(inside) && !isEnd(inside[i:], element); {
		if inside[i] == '<' {
			i += min(len(inside)-i, 1+indexOrEnd(inside[i:], '>'))
			said = append(said, ' ')
			continue
		}
		n := max(1, indexOrEnd(inside[i:], '<'))
		said = append(said, inside[i:i+n]...)
		i += n
	}
	l.anchor = d.value(said)
}

// readSVG fills a page from an SVG document: its title and its links.
func (r *Reader) readSVG(page *orbweaver.Page, base *weburl.Base, body []byte, contentType string) {
	d := r.document()
	d.page, d.base, d.opts, d.xhtml = page, base, r.opts, true
	d.source = xmlText(page, body, contentType)
	if before, rest, ok := bytes.Cut(d.source[:min(len(d.source), maxDescription)], []byte("title")); ok &&
		(bytes.HasSuffix(before, []byte("<")) || bytes.HasSuffix(before, []byte(":"))) {
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		rest, _, _ = bytes.Cut(rest, []byte("<"))
		d.title = d.value(rest)
	}
	d.foreignLinks(d.source, nil)
	d.finish()
	r.release(d)
}
