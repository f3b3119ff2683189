package pages

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"strings"
	"sync"

	"orbweaver/studio/help"
	"orbweaver/studio/workspace"
)

// shelf has the pages of help, read when the first of them is shown.
var shelf = sync.OnceValues(help.Open)

// A helpView is a page of help, or what a search found in all of them.
type helpView struct {
	Frame
	CSS, Index string
	Query      string
	Searched   bool
	Found      []help.Found
	Contents   []help.Section
	Body       template.HTML
}

// help shows the index, and what a search found.
func (h *Handler) help(w http.ResponseWriter, r *http.Request) error {
	s, err := shelf()
	if err != nil {
		return err
	}
	page, err := s.Page(strings.TrimSuffix(r.URL.Path, "/"))
	if errors.Is(err, help.ErrNoPage) {
		return fmt.Errorf("there is no page of help at %s: %w", cut(r.URL.Path, 200), workspace.ErrUnknown)
	}
	if err != nil {
		return err
	}
	v := helpView{Frame: h.frame(r, page.Title), CSS: h.Asset("help.css"), Index: help.Base, Query: cut(r.FormValue("q"), 200)}
	if v.Searched = strings.TrimSpace(v.Query) != ""; v.Searched {
		v.Title, v.Found = "Help: "+v.Query, s.Search(v.Query)
		return h.show(w, http.StatusOK, "help", v)
	}
	v.Body = page.HTML
	for _, section := range page.Sections {
		if section.Level == 2 {
			v.Contents = append(v.Contents, section)
		}
	}
	return h.show(w, http.StatusOK, "help", v)
}

// helpPicture sends a picture of a page of help.
func (h *Handler) helpPicture(w http.ResponseWriter, r *http.Request) error {
	s, err := shelf()
	if err != nil {
		return err
	}
	picture, err := s.Picture(r.URL.Path)
	if err != nil {
		return fmt.Errorf("%w: %w", err, workspace.ErrUnknown)
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'")
	_, err = w.Write([]byte(picture))
	return err
}

// helpOf are the pages of help for pages of the studio, by the last name of their path.
var helpOf = map[string]string{
	"new": "howto/focus", "edit": "howto/focus", "compare": "howto/compare", "cluster": "howto/cluster",
	"ontologies": "howto/ontologies", "ontology": "howto/ontologies", "import": "howto/ontologies", "save": "howto/ontologies", "check": "howto/ontologies", "effect": "howto/ontologies",
	"models": "howto/krs", "topic": "howto/krs", "topics": "howto/krs", "krs": "howto/krs", "labels": "explanation/labels",
	"results": "howto/results", "page": "howto/results", "map": "howto/results", "ask": "howto/sparql", "removed": "howto/remove",
	"proposals": "howto/suggestions", "teach": "howto/rating", "ratings": "howto/rating", "result": "howto/rating",
	"recommendations": "howto/metadata", "links": "howto/data-webs", "endpoints": "howto/data-webs",
	"schedule": "howto/recrawl", "logins": "howto/access", "stopping": "howto/saturation",
}

// Help is the path of the page of help for this page.
func (f Frame) Help() string {
	if f.InHelp() {
		return help.Base
	}
	if page, ok := helpOf[path.Base(f.Here)]; ok {
		return help.Base + "/" + page
	}
	if f.Crawl != "" && f.Here == f.Base() {
		return help.Base + "/howto/steer"
	}
	return help.Base
}

// InHelp reports whether the page is one of help.
func (f Frame) InHelp() bool {
	return f.Here == help.Base || strings.HasPrefix(f.Here, help.Base+"/")
}
