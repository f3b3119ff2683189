//go:build e2e

package crawls_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
)

// TestArchived: the archive of a crawl has the bytes of its pages, also where one repeats another, and shows pages by a handler; the
// statements of a page are those of its document.
func TestArchived(t *testing.T) {
	c := planes(t, filepath.Join(t.TempDir(), "planes"), 200)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	a, err := c.Archived()
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	list, err := c.Pages(t.Context(), crawl.PageQuery{})
	if err != nil || len(list.Pages) < 100 {
		t.Fatalf("%d pages: %v", len(list.Pages), err)
	}
	data := 0
	for _, p := range list.Pages {
		response, err := a.Get(t.Context(), p.URL)
		if err != nil {
			t.Fatalf("%s: %v", p.URL, err)
		}
		body, err := io.ReadAll(response.Body)
		if err = errors.Join(err, response.Body.Close()); err != nil || response.Status != p.Status || int64(len(body)) != p.Bytes {
			t.Errorf("%s: status %d, %d bytes, want %d and %d: %v", p.URL, response.Status, len(body), p.Status, p.Bytes, err)
		}
		d, err := c.Data(t.Context(), crawl.DataQuery{URL: p.URL})
		if err != nil || (d.Graph == "") != (len(d.Statements) == 0) {
			t.Errorf("%s: %+v, %v", p.URL, d, err)
		}
		if p.Type == "text/turtle" {
			some, err := c.Data(t.Context(), crawl.DataQuery{URL: p.URL, Limit: 1})
			if data++; err != nil || len(d.Statements) < 2 || len(some.Statements) != 1 || !some.More || !bytes.Contains(body, []byte("@prefix")) {
				t.Errorf("%s: %d statements, of which %+v are some: %v", p.URL, len(d.Statements), some, err)
			}
		}
	}
	if data == 0 {
		t.Error("no page has data: the test shows nothing")
	}
	if _, err := a.Get(t.Context(), "http://nowhere.example/"); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Errorf("what is not there: %v", err)
	}
	h, err := a.Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &recorded{header: http.Header{}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/web/http://skylines.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.RequestURI = "/web/http://skylines.example/"
	if h.ServeHTTP(w, r); !strings.Contains(w.body.String(), "/web/http://skylines.example/types/") {
		t.Errorf("%v: %.300s", w.header, w.body.String())
	}
}

// A recorded keeps an answer.
type recorded struct {
	header http.Header
	body   bytes.Buffer
}

func (r *recorded) Header() http.Header         { return r.header }
func (r *recorded) WriteHeader(int)             {}
func (r *recorded) Write(p []byte) (int, error) { return r.body.Write(p) }
