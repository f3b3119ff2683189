//go:build e2e

package studio_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/crawl"
	"orbweaver/eval/synth"
	"orbweaver/studio"
	"orbweaver/studio/workspace"
)

// Pages of the crawl that BenchmarkPages asks for: with ORBWEAVER_STUDIO, and without.
const (
	manyPages = 300_000
	fewPages  = 2_000
	manyHosts = 100
)

// BenchmarkPages tells how long the pages of the studio take at the server, over a crawl of a generated web on loopback. It crawls 300 000
// pages into the folder ORBWEAVER_STUDIO, once, or without that 2 000 into a temporary one. Start is the live page of a
// workspace that was opened just now. (The home page draws sparklines beyond the end of its request, so it is not asked for there.)
func BenchmarkPages(b *testing.B) {
	dir, pages := os.Getenv("ORBWEAVER_STUDIO"), manyPages
	if dir == "" {
		dir, pages = b.TempDir(), fewPages
	}
	b.Setenv("ORBWEAVER_MANNERS", "off")
	best := synthetic(b, dir, pages)
	const home = "/crawls/synth"
	b.Run("Start", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			ws, s := opened(b, dir)
			b.StartTimer()
			get(b, s, home)
			b.StopTimer()
			if err := ws.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
	ws, s := opened(b, dir)
	for name, path := range map[string]string{
		"Home": "/", "Live": home, "Results": home + "/results", "Accepted": home + "/results?accepted=on&sort=score", "Words": home + "/results?words=" + url.QueryEscape(best.Title),
		"Page": home + "/page?url=" + url.QueryEscape(best.URL), "Map": home + "/map", "MapAround": home + "/map?url=" + url.QueryEscape(best.URL),
		"Compare": "/compare?crawl=synth", "Ask": home + "/ask",
	} {
		b.Run(name, func(b *testing.B) {
			get(b, s, path) // what is read once a process is told by Start
			for b.Loop() {
				get(b, s, path)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/page")
		})
	}
	if err := ws.Close(); err != nil {
		b.Fatal(err)
	}
}

// opened serves the workspace in a folder.
func opened(b *testing.B, dir string) (*workspace.Workspace, http.Handler) {
	b.Helper()
	ws, err := workspace.Open(dir, workspace.Options{Spare: -1})
	if err != nil {
		b.Fatal(err)
	}
	return ws, studio.New(studio.Options{Workspace: ws})
}

// get asks for a page as a browser does.
func get(b *testing.B, s http.Handler, path string) {
	b.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusOK {
		b.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
}

// synthetic has the crawl synth of so many pages in the workspace of a folder, with all its indexes, and returns its best page.
func synthetic(b *testing.B, dir string, pages int) crawl.Page {
	b.Helper()
	folder, err := filepath.Abs(filepath.Join(dir, "crawls", "synth"))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "report.html")); err != nil {
		seed := serveWeb(b, pages)
		file := fmt.Sprintf("seeds: [%s]\nfocus: {best_first: {terms: [typography, printing, letters]}}\nallow_private: true\npoliteness: {delay: 0s}\nlimits: {requests: %d}\noutput: %s\n", seed, pages, folder)
		path := filepath.Join(dir, "synth.txt") // no crawl file of the workspace: its folder is the crawl
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			b.Fatal(err)
		}
		c, err := crawl.Load(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	c, err := crawl.Open(folder)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := c.Prepare(b.Context()); err != nil {
		b.Fatal(err)
	}
	list, err := c.Pages(b.Context(), crawl.PageQuery{Sort: "score", Limit: 1})
	if err != nil || len(list.Pages) == 0 {
		b.Fatalf("%+v, %v", list, err)
	}
	b.Logf("a crawl of %d pages", list.Total)
	return list.Pages[0]
}

// serveWeb serves a generated web of twice as many pages on loopback, and returns a seed.
func serveWeb(b *testing.B, pages int) (seed string) {
	b.Helper()
	port := 0
	var web *synth.Web
	for host := range manyHosts {
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.1.%d:%d", host+1, port))
		if err != nil {
			b.Skipf("no loopback: %v", err)
		}
		if host == 0 {
			port = l.Addr().(*net.TCPAddr).Port
			p := synth.Defaults(2 * int64(pages))
			p.Hosts, p.Exponent, p.Failing, p.Wishes = manyHosts, 0, 0, nil
			p.Origin = func(host int) string { return fmt.Sprintf("http://127.0.1.%d:%d", host+1, port) }
			if web, err = synth.New(p); err != nil {
				b.Fatal(err)
			}
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answerFor(w, r, web, host) })}
		go func() { _ = server.Serve(l) }() // until it is closed
		b.Cleanup(func() { _ = server.Close() })
	}
	return web.URL(0)
}

// answerFor answers for a host of a generated web.
func answerFor(w http.ResponseWriter, r *http.Request, web *synth.Web, host int) {
	switch place := web.At(host, r.URL.Path); place.Kind {
	case synth.Robots:
		_, _ = io.WriteString(w, web.RobotsTxt(host)) // the crawl may have ended
	case synth.Old:
		http.Redirect(w, r, web.URL(place.Page), http.StatusMovedPermanently)
	case synth.Document:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(web.HTML(nil, place.Page)) // likewise
	default:
		http.NotFound(w, r)
	}
}
