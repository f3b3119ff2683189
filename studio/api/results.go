package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
)

// mostRows is the number of rows of a list in one answer, and usualRows where it is not asked for.
const (
	mostRows  = 1000
	usualRows = 50
)

// selection are the parameters that select pages.
func selection(q *query) crawl.PageQuery {
	return crawl.PageQuery{
		Accepted: q.flag("accepted"), Failed: q.flag("failed"), Host: q.text("host"), MinScore: q.share("score"), Class: q.text("class"),
		Type: q.text("type"), Lang: q.text("lang"), Entity: q.text("entity"), Text: q.text("text"),
	}
}

func (a *API) facets(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	p := selection(q)
	p.Sort, p.Distinct = q.text("sort"), q.flag("distinct")
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Facets, error) { return c.Facets(r.Context(), p) })
}

func (a *API) pages(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	p := selection(q)
	p.Distinct = q.flag("distinct")
	p.Sort, p.After, p.Limit = q.text("sort"), q.text("after"), q.number("limit", usualRows, 1, mostRows)
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.PageList, error) { return c.Pages(r.Context(), p) })
}

func (a *API) page(w http.ResponseWriter, r *http.Request) error {
	url, err := address(r)
	if err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (*crawl.Explanation, error) { return c.Explain(r.Context(), url) })
}

func (a *API) evidence(w http.ResponseWriter, r *http.Request) error {
	url, err := address(r)
	if err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Evidence, error) { return c.Evidence(r.Context(), url) })
}

func (a *API) data(w http.ResponseWriter, r *http.Request) error {
	url, err := address(r)
	q := &query{r: r}
	limit := q.number("limit", 200, 1, mostRows)
	if err = errors.Join(err, q.err); err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Data, error) {
		return c.Data(r.Context(), crawl.DataQuery{URL: url, Limit: limit})
	})
}

// archived answers with the bytes of a page as they were archived, never as something that a browser shows.
func (a *API) archived(w http.ResponseWriter, r *http.Request) error {
	url, err := address(r)
	if err != nil {
		return err
	}
	out := &stream{w: w}
	return out.end(a.use(r, func(c *crawl.Crawl) (err error) {
		archive, err := c.Archived()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, archive.Close()) }()
		page, err := archive.Get(r.Context(), url)
		if err != nil {
			return err
		}
		defer page.Body.Close()
		out.begin = func() {
			h := w.Header()
			h.Set("Content-Type", "application/octet-stream")
			h.Set("Content-Disposition", "attachment; filename=\"archived\"")
			h.Set("Archived-Status", strconv.Itoa(page.Status))
			h.Set("Archived-Content-Type", page.Header.Get("Content-Type"))
			h.Set("Archived-Content-Encoding", page.Header.Get("Content-Encoding"))
			h.Set("Archived-At", page.At.UTC().Format(time.RFC3339))
		}
		_, err = io.Copy(out, page.Body)
		return err
	}))
}

func (a *API) search(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	s := crawl.SearchQuery{
		Words: q.text("q"), Like: q.text("like"), Label: q.text("label"), Entity: q.text("entity"), Rank: q.text("rank"), Partial: true,
		Top: q.number("limit", usualRows, 1, mostRows),
	}
	switch {
	case q.err != nil:
		return q.err
	case s.Like != "" && !strings.Contains(s.Like, "://"): // else it would be a file of this machine
		return fmt.Errorf("like: %q is no URL (%w)", s.Like, orbweaver.ErrInput)
	case s.Words+s.Like+s.Label+s.Entity == "":
		return fmt.Errorf("q: what to search for is missing (%w)", orbweaver.ErrInput)
	case s.Rank == "":
		s.Rank = crawl.Ranks()[0]
	case !slices.Contains(crawl.Ranks(), s.Rank):
		return fmt.Errorf("rank: it is one of %s (%w)", strings.Join(crawl.Ranks(), ", "), orbweaver.ErrInput)
	}
	a.ws.Want(r.PathValue("crawl"))
	return found(a, w, r, func(c *crawl.Crawl) (*crawl.Found, error) { return c.Search(r.Context(), s) })
}

func (a *API) hosts(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	h := crawl.HostQuery{Host: q.text("host"), Limit: q.number("limit", usualRows, 1, mostRows)}
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		all, err := c.Hosts(r.Context(), h)
		return map[string]any{"hosts": all}, err
	})
}

func (a *API) failures(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	f := crawl.FailedQuery{
		Failure: orbweaver.Failure(q.text("failure")), After: int64(q.number("after", 0, 0, 1<<62)), Limit: q.number("limit", usualRows, 1, mostRows),
	}
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		all, err := c.Failures(r.Context(), f)
		return map[string]any{"failures": all}, err
	})
}

func (a *API) waiting(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	wq := crawl.WaitQuery{Host: q.text("host"), Limit: q.number("limit", usualRows, 1, mostRows)}
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		all, err := c.Waiting(r.Context(), wq)
		return map[string]any{"waiting": all}, err
	})
}

func (a *API) unsure(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	n := q.number("limit", 20, 1, mostRows)
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		all, err := c.Unsure(r.Context(), n)
		return map[string]any{"pages": all}, err
	})
}

func (a *API) graph(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	m := crawl.MapQuery{Around: q.text("around"), Limit: q.number("limit", 100, 1, 5000)}
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Map, error) { return c.Map(r.Context(), m) })
}

func (a *API) report(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (*crawl.Summary, error) { return c.Report(r.Context()) })
}

func (a *API) suggestions(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		all, err := c.Suggestions(r.Context())
		return map[string]any{"suggestions": all}, err
	})
}

// A stream is an answer that begins with its first byte: an error before that is an answer of its own, and one after it cuts the
// connection, so that no client takes a part for the whole.
type stream struct {
	w     http.ResponseWriter
	begin func()
	begun bool
}

// Write writes a part of the answer.
func (s *stream) Write(p []byte) (int, error) {
	if !s.begun {
		s.begun = true
		s.begin()
	}
	return s.w.Write(p)
}

func (s *stream) end(err error) error {
	if err != nil && s.begun {
		panic(http.ErrAbortHandler)
	}
	if err == nil && !s.begun {
		s.begin()
	}
	return err
}

// answers are the formats of a SPARQL answer by media type, in order of preference: for rows, and for graphs.
func answers() [][2]string {
	return [][2]string{
		{"application/sparql-results+json", "json"}, {"application/json", "json"}, {"application/sparql-results+xml", "xml"}, {"text/csv", "csv"},
		{"text/tab-separated-values", "tsv"}, {"text/turtle", "turtle"}, {"application/n-triples", "ntriples"},
	}
}

func (a *API) sparql(w http.ResponseWriter, r *http.Request) error {
	text := r.URL.Query().Get("query")
	if r.Method == http.MethodPost {
		kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
		if kind == "application/sparql-query" {
			b, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			text = string(b)
		} else if posted := r.PostFormValue("query"); posted != "" {
			text = posted
		}
	}
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("query: it is missing (%w)", orbweaver.ErrInput)
	}
	ctx, cancel := context.WithTimeout(r.Context(), usualTime)
	defer cancel()
	var err error
	for _, form := range wanted(r) {
		out := &stream{w: w, begin: func() { w.Header().Set("Content-Type", form[0]) }}
		err = a.use(r, func(c *crawl.Crawl) error { return c.Query(ctx, out, text, form[1]) })
		if err == nil || out.begun || orbweaver.FailureOf(err) != orbweaver.ErrInput {
			return out.end(err)
		}
	}
	return err
}

// wanted are the forms of an answer to try: those that the client names, a form for rows and one for graphs if it takes any.
func wanted(r *http.Request) (forms [][2]string) {
	accept := r.Header.Get("Accept")
	for _, form := range answers() {
		if strings.Contains(accept, form[0]) {
			forms = append(forms, form)
		}
	}
	if len(forms) == 0 || strings.Contains(accept, "*/*") {
		forms = append(forms, answers()[0], [2]string{"text/turtle", "turtle"})
	}
	return forms
}
