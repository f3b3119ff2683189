// Package webhook delivers items to a URL, as JSON by POST.
//
// A message is delivered when the answer's status is 2xx. A redirect is not followed. 410 says that the receiver takes nothing any more; another 4xx
// that something has to be corrected, which is tried again every five minutes; Retry-After is respected. All else is tried again soon.
//
// This package is not part of the stable API.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"orbweaver/sink"
)

// Headers of a message.
const (
	HeaderID        = "Orbweaver-Delivery"  // the ID of the message: the same whenever it comes again
	HeaderTime      = "Orbweaver-Time"      // seconds since 1970, when it was sent
	HeaderSignature = "Orbweaver-Signature" // see Sign; missing without a secret
)

// A Message is the body of a request.
type Message struct {
	ID    string      `json:"id"` // that of its first item
	Crawl string      `json:"crawl"`
	Items []sink.Item `json:"items"` // in order
}

// Options are where messages go, and what is in them.
type Options struct {
	URL    string
	Crawl  string      // its name
	Secret []byte      // empty: messages are not signed
	On     []sink.Kind // what is told; empty: all
	Most   int         // items of a message, at most
	// Do makes a request. Redirects count as failures.
	Do func(*http.Request) (*http.Response, error)
}

// A Hook is the sink of a URL.
type Hook struct{ o Options }

// New returns the sink of a URL.
func New(o Options) *Hook { return &Hook{o} }

// Close implements [sink.Sink].
func (h *Hook) Close() error { return nil }

// limits of a request.
const (
	patience  = time.Minute
	slow      = 5 * time.Minute // until the next try of what a person has to correct
	maxAnswer = 64 << 10
)

// Check sends a message without items, which a receiver answers with 2xx.
func (h *Hook) Check(ctx context.Context) error {
	return h.send(ctx, Message{ID: "check", Crawl: h.o.Crawl, Items: []sink.Item{}})
}

// Deliver implements [sink.Sink].
func (h *Hook) Deliver(ctx context.Context, items []sink.Item) error {
	told := make([]sink.Item, 0, len(items))
	for _, i := range items {
		if len(h.o.On) == 0 || slices.Contains(h.o.On, i.Kind) {
			told = append(told, i)
		}
	}
	for part := range slices.Chunk(told, max(h.o.Most, 1)) {
		if err := h.send(ctx, Message{part[0].ID, h.o.Crawl, part}); err != nil {
			return err
		}
	}
	return nil
}

func (h *Hook) send(ctx context.Context, m Message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.o.URL, bytes.NewReader(body))
	if err != nil {
		return errors.New("the URL of the webhook makes no request") // it may hold a secret
	}
	at := strconv.FormatInt(time.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(HeaderID, m.ID)
	request.Header.Set(HeaderTime, at)
	if len(h.o.Secret) > 0 {
		request.Header.Set(HeaderSignature, Sign(h.o.Secret, at, body))
	}
	response, err := h.o.Do(request)
	if err != nil {
		return withoutURL(err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer)) // so that the connection can be used again
	_ = response.Body.Close()                                            // the status says what became of the message
	return outcome(response)
}

// withoutURL removes the URL from an error of a client: its query may be a secret.
func withoutURL(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// outcome says what an answer means.
func outcome(r *http.Response) error {
	after, _ := strconv.Atoi(r.Header.Get("Retry-After")) // a date counts as none
	wait := time.Duration(min(max(after, 0), 24*3600)) * time.Second
	switch {
	case r.StatusCode/100 == 2:
		return nil
	case r.StatusCode == http.StatusGone:
		return fmt.Errorf("the webhook answered 410 Gone: %w", sink.ErrGone)
	case r.StatusCode/100 == 3:
		return &refusal{fmt.Sprintf("the webhook answered %d, and redirects are not followed: name the URL that it leads to", r.StatusCode), max(wait, slow)}
	case r.StatusCode/100 == 4 && r.StatusCode != http.StatusTooManyRequests && r.StatusCode != http.StatusRequestTimeout:
		return &refusal{fmt.Sprintf("the webhook answered %d %s", r.StatusCode, http.StatusText(r.StatusCode)), max(wait, slow)}
	}
	return &refusal{fmt.Sprintf("the webhook answered %d", r.StatusCode), wait}
}

// A refusal is an answer that is none of 2xx.
type refusal struct {
	text string
	wait time.Duration // 0: it does not say
}

func (r *refusal) Error() string { return r.text }

// RetryAfter is when to try again.
func (r *refusal) RetryAfter() time.Duration { return r.wait }

// Sign returns the signature of a body: "sha256=" and HMAC-SHA256 in hex, of the time as in HeaderTime, a dot, and the body.
func Sign(secret []byte, at string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
