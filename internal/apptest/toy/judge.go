package toy

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// A ToyWeb answers from a map, and forbids by robots.txt what is in another. It is asked about links
// only on the hosts that it knows.
type ToyWeb struct {
	Answers   map[string]ToyAnswer
	Forbidden map[string]string
	Asked     []string
}

// A ToyAnswer is what a ToyWeb answers for a URL.
type ToyAnswer struct {
	Status      int
	To, Content string
	Err         error
}

// Fetch answers as the web was told to.
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

// Robots is whether robots.txt lets a URL be asked.
func (w *ToyWeb) Robots(_ context.Context, url string, link bool) (allowed, known bool, line string) {
	line, forbidden := w.Forbidden[url]
	return !forbidden, !link || !strings.Contains(url, "//other."), line
}

// Near knows no URLs.
func (w *ToyWeb) Near(string) []string { return nil }

// Close does nothing.
func (w *ToyWeb) Close() error { return nil }
