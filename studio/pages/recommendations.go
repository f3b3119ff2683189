package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// recommendationsView is a part of what a metadata crawl recommends.
type recommendationsView struct {
	Frame
	CSS   string
	None  string // why there is nothing; empty: there is
	View  string
	Views []Tab
	Found crawl.Recommendations // of its lists those of the view, in parts
	Total int

	Linked    bool // datasets can be ranked by links
	Instances bool // and are ranked by instances
	First     int
	Term      string // of which the ways are shown; empty: none
	Web       string // path of the graph in the API
	Back      string
	Next      string
	Asks      *questionCard // nil: nothing
}

// recommendationViews are the parts of the page.
var recommendationViews = []struct{ name, label string }{{"", "Vocabularies"}, {"datasets", "Datasets"}, {"terms", "Terms"}, {"tables", "Instances and time"}, {"graph", "Graph"}}

// recommendations shows what a metadata crawl recommends, and what led to it.
func (h *Handler) recommendations(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := recommendationsView{Frame: h.frame(r, "Recommendations of "+r.PathValue("crawl")), CSS: h.Asset("models.css"), View: q.Get("view"), Term: q.Get("term")}
	v.Instances = q.Get("by") == "instances"
	v.Web = v.API() + "/recommendations/graph"
	for _, one := range recommendationViews {
		v.Views = append(v.Views, Tab{Path: v.Here + "?" + url.Values{"view": {one.name}}.Encode(), Label: one.label, Here: one.name == v.View})
	}
	v.First, _ = strconv.Atoi(q.Get("skip"))
	v.First = max(v.First, 0)
	err := h.use(r, func(_ context.Context, c *crawl.Crawl) (err error) {
		v.Found, err = c.Recommendations()
		return err
	})
	switch {
	case errors.Is(err, workspace.ErrUnknown):
		return err
	case errors.Is(err, orbweaver.ErrInput):
		v.None = err.Error()
	case err != nil:
		return err
	case v.View == "":
		if v.Asks, err = h.question(r); err != nil {
			return err
		}
	}
	v.cut()
	return h.show(w, http.StatusOK, "recommendations", v)
}

// cut leaves the part of the list of the view.
func (v *recommendationsView) cut() {
	f := &v.Found
	v.Linked = f.DatasetsBy == "links"
	switch v.View {
	case "":
		f.Vocabularies, v.Total = window(f.Vocabularies, v.First), len(f.Vocabularies)
	case "datasets":
		if v.Linked && v.Instances {
			f.Datasets = f.ByInstances
		}
		f.Datasets, v.Total = window(f.Datasets, v.First), len(f.Datasets)
	case "terms":
		if v.Term != "" {
			f.Terms = slices.DeleteFunc(f.Terms, func(t crawl.FoundTerm) bool { return t.IRI != v.Term })
		}
		f.Terms, v.Total = window(f.Terms, v.First), len(f.Terms)
	case "tables":
		f.Rows, v.Total = window(f.Rows, v.First), len(f.Rows)
	}
	at := func(skip int) string {
		form := url.Values{"view": {v.View}, "skip": {strconv.Itoa(skip)}}
		if v.Instances {
			form.Set("by", "instances")
		}
		return v.Here + "?" + form.Encode()
	}
	if v.First > 0 {
		v.Back = at(max(0, v.First-pageSize))
	}
	if v.First+pageSize < v.Total {
		v.Next = at(v.First + pageSize)
	}
}

// window is a page of a list.
func window[T any](all []T, skip int) []T {
	skip = min(skip, len(all))
	return all[skip:min(len(all), skip+pageSize)]
}
