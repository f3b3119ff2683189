package searxng

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"orbweaver"
)

// A Class is why an engine gives no results: one word. Each wraps the orbweaver.Failure that it is.
type Class string

// The classes.
const (
	ErrLimited Class = "too-many-requests" // 429: rate limited
	ErrNoJSON  Class = "json-off"          // 403 of an instance of SearXNG: its settings do not allow JSON, or it refuses us
	ErrPage    Class = "page"              // HTML came, and no JSON
	ErrSilent  Class = "engines-silent"    // nothing was found, and the engines behind the instance did not answer
)

// Error returns the word itself.
func (c Class) Error() string { return string(c) }

// Unwrap returns the failure that the class is.
func (c Class) Unwrap() error {
	if c == ErrPage {
		return orbweaver.ErrUnreadable
	}
	return orbweaver.ErrStatus
}

// failed is an error of the engine.
func (e *Engine) failed(reason error, format string, args ...any) error {
	return fmt.Errorf("search engine %s: %w: %s", e.name, reason, fmt.Sprintf(format, args...))
}

// limited returns the rate-limit error of an engine.
func (e *Engine) limited(h http.Header) error {
	after := saying([]byte(h.Get("Retry-After")))
	if after == "" {
		return e.failed(ErrLimited, "429: try again later")
	}
	return e.failed(ErrLimited, "429: try again after %s", after)
}

// refused is what a status means that an instance of SearXNG gives.
func (e *Engine) refused(status int, body []byte) error {
	if status == http.StatusForbidden {
		return e.failed(ErrNoJSON, `403: its settings.yml may lack "json" in search.formats, or it refuses us`)
	}
	return e.failed(orbweaver.ErrStatus, "%d: %s", status, saying(body))
}

// notJSON says what came instead of JSON.
func (e *Engine) notJSON(body []byte, err error) error {
	if strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 100)])), "<") {
		return e.failed(ErrPage, "a page came, and no JSON: %s", saying(body))
	}
	return e.failed(orbweaver.ErrUnreadable, "%v", err)
}

// saying is text of a server as a line of at most maxTitle bytes.
func saying(text []byte) string {
	s := strings.ToValidUTF8(string(text[:min(len(text), maxTitle)]), "")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
