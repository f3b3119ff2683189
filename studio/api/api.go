// Package api is the studio's API: /api/v1, JSON, described in openapi.yaml. All that it does is a call of package crawl or of the
// workspace.
//
// This package is not part of the stable API.
package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/nodes"
	"orbweaver/studio/workspace"
)

// Base is the path of the API.
const Base = "/api/v1"

// An API answers requests to a workspace. It is safe for concurrent use. Who may ask is up to its caller.
type API struct {
	ws      *workspace.Workspace
	cluster *nodes.Watch // nil: there is none
	mux     *http.ServeMux
}

// A route is a path below Base with its method.
type route struct {
	method, path string
	do           func(*API, http.ResponseWriter, *http.Request) error
}

// routes are all routes; openapi.yaml describes each.
func routes() []route {
	return slices.Concat(crawlRoutes(), proposalRoutes(), ontologyRoutes(), labelRoutes(), topicRoutes(), ratingRoutes(), clusterRoutes())
}

// crawlRoutes are those of the workspace and of its crawls.
func crawlRoutes() []route {
	return []route{
		{"GET", "/openapi.json", (*API).description},
		{"GET", "/schema", (*API).schema},
		{"GET", "/workspace", (*API).workspace},
		{"GET", "/files", (*API).files},
		{"PUT", "/files/{name...}", (*API).putFile},
		{"POST", "/validate", (*API).validate},
		{"GET", "/keys", (*API).keys},
		{"POST", "/draft", (*API).draft},
		{"POST", "/edit", (*API).edit},
		{"POST", "/fetch", (*API).fetch},
		{"POST", "/scope", (*API).scope},
		{"POST", "/try", (*API).try},
		{"POST", "/demo", (*API).demo},
		{"GET", "/compare", (*API).compare},
		{"GET", "/crawls/{crawl}/recommendations", (*API).recommendations},
		{"GET", "/crawls/{crawl}/recommendations/graph", (*API).recommendationGraph},
		{"GET", "/crawls/{crawl}/question", (*API).questions},
		{"POST", "/crawls/{crawl}/answers", (*API).answerQuestions},
		{"GET", "/crawls/{crawl}/visits", (*API).visits},
		{"GET", "/crawls/{crawl}/logins", (*API).logins},
		{"GET", "/crawls/{crawl}/stopping", (*API).stopping},
		{"GET", "/crawls/{crawl}/changes", (*API).changes},
		{"GET", "/crawls/{crawl}/changes.atom", (*API).changeFeed},
		{"GET", "/crawls/{crawl}/links", (*API).links},
		{"GET", "/crawls/{crawl}/links/hosts", (*API).linkHosts},
		{"GET", "/crawls/{crawl}/endpoints", (*API).endpoints},
		{"GET", "/trash", (*API).trash},
		{"POST", "/trash/{id}/restore", (*API).restore},
		{"DELETE", "/trash/{id}", (*API).forget},
		{"GET", "/crawls", (*API).crawls},
		{"POST", "/crawls", (*API).create},
		{"GET", "/crawls/{crawl}", (*API).crawl},
		{"DELETE", "/crawls/{crawl}", (*API).delete},
		{"GET", "/crawls/{crawl}/file", (*API).file},
		{"PUT", "/crawls/{crawl}/file", (*API).save},
		{"POST", "/crawls/{crawl}/start", (*API).start},
		{"POST", "/crawls/{crawl}/pause", (*API).pause},
		{"POST", "/crawls/{crawl}/resume", (*API).resume},
		{"POST", "/crawls/{crawl}/stop", (*API).stop},
		{"GET", "/crawls/{crawl}/pages", (*API).pages},
		{"GET", "/crawls/{crawl}/facets", (*API).facets},
		{"GET", "/crawls/{crawl}/page", (*API).page},
		{"GET", "/crawls/{crawl}/evidence", (*API).evidence},
		{"GET", "/crawls/{crawl}/data", (*API).data},
		{"GET", "/crawls/{crawl}/archived", (*API).archived},
		{"GET", "/crawls/{crawl}/search", (*API).search},
		{"GET", "/crawls/{crawl}/hosts", (*API).hosts},
		{"GET", "/crawls/{crawl}/failures", (*API).failures},
		{"GET", "/crawls/{crawl}/waiting", (*API).waiting},
		{"GET", "/crawls/{crawl}/unsure", (*API).unsure},
		{"GET", "/crawls/{crawl}/teaching", (*API).teaching},
		{"GET", "/crawls/{crawl}/verdicts", (*API).given},
		{"GET", "/crawls/{crawl}/curve", (*API).curve},
		{"GET", "/crawls/{crawl}/map", (*API).graph},
		{"GET", "/crawls/{crawl}/report", (*API).report},
		{"GET", "/crawls/{crawl}/export", (*API).export},
		{"POST", "/crawls/{crawl}/export", (*API).exportBy},
		{"GET", "/crawls/{crawl}/sparql", (*API).sparql},
		{"POST", "/crawls/{crawl}/sparql", (*API).sparql},
		{"GET", "/crawls/{crawl}/suggestions", (*API).suggestions},
		{"GET", "/crawls/{crawl}/events", (*API).events},
		{"POST", "/crawls/{crawl}/decisions", (*API).decide},
		{"POST", "/crawls/{crawl}/verdicts", (*API).verdicts},
		{"POST", "/crawls/{crawl}/urls", (*API).add},
		{"POST", "/crawls/{crawl}/exclusions", (*API).exclude},
		{"GET", "/crawls/{crawl}/removals", (*API).removals},
		{"POST", "/crawls/{crawl}/removals", (*API).remove},
		{"PATCH", "/crawls/{crawl}/limits", (*API).limits},
		{"POST", "/crawls/{crawl}/judge", (*API).judge},
	}
}

// New returns the API of a workspace, and of a cluster, if there is one.
func New(ws *workspace.Workspace, cluster *nodes.Watch) *API {
	a := &API{ws: ws, cluster: cluster, mux: http.NewServeMux()}
	for _, r := range routes() {
		a.mux.HandleFunc(r.method+" "+Base+r.path, func(w http.ResponseWriter, req *http.Request) {
			if err := r.do(a, w, req); err != nil {
				Fail(w, req, err)
			}
		})
	}
	return a
}

// Changes reports whether a request to the API changes something, so that a token for reading is not enough.
func Changes(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	return r.Method != http.MethodPost || !slices.Contains([]string{"sparql", "export", "validate", "effect", "try-both"}, path.Base(r.URL.Path))
}

// ServeHTTP answers a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, pattern := a.mux.Handler(r)
	if pattern != "" {
		r.Body = http.MaxBytesReader(w, r.Body, workspace.MaxFile)
		a.mux.ServeHTTP(w, r)
		return
	}
	probe := &status{ResponseWriter: w, header: http.Header{}}
	if handler.ServeHTTP(probe, r); probe.code == http.StatusMethodNotAllowed {
		w.Header()["Allow"] = probe.header["Allow"]
		problem(w, r, http.StatusMethodNotAllowed, "the resource has no such method", nil)
		return
	}
	problem(w, r, http.StatusNotFound, "there is no such resource: see "+Base+"/openapi.json", nil)
}

// A status takes the status of an answer, and nothing else of it.
type status struct {
	http.ResponseWriter
	header http.Header
	code   int
}

func (s *status) Header() http.Header         { return s.header }
func (s *status) WriteHeader(code int)        { s.code = code }
func (s *status) Write(p []byte) (int, error) { return len(p), nil }

// answer writes a value as JSON.
func answer(w http.ResponseWriter, code int, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("api: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = w.Write(append(text, '\n')) // the client has gone
	return nil
}

// A Problem is the JSON of an error, as RFC 9457 has it.
type Problem struct {
	Type     string          `json:"type"`
	Title    string          `json:"title"`
	Status   int             `json:"status"`
	Detail   string          `json:"detail,omitempty"`
	Instance string          `json:"instance,omitempty"`
	Failure  string          `json:"failure,omitempty"`  // the reason in one word: docs/reference/formats.md
	Problems []crawl.Problem `json:"problems,omitempty"` // of a crawl file
}

// Fail answers with an error.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	code := http.StatusInternalServerError
	problems := crawl.Problems(err)
	var large *http.MaxBytesError
	failure := orbweaver.FailureOf(err)
	switch {
	case errors.As(err, &large), failure == orbweaver.ErrTooLarge:
		code = http.StatusRequestEntityTooLarge
	case len(problems) > 0:
		code = http.StatusUnprocessableEntity
	case failure == workspace.ErrUnknown, failure == orbweaver.ErrAbsent:
		code = http.StatusNotFound
	case failure == orbweaver.ErrBusy, failure == orbweaver.ErrForeign:
		code = http.StatusConflict
	case failure == orbweaver.ErrInput, failure == orbweaver.ErrBadURL:
		code = http.StatusBadRequest
	case failure == orbweaver.ErrScope, failure == orbweaver.ErrRobots, failure == orbweaver.ErrPrivate:
		code = http.StatusForbidden
	case r.Context().Err() != nil:
		code = http.StatusServiceUnavailable
	}
	problem(w, r, code, err.Error(), problems, string(failure))
}

// Refuse answers with a status and the reason for it.
func Refuse(w http.ResponseWriter, r *http.Request, code int, detail string) {
	problem(w, r, code, detail, nil)
}

func problem(w http.ResponseWriter, r *http.Request, code int, detail string, problems []crawl.Problem, failure ...string) {
	text, _ := json.Marshal(Problem{ // strings and numbers always marshal
		Type: "about:blank", Title: http.StatusText(code), Status: code, Detail: detail, Instance: r.URL.Path, Failure: strings.Join(failure, ""), Problems: problems,
	})
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = w.Write(append(text, '\n')) // the client has gone
}

// body decodes the JSON body of a request, of which it knows every field.
func body(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return err
	case err != nil:
		return fmt.Errorf("the request's body: %w (%w)", err, orbweaver.ErrInput)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("the request's body has more than one JSON value (%w)", orbweaver.ErrInput)
	}
	return nil
}

// A query reads the parameters of a URL, and keeps the first error.
type query struct {
	r    *http.Request
	form url.Values // instead of those of the URL; nil: those
	err  error
}

func (q *query) text(name string) string {
	if q.form != nil {
		return q.form.Get(name)
	}
	return q.r.URL.Query().Get(name)
}

// number is a whole number from least to most; usual if it is not given.
func (q *query) number(name string, usual, least, most int) int {
	text := q.text(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		q.wrong(name, text, fmt.Sprintf("a whole number from %d to %d", least, most))
	}
	return n
}

// share is a number from 0 to 1.
func (q *query) share(name string) float64 {
	text := q.text(name)
	if text == "" {
		return 0
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		q.wrong(name, text, "a number from 0 to 1")
	}
	return x
}

// flag is true or false.
func (q *query) flag(name string) bool {
	text := q.text(name)
	on, err := strconv.ParseBool(text)
	if text != "" && err != nil {
		q.wrong(name, text, "true or false")
	}
	return on
}

func (q *query) wrong(name, text, want string) {
	if q.err == nil {
		q.err = fmt.Errorf("%s: %q is not %s (%w)", name, text, want, orbweaver.ErrInput)
	}
}

// usualTime bounds the work of an answer that is not a stream.
const usualTime = time.Minute
