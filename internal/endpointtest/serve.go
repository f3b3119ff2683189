package endpointtest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"orbweaver/rdf/sparql/results"
)

// maxForm bounds a posted form, in bytes.
const maxForm = 4 << 20

// page is the HTML page for people.
const page = `<!DOCTYPE html><html><head><title>SPARQL</title></head><body><form action="">` +
	`<textarea name="query" rows="10"></textarea><input type="submit"></form></body></html>`

// serve answers a request according to the endpoint's profile. There is no robots.txt and no other path.
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
	e.load.ask(query)
	if e.Profile.Tells {
		w.Header().Set("Server", "Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu")
	}
	switch {
	case e.Profile.Always.Kind != "" && !moved:
		e.fail(w, r, e.Profile.Always, query)
	case !e.Profile.Able(NeedsOf(query)):
		e.fail(w, r, e.Profile.Refusal, query)
	default:
		e.reply(w, r, query)
	}
}

// reply answers a query.
func (e *Endpoint) reply(w http.ResponseWriter, r *http.Request, query string) {
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

// fail responds to a query with a fault.
func (e *Endpoint) fail(w http.ResponseWriter, r *http.Request, f Fault, query string) {
	switch f.Kind {
	case Silent:
		<-r.Context().Done() // until the client disconnects or the test ends
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
		_ = results.WriteBoolean(&body, results.XML, true) // a Builder never fails
		send(w, http.StatusOK, results.XML.MediaType(), body.String())
	default:
		send(w, http.StatusInternalServerError, "text/plain", fmt.Sprintf("no such fault: %s", f.Kind))
	}
}

// cut sends half of the correct answer and closes the connection.
func (e *Endpoint) cut(w http.ResponseWriter, r *http.Request, query string) {
	a, err := e.evaluate(r.Context(), query, r.Header.Get("Accept"))
	if err == nil {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
		send(w, http.StatusOK, a.mediaType, a.body[:len(a.body)/2])
		_ = http.NewResponseController(w).Flush() // the client may have disconnected
	}
	panic(http.ErrAbortHandler)
}

// send sends an answer; without a media type it has no Content-Type.
func send(w http.ResponseWriter, status int, mediaType, body string) {
	w.Header()["Content-Type"] = []string{mediaType}
	if mediaType == "" {
		w.Header()["Content-Type"] = nil // nil prevents content sniffing
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) // the client may have disconnected
}

// textType returns the media type of an endpoint's message.
func textType(text string) string {
	if strings.Contains(text, "<") {
		return "text/html; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

// wait delays an answer, and reports whether the client still waits for it.
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
