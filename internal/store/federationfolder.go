package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/eval"
)

// folderLoader loads files of one folder and its subfolders, for LOAD with file: IRIs. It refuses files
// elsewhere, also through symbolic links, and anything but regular files. It implements eval.Loader, and
// serves updates of the files' owner only.
type folderLoader struct {
	root   *os.Root
	dir    string // absolute
	remote *contexts.Remote
	web    eval.Loader // loads other IRIs; nil: they are refused
	loads  int
}

// newFolderLoader opens a folder. remote fetches the contexts of JSON-LD.
func newFolderLoader(dir string, remote *contexts.Remote, web eval.Loader) (*folderLoader, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folderLoader{root: root, dir: dir, remote: remote, web: web}, nil
}

// Close closes the folder.
func (l *folderLoader) Close() error { return l.root.Close() }

// Load reads a file, or passes other IRIs to the Web loader.
func (l *folderLoader) Load(ctx context.Context, iri string) iter.Seq2[rdf.Triple, error] {
	if !strings.HasPrefix(strings.ToLower(iri), "file:") {
		if l.web != nil {
			return l.web.Load(ctx, iri)
		}
		return func(yield func(rdf.Triple, error) bool) { yield(rdf.Triple{}, eval.ErrNoLoader) }
	}
	return func(yield func(rdf.Triple, error) bool) {
		file, err := l.open(iri)
		if err != nil {
			yield(rdf.Triple{}, err)
			return
		}
		defer file.Close()
		l.loads++
		d := loaded{
			base: iri, text: file, file: file, scope: rdffile.Scope(fmt.Sprintf("f%d_", l.loads)),
			maxRows: maxFileQuads, maxBytes: maxFileBytes, context: l.remote.Load,
		}
		for t, err := range d.triples(ctx) {
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// Limits of a local file.
const (
	maxFileQuads = 5_000_000
	maxFileBytes = 4 << 30 // decompressed
)

var errOutside = errors.New("not a file in the folder that this runs in")

// open opens the file of an IRI if it lies in the folder.
func (l *folderLoader) open(iri string) (*os.File, error) {
	u, err := url.Parse(iri)
	if err != nil || u.Host != "" && u.Host != "localhost" || u.Opaque != "" {
		return nil, errOutside
	}
	name, err := filepath.Rel(l.dir, filepath.FromSlash(u.Path))
	if err != nil || !filepath.IsLocal(name) {
		return nil, errOutside
	}
	info, err := l.root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errOutside
	}
	return l.root.Open(name)
}
