package studio

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"orbweaver/crawl"
	"orbweaver/server/door"
	"orbweaver/studio/workspace"
)

// maxReplays is the number of crawls whose archives are open for their archived pages; of more, the one used longest ago is closed.
const maxReplays = 8

// A frames serves archived pages at an origin of their own: another port. A page is at /web/KEY/URL; the key is 14 digits that only who
// is shown a page of the studio knows, new for each process. Beneath a key are the pages of one crawl.
type frames struct {
	ws   *workspace.Workspace
	port string
	tls  *tls.Config // nil: none

	mu  sync.Mutex
	all []*framed // the one used last is the last
}

// A framed is a crawl whose archive is open.
type framed struct {
	id, key string
	archive *crawl.Archived
	serve   http.Handler
}

// newKey draws 14 digits.
func newKey() string {
	n, err := rand.Int(rand.Reader, big.NewInt(9e13))
	if err != nil {
		panic(err) // never: see crypto/rand
	}
	return n.Add(n, big.NewInt(1e13)).String()
}

// listen serves archived pages on a listener, which it closes, until ctx ends.
func (f *frames) listen(ctx context.Context, l net.Listener) {
	server := &http.Server{
		Handler: f, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader, WriteTimeout: answerTime,
		ErrorLog: log.New(io.Discard, "", 0), // it reports clients that disconnect
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if l = door.Listen(l, maxConnections, patience); f.tls != nil {
		l = tls.NewListener(l, f.tls)
	}
	_ = server.Serve(l) // it ends with ctx
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.all {
		_ = c.archive.Close() // it was only read
	}
	f.all = nil
}

// address is where a page of a crawl is shown to who asked r; empty if nowhere.
func (f *frames) address(r *http.Request, id, address string) string {
	if f == nil {
		return ""
	}
	c, err := f.open(id)
	if err != nil {
		return "" // the page says why it has no archive
	}
	return f.origin(r) + "/web/" + c.key + "/" + address
}

// origin is the origin of archived pages for who asked r.
func (f *frames) origin(r *http.Request) string {
	u, scheme := url.URL{Host: r.Host}, "http://"
	if f.tls != nil {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(u.Hostname(), f.port)
}

// source is what a page of who asked r may have in its frames.
func (f *frames) source(r *http.Request) string {
	if f == nil {
		return "'none'"
	}
	return f.origin(r)
}

// open returns the crawl of an id, which it opens if it is not.
func (f *frames) open(id string) (*framed, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := slices.IndexFunc(f.all, func(c *framed) bool { return c.id == id }); at >= 0 {
		c := f.all[at]
		f.all = append(slices.Delete(f.all, at, at+1), c)
		return c, nil
	}
	c := &framed{id: id, key: newKey()}
	err := f.ws.Use(context.Background(), id, func(of *crawl.Crawl) (err error) {
		c.archive, err = of.Archived()
		return err
	})
	if err != nil {
		return nil, err
	}
	c.serve, err = c.archive.Handler(func(ctx context.Context, look func() error) error {
		return f.ws.Use(ctx, id, func(*crawl.Crawl) error { return look() })
	})
	if err != nil {
		return nil, err
	}
	f.all = append(f.all, c)
	if len(f.all) > maxReplays {
		_ = f.all[0].archive.Close() // it was only read
		f.all = slices.Delete(f.all, 0, 1)
	}
	return c, nil
}

// of returns the crawl of a key.
func (f *frames) of(key string) *framed {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.all {
		if len(key) == len(c.key) && key == c.key {
			return c
		}
	}
	return nil
}

// ServeHTTP answers requests for archived pages.
func (f *frames) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if !strings.HasPrefix(path, "/web/") { // a page asks for a path of its own host
		if from, err := url.Parse(r.Referer()); err == nil && from.Host == r.Host {
			path = from.Path
		}
	}
	rest, ok := strings.CutPrefix(path, "/web/")
	key, _, _ := strings.Cut(rest, "/")
	c := f.of(key)
	if !ok || c == nil {
		http.Error(w, "There is no such archived page: open it from a page of the studio.", http.StatusNotFound)
		return
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin") // who knows the key was shown it by the studio, or is a page beneath it
	c.serve.ServeHTTP(w, r)
}
