package sitemap

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/internal/urllist"
)

// Listing wraps a fetcher: it answers requests for the parts of lists of URLs.
func Listing(lists *urllist.Lists, inner pipeline.Fetcher) pipeline.Fetcher {
	if lists == nil {
		return inner
	}
	return listing{lists, inner}
}

type listing struct {
	lists *urllist.Lists
	inner pipeline.Fetcher
}

// Fetch answers a request.
func (f listing) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	list, part := f.lists.Find(r.URL)
	if list == nil {
		return f.inner.Fetch(ctx, r)
	}
	media, body, err := list.Document(part)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w: %w", r.URL, orbweaver.ErrAbsent, err)
	}
	return &step.Response{Request: r, Status: http.StatusOK, Header: http.Header{"Content-Type": {media}},
		Body: io.NopCloser(bytes.NewReader(body)), At: time.Unix(0, 0).UTC()}, nil
}

// Facts states the sitemaps that an archive was given, and the lists of URLs with which a crawl starts.
func Facts(given *Web, lists *urllist.Lists) (facts []eval.Fact) {
	if words := given.Words(); words != "" {
		facts = append(facts, eval.Fact{Name: "sitemap", Value: words})
	}
	if lists == nil {
		return facts
	}
	for _, l := range lists.All {
		value := fmt.Sprintf("%s (%s), %d URLs", l.Path, l.Form, l.URLs)
		if l.LeftOut > 0 {
			value += fmt.Sprintf(", %d entries left out", l.LeftOut)
		}
		facts = append(facts, eval.Fact{Name: "list", Value: value})
	}
	return facts
}
