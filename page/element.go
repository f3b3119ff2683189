package page

import "bytes"

// A tag is the name of an element that this package uses.
type tag uint8

const (
	tagOther tag = iota
	tagA
	tagArea
	tagLink
	tagMeta
	tagBase
	tagHTML
	tagBody
	tagImg
	tagBr
	tagFrame
	tagVoid // any other element without content
	// with raw text inside
	tagTitle
	tagScript
	tagStyle
	tagIframe
	tagTextarea
	tagXmp // and plaintext: raw text, but shown
	// never shown
	tagTemplate
	tagNoscript
	tagHead
	tagControl // button, select, datalist, object and the like
	// blocks
	tagHeading
	tagH1
	tagP
	tagItem // li, dt, dd
	tagCell // td, th
	tagRow
	tagList
	tagTable
	tagDiv
	tagMain // main, article
	tagNav  // nav, aside, footer, menu, dialog
	tagHeader
)

// tagOf returns the tag of a name in lower case.
func tagOf(name []byte) tag {
	switch string(name) {
	case "a":
		return tagA
	case "p", "pre", "blockquote", "figcaption", "caption", "summary", "address", "center", "legend":
		return tagP
	case "div", "section", "figure", "form", "fieldset", "details", "hgroup", "hr":
		return tagDiv
	case "li", "dt", "dd":
		return tagItem
	case "td", "th":
		return tagCell
	case "tr":
		return tagRow
	case "ul", "ol", "dl":
		return tagList
	case "table", "tbody", "thead", "tfoot":
		return tagTable
	case "h1":
		return tagH1
	case "h2", "h3", "h4", "h5", "h6":
		return tagHeading
	case "main", "article":
		return tagMain
	case "nav", "aside", "footer", "menu", "dialog":
		return tagNav
	case "header":
		return tagHeader
	case "br":
		return tagBr
	case "img":
		return tagImg
	}
	return rareTag(name)
}

// rareTag is tagOf for rare or invisible elements.
func rareTag(name []byte) tag {
	switch string(name) {
	case "link":
		return tagLink
	case "meta":
		return tagMeta
	case "base":
		return tagBase
	case "area":
		return tagArea
	case "html":
		return tagHTML
	case "body":
		return tagBody
	case "head":
		return tagHead
	case "title":
		return tagTitle
	case "script":
		return tagScript
	case "style":
		return tagStyle
	case "iframe":
		return tagIframe
	case "frame":
		return tagFrame
	case "textarea":
		return tagTextarea
	case "xmp", "plaintext":
		return tagXmp
	case "template":
		return tagTemplate
	case "noscript":
		return tagNoscript
	case "button", "select", "datalist", "object", "audio", "video", "canvas", "noframes", "noembed":
		return tagControl
	case "input", "col", "embed", "param", "source", "track", "keygen", "basefont", "bgsound", "wbr":
		return tagVoid
	}
	return tagOther
}

// A flag is a property of everything inside an element.
type flag uint16

const (
	muted      flag = 1 << iota // text is not collected
	linkless                    // links are ignored
	hidden                      // collected for anchors, never displayed
	boilerTag                   // boilerplate by its element or role
	boilerName                  // boilerplate by class or id
	inMain                      // inside main or article
	discussion                  // reader comments
	inBody                      // inside the body of an article by class, id or itemprop
	beside                      // beside an article's text: captions, credits, authors, teasers, forms
	teaser                      // inside a lead or teaser by class or id
	apart                       // of a block: in the page's text, but not in its article
	scriptless                  // inside noscript, of a page whose scripts do not run
)

// dividing are the flags whose change ends a block.
const dividing = inBody - 1

// An element is an open element. Its flags include those of its ancestors.
type element struct {
	tag   tag
	flags flag
	node  int32 // of the innermost container, in nodes
	form  blockForm
	at    int    // offset of its tag
	path  uint32 // of links within; 0: not computed yet
	place place  // if path is
}

// maxStack is the maximal nesting of elements; deeper ones are read as if they were their parents.
const maxStack = 200

// flags returns the flags of the current text.
func (d *document) flags() flag {
	if len(d.stack) == 0 {
		return 0
	}
	return d.stack[len(d.stack)-1].flags
}

// isBlock reports whether an element starts and ends blocks.
func (t tag) isBlock() bool { return t >= tagHeading }

// isRaw reports whether the content of an element is raw text.
func (t tag) isRaw() bool { return t >= tagTitle && t <= tagXmp }

// isEmpty reports whether an element has no content and no end tag.
func (t tag) isEmpty() bool {
	switch t {
	case tagArea, tagLink, tagMeta, tagBase, tagImg, tagBr, tagFrame, tagVoid:
		return true
	}
	return false
}

// push opens an element.
func (d *document) push(t tag) {
	if len(d.stack) == maxStack {
		return
	}
	was := d.flags()
	outside := was
	if t == tagMain && was&inMain == 0 { // a nested article, such as a comment, is about the outer one
		was = was&^(boilerTag|boilerName) | inMain
	}
	flags := was | d.flagsOf(t)
	d.stack = append(d.stack, element{tag: t, flags: flags, node: d.nodeOf(t), form: d.formWithin(t), at: d.tagAt})
	if (flags^outside)&dividing != 0 && flags&muted == 0 {
		d.closeBlock()
	}
}

// flagsOf returns the flags of an element itself.
func (d *document) flagsOf(t tag) flag {
	var f flag
	switch t {
	case tagTemplate, tagScript, tagStyle:
		return muted | linkless
	case tagNoscript:
		return d.unscripted()
	case tagHead, tagControl, tagTextarea, tagIframe:
		return muted
	case tagNav:
		f = boilerTag
	case tagHeader:
		if d.flags()&inMain == 0 {
			f = boilerTag
		}
	case tagHTML, tagBody:
		return 0
	case tagMain:
		if isDiscussion(d.attrs.get(attrClass)) || isDiscussion(d.attrs.get(attrID)) {
			return discussion
		}
		return 0
	}
	if d.attrs.isHidden() {
		if !t.isBlock() && t != tagA {
			return f | muted
		}
		f |= hidden
	}
	if d.attrs.has(attrRole) && isBoilerRole(d.attrs.get(attrRole)) {
		f |= boilerTag
	}
	if !t.isBlock() || t == tagH1 {
		return f
	}
	if d.caption {
		f |= beside
	}
	f |= d.placeOf()
	if isBoilerName(d.attrs.get(attrClass)) || isBoilerName(d.attrs.get(attrID)) {
		f |= boilerName
	}
	if isDiscussion(d.attrs.get(attrClass)) || isDiscussion(d.attrs.get(attrID)) {
		f |= discussion
	}
	return f
}

// isBoilerRole reports whether an ARIA role marks boilerplate.
func isBoilerRole(role []byte) bool {
	switch string(bytes.ToLower(role[:min(len(role), maxRole)])) {
	case "navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "dialog", "alertdialog",
		"toolbar", "tablist":
		return true
	}
	return false
}

// maxRole exceeds the length of all known roles.
const maxRole = 16

// isBoilerName reports whether one word of a class or id marks boilerplate.
func isBoilerName(names []byte) bool {
	for len(names) > 0 {
		end := wordEnd(names)
		if isBoilerWord(names[:end]) {
			return true
		}
		names = names[min(end+1, len(names)):]
	}
	return false
}

// wordEnd returns the length of the first word of classes or ids.
func wordEnd(names []byte) int {
	end := 0
	for end < len(names) && names[end] > ' ' && names[end] != '-' && names[end] != '_' {
		end++
	}
	return end
}

// isDiscussion reports whether a class or id marks reader comments: "comments", "comment-list",
// "div-comment-7". A lone "comment" does not: ontology documentation uses it for definitions.
func isDiscussion(names []byte) bool {
	for before := byte(' '); len(names) > 0; {
		end := wordEnd(names)
		after := byte(' ')
		if end < len(names) {
			after = names[end]
		}
		switch word := names[:end]; len(word) {
		case len("comment"):
			if (before > ' ' || after > ' ') && hasPrefixFold(word, "comment") || hasPrefixFold(word, "respond") {
				return true
			}
		case len("comments"):
			if hasPrefixFold(word, "comments") {
				return true
			}
		case len("commentlist"):
			if hasPrefixFold(word, "commentlist") {
				return true
			}
		}
		names, before = names[min(end+1, len(names)):], after
	}
	return false
}

// isBoilerWord reports whether a word marks boilerplate.
func isBoilerWord(word []byte) bool {
	if len(word) < 2 {
		return false
	}
	var lower [16]byte
	if len(word) > len(lower) {
		return false
	}
	for i, c := range word {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	switch string(lower[:len(word)]) {
	case "nav", "navbar", "navigation", "menu", "sidebar", "footer", "cookie", "cookies", "consent", "gdpr", "breadcrumb",
		"breadcrumbs", "share", "sharing", "social", "advert", "ads", "advertisement", "sponsored", "banner", "popup",
		"modal", "newsletter", "subscribe", "related", "recommended", "skip", "skiplink", "pagination", "pager",
		"toolbar", "login", "signup", "masthead", "printfooter", "catlinks", "navbox", "toc", "disclaimer":
		return true
	}
	return false
}

// pop closes the innermost element of a tag, and all inside it; it does nothing if none is open.
func (d *document) pop(t tag) {
	for i := len(d.stack) - 1; i >= 0; i-- {
		if d.stack[i].tag != t {
			continue
		}
		before := d.flags()
		d.stack = d.stack[:i]
		if (d.flags()^before)&dividing != 0 && before&muted == 0 {
			d.closeBlockAs(before)
		}
		return
	}
}

// implied closes the elements that the start of an element ends implicitly: a paragraph, or the previous item
// or cell up to their list or table.
func (d *document) implied(t tag) {
	if !t.isBlock() {
		return
	}
	for i := len(d.stack) - 1; i >= 0 && i >= len(d.stack)-8; i-- {
		open := d.stack[i].tag
		switch {
		case open == tagP && t != tagP || open == t && (t == tagP || t == tagItem || t == tagCell || t == tagRow),
			open == tagCell && t == tagRow:
			d.pop(open)
			return
		case open >= tagList:
			return
		}
	}
}
