package fetchtest_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver/fetch/fetchtest"
)

// TestNginxTellsWhatItServed: each request that was answered, in order, with what matters of it.
func TestNginxTellsWhatItServed(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.html"), []byte("<p>hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	n := fetchtest.StartNginx(t, fetchtest.NginxConfig{Root: root, Server: "location = /moved { return 301 /a.html; }"})
	if n.Secure != "" || n.Brotli != fetchtest.HasBrotli() || len(n.Served(t)) > 0 {
		t.Errorf("%+v, which served %v", n, n.Served(t))
	}
	client := http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	want := []fetchtest.Served{
		{Path: "/a.html?b=%20", Status: 200, Length: "8"},
		{Path: "/a.html", Status: 200, Coding: "gzip", Transfer: "chunked"},
		{Path: "/a.html", Status: 304, NoneMatch: "x"},
		{Path: "/moved", Status: 301, Length: "169"},
		{Path: "/none", Status: 404, Length: "153"},
	}
	var etag string
	for i := range want {
		w := &want[i]
		request, err := http.NewRequestWithContext(t.Context(), "GET", n.Plain+w.Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.Protocol, w.UserAgent = "HTTP/1.1", fmt.Sprint("agent ", i)
		request.Header.Set("User-Agent", w.UserAgent)
		if w.Coding != "" {
			request.Header.Set("Accept-Encoding", w.Coding)
		}
		if w.NoneMatch != "" {
			w.NoneMatch = "W/" + etag
			request.Header.Set("If-None-Match", w.NoneMatch)
		}
		answer, err := client.Transport.RoundTrip(request)
		if err != nil || answer.StatusCode != w.Status {
			t.Fatalf("%v, %v", answer, err)
		}
		answer.Body.Close()
		if i == 0 {
			etag = answer.Header.Get("ETag")
		}
	}
	if got := n.Served(t); !slices.Equal(got, want) {
		t.Errorf("served\n%+v, want\n%+v", got, want)
	}
}
