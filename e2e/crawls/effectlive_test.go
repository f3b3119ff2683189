//go:build e2e

package crawls_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
)

// TestEffectLive: of a crawl of the live Web the pages are those of its own archive; nothing is asked of their host again.
func TestEffectLive(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		words := []string{"airplane", "harbour", "glider"}[len(r.URL.Path)%3]
		fmt.Fprintf(w, "<html lang=en><title>%s</title><p>A %s is here, and the %s is there, with much else to see on this page %d.", r.URL.Path, words, words, len(r.URL.Path))
		for i := range 6 {
			fmt.Fprintf(w, "<p><a href='/%s'>to a page of an airplane</a>", "ppppppppp"[:i+1])
		}
	}))
	defer server.Close()
	folder := t.TempDir()
	file := filepath.Join(folder, "aircraft.ttl")
	was, err := os.ReadFile("../../examples/aircraft.ttl")
	if err == nil {
		err = os.WriteFile(file, was, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.New(
		crawl.Seeds(server.URL+"/"), crawl.Folder(filepath.Join(folder, "live")), crawl.Set("allow_private", true), crawl.Set("politeness.delay", "1ms"),
		crawl.Set("focus.ontology.files", file), crawl.Set("focus.ontology.target", "Airplane"),
	)
	if err == nil {
		_, err = c.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	before, all := crawlAcceptedNow(t, c)
	so := asked.Load()
	more := append(was[:len(was):len(was)], glider...)
	e, err := c.Effect(t.Context(), crawl.Revision{Files: map[string][]byte{file: more}})
	if err != nil || e.Came == 0 {
		t.Fatalf("%+v, %v", e, err)
	}
	now, then, err := c.TryBoth(t.Context(), crawl.Sample{URL: e.In[0].URL}, crawl.Revision{Files: map[string][]byte{file: more}})
	if err != nil || now.Score != e.In[0].Was || then.Score != e.In[0].Score {
		t.Errorf("%+v, %+v, %v", now, then, err)
	}
	if _, _, err := c.TryBoth(t.Context(), crawl.Sample{URL: server.URL + "/never"}, crawl.Revision{}); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Errorf("a page that was not archived: %v", err)
	}
	if err := os.WriteFile(file, more, 0o666); err != nil {
		t.Fatal(err)
	}
	after, _ := crawlAcceptedNow(t, c)
	if agree(t, e, before, after, all); asked.Load() != so || all < 5 {
		t.Errorf("%d pages; %d requests more", all, asked.Load()-so)
	}
}
