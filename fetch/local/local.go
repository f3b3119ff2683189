// Package local answers requests from local files: an ontology that its server no longer serves, a dump. The
// file of a prefix answers every URL that starts with the prefix. Other URLs are passed on.
//
// This package is not part of the stable API.
package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
)

// A Fetcher answers URLs without a file.
type Fetcher interface {
	Fetch(context.Context, orbweaver.Request) (*step.Response, error)
}

// Documents answer from files. They are immutable and safe for concurrent use.
type Documents struct {
	files     map[string]string // prefix → path
	prefixes  []string          // longest first: the most specific one answers
	otherwise Fetcher
}

// New returns a fetcher that answers URLs of these prefixes from these files, and others by otherwise.
func New(files map[string]string, otherwise Fetcher) *Documents {
	prefixes := order.Collected(maps.Keys(files), func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return &Documents{files: files, prefixes: prefixes, otherwise: otherwise}
}

// Covers reports whether a file answers a URL.
func Covers(files map[string]string, url string) bool {
	for prefix := range files {
		if strings.HasPrefix(url, prefix) {
			return true
		}
	}
	return false
}

// Fetch answers a request with 200 and the unchanged file. Its media type follows from its name; a name that
// ends in .gz means a content coding. The error for a missing file wraps ErrAbsent.
func (d *Documents) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	for _, prefix := range d.prefixes {
		if strings.HasPrefix(r.URL, prefix) {
			return open(r, d.files[prefix])
		}
	}
	return d.otherwise.Fetch(ctx, r)
}

func open(r orbweaver.Request, path string) (*step.Response, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("fetch %s: %s: %w", r.URL, path, orbweaver.ErrAbsent)
	}
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", r.URL, err)
	}
	stat, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("fetch %s: %w", r.URL, err), file.Close())
	}
	return &step.Response{
		Request: r, Status: http.StatusOK, Header: header(path), Body: file, At: stat.ModTime().UTC(),
	}, nil
}

// header describes a file by its name.
func header(path string) http.Header {
	h := http.Header{}
	if inner, packed := strings.CutSuffix(path, ".gz"); packed {
		h.Set("Content-Encoding", "gzip")
		path = inner
	}
	if media := mediaType(strings.ToLower(filepath.Ext(path))); media != "" {
		h.Set("Content-Type", media)
	}
	return h
}

// mediaType is that of an extension; "" leaves it to the bytes.
func mediaType(extension string) string {
	switch extension {
	case ".ttl", ".n3":
		return "text/turtle"
	case ".nt":
		return "application/n-triples"
	case ".rdf", ".owl":
		return "application/rdf+xml"
	case ".html", ".htm":
		return "text/html"
	case ".xhtml":
		return "application/xhtml+xml"
	case ".txt":
		return "text/plain"
	case ".jsonld":
		return "application/ld+json"
	}
	return ""
}
