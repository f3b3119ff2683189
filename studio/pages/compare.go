package pages

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"orbweaver/studio/workspace"
)

// compareView is crawls side by side.
type compareView struct {
	Frame
	Choices []choice
	Rows    []comparedRow
	Source  string // of the charts
}

// choice is a crawl that may be chosen.
type choice struct {
	ID     string
	Chosen bool
}

// comparedRow is a crawl beside others.
type comparedRow struct {
	workspace.Compared
	Path   string
	Wasted int64 // requests that gave no accepted page
	Speed  string
}

// compare shows crawls side by side.
func (h *Handler) compare(w http.ResponseWriter, r *http.Request) error {
	chosen := r.URL.Query()["crawl"]
	v := compareView{Frame: h.frame(r, "Compare crawls")}
	crawls, err := h.Workspace.Crawls(r.Context())
	if err != nil {
		return err
	}
	for _, c := range crawls {
		if c.Status != nil {
			v.Choices = append(v.Choices, choice{c.ID, slices.Contains(chosen, c.ID)})
		}
	}
	all, err := h.Workspace.Compare(r.Context(), chosen)
	if err != nil {
		return err
	}
	for _, c := range all {
		p := c.Status.Progress
		v.Rows = append(v.Rows, comparedRow{c, crawlPath(c.ID), p.Requests - p.Accepted, speed(p.Pages, p.Active)})
	}
	v.Source = "/api/v1/compare?" + url.Values{"crawl": chosen}.Encode()
	return h.show(w, http.StatusOK, "compare", v)
}

// speed is the number of pages a second.
func speed(pages int64, active time.Duration) string {
	if active <= 0 {
		return "–"
	}
	return count(int64(float64(pages)/active.Seconds()+0.5)) + " a second"
}
