package page

import (
	"bytes"
	"strings"
)

// hardlyAny is how many words are text that a page means to be read, and inlined how many bytes of
// script may make some.
const hardlyAny, inlined = 10, 100

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

// isScripted says whether a page has scripts that may make its text, and hardly any as it came.
func (d *document) isScripted(text string) bool {
	if !d.scripts {
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
