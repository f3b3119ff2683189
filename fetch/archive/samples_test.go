package archive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf/rdftest"
)

// TestSamples reads the WARC and ARC files that others made to test readers: each is read, as its project's notes and its name
// say.
func TestSamples(t *testing.T) {
	dir := t.TempDir()
	for _, f := range rdftest.Archive(t, "warc-robots-samples.tar.gz", "warcs/") {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f.Name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	truncated := "ukwa/small-arcs-and-warcs/IAH-20080430204825-00000-blackbook-truncated"
	for _, tc := range []struct {
		file    string
		answers int    // URLs that answer
		says    string // of the warning
	}{
		{file: "warcio/data/example.warc", answers: 1},
		{file: "warcio/data/example.warc.gz", answers: 1},
		{file: "warcio/data/example-resource.warc.gz", answers: 1},
		{file: "warcio/data/post-test.warc.gz", answers: 2},
		{file: "warcio/data/example-wget-bad-target-uri.warc.gz", answers: 1}, // brackets around the URI, which WARC 1.0 asks for
		{file: "warcio/data/example-iana.org-chunked.warc", answers: 1},
		{file: "warcio/data/example-bad-non-chunked.warc.gz", answers: 1},     // says chunked, and is not
		{file: "warcio/data/example-bad.warc.gz.bad", answers: 2},             // compressed as a whole
		{file: "warcio/data/example-digest.warc", answers: 0},                 // requests alone, with wrong digests
		{file: "warcio/data/example-space-in-target-uri.warc.gz", answers: 0}, // its one resource is of a file, not of the Web
		{file: "warcio/data/example-trunc.warc", answers: 1, says: "cannot be read"},
		{file: "warcio/data/example-wrong-chunks.warc.gz", answers: 0, says: "cut off"}, // states more bytes than it has
		{file: truncated + ".warc", answers: 7},
		{file: truncated + ".warc.gz", answers: 7},
		{file: "ukwa/small-arcs-and-warcs/IAH-urls-wget.warc.gz", answers: 14},
		{file: "ukwa/wikipedia-sopa-blackout-2012/wikipedia-blackout/sopa-wikipedia-homepage.warc.gz", answers: 74},
		{file: "ukwa/wikipedia-sopa-blackout-2012/wikipedia-post-blackout/main-page.warc.gz", answers: 70},
		{file: "ukwa/wikipedia-sopa-blackout-2012/wikipedia-post-blackout/post-blackout.warc.gz", answers: 51},
		{file: "warcio/data/bad.arc", answers: 0, says: "cannot be read"},
		{file: "warcio/data/example.arc", answers: 1},
		{file: "warcio/data/example.arc.gz", answers: 1},
		{file: "warcio/data/example-space-in-url.arc", answers: 0, says: "cut off"}, // its line ends were changed: it is shorter than it says
		{file: truncated + ".arc", answers: 7},
		{file: truncated + ".arc.gz", answers: 7},
	} {
		t.Run(filepath.Base(tc.file), func(t *testing.T) {
			path := filepath.Join(dir, "warcs", tc.file)
			if _, err := os.Stat(path); err != nil {
				t.Skip(err)
			}
			w, err := OpenWeb([]string{path}, WebOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			entries := slices.Collect(w.All())
			if len(entries) != tc.answers || (tc.says == "") != (len(w.Warnings()) == 0) || !strings.Contains(strings.Join(w.Warnings(), "\n"), tc.says) {
				t.Errorf("%d answers, want %d; warnings %q", len(entries), tc.answers, w.Warnings())
			}
			for _, e := range entries {
				fetch(t, w, e.URL)
			}
		})
	}
}
