package requisites

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"orbweaver/internal/coding/charset"
	"orbweaver/weburl"
)

// OfPage returns what an HTML page needs, most at most. The error means that its URL is none.
func OfPage(url string, page []byte, contentType string, most int) (Found, error) {
	base, err := weburl.NewBase(url)
	if err != nil {
		return Found{}, err
	}
	d := &document{base: base}
	text, _ := charset.Text(page, contentType)
	d.read(text, 0)
	return d.resolve(d.base, most), nil
}

// A document is a page while it is read.
type document struct {
	references
	base  *weburl.Base
	based bool // a <base> was seen: the first counts, for the whole page
}

// An element is a start tag with the attributes that count here.
type element struct {
	name string
	attr map[string]string
}

// read reads a page, or one within it.
func (d *document) read(source []byte, depth int) {
	z := html.NewTokenizer(bytes.NewReader(source))
	within, picture := "", 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			e := elementOf(z)
			within = e.name
			if e.name == "picture" {
				picture++
			}
			d.element(e, picture > 0, depth)
		case html.TextToken:
			switch {
			case within == "style":
				d.styles(z.Raw())
			case within == "noscript" && depth < maxNested:
				d.read(slices.Clone(z.Raw()), depth+1)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "picture" {
				picture = max(picture-1, 0)
			}
			within = ""
		}
	}
}

// elementOf reads a start tag. Of an attribute that recurs the first counts.
func elementOf(z *html.Tokenizer) element {
	name, more := z.TagName()
	e := element{name: string(name)}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if k := string(key); counts(k) {
			if e.attr == nil {
				e.attr = map[string]string{}
			}
			if _, again := e.attr[k]; !again {
				e.attr[k] = string(value)
			}
		}
	}
	return e
}

// counts reports whether an attribute tells of requisites.
func counts(key string) bool {
	switch key {
	case "src", "srcset", "href", "xlink:href", "rel", "as", "imagesrcset", "poster", "data", "background", "style", "type", "srcdoc",
		"data-src", "data-srcset":
		return true
	}
	return false
}

// element adds what an element needs.
func (d *document) element(e element, picture bool, depth int) {
	d.styles([]byte(e.attr["style"]))
	d.add(image, e.attr["background"])
	switch e.name {
	case "base":
		if !d.based && depth == 0 && e.attr["href"] != "" {
			d.rebase(e.attr["href"])
		}
	case "img":
		d.add(image, e.attr["src"])
		d.srcset(image, e.attr["srcset"])
		d.add(spare, e.attr["data-src"])
		d.srcset(spare, e.attr["data-srcset"])
	case "source":
		d.source(e, picture)
	case "input":
		if strings.EqualFold(e.attr["type"], "image") {
			d.add(image, e.attr["src"])
		}
	case "script":
		if runs(e.attr["type"]) {
			d.add(shape, e.attr["src"])
			d.link(shape, e)
		}
	case "link":
		d.relation(e)
	case "video", "audio", "track", "embed":
		d.add(image, e.attr["poster"])
		d.add(stream, e.attr["src"])
	case "object":
		d.add(stream, e.attr["data"])
	case "image", "use", "feimage":
		d.link(image, e)
	case "iframe":
		if depth < maxNested {
			d.read([]byte(e.attr["srcdoc"]), depth+1)
		}
	}
}

// rebase has references be relative to another URL, if it is one.
func (d *document) rebase(href string) {
	d.based = true
	if to, err := d.base.Resolve(href); err == nil {
		if base, err := weburl.NewBase(to); err == nil {
			d.base = base
		}
	}
}

// link adds what an element of SVG refers to.
func (d *document) link(k kind, e element) {
	d.add(k, e.attr["href"])
	d.add(k, e.attr["xlink:href"])
}

// source adds what a source of a picture, or of sound or video, names.
func (d *document) source(e element, picture bool) {
	if !picture {
		d.add(stream, e.attr["src"])
		return
	}
	d.srcset(image, e.attr["srcset"])
	d.srcset(spare, e.attr["data-srcset"])
}

// runs reports whether a browser fetches a script of a type.
func runs(mediaType string) bool {
	switch t := strings.ToLower(strings.TrimSpace(mediaType)); t {
	case "", "module", "text/jscript", "text/livescript":
		return true
	default:
		t, _, _ = strings.Cut(t, ";")
		return strings.HasSuffix(t, "javascript") || strings.HasSuffix(t, "ecmascript")
	}
}

// relation adds what a link element has fetched.
func (d *document) relation(e element) {
	href := e.attr["href"]
	for rel := range strings.FieldsSeq(strings.ToLower(e.attr["rel"])) {
		switch rel {
		case "stylesheet", "modulepreload":
			d.add(shape, href)
		case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon":
			d.add(image, href)
		case "preload":
			switch strings.ToLower(e.attr["as"]) {
			case "style", "font", "script":
				d.add(shape, href)
			case "image":
				d.add(image, href)
				d.srcset(image, e.attr["imagesrcset"])
			}
		}
	}
}

// srcset adds the candidates of a srcset attribute: HTML, section 4.8.4.3.2, "Parsing a srcset attribute". The first is of a kind, the others are spare if
// they are many.
func (d *document) srcset(k kind, value string) {
	for at, n := 0, 0; at < len(value); n++ {
		for at < len(value) && (isSpace(value[at]) || value[at] == ',') {
			at++
		}
		start := at
		for at < len(value) && !isSpace(value[at]) {
			at++
		}
		ref := strings.TrimRight(value[start:at], ",")
		if n >= maxCandidates {
			k = spare
		}
		d.add(k, ref)
		if start+len(ref) == at { // descriptors follow
			at += descriptors(value[at:])
		}
	}
}

// maxCandidates is how many candidates of a srcset are worth as much as an image.
const maxCandidates = 8

// descriptors is the length of a candidate's descriptors: to the comma outside parentheses.
func descriptors(s string) int {
	within := false // they do not nest
	for i := range len(s) {
		switch {
		case s[i] == '(':
			within = true
		case s[i] == ')':
			within = false
		case s[i] == ',' && !within:
			return i
		}
	}
	return len(s)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }
