package local_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"orbweaver"
	"orbweaver/fetch/local"
	"orbweaver/internal/step"
)

// elsewhere is the rest of the Web.
type elsewhere struct{}

func (elsewhere) Fetch(context.Context, orbweaver.Request) (*step.Response, error) {
	return nil, orbweaver.ErrScope
}

func TestFetch(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"all.owl.gz": "packed", "one.ttl": "one"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d := local.New(map[string]string{
		"http://a.test/o/":     filepath.Join(dir, "all.owl.gz"),
		"http://a.test/o/one#": filepath.Join(dir, "one.ttl"),
		"http://a.test/o/one":  filepath.Join(dir, "one.ttl"),
		"http://a.test/gone/":  filepath.Join(dir, "none.ttl"),
	}, elsewhere{})
	for _, tc := range []struct {
		name, url, body, media, coding string
		err                            error
	}{
		{"a prefix", "http://a.test/o/Plane", "packed", "application/rdf+xml", "gzip", nil},
		{"the longest prefix", "http://a.test/o/one", "one", "text/turtle", "", nil},
		{"no prefix", "http://b.test/", "", "", "", orbweaver.ErrScope},
		{"a file that is gone", "http://a.test/gone/x", "", "", "", orbweaver.ErrAbsent},
	} {
		response, err := d.Fetch(t.Context(), orbweaver.Request{URL: tc.url})
		if !errors.Is(err, tc.err) || err != nil != (tc.err != nil) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err != nil {
			continue
		}
		body, err := io.ReadAll(response.Body)
		if err := errors.Join(err, response.Body.Close()); err != nil {
			t.Fatal(err)
		}
		h := response.Header
		if string(body) != tc.body || h.Get("Content-Type") != tc.media || h.Get("Content-Encoding") != tc.coding || response.Status != 200 || response.Request.URL != tc.url {
			t.Errorf("%s: %q, %+v", tc.name, body, response)
		}
	}
}
