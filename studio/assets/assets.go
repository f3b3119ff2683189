// Package assets has the style sheets, the scripts and the icon of the studio's pages, embedded in the program, and the licences of the
// packages in the scripts. `make web` writes the scripts anew, from web/src and the packages of web/package-lock.json; they are kept gzipped,
// as almost every client takes them.
//
// This package is not part of the stable API.
package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed files
var files embed.FS

// An asset is a file with its path and media type, and its content, each made when it is first asked for.
type asset struct {
	path, kind     string
	plain, gzipped func() []byte
}

// all are the assets by name.
var all = sync.OnceValue(func() map[string]asset {
	kinds := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}
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
		a := asset{
			plain:   func() []byte { return content },
			gzipped: sync.OnceValue(func() []byte { return squeezed(content) }),
		}
		name, small := strings.CutSuffix(e.Name(), ".gz")
		if small {
			a.plain, a.gzipped = sync.OnceValue(func() []byte { return unpacked(content) }), a.plain
		}
		ext := path.Ext(name)
		a.kind = kinds[ext]
		a.path = fmt.Sprintf("/assets/%s-%.6x%s", strings.TrimSuffix(name, ext), sha256.Sum256(content), ext)
		assets[name] = a
	}
	return assets
})

// squeezed returns a text gzipped.
func squeezed(text []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // it is written to memory
	}
	return out.Bytes()
}

// unpacked returns the text of a gzipped file of the program.
func unpacked(file []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		panic(err) // it is embedded
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}

// Path is the path of an asset, such as app.css; it changes with its content. It panics if there is none of this name.
func Path(name string) string {
	a, ok := all()[name]
	if !ok {
		panic("assets: there is no " + name)
	}
	return a.path
}

// Handler serves the assets at their paths, to be kept for ever, and gzipped to clients that take it.
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
		w.Header().Set("Vary", "Accept-Encoding")
		content := a.plain
		if takesGzip(r.Header.Get("Accept-Encoding")) {
			w.Header().Set("Content-Encoding", "gzip")
			content = a.gzipped
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(content())))
		_, _ = w.Write(content()) // the client has gone
	})
}

// takesGzip reports whether a client that sends this Accept-Encoding takes gzip.
func takesGzip(accept string) bool {
	for coding := range strings.SplitSeq(accept, ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if name = strings.TrimSpace(name); name == "gzip" || name == "*" {
			q, given := strings.CutPrefix(strings.TrimSpace(quality), "q=")
			least, err := strconv.ParseFloat(q, 64)
			return !given || err == nil && least > 0
		}
	}
	return false
}
