package render

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/chromedp/cdproto/fetch"

	"orbweaver"
	"orbweaver/internal/coding"
)

// An answer is a response for a page, complete and without content coding, since the browser decodes only its
// own responses.
type answer struct {
	status int
	header []*fetch.HeaderEntry
	body   []byte
}

// newAnswer makes an answer of a received response. A body of more than limit bytes, coded or not, is
// ErrTooLarge; an undecodable body or an invalid status is ErrMalformed.
func newAnswer(status int, header http.Header, body []byte, limit int64) (*answer, error) {
	if status < 200 || status > 599 {
		return nil, fmt.Errorf("%w: status %d", orbweaver.ErrMalformed, status)
	}
	body, err := coding.Decode(header["Content-Encoding"], body, limit)
	if err != nil {
		return nil, err
	}
	return &answer{status: status, header: forPage(header), body: body}, nil
}

// forPage returns the header fields that a page may see, sorted by name.
func forPage(header http.Header) []*fetch.HeaderEntry {
	var names []string
	for name := range header {
		if !isKept(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var entries []*fetch.HeaderEntry
	for _, name := range names {
		for _, value := range header[name] {
			entries = append(entries, &fetch.HeaderEntry{Name: name, Value: value})
		}
	}
	return entries
}

// isKept reports whether a header is withheld from the page: it describes a connection or coding that the page
// does not see, or would make the browser store, report, refetch, save or navigate.
func isKept(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade",
		"Proxy-Authenticate", "Proxy-Connection", "Www-Authenticate", "Te",
		"Set-Cookie", "Set-Cookie2", "Strict-Transport-Security", "Public-Key-Pins", "Alt-Svc", "Clear-Site-Data",
		"Accept-Ch", "Critical-Ch", "Nel", "Report-To", "Reporting-Endpoints", "Expect-Ct",
		"Content-Security-Policy-Report-Only", "Speculation-Rules", "No-Vary-Search", "Service-Worker-Allowed",
		"Content-Disposition", "Refresh", "Use-As-Dictionary", "Available-Dictionary":
		return true
	}
	return false
}
