//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/server/door/doortest"
)

// A shown is a web of three sites and a host whose files all share, by path and host, as long as it is up.
type shown struct {
	servers []*httptest.Server
	pages   []string          // URLs
	files   map[string]string // body by URL

	mu        sync.Mutex
	forbidden []string // requests that robots.txt forbids, while obeyed is set
	obeyed    bool
}

// shownPages is how many pages the three sites have.
const shownPages = 50

// newShown starts the sites. Their pages have images in several sizes, style sheets that import others, of their own and of the shared host, with fonts and
// backgrounds, scripts that add an image, and posters. Of each ten, one names an image that is missing, and of all one names one that is forbidden.
func newShown(t *testing.T) *shown {
	s := &shown{files: map[string]string{}}
	for range 4 {
		server := httptest.NewServer(http.HandlerFunc(s.serve))
		t.Cleanup(server.Close)
		s.servers = append(s.servers, server)
	}
	cdn := s.servers[3].URL
	s.files[cdn+"/reset.css"] = "@import 'grid.css'; @font-face { font-family: shared; src: url(/fonts/shared.woff2) format('woff2') } h1 { font-family: shared }"
	s.files[cdn+"/grid.css"] = "body { background: url(img/grid.png) }"
	s.files[cdn+"/img/grid.png"], s.files[cdn+"/fonts/shared.woff2"] = "grid", "font"
	s.files[cdn+"/lib.js"] = "addEventListener('DOMContentLoaded', () => { const i = new Image(); i.src = document.body.dataset.late; document.body.append(i) })"
	for n := range shownPages {
		at := s.servers[n%3].URL
		s.page(at, cdn, n)
	}
	for i := range 3 {
		at := s.servers[i].URL
		s.files[at+"/robots.txt"] = "User-agent: *\nDisallow: /private/\n"
		s.files[at+"/css/site.css"] = "@import url(parts/list.css); @font-face { font-family: own; src: url('../own.woff2') } p { font-family: own; background-image: image-set('../img/p.png' 1x, '../img/p2.png' 2x) }"
		s.files[at+"/css/parts/list.css"] = "ul { list-style-image: url(\"../../img/dot.png\") }"
		s.files[at+"/own.woff2"], s.files[at+"/img/p.png"], s.files[at+"/img/p2.png"], s.files[at+"/img/dot.png"] = "own font", "p", "p2", "dot"
	}
	return s
}

// page adds a page and what it alone needs.
func (s *shown) page(at, cdn string, n int) {
	var extra string
	if n%10 == 3 {
		extra += fmt.Sprintf("<img src=/missing/%d.png>", n)
	}
	if n == 5 {
		extra += "<img src=/private/secret.png>"
		s.files[at+"/private/secret.png"] = "secret"
	}
	var links strings.Builder
	for k := n % 3; k < shownPages; k += 3 {
		fmt.Fprintf(&links, "<li><a href=/page%d.html>aircraft %d</a>", k, k)
	}
	s.files[fmt.Sprintf("%s/page%d.html", at, n)] = fmt.Sprintf(`<!doctype html><title>Aircraft %[1]d</title><base href=/><link rel=stylesheet href=%[2]s/reset.css>
<link rel=stylesheet href=css/site.css><script src=%[2]s/lib.js></script><style>h2 { background: url(img/h%[1]d.png) }</style>
<body data-late=/img/late%[1]d.png><h1>Aircraft %[1]d</h1><h2>It flies</h2><p style="border-image: url(img/border%[1]d.png) 30">An aircraft flies.
<img src=img/a%[1]d.png srcset="img/b%[1]d.png 1x, img/c%[1]d.png 2x"><picture><source srcset="img/d%[1]d.png" type=image/png><img src=img/e%[1]d.png></picture>
<video poster=img/f%[1]d.png></video><svg><image href=img/g%[1]d.png /></svg><ul>%[3]s</ul>%[4]s`, n, cdn, &links, extra)
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "late", "border"} {
		s.files[fmt.Sprintf("%s/img/%s%d.png", at, name, n)] = fmt.Sprintf("image %s of %d", name, n)
	}
	s.pages = append(s.pages, fmt.Sprintf("%s/page%d.html", at, n))
}

// serve answers with a file.
func (s *shown) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.obeyed && strings.HasPrefix(r.URL.Path, "/private/") {
		s.forbidden = append(s.forbidden, r.URL.Path)
	}
	body, ok := s.files["http://"+r.Host+r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	types := map[string]string{".css": "text/css", ".js": "text/javascript", ".html": "text/html; charset=utf-8", ".png": "image/png", ".woff2": "font/woff2"}
	w.Header().Set("Content-Type", types[filepath.Ext(r.URL.Path)])
	if strings.HasSuffix(r.URL.Path, ".woff2") {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	_, _ = io.WriteString(w, body)
}

// resources visits pages in Chromium, through a proxy if it is not empty, and returns the statuses of what each requested, by URL.
func resources(t *testing.T, proxy string, pages []string) map[string]map[string]int64 {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(doortest.Chromium(t)), chromedp.NoSandbox)
	if proxy != "" {
		options = append(options, chromedp.ProxyServer(proxy), chromedp.Flag("proxy-bypass-list", "<-loopback>"))
	}
	chromium, stop := chromedp.NewExecAllocator(t.Context(), options...)
	defer stop()
	tab, stop := chromedp.NewContext(chromium)
	defer stop()
	var mu sync.Mutex
	now := map[string]int64{}
	err := chromedp.Listen(tab, func(event any) {
		if e, ok := event.(*network.EventResponseReceived); ok {
			mu.Lock()
			defer mu.Unlock()
			now[e.Response.URL] = e.Response.Status
		}
	})
	if err == nil {
		_, err = chromedp.Call(tab, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]int64{}
	for _, page := range pages {
		if _, err := chromedp.Run(tab, chromedp.Navigate(page)); err != nil {
			t.Fatalf("%s: %v", page, err)
		}
		mu.Lock()
		delete(now, page)
		all[page], now = now, map[string]int64{}
		mu.Unlock()
	}
	return all
}

// TestRequisitesShown: of what 50 pages of three sites request in Chromium, and get, at least 98 % is there with the same bytes when the sites
// are gone and their crawl is replayed.
func TestRequisitesShown(t *testing.T) {
	doortest.Chromium(t)
	s, dir := newShown(t), t.TempDir()
	live := resources(t, "", s.pages)
	s.obeyed = true
	file := filepath.Join(dir, "f.yaml")
	text := fmt.Sprintf("seeds: [%s, %s, %s]\nfocus: {keyword: {terms: [aircraft]}}\nrequisites: accepted\nrender: {when: always}\nallow_private: true\npoliteness: {delay: 2ms}\noutput: crawl\n",
		s.pages[0], s.pages[1], s.pages[2])
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true}, file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, server := range s.servers {
		server.Close()
	}
	if len(s.forbidden) > 0 {
		t.Errorf("requested though robots.txt forbids it: %v", s.forbidden)
	}
	here := replayed(t, offline.ReplayJob{Archives: []string{filepath.Join(dir, "crawl")}})
	shown := resources(t, here, s.pages)
	proxy, err := url.Parse(here)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	wanted, whole := 0, 0
	for _, page := range s.pages {
		for resource, status := range live[page] {
			if status/100 != 2 {
				continue
			}
			wanted++
			if shown[page][resource]/100 == 2 && sameBytes(t, &client, resource, s.files[resource]) {
				whole++
			} else {
				t.Logf("%s: %s: %d", page, resource, shown[page][resource])
			}
		}
	}
	share := 100 * float64(whole) / float64(wanted)
	t.Logf("%d of %d resources, %.2f %%\n%s", whole, wanted, share, &out)
	if wanted < 10*shownPages || share < 98 {
		t.Errorf("%.2f %% of %d resources are shown", share, wanted)
	}
}

// sameBytes reports whether a proxy answers with a body.
func sameBytes(t *testing.T, client *http.Client, resource, body string) bool {
	t.Helper()
	answer, err := client.Get(resource)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK && string(got) == body
}
