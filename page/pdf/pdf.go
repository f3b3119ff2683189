// Package pdf extracts the text of PDF files (ISO 32000-1), and the URLs of link annotations. Text has the order in which
// it is drawn, save that columns drawn side by side follow each other, and that what is drawn twice in one place counts
// once; ActualText replaces what it stands for.
//
// Files are not trusted. It finds objects by scanning, not by cross-reference tables, which are often wrong,
// and tolerates cycles. It reads a broken file as far as possible. Depths, counts and decoded bytes are
// bounded, so that no file costs more than its size and the limits allow. Files that need a password and scanned pages
// have no text, and Document.Reason says so. Layout, forms and outlines are not supported.
//
// This package is not part of the stable API.
package pdf

import (
	"bytes"
	"iter"
	"strings"
)

// Limits bound the reading of a file. A value of zero or less means the default.
type Limits struct {
	Text    int   // bytes of text: 4 MiB
	Links   int   // links: 10 000
	Decoded int64 // decoded bytes of all streams: 20 MiB
}

// A Document is the content of a file. It is zero for an unreadable file.
type Document struct {
	Title string
	Lang  string   // as declared
	Text  string   // UTF-8, in lines; a blank line where a paragraph or page may end
	Links []string // addresses of annotations, as written, each once

	Reason string // why there is no text; empty: there is some
}

// The reasons of a document without text.
const (
	ReasonPassword = "it is encrypted with a password"
	ReasonHandler  = "it is encrypted by a method that is not supported"
	ReasonDamaged  = "it is damaged: no page of it can be read"
	ReasonFonts    = "its fonts do not say which characters their glyphs are"
	ReasonImages   = "its pages are images without text"
	ReasonLimit    = "its content is larger than the limit"
	ReasonEmpty    = "its pages are empty"
)

// Fixed limits.
const (
	maxPages  = 20_000
	maxValues = 2_000_000 // in all objects that are examined
	maxSteps  = 1_000_000
	maxFonts  = 2_000
	maxForms  = 10_000 // drawn, and
	maxNested = 8      // one in another
	maxTree   = 64     // pages below pages
	maxHits   = 2_000  // matches of a scan

	maxObjects = 500_000
	maxFile    = 1 << 30
)

// Read reads as much as possible of a file.
func Read(file []byte, limits Limits) Document {
	if limits.Text <= 0 {
		limits.Text = 4 << 20
	}
	if limits.Links <= 0 {
		limits.Links = 10_000
	}
	if limits.Decoded <= 0 {
		limits.Decoded = 20 << 20
	}
	file = file[:min(len(file), maxFile)]
	r := &reader{
		file: file, limits: limits, values: maxValues, codes: maxValues, steps: maxSteps, budget: limits.Decoded, sources: [][]byte{file},
		out:    writer{limit: limits.Text},
		places: make(map[int]place), objects: make(map[int]object), fonts: make(map[int]*font),
	}
	r.index()
	trailer := r.trailer()
	if trailer == nil {
		return Document{Reason: ReasonDamaged}
	}
	if locked := r.resolve(trailer["Encrypt"]); locked != nil {
		head, _ := locked.(dict)
		var id str
		if ids := list(r.resolve(trailer["ID"])); len(ids) > 0 {
			id, _ = r.resolve(ids[0]).(str)
		}
		if reason := r.decrypts(head, id); reason != "" {
			return Document{Reason: reason}
		}
	}
	clear(r.objects) // they may be encrypted, or of streams that are not unpacked yet
	r.unpackObjects()
	root, _ := r.resolve(trailer["Root"]).(dict)
	info, _ := r.resolve(trailer["Info"]).(dict)
	shown := r.pages(root)
	doc := Document{Text: strings.ToValidUTF8(strings.TrimSpace(string(r.out.text)), ""), Links: r.links}
	if doc.Text == "" {
		doc.Reason = r.reason(shown)
	}
	if title, ok := r.resolve(info["Title"]).(str); ok {
		doc.Title = strings.TrimSpace(textString(title))
	}
	if lang, ok := r.resolve(root["Lang"]).(str); ok {
		doc.Lang = textString(lang)
	}
	return doc
}

// reason says why pages have no text.
func (r *reader) reason(pages int) string {
	switch {
	case pages == 0:
		return ReasonDamaged
	case r.budget <= 0 || r.crypt != nil && r.crypt.left <= 0:
		return ReasonLimit
	case r.glyphs > 0:
		return ReasonFonts
	case r.images > 0:
		return ReasonImages
	}
	return ReasonEmpty
}

// A place is the location of an object.
type place struct {
	source int32 // index of reader.sources
	at     int32 // offset in that
	rank   int32 // offset in the file, or that of its object stream: the last object of an id counts
	of     origin
}

// A reader reads one file.
type reader struct {
	file   []byte
	limits Limits
	values int   // budget of values in objects,
	codes  int   // of codes in CMaps,
	steps  int   // and of elements in arrays that many objects may share
	budget int64 // budget of decoded bytes

	sources [][]byte       // the file itself, and the data of each object stream
	places  map[int]place  // by id
	objects map[int]object // resolved objects
	order   []int          // offsets of objects in the file, rising
	origins []origin       // their ids and generations
	ends    []int          // offsets of the ends of streams, rising

	crypt  *crypt       // nil: the file is not encrypted
	glyphs int          // bytes of strings that were shown
	images int          // drawn
	actual *replacement // of the marked content that is open; nil: none

	fonts map[int]*font // by id of their object
	built int           // fonts
	drawn int           // forms
	seen  map[string]bool
	links []string
	out   writer
}

// index finds all objects.
func (r *reader) index() {
	for at := range instances(r.file, "obj") {
		if of, ok := originBefore(r.file[:at]); ok && len(r.order) < maxObjects {
			id := of.id
			r.places[id] = place{0, int32(at + 3), int32(at), of}
			r.order, r.origins = append(r.order, at), append(r.origins, of)
		}
	}
	for at := range instances(r.file, "endstream") {
		r.ends = append(r.ends, at)
	}
}

// instances yields the offsets of a word.
func instances(b []byte, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; ; i += len(word) {
			n := bytes.Index(b[i:], []byte(word))
			if n < 0 || !yield(i+n) {
				return
			}
			i += n
		}
	}
}

// originBefore returns the "id generation" at the end of a prefix of the file.
func originBefore(b []byte) (of origin, ok bool) {
	b, gap := trimSpaceRight(b)
	b, of.generation, ok = numberBefore(b)
	if !gap || !ok {
		return of, false
	}
	if b, gap = trimSpaceRight(b); !gap {
		return of, false
	}
	_, of.id, ok = numberBefore(b)
	return of, ok
}

// trimSpaceRight removes a few bytes of trailing white space, and reports whether there were any.
func trimSpaceRight(b []byte) ([]byte, bool) {
	n := len(b)
	for n > 0 && len(b)-n < 8 && isSpace(b[n-1]) {
		n--
	}
	return b[:n], n < len(b)
}

// numberBefore cuts off a trailing number: ids have at most seven digits.
func numberBefore(b []byte) (rest []byte, number int, ok bool) {
	n := len(b)
	for n > 0 && len(b)-n < 7 && b[n-1] >= '0' && b[n-1] <= '9' {
		n--
	}
	for _, c := range b[n:] {
		number = number*10 + int(c-'0')
	}
	return b[:n], number, n < len(b)
}

// unpackObjects finds the objects within object streams.
func (r *reader) unpackObjects() {
	for _, i := range r.mentions("/ObjStm") {
		o := r.parseAt(place{at: int32(r.order[i] + 3)})
		if r.crypt != nil {
			o = r.crypt.clear(o, r.origins[i])
		}
		s, ok := o.(*stream)
		if !ok || s.head["Type"] != name("ObjStm") {
			continue
		}
		r.unpackStream(s, int32(r.order[i]))
	}
}

// unpackStream finds the objects within an object stream at an offset of the file.
func (r *reader) unpackStream(s *stream, rank int32) {
	first, _ := r.number(s.head["First"])
	data := r.decoded(s)
	if first <= 0 || first > float64(len(data)) {
		return
	}
	source := int32(len(r.sources))
	r.sources = append(r.sources, data)
	l := lexer{b: data[:int(first)], values: &r.values}
	for {
		id, ok1 := l.object(0).(float64)
		off, ok2 := l.object(0).(float64)
		if !ok1 || !ok2 {
			return
		}
		at := first + off
		if off < 0 || at >= float64(len(data)) || id < 0 || id > 1e7 {
			continue
		}
		if old, known := r.places[int(id)]; !known || old.rank <= rank {
			r.places[int(id)] = place{source: source, at: int32(at), rank: rank}
		}
	}
}

// mentions returns the indices of objects of the file that contain a word, ascending.
func (r *reader) mentions(word string) []int {
	var found []int
	o := 0
	for at := range instances(r.file, word) {
		for o+1 < len(r.order) && r.order[o+1] < at {
			o++
		}
		if o < len(r.order) && r.order[o] < at && (len(found) == 0 || found[len(found)-1] != o) {
			found = append(found, o)
		}
		if len(found) == maxHits {
			break
		}
	}
	return found
}

// trailer returns the last trailer with a root, or else one with the last catalogue.
func (r *reader) trailer() dict {
	for hits, end := 0, len(r.file); hits < maxHits; hits++ {
		i := bytes.LastIndex(r.file[:end], []byte("trailer"))
		if i < 0 {
			break
		}
		if d, ok := r.parseAt(place{at: int32(i + len("trailer"))}).(dict); ok && d["Root"] != nil {
			return d
		}
		end = i
	}
	tables := r.mentions("/XRef")
	for i := len(tables) - 1; i >= 0; i-- {
		if s, ok := r.parseAt(place{at: int32(r.order[tables[i]] + 3)}).(*stream); ok && s.head["Root"] != nil {
			return s.head
		}
	}
	roots := r.mentions("/Catalog")
	if len(roots) == 0 {
		return nil
	}
	return dict{"Root": ref(r.origins[roots[len(roots)-1]].id)}
}

// parseAt reads the object at a place; nil once the budget of values is used up.
func (r *reader) parseAt(p place) object {
	l := lexer{b: r.sources[p.source], i: int(p.at), values: &r.values}
	o := l.object(0)
	head, ok := o.(dict)
	if !ok || p.source != 0 { // streams cannot be nested
		return o
	}
	if start := l.streamStart(); start >= 0 {
		return &stream{head: head, raw: r.streamData(start, head)}
	}
	return o
}

// resolve returns the object that an object refers to, or the object itself.
func (r *reader) resolve(o object) object {
	for range 4 { // references to references are invalid
		id, ok := o.(ref)
		if !ok {
			return o
		}
		known, ok := r.objects[int(id)]
		if !ok {
			if p, there := r.places[int(id)]; there {
				known = r.parseAt(p)
				if r.crypt != nil && p.source == 0 {
					known = r.crypt.clear(known, p.of)
				}
			}
			r.objects[int(id)] = known
		}
		o = known
	}
	return nil
}

// some yields the elements of an array, or the single object that is none, within the budget of steps.
func (r *reader) some(o object) iter.Seq[object] {
	return func(yield func(object) bool) {
		for _, element := range list(r.resolve(o)) {
			if r.steps--; r.steps < 0 || !yield(element) {
				return
			}
		}
	}
}

// number returns the value of a number, direct or by reference.
func (r *reader) number(o object) (float64, bool) {
	n, ok := r.resolve(o).(float64)
	return n, ok
}
