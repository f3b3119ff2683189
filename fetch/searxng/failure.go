package searxng

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"orbweaver"
)

// A Class is one word for why an engine gives no results. Each wraps an orbweaver.Failure.
type Class string

// The classes.
const (
	ErrLimited Class = "too-many-requests" // 429: rate limited
	ErrNoJSON  Class = "json-off"          // 403 of an instance of SearXNG: it does not allow JSON, or refuses us
	ErrPage    Class = "page"              // HTML instead of JSON
	ErrSilent  Class = "engines-silent"    // no results, and the engines behind the instance did not respond
)

// Error returns the word itself.
func (c Class) Error() string { return string(c) }

// Unwrap returns the failure of the class.
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

// refused is the error of a status of a SearXNG instance.
func (e *Engine) refused(status int, body []byte) error {
	if status == http.StatusForbidden {
		return e.failed(ErrNoJSON, `403: its settings.yml may lack "json" in search.formats, or it refuses us`)
	}
	return e.failed(orbweaver.ErrStatus, "%d: %s", status, saying(body))
}

// notJSON describes a body that is not JSON.
func (e *Engine) notJSON(body []byte, err error) error {
	if strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 100)])), "<") {
		return e.failed(ErrPage, "a page came, and no JSON: %s", saying(body))
	}
	return e.failed(orbweaver.ErrUnreadable, "%v", err)
}

// saying is a server's text as a line of at most maxTitle bytes.
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
