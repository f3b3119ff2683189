// Package pages is what a person sees of a workspace in a browser: pages of HTML made on the server, one Go file and one template
// each, and the forms that act on crawls.
//
// All that reads works without scripts. All that acts is a plain form, answered by a redirect and a message, with an undo where
// there is one. The package holds no truth: what it shows it asks the workspace for, at each request.
//
// This package is not part of the stable API.
package pages

import (
	"context"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"sync"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/nodes"
	"orbweaver/studio/workspace"
)

//go:embed templates/*.html
var files embed.FS

// Options are what the pages need of their server. Workspace is required.
type Options struct {
	Workspace *workspace.Workspace
	Cluster   *nodes.Watch                                      // nil: there is none
	Asset     func(name string) string                          // URL path of "app.css", "app.js", "icon.svg"; nil: /assets/NAME
	Token     func(*http.Request) string                        // what forms carry in the field csrf; the server checks it before a POST comes here
	Nonce     func(*http.Request) string                        // for styles that scripts make
	MayWrite  func(*http.Request) bool                          // nil: everybody may
	Replay    func(r *http.Request, crawlID, url string) string // address of an archived page at another origin; empty, or a nil function: none
	Demo      func(context.Context) (string, error)             // makes and starts a first crawl of the demo web; nil: none is offered
}

// A Handler answers requests for pages. Its methods may be called from any goroutine.
type Handler struct {
	Options
	mux    *http.ServeMux
	sparks sparks
	lists  kept
}

// New returns the pages of a workspace.
func New(o Options) *Handler {
	if o.Asset == nil {
		o.Asset = func(name string) string { return "/assets/" + name }
	}
	nothing := func(*http.Request) string { return "" }
	if o.Token == nil {
		o.Token = nothing
	}
	if o.Nonce == nil {
		o.Nonce = nothing
	}
	if o.MayWrite == nil {
		o.MayWrite = func(*http.Request) bool { return true }
	}
	if o.Replay == nil {
		o.Replay = func(*http.Request, string, string) string { return "" }
	}
	h := &Handler{Options: o, mux: http.NewServeMux()}
	h.route()
	return h
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// A page shows something, or returns why it cannot.
type page func(w http.ResponseWriter, r *http.Request) error

// get shows a page at a pattern.
func (h *Handler) get(pattern string, p page) {
	h.mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) {
		if err := p(w, r); err != nil {
			h.fail(w, r, err)
		}
	})
}

// show writes a page: the template of this name in the frame of all pages.
func (h *Handler) show(w http.ResponseWriter, status int, name string, view any) error {
	return write(w, status, templates()[name], view)
}

// statusOf is the status that tells of an error.
func statusOf(err error) int {
	switch {
	case errors.Is(err, workspace.ErrUnknown), errors.Is(err, orbweaver.ErrAbsent):
		return http.StatusNotFound
	case errors.Is(err, orbweaver.ErrBusy), errors.Is(err, orbweaver.ErrForeign):
		return http.StatusConflict
	case errors.Is(err, orbweaver.ErrInput), errors.Is(err, orbweaver.ErrBadURL):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// failureView is a page that could not be shown.
type failureView struct {
	Frame
	Message string
	Advice  string
}

// fail shows why a page cannot be shown, and what to do.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, advice := statusOf(err), "Go back, correct what it says, and try again."
	switch status {
	case http.StatusNotFound:
		advice = "It may have been deleted: look into the trash, or choose another crawl on the home page."
	case http.StatusInternalServerError:
		advice = "Try again. If it stays, the log of the studio says more."
	}
	v := failureView{Frame: h.frame(r, "This page cannot be shown"), Message: err.Error(), Advice: advice}
	_ = h.show(w, status, "failure", v) // whoever asked has gone
}

// use calls f with the crawl that a request names.
func (h *Handler) use(r *http.Request, f func(ctx context.Context, c *crawl.Crawl) error) error {
	return h.Workspace.Use(r.Context(), r.PathValue("crawl"), func(c *crawl.Crawl) error { return f(r.Context(), c) })
}

// templates are the pages by name, each in the frame of all; parsed when the first is shown.
var templates = sync.OnceValue(parse)

func parse() map[string]*template.Template {
	frame := template.Must(template.New("frame.html").Funcs(words).ParseFS(files, "templates/frame.html", "templates/parts.html"))
	all := map[string]*template.Template{}
	for _, name := range pageNames {
		all[name] = template.Must(template.Must(frame.Clone()).ParseFS(files, "templates/"+name+".html"))
	}
	return all
}
