package archive

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// TestRendered: what scripts made of a page is archived with its answer, is found by a Web and in a crawl's own archive, also if the answer repeats the
// payload of another, is in no list of answers, and is removed with its answer alone.
func TestRendered(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{})
	page := func(url, html string) *step.Response {
		r := &step.Response{
			Request: orbweaver.Request{URL: url}, Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, At: time.Unix(1_700_000_000, 0),
		}
		if html != "" {
			r.Rendered = func() ([]byte, error) { return []byte(html), nil }
		}
		return r
	}
	const shell = "<script src=/app.js></script>"
	made := map[string]string{"http://a.test/1": "<p>one", "http://a.test/2": "<p>two " + strings.Repeat("long ", 1000), "http://a.test/3": ""}
	places := map[string]orbweaver.Ref{}
	for _, url := range []string{"http://a.test/1", "http://a.test/2", "http://a.test/3"} {
		places[url] = appendTo(t, w, page(url, made[url]), shell)
	}
	at := func(read func(orbweaver.Ref) (*step.Response, error)) { // by the places alone; the second and the third repeat the payload of the first
		t.Helper()
		for url, place := range places {
			resp, err := read(place)
			if err != nil {
				t.Errorf("%s: %v", url, err)
				continue
			}
			body, err := io.ReadAll(resp.Body)
			if err := errors.Join(err, resp.Body.Close()); string(body) != shell || resp.Request.URL != url || err != nil {
				t.Errorf("%s: %s, %q, %v", url, resp.Request.URL, body, err)
			}
			if html := ""; (resp.Rendered != nil) != (made[url] != "") {
				t.Errorf("%s: rendered %v", url, resp.Rendered != nil)
			} else if resp.Rendered != nil {
				b, err := resp.Rendered()
				if html = string(b); html != made[url] || err != nil {
					t.Errorf("%s: %.40q, %v", url, html, err)
				}
			}
		}
	}
	at(w.Read)
	at(func(place orbweaver.Ref) (*step.Response, error) { return ReadAt(dir, place) })
	mark := w.Mark()
	closeWriter(t, w)
	if records := strings.Join(validate(t, dir), "\n"); strings.Count(records, "conversion") != 2 {
		t.Errorf("records %s", records)
	}

	check := func(dir string, want map[string]string) {
		t.Helper()
		web := openWeb(t, dir)
		answers := 0
		for entry := range web.All() {
			answers++
			resp, body := fetch(t, web, entry.URL)
			if string(body) != shell || !resp.Told {
				t.Errorf("%s: %q", entry.URL, body)
			}
			got := ""
			if resp.Rendered != nil {
				html, err := resp.Rendered()
				if got = string(html); err != nil {
					t.Errorf("%s: %v", entry.URL, err)
				}
			}
			if got != want[entry.URL] {
				t.Errorf("%s: %.40q, not %.40q", entry.URL, got, want[entry.URL])
			}
		}
		if answers != len(want) {
			t.Errorf("%d answers, not %d", answers, len(want))
		}
		own, err := OpenStock(dir, WebOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		for _, stock := range []*Stock{own, web.Stock()} {
			for listing, err := range stock.All() {
				if err != nil {
					t.Fatal(err)
				}
				html, err := stock.Rendered(listing.Holding, 1<<20)
				if string(html) != want[listing.URL] || errors.Is(err, orbweaver.ErrAbsent) != (want[listing.URL] == "") {
					t.Errorf("%s: %.40q, %v", listing.URL, html, err)
				}
				if _, err := stock.Rendered(listing.Holding, 3); !errors.Is(err, orbweaver.ErrTooLarge) && want[listing.URL] != "" {
					t.Errorf("%s: limited: %v", listing.URL, err)
				}
			}
		}
	}
	check(dir, made)

	// An answer that repeats the payload of a removed one moves, with what its scripts made.
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	moved, err := Remove(context.Background(), other, mark, func(url string) bool { return url == "http://a.test/1" }, nil)
	if err != nil || len(moved.Moved) != 2 {
		t.Fatalf("%+v, %v", moved, err)
	}
	closeWriter(t, openWriter(t, other, moved.Mark, WriterOptions{}))
	rest := maps.Clone(made)
	delete(rest, "http://a.test/1")
	check(other, rest)

	removed, err := Remove(context.Background(), dir, mark, func(url string) bool { return url == "http://a.test/2" }, nil)
	if err != nil || removed.Answers != 1 {
		t.Fatalf("%+v, %v", removed, err)
	}
	closeWriter(t, openWriter(t, dir, removed.Mark, WriterOptions{}))
	if records := strings.Join(validate(t, dir), "\n"); strings.Count(records, "conversion") != 1 {
		t.Errorf("a rendered page outlives its answer: %s", records)
	}
	delete(made, "http://a.test/2")
	check(dir, made)
}

// TestCopyOfRendered: a copy has what scripts made of pages, right before their answers, so that it is read without a browser.
func TestCopyOfRendered(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, dir, Mark{}, WriterOptions{})
	for url, html := range map[string]string{"http://a.test/1": "<p>one", "http://a.test/2": ""} {
		r := answerOf(url, nil)
		if html != "" {
			r.Rendered = func() ([]byte, error) { return []byte(html), nil }
		}
		appendTo(t, w, r, "<script src=/app.js></script>"+url)
	}
	closeWriter(t, w)
	for _, stock := range []*Stock{openStock(t, dir), openWeb(t, dir).Stock()} { // with requests, and without
		copied, _ := copyAll(t, stock, everything)
		if records := strings.Join(validate(t, copied), " "); strings.Count(records, "conversion request response")+strings.Count(records, "conversion response") != 1 {
			t.Errorf("records %s", records)
		}
		for url, want := range map[string]string{"http://a.test/1": "<p>one", "http://a.test/2": ""} {
			got := ""
			resp, _ := fetch(t, openWeb(t, copied), url)
			if resp.Rendered != nil {
				html, err := resp.Rendered()
				if err != nil {
					t.Error(err)
				}
				got = string(html)
			}
			if got != want {
				t.Errorf("%s: rendered %q, want %q", url, got, want)
			}
		}
	}
}
