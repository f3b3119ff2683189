package sparql

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf/iri"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
)

// The media types of requests.
const (
	formType   = "application/x-www-form-urlencoded"
	queryType  = "application/sparql-query"
	updateType = "application/sparql-update"
)

// maxFormBytes bounds a form: a query of a megabyte, each byte escaped as three.
const maxFormBytes = 4 * syntax.DefaultMaxBytes

// An operation is the query or update of a request.
type operation struct {
	update  bool
	text    string // empty: the request has none
	dataset algebra.Dataset
}

// protocol answers a request of the SPARQL Protocol.
func (h *Handler) protocol(w http.ResponseWriter, r *http.Request) error {
	op, err := h.operation(r)
	switch {
	case err != nil:
		if statusOf(err) == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", "GET, HEAD, POST, OPTIONS")
		}
		return err
	case op == nil:
		return h.describe(w, r)
	case op.update:
		return h.update(w, r, op)
	}
	return h.query(w, r, op)
}

// operation reads the operation of a request; nil: it requests the service description.
func (h *Handler) operation(r *http.Request) (*operation, error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, faulty(http.StatusBadRequest, "the URL's query: %w", err)
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		switch {
		case params.Has("update"):
			return nil, faulty(http.StatusMethodNotAllowed, "an update takes POST")
		case !params.Has("query"):
			return nil, nil
		}
		return operationOf(params)
	case http.MethodPost:
	default:
		return nil, faulty(http.StatusMethodNotAllowed, "a query takes GET or POST, not %s", r.Method)
	}
	media, text, err := posted(r)
	if err != nil {
		return nil, err
	}
	switch media {
	case queryType:
		params["query"] = append(params["query"], text)
	case updateType:
		params["update"] = append(params["update"], text)
	default:
		form, err := url.ParseQuery(text)
		if err != nil {
			return nil, faulty(http.StatusBadRequest, "the form: %w", err)
		}
		for name, values := range form {
			params[name] = append(params[name], values...)
		}
	}
	return operationOf(params)
}

// posted reads a body: a query, an update or a form.
func posted(r *http.Request) (media, text string, err error) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	limit := int64(syntax.DefaultMaxBytes)
	switch {
	case err != nil, media != formType && media != queryType && media != updateType:
		return "", "", faulty(http.StatusUnsupportedMediaType, "the body's Content-Type is %s, %s or %s, not %q", queryType, updateType, formType, r.Header.Get("Content-Type"))
	case params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8"):
		return "", "", faulty(http.StatusUnsupportedMediaType, "text is UTF-8, not %q", params["charset"])
	case media == formType:
		limit = maxFormBytes
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return "", "", unread(err)
	}
	if int64(len(body)) > limit {
		return "", "", faulty(http.StatusRequestEntityTooLarge, "more than %d bytes", limit)
	}
	return media, string(body), nil
}

// unread is why a body could not be read.
func unread(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return faulty(http.StatusRequestEntityTooLarge, "more than %d bytes", large.Limit)
	}
	return faulty(http.StatusBadRequest, "the body: %w", err)
}

// operationOf returns the operation in the parameters of a request.
func operationOf(params url.Values) (*operation, error) {
	op := &operation{update: params.Has("update")}
	name, defaults, named := "query", "default-graph-uri", "named-graph-uri"
	if op.update {
		name, defaults, named = "update", "using-graph-uri", "using-named-graph-uri"
	}
	switch {
	case op.update && params.Has("query"):
		return nil, faulty(http.StatusBadRequest, "query and update exclude each other")
	case len(params[name]) == 0:
		return nil, faulty(http.StatusBadRequest, "neither query nor update")
	case len(params[name]) > 1:
		return nil, faulty(http.StatusBadRequest, "parameter %s occurs %d times", name, len(params[name]))
	}
	op.text = params[name][0]
	if !utf8.ValidString(op.text) {
		return nil, faulty(http.StatusBadRequest, "the %s is not UTF-8", name)
	}
	op.dataset = algebra.Dataset{Default: params[defaults], Named: params[named]}
	for _, graphs := range [][]string{params[defaults], params[named]} {
		for _, graph := range graphs {
			if err := iri.Check(graph); err != nil {
				return nil, faulty(http.StatusBadRequest, "graph %q: %w", graph, err)
			}
		}
	}
	return op, nil
}

// given reports whether the request specifies the dataset.
func (op *operation) given() bool { return len(op.dataset.Default)+len(op.dataset.Named) > 0 }

// query answers a query. The dataset of the request takes precedence over that of the query.
func (h *Handler) query(w http.ResponseWriter, r *http.Request, op *operation) error {
	tree, err := syntax.ParseQuery(op.text, syntax.Options{Base: here(r, r.URL.Path)})
	if err != nil {
		return located(op.text, err)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		return located(op.text, err)
	}
	if op.given() {
		q.Dataset = op.dataset
	}
	form, err := formOf(q, r.Header.Values("Accept"))
	if err != nil {
		return err
	}
	slot, err := h.enter(r, h.queries, sizeCost(op.text))
	if err != nil {
		return err
	}
	defer slot.Leave()
	return h.reading(func(s snapshot) error {
		limits, done := h.opts.limits(), func() error { return nil }
		limits.Turn = slot
		if h.opts.Extend != nil {
			limits, done = h.opts.Extend(r.Context(), s, limits)
		}
		defer done()
		res, err := eval.Query(r.Context(), s, q, limits)
		if err != nil {
			return err
		}
		a := newAnswer(&lending{w, slot}, r, form.mediaType())
		if !a.head {
			err = form.write(a, res, q)
		}
		return a.end(errors.Join(err, res.Close()))
	})
}

// sizeCost is the cost of planning a query or running an update of a length: a long text makes it a long evaluation before its
// plan is known.
func sizeCost(text string) float64 { return float64(len(text)) }

// reading calls a function with a snapshot of the store.
func (h *Handler) reading(f func(snapshot) error) (err error) {
	s, release, err := h.store.Snapshot()
	if err != nil {
		return err
	}
	defer func() {
		if released := release(); err == nil {
			err = released
		}
	}()
	return f(s)
}

// update runs an update, atomically.
func (h *Handler) update(w http.ResponseWriter, r *http.Request, op *operation) error {
	if h.opts.Updates == nil {
		return faulty(http.StatusForbidden, "this store is read-only")
	}
	tree, err := syntax.ParseUpdate(op.text, syntax.Options{Base: here(r, r.URL.Path)})
	if err != nil {
		return located(op.text, err)
	}
	u, err := algebra.TranslateUpdate(tree)
	if err != nil {
		return located(op.text, err)
	}
	if op.given() {
		if err := using(u, op.dataset); err != nil {
			return err
		}
	}
	slot, err := h.enter(r, h.changes, sizeCost(op.text))
	if err != nil {
		return err
	}
	defer slot.Leave()
	err = h.updating(r.Context(), func(s eval.Store) error {
		return eval.Update(r.Context(), s, u, h.opts.updating())
	})
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// using sets the dataset of the operations of an update. An operation with its own is an error.
func using(u *algebra.Update, dataset algebra.Dataset) error {
	for i, op := range u.Operations {
		m, ok := op.(*algebra.Modify)
		if !ok {
			continue
		}
		if m.With != "" || len(m.Dataset.Default)+len(m.Dataset.Named) > 0 {
			return faulty(http.StatusBadRequest, "operation %d has WITH or USING, but the request names graphs too", i+1)
		}
		m.Dataset = dataset
	}
	return nil
}
