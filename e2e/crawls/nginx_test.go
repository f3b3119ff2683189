//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// siteServer is the configuration of nginx beyond serving files; %s: "brotli off" if nginx has brotli.
const siteServer = `
    location /gliders/ { %[1]s }
    location = /gliders/1.html { %[1]s if (-f $document_root/moves) { return 301 /planes/0.html; } }
    location /stored/ { gzip off; %[1]s }
    location /chunked/ { gzip off; %[1]s ssi on; }
    location = /old { return 301 /planes/moved.html; }
`

// siteFile is the crawl file of a site; %s: seeds, ontology, idf.
const siteFile = `seeds: [%s]
focus: {ontology: {files: %s, target: 'http://orbweaver.example/aircraft#Airplane', idf: %s}}
scope: {hosts: [127.0.0.1]}
`

// liveKeys are the keys of a crawl of the nginx server.
const liveKeys = `allow_private: [127.0.0.0/8]
politeness: {delay: 10ms, contact: me@example.org}
`

// A site is a site about airplanes and gardens, served by nginx, with its crawl.
type site struct {
	nginx  *fetchtest.Nginx
	base   string // URL of its host: plain or secure
	seeds  string
	idf    string
	h2     bool
	root   string // folder that nginx serves
	folder string // of crawl files
	roots  *x509.CertPool
	pages  map[string]bool // pages that a crawl can find, by path: whether they are about airplanes
	date   time.Time       // of files: in the past, so that a later file is newer despite clock granularity
	served int             // lines of the access log already read
}

// startSite writes a site and serves it, over TLS if secure.
func startSite(t *testing.T, secure bool) *site {
	t.Helper()
	s := &site{root: t.TempDir(), folder: t.TempDir(), h2: secure, pages: map[string]bool{}, date: time.Unix(1e9, 0)}
	config := fetchtest.NginxConfig{Root: s.root, Server: fmt.Sprintf(siteServer, "")}
	if secure {
		config.Cert, config.Key, s.roots = certificate(t)
	}
	if fetchtest.HasBrotli() {
		config.Server = fmt.Sprintf(siteServer, "brotli off;")
	}
	s.nginx = fetchtest.StartNginx(t, config)
	s.base = s.nginx.Plain
	if secure {
		s.base = s.nginx.Secure
	}
	s.seeds, s.idf = s.base+"/", "learned"
	s.write(t)
	return s
}

// certificate returns a self-signed certificate for 127.0.0.1, its key, and a pool with the certificate.
func certificate(t *testing.T) (cert, key []byte, roots *x509.CertPool) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	der, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(server.Certificate())
	cert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return cert, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), roots
}

// write writes the files of a site: chains of pages linked from the home page, and pages reachable only by the sitemap or
// a redirect.
func (s *site) write(t *testing.T) {
	t.Helper()
	s.file(t, "robots.txt", "User-agent: *\nDisallow: /private/\nSitemap: "+s.base+"/sitemap.xml\n")
	s.file(t, "sitemap.xml", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>`+
		s.base+`/planes/listed.html</loc></url><url><loc>`+s.base+`/private/listed.html</loc></url></urlset>`)
	s.html(t, "index.html", "A page of links to this and that.", "/planes/0.html", "/gardens/0.html", "/old", "/missing.html",
		"/private/secret.html", "/gliders/0.html", "/stored/0.html", "/chunked/0.html", "http://elsewhere.example/airplane")
	delete(s.pages, "/index.html")
	s.pages["/"] = false
	for i := range 10 {
		s.plane(t, fmt.Sprintf("planes/%d.html", i), i, fmt.Sprintf("/planes/%d.html", min(i+1, 9)), "/private/hangar.html")
	}
	for i := range 3 {
		s.plane(t, fmt.Sprintf("gliders/%d.html", i), 20+i, fmt.Sprintf("/gliders/%d.html", min(i+1, 2)))
	}
	for i := range 9 {
		s.html(t, fmt.Sprintf("gardens/%d.html", i), garden(i), fmt.Sprintf("/gardens/%d.html", min(i+1, 8)), "/planes/2.html")
	}
	s.plane(t, "stored/0.html", 30)
	s.plane(t, "chunked/0.html", 31)
	s.plane(t, "planes/moved.html", 32)
	s.plane(t, "planes/listed.html", 33)
	for _, name := range []string{"private/secret.html", "private/hangar.html", "private/listed.html"} {
		s.plane(t, name, 40)
		delete(s.pages, "/"+name)
	}
}

// file writes a file.
func (s *site) file(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(s.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, s.date, s.date); err != nil {
		t.Fatal(err)
	}
}

// html writes a page that is not about airplanes.
func (s *site) html(t *testing.T, name, words string, links ...string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "<html lang=en><title>%s</title><body><h1>%s</h1><p>%s</p>\n", name, name, words)
	for _, link := range links {
		fmt.Fprintf(&b, "<p>More of it is <a href=\"%s\">here</a>.</p>\n", link)
	}
	s.file(t, name, b.String())
	s.pages["/"+name] = false
}

// plane writes a page about airplanes.
func (s *site) plane(t *testing.T, name string, i int, links ...string) {
	t.Helper()
	makes := []string{"airliner", "biplane", "fighter", "glider", "bomber", "jet"}
	words := fmt.Sprintf("The %s of hall %d is an airplane with %d seats. Its pilot took off from the runway at %d o'clock, "+
		"and the airline that owns the aircraft sold %d tickets. ", makes[i%len(makes)], i, 10+7*i, i%24, 100+i)
	s.html(t, name, strings.Repeat(words, 1+i%4)+garden(i), links...)
	s.pages["/"+name] = true
}

// garden returns a unique text without airplanes.
func garden(i int) string {
	plants := []string{"roses", "beans", "tulips", "apples", "leeks"}
	return fmt.Sprintf("In bed %d the %s stand in %d rows, and are watered every %d days. ", i, plants[i%len(plants)], 3+i, 1+i%6)
}

// crawl runs a job with a crawl file and returns its pages.jsonl and the printed text.
func (s *site) crawl(t *testing.T, name, keys string, work func(a *job.Job, file string) error) (journal []byte, printed string) {
	t.Helper()
	file := filepath.Join(s.folder, name+".yaml")
	text := fmt.Sprintf(siteFile, s.seeds, filepath.Join(realdata.Root(t), "examples/aircraft.ttl"), s.idf) + keys
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Roots: s.roots}}}
	if err := work(a, file); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, &out)
	}
	journal, err := os.ReadFile(s.output(name, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return journal, out.String()
}

// output returns the path of a part of a crawl folder.
func (s *site) output(crawl, part string) string {
	return filepath.Join(s.folder, "crawls", crawl, part)
}

// asked returns the lines of the access log since the last call.
func (s *site) asked(t *testing.T) []fetchtest.Served {
	t.Helper()
	all := s.nginx.Served(t)
	fresh := all[s.served:]
	s.served = len(all)
	return fresh
}

// byPath returns lines by their path on the site.
func (s *site) byPath(t *testing.T, journal []byte) map[string]ledger.Line {
	t.Helper()
	lines := map[string]ledger.Line{}
	for text := range bytes.Lines(journal) {
		var line ledger.Line
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		at, ours := strings.CutPrefix(line.URL, s.base)
		if _, twice := lines[at]; twice || !ours {
			t.Errorf("%s: asked twice or elsewhere", line.URL)
		}
		lines[at] = line
	}
	return lines
}

func crawlJob(a *job.Job, file string) error { return verbs.Crawl(context.Background(), a, file) }

func refreshJob(a *job.Job, file string) error {
	return verbs.Refresh(context.Background(), a, file, 1)
}

// TestNginx crawls a site on a real server: the crawl finds all allowed pages and no others, a crawl of its archive is the
// same, and a refresh finds the changes.
func TestNginx(t *testing.T) {
	for name, secure := range map[string]bool{"http": false, "https": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startSite(t, secure)
			journal, _ := s.crawl(t, "live", liveKeys, crawlJob)
			s.checkLines(t, journal)
			s.checkAsked(t)
			s.checkArchive(t, journal)
			s.checkReplay(t, journal)
			s.checkRefresh(t, journal)
		})
	}
}

// checkLines checks the pages.jsonl of a crawl.
func (s *site) checkLines(t *testing.T, journal []byte) {
	t.Helper()
	lines := s.byPath(t, journal)
	want := slices.Collect(maps.Keys(s.pages))
	want = append(want, "/sitemap.xml", "/old", "/missing.html")
	if got := slices.Collect(maps.Keys(lines)); len(toy.Without(want, got))+len(toy.Without(got, want)) > 0 {
		t.Errorf("missing %v, too many %v", toy.Without(want, got), toy.Without(got, want))
	}
	for path, about := range s.pages {
		l := lines[path]
		if l.Status != 200 || l.Accepted != about || l.Type != "text/html" || l.Digest == "" || about == (l.Score == 0) || about == (len(l.Reasons) == 0) {
			t.Errorf("%+v", l)
		}
	}
	if l := lines["/"]; l.N != 1 || l.Depth != 0 || l.Predicted.Score != 1 {
		t.Errorf("the seed: %+v", l)
	}
	if l := lines["/sitemap.xml"]; l.N != 2 || l.Status != 200 || l.Accepted {
		t.Errorf("the sitemap: %+v", l)
	}
	if l := lines["/planes/listed.html"]; l.Parent != s.base+"/sitemap.xml" {
		t.Errorf("the page reachable only by the sitemap: %+v", l)
	}
	if l, to := lines["/old"], lines["/planes/moved.html"]; l.Status != 301 || l.Redirect != to.URL || to.N != l.N+1 || to.Parent != s.base+"/" {
		t.Errorf("the redirect: %+v, to %+v", l, to)
	}
	if l := lines["/missing.html"]; l.Status != 404 || l.Error != "status" || l.Accepted {
		t.Errorf("the missing page: %+v", l)
	}
}

// checkAsked checks the requests of a crawl to nginx and the responses.
func (s *site) checkAsked(t *testing.T) {
	t.Helper()
	asked := s.asked(t)
	paths := map[string]int{}
	for _, r := range asked {
		paths[r.Path]++
		if strings.HasPrefix(r.Path, "/private/") || paths[r.Path] > 1 {
			t.Errorf("requested %s %d times", r.Path, paths[r.Path])
		}
		if want := s.wire(r.Path); r.Protocol != want.Protocol || r.Status == 200 && (r.Coding != want.Coding || r.Transfer != want.Transfer || (r.Length == "") != (want.Length == "")) {
			t.Errorf("%+v, want it as %+v", r, want)
		}
		if r.NoneMatch != "" || r.UserAgent != "orbweaver (+me@example.org)" {
			t.Errorf("%+v", r)
		}
	}
	if len(asked) != len(s.pages)+4 || asked[0].Path != "/robots.txt" {
		t.Errorf("%d requests, the first for %s", len(asked), asked[0].Path)
	}
}

// wire returns how nginx answers a path. Length is "some" if the response has a Content-Length.
func (s *site) wire(path string) fetchtest.Served {
	w := fetchtest.Served{Protocol: "HTTP/1.1"}
	html := strings.HasSuffix(path, "/") || strings.HasSuffix(path, ".html")
	switch {
	case !html, strings.HasPrefix(path, "/stored/"):
		w.Length = "some"
	case strings.HasPrefix(path, "/chunked/"):
	case s.nginx.Brotli && !strings.HasPrefix(path, "/gliders/"):
		w.Coding = "br"
	default:
		w.Coding = "gzip"
	}
	if s.h2 {
		w.Protocol = "HTTP/2.0"
	} else if w.Length == "" {
		w.Transfer = "chunked"
	}
	return w
}

// checkReplay crawls the crawl's own archive with the same focus. The result is the same to the byte.
func (s *site) checkReplay(t *testing.T, journal []byte) {
	t.Helper()
	again, _ := s.crawl(t, "again", "web: {archive: "+s.output("live", "archive")+"}\n", crawlJob)
	if !bytes.Equal(again, journal) {
		t.Errorf("the crawl of its own archive differs:\n%s\nwant\n%s", again, journal)
	}
	if asked := s.asked(t); len(asked) > 0 {
		t.Errorf("a crawl of an archive requested %v", asked)
	}
}

// TestNginxOfTwoHosts crawls the site by both its hosts, and then the archive. On the live site, the order of the two
// hosts is random, so request numbers and predictions differ from those of the archive. Everything else is equal,
// including scores and reasons, because the weights of words are fixed (not idf: learned, which depends on the order).
func TestNginxOfTwoHosts(t *testing.T) {
	t.Parallel()
	s := startSite(t, true)
	s.seeds, s.idf = s.nginx.Plain+"/, "+s.nginx.Secure+"/", "none"
	const each = "explore: 0\nduplicates: off\n" // which host has the duplicate depends on the order
	live, _ := s.crawl(t, "live", liveKeys+each, crawlJob)
	again, _ := s.crawl(t, "again", each+"web: {archive: "+s.output("live", "archive")+"}\n", crawlJob)
	want, got := unordered(t, live), unordered(t, again)
	if len(want) < 2*(len(s.pages)+1) || len(want) != len(got) {
		t.Errorf("%d pages, and from the archive %d", len(want), len(got))
	}
	for url, line := range want {
		if !reflect.DeepEqual(line, got[url]) {
			t.Errorf("live %+v, from the archive %+v", line, got[url])
		}
	}
}

// unordered returns lines by URL, without the fields that depend on the order.
func unordered(t *testing.T, journal []byte) map[string]ledger.Line {
	t.Helper()
	lines := map[string]ledger.Line{}
	for text := range bytes.Lines(journal) {
		var line ledger.Line
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		line.N, line.Predicted, line.Parent, line.Depth = 0, nil, "", 0
		line.Accepted, line.Threshold, line.Chance = false, 0, 0
		line.Reasons = slices.DeleteFunc(line.Reasons, func(r orbweaver.Reason) bool { return r.Rule == orbweaver.RuleThreshold })
		lines[line.URL] = line
	}
	return lines
}
