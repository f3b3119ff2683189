package page

import (
	"bytes"
	"strings"
)

// Below hardlyAny words, or wordless bytes in any script, a page has hardly any text; from inlined bytes on an
// inline script may make some.
const hardlyAny, wordless, inlined = 10, 300, 100

// script records a <script>: an executable one, inline or external, may make text. Data in a <script>, such as
// JSON-LD, does not.
func (d *document) script() {
	typ := d.attrs.get(attrType)
	if d.runs = isExecutable(typ); !d.runs && isJSONLD(typ) {
		d.data = true
	}
	if d.runs && len(d.attrs.get(attrSrc)) > 0 {
		d.scripts = true
	}
}

// isExecutable reports whether a <script> of a type is run.
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

// A hint is evidence for or against scripts as the cause of a page with hardly any text.
type hint uint8

const (
	hintMount hint = 1 << iota // an empty element that is the mount point of an application
	hintPlace                  // an empty element with an id, which scripts may fill
	hintPlea                   // <noscript> asks for JavaScript
	hintShows                  // images or frames: it may have no words by intention
	hintLeads                  // it redirects its reader
)

// maxPlea is the number of bytes of a <noscript> that are examined.
const maxPlea = 2048

// hintAt returns the hint of a start tag whose content is not read yet.
func (d *document) hintAt(t tag) {
	if d.flags()&(muted|scriptless) != 0 {
		return
	}
	switch t {
	case tagImg, tagFrame, tagIframe:
		d.hints |= hintShows
	case tagNoscript:
		inside := d.noscript()
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

// isEmptyNext reports whether the end tag follows immediately.
func (d *document) isEmptyNext() bool {
	rest := d.source[d.at:]
	return bytes.HasPrefix(rest[skipSpace(rest, 0):], []byte("</"))
}

// isMount reports whether an id is a usual mount point of frameworks.
func isMount(id []byte) bool {
	switch string(id) {
	case "root", "app", "app-root", "react-root", "__next", "__nuxt", "___gatsby", "svelte", "q-app", "ember-app":
		return true
	}
	return false
}

// isScripted reports whether a page has hardly any text before scripts run, and scripts are the likely cause:
// it has a mount point, or no other content, or says so. A short page with some script beside its few words, or
// with words only in its navigation, is not scripted.
func (d *document) isScripted(text string) bool {
	if !d.scripts || len(d.noscripts) == 0 && !hasFewWords(text) {
		return false
	}
	outside := d.outside()
	few := hasFewWords(string(outside[:min(len(outside), wordless+1)]))
	switch {
	case !few && !hasFewWords(text):
		return false
	case d.hints&hintMount != 0:
		return true
	case !few:
		return false
	case d.hints&(hintPlace|hintPlea) != 0 && d.hints&hintLeads == 0:
		return true
	}
	all := bytes.ToLower(bytes.TrimSpace(outside))
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

// hasFewWords reports whether a text has hardly any words. Chinese, Japanese and Thai have no blanks between
// them.
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
