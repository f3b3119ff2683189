package endpoints

import (
	"context"
	"io"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// Fetcher answers requests.
type Fetcher interface {
	Fetch(context.Context, orbweaver.Request) (*step.Response, error)
}

// Watching is a Fetcher of the live Web that records endpoints in a book.
type Watching struct {
	Fetcher
	Book *Book
}

// Fetch fetches, and records for a request with a Query its time, and its duration or failure.
func (w Watching) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if r.Query == "" {
		return w.Fetcher.Fetch(ctx, r)
	}
	began := time.Now()
	response, err := w.Fetcher.Fetch(ctx, r)
	switch {
	case ctx.Err() != nil: // cancelled by this process
	case err != nil:
		w.Book.asked(r.URL, began)
		w.Book.failed(r.URL, orbweaver.FailureOf(err))
	default:
		w.Book.asked(r.URL, began)
		response.Body = &timed{ReadCloser: response.Body, book: w.Book, endpoint: r.URL, began: began}
	}
	return response, err
}

// timed is a body that records when it was read to its end.
type timed struct {
	io.ReadCloser
	book     *Book
	endpoint string
	began    time.Time
	once     sync.Once
}

// Read reads. A body that breaks off counts as a failure.
func (t *timed) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	switch {
	case err == io.EOF:
		t.once.Do(func() { t.book.took(t.endpoint, time.Since(t.began)) })
	case err != nil:
		t.once.Do(func() { t.book.failed(t.endpoint, orbweaver.FailureOf(err)) })
	}
	return n, err
}
