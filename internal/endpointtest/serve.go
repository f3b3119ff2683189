package endpointtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"orbweaver/rdf/sparql/results"
)

// maxForm is how many bytes a posted form may have.
const maxForm = 4 << 20

// page is what is seen where a person was expected.
const page = `<!DOCTYPE html><html><head><title>SPARQL</title></head><body><form action="">` +
	`<textarea name="query" rows="10"></textarea><input type="submit"></form></body></html>`

// serve answers a request as the endpoint's profile has it. There is no robots.txt, and nothing
// but the endpoint.
func (e *Endpoint) serve(w http.ResponseWriter, r *http.Request) {
	moved := r.URL.Path == movedPath && e.Profile.Always.Kind == Moved
	if r.URL.Path != path && !moved {
		http.NotFound(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	query := r.FormValue("query")
	if query == "" {
		http.Error(w, "no query parameter", http.StatusBadRequest)
		return
	}
	e.manners.ask(query)
	if e.Profile.Tells {
		w.Header().Set("Server", "Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu")
	}
	switch {
	case e.Profile.Always.Kind != "" && !moved:
		e.fail(w, r, e.Profile.Always, query)
	case !e.Profile.Able(NeedsOf(query)):
		e.fail(w, r, e.Profile.Refusal, query)
	default:
		e.tell(w, r, query)
	}
}

// tell answers a query.
func (e *Endpoint) tell(w http.ResponseWriter, r *http.Request, query string) {
	if e.Profile.Slow && !wait(r, e.options.Delay) {
		return
	}
	a, err := e.evaluate(r.Context(), query, r.Header.Get("Accept"))
	if err != nil {
		send(w, refusedBy(err), "text/plain; charset=utf-8", err.Error())
		return
	}
	if e.Profile.Tells && a.rows == e.options.MaxRows {
		w.Header().Set("X-SPARQL-MaxRows", strconv.Itoa(e.options.MaxRows))
	}
	switch mediaType := e.Profile.MediaType; mediaType {
	case "":
	case Unsaid:
		a.mediaType = ""
	default:
		a.mediaType = mediaType
	}
	send(w, http.StatusOK, a.mediaType, a.body)
}

// fail does not answer a query.
func (e *Endpoint) fail(w http.ResponseWriter, r *http.Request, f Fault, query string) {
	switch f.Kind {
	case Silent:
		<-r.Context().Done() // the client goes away, or the test ends
		panic(http.ErrAbortHandler)
	case HangUp:
		panic(http.ErrAbortHandler)
	case Cut:
		e.cut(w, r, query)
	case Status:
		send(w, f.Status, textType(f.Text), f.Text)
	case Moved:
		to := movedPath
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", to)
		send(w, f.Status, "text/plain; charset=utf-8", f.Text)
	case Lost:
		w.Header().Set("Location", `http://[%" "%`)
		send(w, http.StatusFound, "", "")
	case Page:
		send(w, http.StatusOK, "text/html; charset=utf-8", page)
	case Message, Empty:
		send(w, http.StatusOK, results.XML.MediaType(), f.Text)
	case Boolean:
		var body strings.Builder
		_ = results.WriteBoolean(&body, results.XML, true) // a Builder takes all
		send(w, http.StatusOK, results.XML.MediaType(), body.String())
	default:
		send(w, http.StatusInternalServerError, "text/plain", fmt.Sprintf("no such fault: %s", f.Kind))
	}
}

// cut sends half of the right answer, and hangs up.
func (e *Endpoint) cut(w http.ResponseWriter, r *http.Request, query string) {
	a, err := e.evaluate(r.Context(), query, r.Header.Get("Accept"))
	if err == nil {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
		send(w, http.StatusOK, a.mediaType, a.body[:len(a.body)/2])
		_ = http.NewResponseController(w).Flush() // a client that is gone does not see it either
	}
	panic(http.ErrAbortHandler)
}

// send sends an answer; without a media type it has no Content-Type.
func send(w http.ResponseWriter, status int, mediaType, body string) {
	w.Header()["Content-Type"] = []string{mediaType}
	if mediaType == "" {
		w.Header()["Content-Type"] = nil // nil, so that none is guessed
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) // the client may have gone
}

// textType is the media type of what an endpoint says.
func textType(text string) string {
	if strings.Contains(text, "<") {
		return "text/html; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

// wait waits before an answer, and reports whether it is still wanted.
func wait(r *http.Request, delay time.Duration) bool {
	if delay <= 0 {
		return true
	}
	over := time.NewTimer(delay)
	defer over.Stop()
	select {
	case <-over.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
