package workspace_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/studio/workspace"
)

// documents are a web of ontologies and texts.
func documents(w http.ResponseWriter, r *http.Request) {
	kind, text := "text/turtle", "<http://e/Kite> a <http://www.w3.org/2002/07/owl#Class> .\n"
	switch r.URL.Path {
	case "/robots.txt":
		kind, text = "text/plain", "User-agent: *\nDisallow: /no\n"
	case "/vocabulary": // by content negotiation
		if !strings.HasPrefix(r.Header.Get("Accept"), "text/turtle") {
			kind, text = "text/html", "<html>a page for people</html>"
		}
	case "/moved":
		http.Redirect(w, r, "/onto/kites.ttl", http.StatusSeeOther)
		return
	case "/page.html", "/..%2f..%2fetc%2fpasswd":
		kind, text = "text/html", "<html><p>A kite</p></html>"
	case "/large.ttl":
		text = strings.Repeat("x", workspace.MaxFile+1)
	case "/gone.ttl":
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	fmt.Fprint(w, text)
}

// TestFetch: ontologies and documents of the Web come into the workspace under names of its own, after robots.txt, bounded, and not from
// private addresses.
func TestFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		n.Serve("a.test", netip.MustParseAddrPort("93.184.1.1:80"), http.HandlerFunc(documents))
		n.Serve("inside.test", netip.MustParseAddrPort("10.0.0.1:80"), http.HandlerFunc(documents))
		j := &job.Job{Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
		dir := t.TempDir()
		w, err := workspace.Open(dir, workspace.Options{Spare: -1, Job: j})
		if err != nil {
			t.Fatal(err)
		}
		for _, tc := range []struct {
			folder, url, name string
			why               error
		}{
			{"ontologies", "http://a.test/onto/kites.ttl", "ontologies/kites.ttl", nil},
			{"ontologies", "http://a.test/moved", "ontologies/kites.ttl", nil}, // the same once more
			{"ontologies", "http://a.test/vocabulary#Kite", "ontologies/vocabulary.ttl", nil},
			{"ontologies", "a.test", "ontologies/a.test.ttl", nil},
			{"documents", "http://a.test/page.html", "documents/page.html", nil},
			{"documents", "http://a.test/..%2f..%2fetc%2fpasswd", "", nil},
			{"ontologies", "http://a.test/page.html", "", orbweaver.ErrInput},
			{"ontologies", "http://a.test/no/x.ttl", "", orbweaver.ErrRobots},
			{"ontologies", "http://a.test/large.ttl", "", orbweaver.ErrTooLarge},
			{"ontologies", "http://a.test/gone.ttl", "", orbweaver.ErrStatus},
			{"ontologies", "http://inside.test/x.ttl", "", orbweaver.ErrPrivate},
			{"ontologies", "ftp://a.test/x.ttl", "", orbweaver.ErrBadURL},
		} {
			f, err := w.Fetch(t.Context(), tc.folder, tc.url)
			if !errors.Is(err, tc.why) || tc.name != "" && f.Name != tc.name || err == nil && !strings.HasPrefix(f.Name, tc.folder+"/") {
				t.Errorf("%s: %+v, %v", tc.url, f, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestDrafts: a draft, a trial and a preview leave nothing in the workspace but a KRS that was asked for.
func TestDrafts(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".studio", "try-left"), 0o700); err != nil {
		t.Fatal(err)
	}
	w := open(t, dir, workspace.Options{})
	for name, text := range map[string]string{"kites.txt": "Kites\n\nA kite is an aircraft held by a line. Kites fly in the wind.", "lines.txt": "Lines\n\nThe line of a kite is thin. A reel holds the line of the kite."} {
		if _, err := w.Put("texts/"+name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	b := workspace.Beginning{Topic: "kites", Documents: []string{"texts/kites.txt", "texts/lines.txt"}}
	b.Seeds = []string{"http://a.example/"}
	for _, want := range []string{"topics/kites.krs", "topics/kites-2.krs"} {
		text, err := w.Draft(t.Context(), b)
		if err != nil || !strings.Contains(text, "file: "+want+"\n") || w.Validate("x", []byte(text)) != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		trial, err := w.Try(t.Context(), "x", []byte(text), crawl.Sample{Text: "A kite has a line. The kite flies in the wind."})
		if err != nil || trial.Score == 0 || trial.Page.Text == "" {
			t.Errorf("%+v %v", trial, err)
		}
	}
	if _, err := w.Draft(t.Context(), workspace.Beginning{Copy: "none"}); !errors.Is(err, workspace.ErrUnknown) {
		t.Error(err)
	}
	if _, err := w.Create(t.Context(), "one", []byte("# mine\nseeds: [http://a.example/]\nfocus: {random: {}}\noutput: crawls/elsewhere\n")); err != nil {
		t.Fatal(err)
	}
	if text, err := w.Draft(t.Context(), workspace.Beginning{Copy: "one"}); err != nil || text != "# mine\nseeds: [http://a.example/]\nfocus: {random: {}}\n" {
		t.Errorf("%v %q", err, text)
	}
	scoped, err := w.Scope("x", []byte("seeds: [http://a.example/]\nfocus: {random: {}}\nscope: {hosts: [a.example]}\n"), []string{"a.example/x", "b.example"})
	if err != nil || len(scoped) != 2 || !scoped[0].In || scoped[1].In {
		t.Errorf("%+v %v", scoped, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".studio", "try-*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "crawls")); err == nil {
		t.Error(left)
	}
}

// TestExtension: what a text is, by its media type or its first bytes.
func TestExtension(t *testing.T) {
	for _, tc := range []struct{ media, text, want string }{
		{"text/turtle; charset=utf-8", "", ".ttl"}, {"", "@prefix : <http://e/> .", ".ttl"}, {"", "# x\nPREFIX e: <http://e/>", ".ttl"}, {"", "<http://a> <http://b> <http://c> .", ".ttl"},
		{"", "<?xml version='1.0'?><rdf:RDF/>", ".rdf"}, {"application/octet-stream", "<rdf:RDF>", ".rdf"}, {"", "<!DOCTYPE html><p>", ".html"}, {"", "<html>", ".html"},
		{"", "{\"@context\": {}}", ".jsonld"}, {"", "%PDF-1.4", ".pdf"}, {"", "Kites are nice.", ".txt"}, {"", "", ".txt"},
	} {
		if got := workspace.Extension(tc.media, []byte(tc.text)); got != tc.want {
			t.Errorf("%q %q: %s, want %s", tc.media, tc.text, got, tc.want)
		}
	}
}
