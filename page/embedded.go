package page

import "bytes"

// ofData are the attributes of embedded data, as bits: a page with none of them has neither RDFa nor Microdata,
// except RDFa that is only a relation.
const ofData = 1<<attrProperty | 1<<attrTypeof | 1<<attrVocab | 1<<attrItemscope

// noteData records that a start tag has data: an attribute of data, Open Graph included, or a relation.
func (d *document) noteData() {
	d.data = d.data || d.attrs.present&ofData != 0 || relates(d.attrs.get(attrRel))
}

// relates reports whether a relation may be RDFa: it has a colon, or is a term of RDFa without one, and is not
// one of HTML's own.
func relates(rel []byte) bool {
	return bytes.IndexByte(rel, ':') >= 0 || bytes.EqualFold(rel, []byte("license")) || bytes.EqualFold(rel, []byte("describedby"))
}

// isJSONLD reports whether a <script> type is JSON-LD. Some servers write the plus sign as a reference.
func isJSONLD(typ []byte) bool {
	if bytes.IndexByte(typ, '&') >= 0 {
		typ = []byte(unescape(cut(typ, maxValue)))
	}
	typ, _, _ = bytes.Cut(typ, []byte(";"))
	return bytes.EqualFold(bytes.TrimSpace(typ), []byte(typeLDJSON))
}
