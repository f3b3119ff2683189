package page

import (
	"bytes"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// startTag handles a start tag with all its attributes. An XHTML element may be closed by its own start tag.
func (d *document) startTag(t tag, closed bool) {
	d.implied(t)
	if t.isBlock() {
		d.closeBlock()
	}
	if t == tagBr {
		d.lineBreak()
	}
	d.meaning(t)
	d.hintAt(t)
	if d.attrs.present&(ofData|1<<attrRel) != 0 {
		d.noteData()
	}
	if t == tagScript {
		d.script()
	}
	switch t {
	case tagTitle, tagScript, tagStyle, tagIframe, tagTextarea:
		return
	case tagBody, tagHTML:
		d.pop(tagHead)
	}
	if t.isEmpty() || closed {
		return
	}
	if d.flags()&muted != 0 && (t.isBlock() || t == tagA) {
		d.pop(tagHead) // an unclosed head ends at the body
	}
	d.push(t)
	d.open.kind = max(d.open.kind, t)
	if t.isBlock() {
		d.open.kind, d.open.form = t, d.form()
	}
}

// meaning handles the effect of an element beyond its text.
func (d *document) meaning(t tag) {
	switch t {
	case tagA:
		d.closeLink()
		if d.attrs.has(attrHref) {
			d.openLink(orbweaver.FromAnchor, d.attrs.get(attrHref))
		}
	case tagArea:
		if d.attrs.has(attrHref) {
			d.lone(orbweaver.FromAnchor, d.attrs.get(attrHref), d.attrs.get(attrAlt))
		}
	case tagIframe, tagFrame:
		if d.attrs.has(attrSrc) && (d.flags()&scriptless == 0 || !d.attrs.isHidden()) { // a counter's is hidden
			d.lone(orbweaver.FromFrame, d.attrs.get(attrSrc), nil)
		}
	case tagLink:
		d.headLink()
	case tagMeta:
		d.meta()
	case tagBase:
		d.setBase()
	case tagHTML:
		if d.page.Lang == "" && d.attrs.has(attrLang) {
			d.page.Lang = primary(string(cut(d.attrs.get(attrLang), maxValue)))
		}
	case tagImg:
		if d.current >= 0 && d.attrs.has(attrAlt) && d.flags()&scriptless == 0 { // there it stands for one that scripts load
			d.space = true
			d.addText([]byte(unescape(cut(d.attrs.get(attrAlt), maxValue))), false)
			d.space = true
		}
	}
}

// endTag acts on an end tag.
func (d *document) endTag(t tag) {
	switch {
	case t == tagA:
		d.closeLink()
	case t == tagNoscript:
		d.endNoscript()
	case t.isBlock():
		d.closeBlock()
	}
	d.pop(t)
}

// lineBreak makes one <br> a space and two the end of a block.
func (d *document) lineBreak() {
	d.space = true
	d.addCode([]byte("\n"), false)
	if d.breaks++; d.breaks == 2 {
		d.closeBlock()
	}
}

// setBase uses the first <base href>, wherever it stands; an invalid one leaves the page's URL (HTML, 4.2.3).
func (d *document) setBase() {
	if d.based || !d.attrs.has(attrHref) || d.flags()&linkless != 0 {
		return
	}
	d.based = true
	if to, err := d.base.Resolve(unescape(d.attrs.get(attrHref))); err == nil {
		if base, err := weburl.NewBase(to); err == nil {
			d.base = base.In(d.encoding)
			d.late = d.referred || d.canonical != ""
		}
	}
}

// meta reads robots, language and title from a <meta>.
func (d *document) meta() {
	a := &d.attrs
	switch {
	case bytes.EqualFold(a.get(attrName), []byte("robots")), len(a.get(attrName)) == len(d.opts.Agent) && strings.EqualFold(string(a.get(attrName)), d.opts.Agent):
		robots(d.page, string(cut(a.get(attrContent), maxValue)), d.opts.Agent)
	case bytes.EqualFold(a.get(attrHTTPEquiv), []byte("refresh")):
		d.hints |= hintLeads
		d.refresh()
	case bytes.EqualFold(a.get(attrHTTPEquiv), []byte("content-language")),
		bytes.EqualFold(a.get(attrName), []byte("language")), bytes.EqualFold(a.get(attrName), []byte("dc.language")):
		if d.page.Lang == "" {
			d.page.Lang = primary(string(cut(a.get(attrContent), maxValue)))
		}
	case bytes.Equal(a.get(attrProperty), []byte("og:title")) && d.ogTitle.end == 0:
		d.ogTitle = d.value(a.get(attrContent))
	}
}

// headLink reads a <link>, unless it is a part of the page itself.
func (d *document) headLink() {
	if !d.attrs.has(attrHref) || len(d.attrs.get(attrRel)) == 0 {
		return
	}
	rel := strings.ToLower(unescape(cut(d.attrs.get(attrRel), maxValue)))
	if rel == "canonical" {
		if to, err := d.base.Resolve(unescape(d.attrs.get(attrHref))); err == nil && d.canonical == "" {
			d.canonical = to
		}
		return
	}
	if !isPart(rel) {
		d.lone(orbweaver.FromHead, d.attrs.get(attrHref), nil)
	}
}

// isPart reports whether a relation is to a resource that a browser needs to display the page, or to one that
// is no document.
func isPart(rel string) bool {
	for token := range strings.FieldsSeq(rel) {
		switch token {
		case "stylesheet", "icon", "preload", "prefetch", "prerender", "dns-prefetch", "preconnect", "modulepreload",
			"mask-icon", "apple-touch-icon", "apple-touch-icon-precomposed", "apple-touch-startup-image", "manifest",
			"pingback", "search", "edituri", "wlwmanifest", "expect", "script", "import", "webmention", "canonical":
			return true
		}
	}
	return false
}
