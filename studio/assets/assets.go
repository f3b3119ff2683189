// Package assets has the style sheet, the script and the icon of the studio's pages, embedded in the program.
//
// This package is not part of the stable API.
package assets

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed files
var files embed.FS

// An asset is a file with its path and media type.
type asset struct {
	path, kind string
	content    []byte
}

// all are the assets by name.
var all = sync.OnceValue(func() map[string]asset {
	kinds := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
	assets := map[string]asset{}
	entries, err := files.ReadDir("files")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, e := range entries {
		content, err := files.ReadFile("files/" + e.Name())
		if err != nil {
			panic(err)
		}
		ext := path.Ext(e.Name())
		hashed := fmt.Sprintf("/assets/%s-%.6x%s", strings.TrimSuffix(e.Name(), ext), sha256.Sum256(content), ext)
		assets[e.Name()] = asset{hashed, kinds[ext], content}
	}
	return assets
})

// Path is the path of an asset, such as app.css; it changes with its content. It panics if there is none of this name.
func Path(name string) string {
	a, ok := all()[name]
	if !ok {
		panic("assets: there is no " + name)
	}
	return a.path
}

// Handler serves the assets at their paths, to be kept for ever.
func Handler() http.Handler {
	served := map[string]asset{}
	for _, a := range all() {
		served[a.path] = a
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := served[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(a.content) // the client has gone
	})
}
