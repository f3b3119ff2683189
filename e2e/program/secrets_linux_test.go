//go:build e2e

package program_test

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secret is the password of these tests; as a proxy is told it, with the user's name.
const secret = "s3cr3t-pw"

// leaks says where a text shows the secret, in any of the forms that it may have.
func leaks(t *testing.T, what, text string) {
	t.Helper()
	for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte("user:" + secret))} {
		if at := strings.Index(text, form); at >= 0 {
			t.Errorf("%s shows the password: …%.200q", what, text[max(0, at-80):])
		}
	}
}

// leaksIn looks for the secret in all files below a folder, packed ones included, but for those whose names are
// given.
func leaksIn(t *testing.T, folder string, but ...string) (files int) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		for _, name := range but {
			if d.Name() == name {
				return nil
			}
		}
		files++
		content := string(read(t, path))
		leaks(t, path, content)
		if strings.HasSuffix(path, ".gz") {
			unpacked, err := gzip.NewReader(strings.NewReader(content))
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return nil
			}
			text, err := io.ReadAll(unpacked)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			leaks(t, path, string(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestURLsWithPasswords: a URL with a user name and password is refused wherever a person may write one, with what to
// do instead, and its password is not repeated.
func TestURLsWithPasswords(t *testing.T) {
	project(t)
	with := "http://user:" + secret + "@127.0.0.1:9/x"
	focus := "focus: {breadth_first: {}}\n"
	for name, file := range map[string]string{
		"a seed":             "seeds: ['" + with + "']\n" + focus,
		"a seed in upper":    "seeds: ['HTTP://user:" + secret + "@127.0.0.1/']\n" + focus,
		"no port":            "seeds: ['http://user:" + secret + "@127.0.0.1:x/']\n" + focus,
		"a slash in it":      "seeds: ['http://user:" + secret[:3] + "/" + secret + "@127.0.0.1/']\n" + focus,
		"no scheme":          "seeds: ['user:" + secret + "@127.0.0.1/']\n" + focus,
		"another scheme":     "seeds: ['ftp://user:" + secret + "@127.0.0.1/']\n" + focus,
		"a seed file":        "seeds: {file: seeds.txt}\n" + focus,
		"a seed as file":     "seeds: {file: '" + with + "'}\n" + focus,
		"a search engine":    "seeds: {search: {engine: '" + with + "', query: x}}\n" + focus,
		"a search template":  "seeds: {search: {template: '" + with + "?q={query}', query: x}}\n" + focus,
		"no YAML":            "seeds: [" + with + "\nfocus: x",
		"no YAML, at it":     "seeds: \"" + with + "\nfocus: x",
		"not a number":       "seeds: http://a.test/\nlimits: {pages: '" + with + "'}\n" + focus,
		"an unknown key":     "seeds: http://a.test/\n\"" + with + "\": x\n" + focus,
		"a list":             "seeds: http://a.test/\nworkers: ['" + with + "']\n" + focus,
		"a contact":          "seeds: http://a.test/\npoliteness: {contact: '" + with + "'}\n" + focus,
		"a proxy, ill":       "seeds: http://a.test/\npoliteness: {proxy: 'ftp://user:" + secret + "@127.0.0.1:9'}\n" + focus,
		"a proxy, iller":     "seeds: http://a.test/\npoliteness: {proxy: 'http://user:" + secret + "@127.0.0.1:x'}\n" + focus,
		"documents":          "seeds: http://a.test/\ndocuments: {'" + with + "': seeds.txt}\n" + focus,
		"an item":            "focus: {crossref: {item: '" + with + "'}}\n",
		"an endpoint":        "focus: {metadata: {terms: ['http://a.test/T'], datasets: [{name: x, endpoint: '" + with + "'}]}}\n",
		"a catalogue":        "focus: {metadata: {terms: ['http://a.test/T'], catalogs: ['" + with + "']}}\n",
		"an IRI":             "seeds: http://a.test/\nfocus: {ontology: {files: examples/aircraft.ttl, target: '" + with + "'}}\n",
		"an archive":         "seeds: http://a.test/\nweb: {archive: '" + with + "'}\n" + focus,
		"a pattern of scope": "seeds: http://a.test/\nscope: {include: ['" + with + "(']}\n" + focus,
	} {
		write(t, "f.yaml", file)
		write(t, "seeds.txt", "http://a.test/\n"+with+"\n")
		status, stdout, stderr := execute(t, "crawl", "f.yaml")
		leaks(t, name, stdout+stderr)
		if status != exitInput {
			t.Errorf("%s: exit status %d\n%s%s", name, status, stdout, stderr)
		}
		if name == "a seed" || name == "a seed file" {
			if !strings.Contains(stderr, "holds a user name or password (leave them out") {
				t.Errorf("%s: no hint in\n%s", name, stderr)
			}
		}
	}
	write(t, "g.yaml", "seeds: http://tidings.example/\nweb: {archive: examples/demo.warc.gz}\nlimits: {requests: 3}\n"+focus)
	if status, _, stderr := execute(t, "crawl", "g.yaml"); status != exitDone {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{
		{"judge", "g.yaml", with}, {"judge", "g.yaml", "user:" + secret + "@127.0.0.1"}, {"explain", "crawls/g", with}, {"crawl", with},
		{"explain", "crawls/g", "http://user:" + secret + "@127.0.0.1:x/"}, {"add", "crawls/g", with}, {"rdf", "extract", with},
		{"krs", "corpus", "--wikipedia", "Category:X", "--api", with, "--contact", "me@example.org", "-o", "corpus"},
		{"catalog", "list", with}, {"catalog", "check", with}, {"query", "--data", with, "--query", with}, {"pages", with},
		{"lab", "swget", "<http://a.test/p>", "--documents", with + "=seeds.txt"}, {"search", "crawls/g", "--like", with}, {"store", "load", "base", with},
		{"crawl", "g.yaml", "--" + with},
	} {
		_, stdout, stderr := execute(t, args...)
		leaks(t, strings.Join(args[:1], " "), stdout+stderr)
	}
	if files := leaksIn(t, ".", "f.yaml", "seeds.txt"); files < 10 {
		t.Errorf("%d files were looked at", files)
	}
}

// TestProxyPassword: the password of a proxy reaches the proxy and no file of the crawl's folder; links with
// passwords are followed without.
func TestProxyPassword(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("Proxy-Authorization") + " " + r.RequestURI
		if strings.HasSuffix(r.URL.Path, "/robots.txt") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<p>words <a href="http://user:its-own-pw@%s/next">next</a>`, r.Host)
	}))
	defer proxy.Close()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [http://127.0.0.1:8009/]
focus: {breadth_first: {}}
allow_private: [127.0.0.0/8]
limits: {requests: 2}
politeness: {delay: 10ms, proxy: "http://user:%s@%s"}
output: crawl
`, secret, strings.TrimPrefix(proxy.URL, "http://")))
	out, err := program(t, folder, "crawl", "f.yaml").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	leaks(t, "crawl", string(out))
	if warns := strings.Contains(string(out), "f.yaml holds the password of a proxy"); !warns {
		t.Errorf("no warning of a file that all may read:\n%s", out)
	}
	for _, name := range []string{"crawl/crawl.yaml", "crawl/log.jsonl"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want mode 0600", name, info, err)
		}
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+secret)) + " http://127.0.0.1:8009/"
	for _, path := range []string{"robots.txt", "", "next"} {
		if got := <-asked; got != want+path {
			t.Errorf("the proxy was asked %q, want %q", got, want+path)
		}
	}
	for _, verb := range [][]string{{"status", "crawl"}, {"report", "crawl"}, {"explain", "crawl", "http://127.0.0.1:8009/"}, {"pages", "crawl"}, {"crawl", "f.yaml"}} {
		out, err := program(t, folder, verb...).CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v: %s", verb, err, out)
		}
		leaks(t, verb[0], string(out))
	}
	leaksIn(t, filepath.Join(folder, "crawl"))
	if lines := string(read(t, filepath.Join(folder, "crawl/pages.jsonl"))); strings.Contains(lines, "its-own-pw") || !strings.Contains(lines, `"http://127.0.0.1:8009/next"`) {
		t.Errorf("the link's password in %s", lines)
	}
	if kept, _ := os.ReadFile(filepath.Join(folder, "crawl/crawl.yaml")); !strings.Contains(string(kept), "proxy: http://127.0.0.1:") && !strings.Contains(string(kept), `proxy: "http://127.0.0.1:`) {
		t.Errorf("crawl.yaml lost its proxy:\n%s", kept)
	}
}
