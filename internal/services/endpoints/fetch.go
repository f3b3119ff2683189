package endpoints

import (
	"context"
	"io"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Fetcher answers requests.
type Fetcher interface {
	Fetch(context.Context, orbweaver.Request) (*step.Response, error)
}

// Watching is a Fetcher of the live Web whose endpoints a book is kept of.
type Watching struct {
	Fetcher
	Book *Book
}

// Fetch asks, and notes of a request with a Query when it was made, how long the answer took and, where
// there is none, why.
func (w Watching) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if r.Query == "" {
		return w.Fetcher.Fetch(ctx, r)
	}
	began := time.Now()
	response, err := w.Fetcher.Fetch(ctx, r)
	switch {
	case ctx.Err() != nil: // of our own doing
	case err != nil:
		w.Book.asked(r.URL, began)
		w.Book.failed(r.URL, orbweaver.FailureOf(err))
	default:
		w.Book.asked(r.URL, began)
		response.Body = &timed{ReadCloser: response.Body, book: w.Book, endpoint: r.URL, began: began}
	}
	return response, err
}

// A timed body tells when it was read to its end.
type timed struct {
	io.ReadCloser
	book     *Book
	endpoint string
	began    time.Time
	once     sync.Once
}

// Read reads on. A body that breaks off is a failure.
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
