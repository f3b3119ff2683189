package page

import "bytes"

// An embedded is a set of the ways in which a page has data in itself. None is read here.
type embedded uint8

const (
	jsonLD    embedded = 1 << iota // a <script> of it; its text passes through rawText
	rdfa                           // attributes of RDFa, Open Graph's too
	microdata                      // attributes of microdata
)

// The attributes that say there is data in a page, a bit each.
const (
	ofRDFa      = 1<<attrProperty | 1<<attrAbout | 1<<attrResource | 1<<attrTypeof | 1<<attrVocab
	ofMicrodata = 1<<attrItemscope | 1<<attrItemtype | 1<<attrItemprop
)

// noteData notes the data of a start tag that has attributes of one kind or both.
func (d *document) noteData() {
	if d.attrs.present&ofRDFa != 0 {
		d.embedded |= rdfa
	}
	if d.attrs.present&ofMicrodata != 0 {
		d.embedded |= microdata
	}
}

// isJSONLD says whether a <script> of a type holds JSON-LD.
func isJSONLD(typ []byte) bool {
	typ, _, _ = bytes.Cut(typ, []byte(";"))
	return bytes.EqualFold(bytes.TrimSpace(typ), []byte(typeLDJSON))
}
