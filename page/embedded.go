package page

import "bytes"

// ofData are the attributes, a bit each: a page with none of them has neither RDFa nor Microdata, except RDFa that is
// a relation alone.
const ofData = 1<<attrProperty | 1<<attrTypeof | 1<<attrVocab | 1<<attrItemscope

// noteData notes the data of a start tag that has an attribute of data, Open Graph's too, or a relation.
func (d *document) noteData() {
	d.data = d.data || d.attrs.present&ofData != 0 || relates(d.attrs.get(attrRel))
}

// relates says whether a relation is more than one of HTML's own: a name of RDFa, which has a colon, or
// one of those that RDFa knows without.
func relates(rel []byte) bool {
	return bytes.IndexByte(rel, ':') >= 0 || bytes.EqualFold(rel, []byte("license")) || bytes.EqualFold(rel, []byte("describedby"))
}

// isJSONLD says whether a <script> of a type holds JSON-LD. Some servers write the plus sign as a
// reference.
func isJSONLD(typ []byte) bool {
	if bytes.IndexByte(typ, '&') >= 0 {
		typ = []byte(unescape(cut(typ, maxValue)))
	}
	typ, _, _ = bytes.Cut(typ, []byte(";"))
	return bytes.EqualFold(bytes.TrimSpace(typ), []byte(typeLDJSON))
}
