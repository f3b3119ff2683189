package toy

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// A ToyWeb is a PageSource in memory: a map of answers and a map of URLs that robots.txt disallows. For links, the
// robots.txt of host other is unknown.
type ToyWeb struct {
	Answers   map[string]ToyAnswer
	Forbidden map[string]string
	Asked     []string
}

// A ToyAnswer is the answer of a ToyWeb for a URL.
type ToyAnswer struct {
	Status      int
	To, Content string
	Err         error
}

// Fetch returns the answer for a URL.
func (w *ToyWeb) Fetch(_ context.Context, url, _ string) (*step.Response, []byte, error) {
	w.Asked = append(w.Asked, url)
	a, ok := w.Answers[url]
	switch {
	case !ok:
		return nil, nil, fmt.Errorf("fetch %s: %w", url, orbweaver.ErrAbsent)
	case a.Err != nil:
		return nil, nil, fmt.Errorf("fetch %s: %w", url, a.Err)
	}
	header := http.Header{"Content-Type": {"text/html"}}
	if a.To != "" {
		header.Set("Location", a.To)
	}
	redirect := a.To
	if strings.HasPrefix(redirect, "mailto:") {
		redirect = ""
	}
	return &step.Response{Request: orbweaver.Request{URL: url}, Status: a.Status, Header: header, Redirect: redirect}, []byte(a.Content), nil
}

// Robots reports whether robots.txt allows a URL.
func (w *ToyWeb) Robots(_ context.Context, url string, link bool) (allowed, known bool, line string) {
	line, forbidden := w.Forbidden[url]
	return !forbidden, !link || !strings.Contains(url, "//other."), line
}

// Near returns nothing.
func (w *ToyWeb) Near(string) []string { return nil }

// Close does nothing.
func (w *ToyWeb) Close() error { return nil }
