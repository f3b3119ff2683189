package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"orbweaver/sink"
)

// TestMessages: items come in order, so many a message, signed, and those alone that are told.
func TestMessages(t *testing.T) {
	secret := []byte("of the test")
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Header.Get(HeaderSignature) != Sign(secret, r.Header.Get(HeaderTime), body) || r.Method != http.MethodPost {
			t.Errorf("%s with %v", r.Method, r.Header)
		}
		var m Message
		if err := json.Unmarshal(body, &m); err != nil || m.Crawl != "c" || m.ID != r.Header.Get(HeaderID) {
			t.Errorf("%s: %v", body, err)
		}
		words := m.ID + ":"
		for _, i := range m.Items {
			words += " " + string(i.Kind) + i.URL
		}
		got = append(got, words)
	}))
	defer server.Close()
	h := New(Options{URL: server.URL, Crawl: "c", Secret: secret, On: []sink.Kind{sink.Accepted, sink.End}, Most: 2, Do: http.DefaultClient.Do})
	if err := h.Check(t.Context()); err != nil {
		t.Error(err)
	}
	items := []sink.Item{
		{ID: "1", Kind: sink.Accepted, URL: "a", Page: &sink.Page{Title: "A"}}, {ID: "2", Kind: sink.Withdrawn, URL: "a"},
		{ID: "3", Kind: sink.Accepted, URL: "b", Page: &sink.Page{}}, {ID: "4", Kind: sink.End},
	}
	if err := h.Deliver(t.Context(), items); err != nil {
		t.Error(err)
	}
	if all := strings.Join(got, ", "); all != "check:, 1: accepteda acceptedb, 4: end" {
		t.Error(all)
	}
	if err := h.Deliver(t.Context(), items[1:2]); err != nil || len(got) != 3 {
		t.Errorf("what is not told is sent: %v", got)
	}
}

// TestAnswers: what statuses mean, and when the next try is.
func TestAnswers(t *testing.T) {
	for _, tc := range []struct {
		status int
		after  string
		ok     bool
		gone   bool
		wait   time.Duration
		words  string
	}{
		{200, "", true, false, 0, ""},
		{204, "", true, false, 0, ""},
		{410, "", false, true, 0, "410 Gone"},
		{500, "", false, false, 0, "500"},
		{503, "90", false, false, 90 * time.Second, "503"},
		{429, "7", false, false, 7 * time.Second, "429"},
		{429, "Sat, 28 Nov 2026 08:00:00 GMT", false, false, 0, "429"},
		{401, "", false, false, slow, "401 Unauthorized"},
		{401, "3600", false, false, time.Hour, "401"},
		{302, "", false, false, slow, "redirects are not followed"},
		{500, "99999999999", false, false, 24 * time.Hour, ""},
		{500, "-1", false, false, 0, ""},
	} {
		h := New(Options{URL: "http://h.test/?key=hidden", Do: func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: tc.status, Header: http.Header{"Retry-After": {tc.after}}, Body: http.NoBody}, nil
		}})
		err := h.Deliver(t.Context(), []sink.Item{{ID: "1"}})
		if (err == nil) != tc.ok || errors.Is(err, sink.ErrGone) != tc.gone {
			t.Errorf("%d: %v", tc.status, err)
			continue
		}
		var later interface{ RetryAfter() time.Duration }
		if err != nil && !tc.gone && (!errors.As(err, &later) || later.RetryAfter() != tc.wait || !strings.Contains(err.Error(), tc.words)) {
			t.Errorf("%d, Retry-After %q: %v in %v", tc.status, tc.after, err, later.RetryAfter())
		}
	}
}

// TestNoSecretInErrors: an error does not show the query of the URL, which may be a secret.
func TestNoSecretInErrors(t *testing.T) {
	h := New(Options{URL: "http://127.0.0.1:1/?key=hidden", Do: http.DefaultClient.Do})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), ctx} {
		if err := h.Deliver(ctx, []sink.Item{{ID: "1"}}); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Error(err)
		}
	}
}
