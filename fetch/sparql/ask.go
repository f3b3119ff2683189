package sparql

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf/sparql/results"
	"orbweaver/weburl"
)

// A Fetcher makes one GET request over HTTP for r.URL and r.Accept. It returns the response whatever its
// status. Reading its body obeys the context. Errors, also those of the body, wrap an orbweaver.Failure, or the
// context's.
type Fetcher interface {
	Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error)
}

// A Poster is a Fetcher that can also post. Without it long queries are sent by GET as well, up to the limits
// of servers.
type Poster interface {
	Post(ctx context.Context, r orbweaver.Request, mediaType string, body []byte) (*step.Response, error)
}

const (
	usualURL   = 2000 // bytes; a longer query is posted if possible
	longestURL = 7500 // bytes; common servers refuse longer request lines
	formType   = "application/x-www-form-urlencoded"
)

// graphAccept asks for graphs, preferring the most reliably detected syntax. Old endpoints have only RDF/XML.
const graphAccept = "application/n-triples, text/turtle;q=0.9, application/rdf+xml;q=0.8, " +
	"application/trig;q=0.4, application/n-quads;q=0.4, */*;q=0.1"

// An Endpoint is the address of a SPARQL service.
type Endpoint struct {
	URL     string   `json:"url"`              // canonical; may have parameters of its own
	Graphs  []string `json:"graphs,omitempty"` // IRIs of the default graph; none: the endpoint's own
	Dialect Dialect  `json:"dialect,omitzero"`
}

// Request returns a query as a Request: its URL is the endpoint's with all parameters but "query". A time limit
// is sent to servers that are known to support it; 0: none.
func (e Endpoint) Request(q Query, limit time.Duration) orbweaver.Request {
	r := orbweaver.Request{URL: e.URL, Query: q.Text, Accept: accept(q.Form), Purpose: orbweaver.ForQuery}
	for _, graph := range e.Graphs {
		r.URL = withParameter(r.URL, "default-graph-uri", graph)
	}
	switch {
	case limit <= 0:
	case e.Dialect.Server == Virtuoso:
		r.URL = withParameter(r.URL, "timeout", strconv.FormatInt(limit.Milliseconds(), 10))
	case e.Dialect.Server == Fuseki:
		r.URL = withParameter(r.URL, "timeout", strconv.FormatFloat(limit.Seconds(), 'f', -1, 64))
	}
	return r
}

// accept is the Accept of a query of a form.
func accept(form Form) string {
	if form == Graph {
		return graphAccept
	}
	return results.Accept()
}

// Put returns the HTTP request of a Query for an unknown endpoint: a GET or, if it is long, a form of a media
// type, to be posted. Without an Accept of its own it gets one that fits the query.
func Put(r orbweaver.Request) (to orbweaver.Request, mediaType string, form []byte) {
	return Dialect{}.Put(r)
}

// Put is Put for a known endpoint: one that does not support forms gets even a long query by GET, one that does
// not support GET gets even a short one posted.
func (d Dialect) Put(r orbweaver.Request) (to orbweaver.Request, mediaType string, form []byte) {
	if r.Accept == "" {
		q, _ := ReadQuery(r.Query) // the endpoint reports errors of the query
		r.Accept = accept(q.Form)
	}
	if to = ByGet(r); !d.posts(to.URL) {
		return to, "", nil
	}
	to, form = ByForm(r)
	return to, formType, form
}

// posts reports whether a query should be posted rather than sent as this URL.
func (d Dialect) posts(get string) bool {
	return d.Form != No && (d.Get == No || len(get) > usualURL)
}

// withParameter returns a URL with one more parameter.
func withParameter(address, name, value string) string {
	join := "?"
	if strings.Contains(address, "?") {
		join = "&"
	}
	return address + join + name + "=" + url.QueryEscape(value)
}

// ByGet returns the HTTP request with the query as a parameter of its URL, as in weburl.Queried.
func ByGet(r orbweaver.Request) orbweaver.Request {
	r.URL, r.Query = weburl.Queried(r.URL, r.Query), ""
	return r
}

// ByForm returns the request and the form with its Query, to be posted to its URL. Parameters of the protocol
// move from the URL into the form; those of the endpoint stay.
func ByForm(r orbweaver.Request) (orbweaver.Request, []byte) {
	address, parameters, _ := strings.Cut(r.URL, "?")
	form := "query=" + url.QueryEscape(r.Query)
	var own []string
	for p := range strings.SplitSeq(parameters, "&") {
		switch name, _, _ := strings.Cut(p, "="); name {
		case "default-graph-uri", "named-graph-uri", "timeout":
			form += "&" + p
		case "":
		default:
			own = append(own, p)
		}
	}
	if r.URL, r.Query = address, ""; len(own) > 0 {
		r.URL += "?" + strings.Join(own, "&")
	}
	return r, []byte(form)
}

// A Client queries endpoints. It is safe for concurrent use if its Fetcher is.
type Client struct {
	Fetcher Fetcher       // also a Poster, if it can
	Timeout time.Duration // sent to endpoints that are known to support it; 0: none
	Limits  Limits
}

// Ask sends a query to an endpoint once and returns the answer up to its first row. It ends with the context.
// The caller must close the answer or read it to its end. The error is an *Error, or wraps the context's.
func (c *Client) Ask(ctx context.Context, e Endpoint, q Query) (*Answer, error) {
	r := e.Request(q, c.Timeout)
	response, posted, err := c.send(ctx, e.Dialect, r)
	if err != nil {
		return nil, unreached(ctx, e.URL, seen{post: posted, modern: q.Modern}, err)
	}
	return read(ctx, response, e, q, posted, c.Limits)
}

// send sends a request as the dialect and its length require. It never sends the query as the request body
// (application/sparql-query): some servers hang then.
func (c *Client) send(ctx context.Context, d Dialect, r orbweaver.Request) (*step.Response, bool, error) {
	get := ByGet(r)
	poster, able := c.Fetcher.(Poster)
	if able && d.posts(get.URL) {
		to, form := ByForm(r)
		response, err := poster.Post(ctx, to, formType, form)
		return response, true, err
	}
	if len(get.URL) > longestURL {
		return nil, false, fmt.Errorf("%d bytes of URL: %w", len(get.URL), ErrTooMuch)
	}
	response, err := c.Fetcher.Fetch(ctx, get)
	return response, false, err
}
