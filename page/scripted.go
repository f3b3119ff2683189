package page

import (
	"bytes"
	"strings"
)

// hardlyAny is how many words are text that a page means to be read, wordless how many bytes are, in
// whatever script, and inlined how many bytes of script may make some.
const hardlyAny, wordless, inlined = 10, 300, 100

// script notes a <script>: one that a browser would run may make text, of its own or of another
// address. Data in a <script>, JSON-LD say, is none.
func (d *document) script() {
	typ := d.attrs.get(attrType)
	if d.runs = isExecutable(typ); !d.runs && isJSONLD(typ) {
		d.data = true
	}
	if d.runs && len(d.attrs.get(attrSrc)) > 0 {
		d.scripts = true
	}
}

// isExecutable says whether a <script> of a type is run.
func isExecutable(typ []byte) bool {
	typ, _, _ = bytes.Cut(bytes.TrimSpace(typ), []byte(";"))
	if len(typ) == 0 || len(typ) > 32 {
		return len(typ) == 0
	}
	switch string(bytes.ToLower(bytes.TrimSpace(typ))) {
	case "module", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript",
		"application/x-javascript", "text/jscript", "text/x-javascript", "text/babel":
		return true
	}
	return false
}

// A hint is what speaks for or against scripts as the cause of a page that says hardly anything.
type hint uint8

const (
	hintMount hint = 1 << iota // an empty element where an application is put
	hintPlace                  // an empty element with a name, which scripts may fill
	hintPlea                   // <noscript> asks for JavaScript
	hintShows                  // pictures or frames: it may be meant to have no words
	hintLeads                  // it sends its reader elsewhere
)

// maxPlea is how many bytes of a <noscript> are examined.
const maxPlea = 2048

// hintAt reads the hint of a start tag whose content is still unread.
func (d *document) hintAt(t tag) {
	if d.flags()&muted != 0 {
		return
	}
	switch t {
	case tagImg, tagFrame, tagIframe:
		d.hints |= hintShows
	case tagNoscript:
		inside := d.source[d.at:]
		inside = inside[:min(maxPlea, rawEnd(inside, []byte("noscript")))]
		if bytes.Contains(bytes.ToLower(inside), []byte("javascript")) {
			d.hints |= hintPlea
		}
	case tagDiv, tagMain, tagTable, tagList, tagP:
		if !d.attrs.has(attrID) || !d.isEmptyNext() {
			return
		}
		d.hints |= hintPlace
		if isMount(d.attrs.get(attrID)) {
			d.hints |= hintMount
		}
	}
}

// isEmptyNext says whether an end tag is all that follows.
func (d *document) isEmptyNext() bool {
	rest := d.source[d.at:]
	return bytes.HasPrefix(rest[skipSpace(rest, 0):], []byte("</"))
}

// isMount says whether an id is one of those under which frameworks put what they make of a page.
func isMount(id []byte) bool {
	switch string(id) {
	case "root", "app", "app-root", "react-root", "__next", "__nuxt", "___gatsby", "svelte", "q-app", "ember-app":
		return true
	}
	return false
}

// isScripted says whether a page has hardly any text as it came, and scripts are the likely cause: there
// is a place for what they make, or nothing else at all, or the page says so. A short page that has some
// script beside its few words, or whose words are all in its navigation, is a short page.
func (d *document) isScripted(text string) bool {
	switch {
	case !d.scripts || !hasFewWords(text):
		return false
	case d.hints&hintMount != 0:
		return true
	case !hasFewWords(string(d.text[:min(len(d.text), wordless+1)])):
		return false
	case d.hints&(hintPlace|hintPlea) != 0 && d.hints&hintLeads == 0:
		return true
	}
	all := bytes.ToLower(bytes.TrimSpace(d.text))
	if len(all) == 0 {
		return d.hints&(hintShows|hintLeads) == 0
	}
	for _, word := range []string{"loading", "please wait", "javascript"} {
		if bytes.Contains(all, []byte(word)) {
			return true
		}
	}
	return false
}

// hasFewWords says whether a text has hardly any. Chinese, Japanese and Thai have no blanks between them.
func hasFewWords(text string) bool {
	if len(text) > wordless {
		return false
	}
	words := 0
	for range strings.FieldsSeq(text) {
		if words++; words == hardlyAny {
			return false
		}
	}
	return true
}
