package assets

import (
	"compress/gzip"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestServed: every asset is served at its path with its type, to be kept, and nothing else is.
func TestServed(t *testing.T) {
	for name, kind := range map[string]string{"app.css": "text/css", "app.js": "text/javascript", "icon.svg": "image/svg+xml", "chart.css": "text/css", "ask.js": "text/javascript", "LICENSES.txt": "text/plain"} {
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest("GET", Path(name), nil))
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Body.Len() < 100 {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
	}
	for _, path := range []string{"/assets/", "/assets/app.css", "/assets/../assets.go", "/assets/files/app.css"} {
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://x"+path, nil))
		if w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestGzip: clients that take gzip get the same content gzipped, and others do not.
func TestGzip(t *testing.T) {
	for accept, gzipped := range map[string]bool{"gzip, deflate, br": true, "br;q=1.0, gzip;q=0.5": true, "*": true, "": false, "br": false, "gzip;q=0": false, "xgzip": false} {
		r := httptest.NewRequest("GET", Path("app.js"), nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, r)
		if w.Header().Get("Vary") != "Accept-Encoding" || (w.Header().Get("Content-Encoding") == "gzip") != gzipped {
			t.Errorf("%q: %v", accept, w.Header())
			continue
		}
		if !gzipped {
			continue
		}
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(z); err != nil || string(text) != string(all()["app.js"].plain()) {
			t.Errorf("%q: %d bytes, %v", accept, len(text), err)
		}
	}
}

// TestLicences: every package of the bundles has its licence text.
func TestLicences(t *testing.T) {
	text := string(all()["LICENSES.txt"].plain())
	for _, name := range []string{"htmx.org", "uplot", "cytoscape", "cytoscape-fcose", "layout-base", "@codemirror/view", "@zazuko/yasqe", "codemirror"} {
		_, after, found := strings.Cut(text, "==== "+name+" ")
		if own, _, _ := strings.Cut(after, "\n==== "); !found || len(own) < 300 {
			t.Errorf("%s has no licence text", name)
		}
	}
}
