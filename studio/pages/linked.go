package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// linkedView is a part of what a crawl shows of linked data.
type linkedView struct {
	Frame
	CSS     string
	None    string // why there is nothing; empty: there may be
	View    string
	Views   []Tab
	Data    crawl.LinkedData
	Figures []Figure
	Name    string // hosts or endpoints are those with this in their name
	Total   int
	Back    string
	Next    string
}

// linkedViews are the parts of the page. The last is all that there is for crawls that predict no classes of links.
var linkedViews = []struct{ name, label string }{{"", "Tables"}, {"hosts", "Hosts"}, {"endpoints", "Endpoints"}}

// linkClasses are the classes of links, in the order of their counts.
var linkClasses = [4]string{"R", "HR", "H", "N"}

// linkedData shows classes of links, and endpoints.
func (h *Handler) linkedData(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := linkedView{Frame: h.frame(r, "Linked data of "+r.PathValue("crawl")), CSS: h.Asset("models.css"), View: q.Get("view"), Name: q.Get("name")}
	for _, one := range linkedViews {
		v.Views = append(v.Views, Tab{Path: v.path(one.name, 0), Label: one.label, Here: one.name == v.View})
	}
	return h.showLinked(w, r, &v)
}

// endpoints shows the endpoints of a crawl that predicts no classes of links.
func (h *Handler) endpoints(w http.ResponseWriter, r *http.Request) error {
	v := linkedView{Frame: h.frame(r, "Endpoints of "+r.PathValue("crawl")), CSS: h.Asset("models.css"), View: "endpoints", Name: r.URL.Query().Get("name")}
	return h.showLinked(w, r, &v)
}

func (h *Handler) showLinked(w http.ResponseWriter, r *http.Request, v *linkedView) error {
	first, _ := strconv.Atoi(r.URL.Query().Get("skip"))
	first = max(first, 0)
	part, query := crawl.ListPart{Name: v.Name, Skip: first, Limit: pageSize}, crawl.LinkedQuery{}
	switch v.View {
	case "hosts":
		query.Hosts = part
	case "endpoints":
		query.Endpoints = part
	}
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		v.Data, err = c.LinkedData(ctx, query)
		return err
	})
	switch {
	case errors.Is(err, workspace.ErrUnknown):
		return err
	case errors.Is(err, orbweaver.ErrInput):
		v.None = err.Error()
	case err != nil:
		return err
	}
	switch v.View {
	case "hosts":
		v.Total = v.Data.HostsTotal
	case "endpoints":
		v.Total = v.Data.EndpointsTotal
	default:
		v.Figures = linkFigures(v.Data.Links)
	}
	if first > 0 {
		v.Back = v.path(v.View, max(0, first-pageSize))
	}
	if first+pageSize < v.Total {
		v.Next = v.path(v.View, first+pageSize)
	}
	return h.show(w, http.StatusOK, "linked", v)
}

// path is the path of a part of this page.
func (v *linkedView) path(view string, skip int) string {
	q := url.Values{}
	if view != "" {
		q.Set("view", view)
	}
	if view == v.View && v.Name != "" {
		q.Set("name", v.Name)
	}
	if skip > 0 {
		q.Set("skip", strconv.Itoa(skip))
	}
	if len(q) == 0 {
		return v.Here
	}
	return v.Here + "?" + q.Encode()
}

// Classes are the classes of links.
func (v *linkedView) Classes() [4]string { return linkClasses }

// Results is the path of the results of a host and class; either may be empty.
func (v *linkedView) Results(host, class string) string {
	q := url.Values{"repeats": {"on"}}
	if host != "" {
		q.Set("host", host)
	}
	if class != "" {
		q.Set("class", class)
	}
	return v.Base() + "/results?" + q.Encode()
}

// linkFigures are the numbers above the tables.
func linkFigures(l *crawl.LinkTables) []Figure {
	if l == nil {
		return nil
	}
	return []Figure{
		{"Requests", count(l.Requests), "Addresses that were requested, redirects and failures among them, each once. Queries, and what scope, robots.txt or the trap detector refused, are none of them."},
		{"Documents", count(l.Documents), "Requests that were answered with a page or a document: status 2xx, no redirect."},
		{"RDF", count(l.RDF), "Documents of RDF, in any syntax: of class R."},
		{"Discovery rate", rate(l.Discovery), "Documents of RDF ÷ requests. Mean of the pay-level domains that have requests: " + mean(l.Discovery) + "."},
		{"Of predicted ones", rate(l.Foreseen), "Documents of RDF that were predicted R ÷ documents: the paper's discovery rate. Mean of the domains: " + mean(l.Foreseen) + "."},
	}
}

// rate is a share in percent, over all domains together.
func rate(s *crawl.LinkShare) string {
	if s == nil {
		return "–"
	}
	return percentWord(s.Pooled)
}

// mean is the mean of a share over the domains that have it.
func mean(s *crawl.LinkShare) string {
	if s == nil {
		return "–"
	}
	return percentWord(s.Mean)
}

func percentWord(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

// rateOf is a share in percent; a dash if there is none.
func rateOf(share *float64) string {
	if share == nil {
		return "–"
	}
	return percentWord(*share)
}

// precision is right ÷ decided, in percent.
func precision(c crawl.LinkCounts) string {
	if c.Decided() <= 0 {
		return "–"
	}
	return percentWord(float64(c.Right) / float64(c.Decided()))
}

// endpointStates are the states of endpoints, in words.
var endpointStates = map[string]string{
	crawl.EndpointDown: "down", crawl.EndpointResting: "asked again later", crawl.EndpointFailing: "failing", crawl.EndpointAwaiting: "not asked yet", crawl.EndpointAnswers: "answers",
}

// hostname is the host of an address without its port, as the results are filtered by.
func hostname(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// duration is a time in milliseconds, for people.
func duration(ms float64) string {
	if ms <= 0 {
		return "–"
	}
	return span(time.Duration(ms * float64(time.Millisecond)))
}

// abilities says what is known of an endpoint.
func abilities(e crawl.Endpoint) string {
	if e.Known == nil {
		return "–"
	}
	d, words := e.Known.Dialect, []string{}
	if d.Version != "" {
		words = append(words, "SPARQL "+d.Version)
	}
	if d.Server != "" {
		words = append(words, d.Server)
	}
	if d.Get == "no" {
		words = append(words, "refuses GET")
	}
	if d.Form == "no" {
		words = append(words, "refuses forms")
	}
	if d.Limit > 0 {
		words = append(words, "at most "+count(d.Limit)+" rows")
	}
	if len(d.Formats) > 0 {
		words = append(words, strings.Join(slices.Clone(d.Formats), ", "))
	}
	if len(words) == 0 {
		return "–"
	}
	return strings.Join(words, " · ")
}
