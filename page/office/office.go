// Package office reads documents that are ZIP files of XML as HTML: DOCX, PPTX and XLSX (ECMA-376), ODT (OASIS OpenDocument 1.3)
// and EPUB (EPUB 3.3, and 2).
//
// The HTML has title and language, statements of Dublin Core as <meta>, headings, paragraphs, items of lists, cells of tables, notes and
// links to the Web; no layout, images, headers, footers, comments, hidden and deleted text. Slides and sheets begin with a heading. Links within the document lose their target.
//
// Files are not trusted. Entries, bytes that are unpacked, their ratio to the file's size, the depth of XML and the HTML are bounded,
// and all is one pass: the time is that of unpacking. A broken part is read as far as possible. External entities are not known to
// encoding/xml. Encrypted files have no text.
//
// This package is not part of the stable API.
package office

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Media types of the formats. Templates, and documents with macros, have that of the plain document.
const (
	DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	ODT  = "application/vnd.oasis.opendocument.text"
	EPUB = "application/epub+zip"
	PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// TypeOfName returns the media type that a file's extension stands for; empty: none of them.
func TypeOfName(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".docx", ".docm", ".dotx":
		return DOCX
	case ".odt":
		return ODT
	case ".epub":
		return EPUB
	case ".pptx", ".pptm", ".ppsx":
		return PPTX
	case ".xlsx", ".xlsm":
		return XLSX
	}
	return ""
}

// Is reports whether a media type is one of them.
func Is(mediaType string) bool {
	switch mediaType {
	case DOCX, ODT, EPUB, PPTX, XLSX:
		return true
	}
	return false
}

// Limits bound the reading of a file. A value of zero or less means the default.
type Limits struct {
	Unpacked int64 // bytes of all parts: 20 MiB; never more than 200 times the file and 1 MiB
	HTML     int   // bytes of the result: 10 MiB
}

// Fixed limits.
const (
	maxEntries  = 20_000 // of a file; with more it is not read
	maxRatio    = 200    // unpacked bytes for one of the file, beside
	ratioFree   = 1 << 20
	maxDepth    = 500 // elements in elements; a part that goes deeper ends there
	maxChapters = 5_000
	maxHead     = 1 << 20 // bytes of a part that says what the others are
	maxNames    = 10_000  // styles, relationships or manifest items that are kept
	maxValue    = 1_000   // bytes of a value of Dublin Core
	maxValues   = 64      // values of Dublin Core
)

// TypeOf returns the media type of a file by its content: the entry mimetype, or the types in [Content_Types].xml; empty: none of
// them.
func TypeOf(file []byte) string {
	p := open(file, Limits{})
	if p == nil {
		return ""
	}
	return p.kind()
}

// HTML returns a document as HTML in UTF-8; nil: it is none of them, or cannot be read at all.
func HTML(file []byte, limits Limits) []byte {
	p := open(file, limits)
	if p == nil {
		return nil
	}
	switch p.kind() {
	case DOCX:
		return p.docx()
	case ODT:
		return p.odt()
	case EPUB:
		return p.epub()
	case PPTX:
		return p.pptx()
	case XLSX:
		return p.xlsx()
	}
	return nil
}

// A pack is an opened file.
type pack struct {
	files  map[string]*zip.File
	budget int64 // of unpacked bytes
	out    writer
}

// open returns a file's pack; nil: it is no ZIP file, or has too many entries.
func open(file []byte, limits Limits) *pack {
	if !bytes.HasPrefix(file, []byte("PK\x03\x04")) {
		return nil
	}
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil && z == nil || z == nil || len(z.File) > maxEntries {
		return nil
	}
	if limits.Unpacked <= 0 {
		limits.Unpacked = 20 << 20
	}
	if limits.HTML <= 0 {
		limits.HTML = 10 << 20
	}
	p := &pack{
		files:  make(map[string]*zip.File, len(z.File)),
		budget: min(limits.Unpacked, ratioFree+maxRatio*int64(len(file))),
		out:    writer{limit: limits.HTML},
	}
	for _, f := range z.File {
		if name := strings.TrimPrefix(f.Name, "/"); p.files[name] == nil {
			p.files[name] = f
		}
	}
	return p
}

// kind returns the media type.
func (p *pack) kind() string {
	if p.files["mimetype"] != nil {
		switch said := strings.TrimSpace(string(p.read("mimetype", 200))); {
		case said == EPUB:
			return EPUB
		case said == ODT, strings.HasPrefix(said, ODT+"-"):
			return ODT
		}
	}
	if p.files["[Content_Types].xml"] != nil {
		types := p.read("[Content_Types].xml", maxHead)
		for _, main := range mains {
			if bytes.Contains(types, []byte(main.part)) {
				return main.document
			}
		}
	}
	return ""
}

// mains are the types of the parts with the text, of documents, templates, and those with macros.
var mains = [...]struct{ part, document string }{
	{"wordprocessingml.document.main+xml", DOCX}, {"wordprocessingml.template.main+xml", DOCX},
	{"ms-word.document.macroEnabled.main+xml", DOCX}, {"ms-word.template.macroEnabledTemplate.main+xml", DOCX},
	{"presentationml.presentation.main+xml", PPTX}, {"presentationml.slideshow.main+xml", PPTX},
	{"presentationml.template.main+xml", PPTX}, {"ms-powerpoint.presentation.macroEnabled.main+xml", PPTX},
	{"spreadsheetml.sheet.main+xml", XLSX}, {"spreadsheetml.template.main+xml", XLSX}, {"ms-excel.sheet.macroEnabled.main+xml", XLSX},
}

// read returns at most the first bytes of a part, within the budget; nil: there is none, or it is encrypted.
func (p *pack) read(name string, most int64) []byte {
	f := p.files[name]
	if f == nil || f.Flags&1 != 0 {
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	content, _ := io.ReadAll(io.LimitReader(r, min(most, p.budget))) // what is broken is read as far as it goes
	p.budget -= int64(len(content))
	return content
}

// A node is a step through a part: the start or the end of an element, or text.
type node struct {
	name  string // local, of an element
	attrs []xml.Attr
	end   bool
	text  []byte
}

// attr returns the value of an attribute by its local name; empty: it has none.
func (n node) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// walk calls a function with all nodes of a part, in order, until one is too deep, the XML breaks off, or the function returns false. Every start is
// followed by its end, unless the walk ends before.
func (p *pack) walk(name string, most int64, each func(node) bool) {
	content := p.read(name, most)
	d := xml.NewDecoder(transform.NewReader(bytes.NewReader(content), unicode.BOMOverride(encoding.Nop.NewDecoder())))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return in, nil // decoded by its mark
		}
		return charset.NewReaderLabel(label, in)
	}
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			return
		}
		n := node{}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return
			}
			n.name, n.attrs = t.Name.Local, t.Attr
		case xml.EndElement:
			depth--
			n.name, n.end = t.Name.Local, true
		case xml.CharData:
			n.text = t
		default:
			continue
		}
		if !each(n) {
			return
		}
	}
}

// relations returns the targets outside the document, by the id that its elements name them by.
func (p *pack) relations(part string) map[string]string {
	targets := map[string]string{}
	for _, r := range p.related(part) {
		if r.external {
			targets[r.id] = r.target
		}
	}
	return targets
}

// A relation leads from a part to another one, by its name, or to an address.
type relation struct {
	id, kind, target string
	external         bool
}

// related returns the relations of a part.
func (p *pack) related(part string) (list []relation) {
	p.walk(path.Join(path.Dir(part), "_rels", path.Base(part)+".rels"), maxHead, func(n node) bool {
		if n.name == "Relationship" && !n.end {
			r := relation{n.attr("Id"), path.Base(n.attr("Type")), n.attr("Target"), n.attr("TargetMode") == "External"}
			if !r.external {
				if absolute := strings.HasPrefix(r.target, "/"); !absolute {
					r.target = path.Join(path.Dir(part), r.target)
				}
				r.target = strings.TrimPrefix(path.Clean(r.target), "/")
			}
			list = append(list, r)
		}
		return len(list) < maxNames
	})
	return list
}

// partOf returns the part to which an id or, without one, the first relation of a kind leads.
func partOf(list []relation, id, kind string) string {
	for _, r := range list {
		if !r.external && (id != "" && r.id == id || id == "" && r.kind == kind) {
			return r.target
		}
	}
	return ""
}

// isWeb reports whether a reference is an address of the Web: what is relative is part of the document.
func isWeb(ref string) bool {
	scheme, _, _ := strings.Cut(strings.TrimSpace(ref), ":")
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}
