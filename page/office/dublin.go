package office

import (
	"html"
	"strings"
)

// A record is what a document states of itself.
type record struct {
	title    string
	language string
	values   [][2]string // name in Dublin Core, value
}

// note takes a value.
func (r *record) note(name, value string) {
	value = strings.ToValidUTF8(strings.TrimSpace(value[:min(len(value), maxValue)]), "")
	switch {
	case value == "":
	case name == "title":
		if r.title == "" {
			r.title = value
		}
	case name == "language" && r.language == "":
		r.language = value
		fallthrough
	case len(r.values) < maxValues:
		r.values = append(r.values, [2]string{name, value})
	}
}

// properties reads the elements of a part as a record: which is for what follows from their local names.
func (p *pack) properties(part string, names map[string]string) (r record) {
	later := record{} // values of names that start with "?", which count if there is no other
	open, value := "", ""
	p.walk(part, maxHead, func(n node) bool {
		switch {
		case n.text != nil:
			if open != "" && len(value) < maxValue {
				value += string(n.text)
			}
		case n.end && n.name == open:
			if name, weak := strings.CutPrefix(names[open], "?"); weak {
				later.note(name, value)
			} else {
				r.note(name, value)
			}
			open = ""
		case !n.end && open == "" && names[n.name] != "":
			open, value = n.name, ""
		}
		return n.name != "manifest" && n.name != "body" // of an EPUB's package, of a flat ODT
	})
	for _, v := range later.values {
		if !r.has(v[0]) {
			r.values = append(r.values, v)
		}
	}
	return r
}

func (r *record) has(name string) bool {
	for _, v := range r.values {
		if v[0] == name {
			return true
		}
	}
	return false
}

// head writes the head of the HTML, and opens the body.
func (p *pack) head(r record) {
	w := &p.out
	w.b = append(w.b, `<!doctype html><html`...)
	if r.language != "" {
		w.b = append(w.b, ` lang="`+html.EscapeString(r.language)+`"`...)
	}
	w.b = append(w.b, `><head><meta charset="utf-8"><title>`...)
	w.text(r.title)
	w.close("title")
	for _, v := range r.values {
		w.meta(v[0], v[1])
	}
	w.close("head")
	w.open("body")
}
