package pages

import (
	"bytes"
	"html/template"
	"net/http"
	"net/url"
)

// A Frame is what all pages have around their own.
type Frame struct {
	Title string
	Crawl string // id of the crawl that the page is of; empty: none
	Here  string // path of the page, for the navigation

	Knows []string // what of the crawl's knowledge can be looked at

	Style, Script, Icon string
	Islands             []Island
	Token, Nonce        string
	MayWrite            bool
	Clustered           bool // the studio has a cluster
	Flash               *Flash
}

// An Island is a script that is loaded where a page has an element with its name in data-island, with its style sheet if it has one.
type Island struct{ Name, Script, Style string }

// A Button is a form that acts at once.
type Button struct {
	Action string // path
	Label  string
	Class  string
	Token  string
	Fields []Field
}

// A Field of a form that nobody sees.
type Field struct{ Name, Value string }

func (h *Handler) frame(r *http.Request, title string) Frame {
	f := Frame{
		Title: title, Crawl: r.PathValue("crawl"), Here: r.URL.Path,
		Style: h.Asset("app.css"), Script: h.Asset("app.js"), Icon: h.Asset("icon.svg"),
		Token: h.Token(r), Nonce: h.Nonce(r), MayWrite: h.MayWrite(r), Flash: flashOf(r), Clustered: h.Cluster != nil,
	}
	for _, name := range []string{"ask", "chart", "graph", "layout", "yaml", "ontology", "rate"} {
		f.Islands = append(f.Islands, Island{Name: name, Script: h.Asset(name + ".js")})
	}
	if f.Crawl != "" && h.Workspace != nil {
		f.Knows = h.Workspace.Knows(f.Crawl)
	}
	f.Islands[0].Style, f.Islands[1].Style = h.Asset("ask.css"), h.Asset("chart.css")
	return f
}

// Base is the path of the crawl's pages.
func (f Frame) Base() string { return crawlPath(f.Crawl) }

// API is the path of the crawl in the API.
func (f Frame) API() string { return "/api/v1" + crawlPath(f.Crawl) }

// Button is a form of one button.
func (f Frame) Button(action, label, class string) Button {
	return Button{Action: action, Label: label, Class: class, Token: f.Token}
}

// With is the button with a field more.
func (b Button) With(name, value string) Button {
	b.Fields = append(b.Fields[:len(b.Fields):len(b.Fields)], Field{name, value})
	return b
}

func crawlPath(id string) string { return "/crawls/" + url.PathEscape(id) }

// write makes a page and sends it whole, or an error and nothing.
func write(w http.ResponseWriter, status int, t *template.Template, view any) error {
	var out bytes.Buffer
	if err := t.Execute(&out, view); err != nil {
		return err
	}
	if f, ok := view.(interface{ flashed() bool }); ok && f.flashed() {
		http.SetCookie(w, &http.Cookie{Name: flashCookie, Path: "/", MaxAge: -1})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // whoever asked may have gone
	return nil
}

func (f Frame) flashed() bool { return f.Flash != nil }
