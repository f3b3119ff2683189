//go:build e2e

package studio_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/studio"
)

// A heldWeb is a web of this machine whose pages come when the test lets them: a crawl of it runs as long as the test acts on it.
type heldWeb struct {
	url  string
	gate chan struct{} // takes a page for each value, all pages when it is closed
	all  sync.Once
}

// hold serves a village with a club of kites and a shop of kettles, eight pages each.
func hold(t *testing.T) *heldWeb {
	t.Helper()
	w := &heldWeb{gate: make(chan struct{}, 100)}
	server := httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(func() {
		w.let(0)
		server.Close()
	})
	w.url = server.URL
	return w
}

// let lets n pages through; 0: all from now on.
func (w *heldWeb) let(n int) {
	if n == 0 {
		w.all.Do(func() { close(w.gate) })
	}
	for range n {
		w.gate <- struct{}{}
	}
}

func (w *heldWeb) serve(out http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "robots.txt" {
		http.NotFound(out, r)
		return
	}
	select {
	case <-w.gate:
	case <-r.Context().Done():
		return
	}
	kind, _, _ := strings.Cut(name, "-")
	text := map[string]string{
		"kite":   "A kite flies in the wind at the end of its line, and a kite reel takes the line.",
		"kettle": "A kettle boils water for tea. It whistles when the water is hot.",
		"attic":  "In the attic hangs an old kite.",
	}[kind]
	title := strings.ReplaceAll(name, "-", " ")
	if name == "" {
		title, text = "village", "The village has a club of kites and a shop."
		for i := range 8 {
			text += fmt.Sprintf(` <a href="/kite-%d">kite %d</a> <a href="/kettle-%d">kettle %d</a>`, i, i, i, i)
		}
	}
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(out, "<html><head><title>The %s</title></head><body><p>%s</p><p>This is %s.</p></body></html>", title, text, title)
}

// file is the crawl file of a crawl of the web for kites, one request at a time.
func (w *heldWeb) file() string {
	return fmt.Sprintf("seeds: [%s/]\nfocus: {keyword: {terms: [kite]}}\nallow_private: [127.0.0.0/8]\narchive: on\nexplore: 0\n"+
		"politeness: {delay: %v, contact: me@example.org}\n", w.url, time.Millisecond)
}

// serveHeld serves a workspace with a crawl of a held web that has not begun.
func serveHeld(t *testing.T) (*heldWeb, string) {
	t.Helper()
	web, addr := hold(t), serve(t, studio.Options{})
	if code, _, text := newClient(t, addr).send("POST", "/api/v1/crawls?name=kites", web.file(), "Content-Type: application/yaml"); code != 201 {
		t.Fatalf("%d: %s", code, text)
	}
	return web, addr
}

// onePath is the path of the page about a page of the web.
func (w *heldWeb) onePath(name string) string {
	return "/crawls/kites/page?" + url.Values{"url": {w.url + "/" + name}}.Encode()
}
