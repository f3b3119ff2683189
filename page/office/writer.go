package office

import (
	"html"
	"strings"
)

// A writer writes HTML up to a limit.
type writer struct {
	b      []byte
	limit  int
	linked bool // an <a> is open
}

func (w *writer) full() bool { return len(w.b) >= w.limit }

// open, close and text write markup and text, unless the limit is reached.
func (w *writer) open(tag string) {
	if !w.full() {
		w.b = append(append(append(w.b, '<'), tag...), '>')
	}
}

func (w *writer) close(tag string) {
	if !w.full() {
		w.b = append(append(append(w.b, '<', '/'), tag...), '>')
	}
}

// block and unblock write the start and the end of a paragraph, an item or a heading. In a cell, paragraphs are words of the cell.
func (w *writer) block(tag string, cell bool) {
	if !cell || tag != "p" {
		w.open(tag)
	}
}

func (w *writer) unblock(tag string, cell bool) {
	if !cell || tag != "p" {
		w.close(tag)
	} else {
		w.text(" ")
	}
}

func (w *writer) text(s string) {
	if !w.full() {
		w.b = append(w.b, html.EscapeString(s[:min(len(s), w.limit-len(w.b))])...)
	}
}

// link opens a link to the Web; any other reference is none.
func (w *writer) link(ref string) {
	w.unlink()
	if isWeb(ref) && !w.full() {
		w.b = append(append(append(w.b, `<a href="`...), html.EscapeString(strings.TrimSpace(ref))...), '"', '>')
		w.linked = true
	}
}

func (w *writer) unlink() {
	if w.linked {
		w.close("a")
		w.linked = false
	}
}

// meta writes a statement of Dublin Core.
func (w *writer) meta(name, value string) {
	if value = strings.Join(strings.Fields(value), " "); value != "" && !w.full() {
		w.b = append(w.b, `<meta name="dcterms.`+name+`" content="`+html.EscapeString(value)+`">`...)
	}
}

// heading is the tag of a heading of a level, from 1 on.
func heading(level int) string {
	return "h" + string(rune('0'+max(1, min(level, 6))))
}
