//go:build e2e

package program_test

import (
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/ledger"
)

// hangars serves pages on two addresses, a half of them about airplanes in hangars, and returns the URL of the first.
func hangars(t *testing.T, pages int) (seed string) {
	t.Helper()
	var hosts []string
	handler := http.NewServeMux()
	handler.HandleFunc("/robots.txt", http.NotFound)
	handler.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) {
		n := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		about := fmt.Sprintf("Bread of sort %d comes from an oven, and cheese goes with it. Nobody knows the baker who is up before dawn.", n)
		if n%2 == 0 {
			about = fmt.Sprintf("The airplane of number %d stands in a hangar. In front of it a mechanic looks at the wing.", n)
		}
		fmt.Fprintf(rw, "<html lang=en><title>Page %d</title><p>%s</p>", n, about)
		for _, host := range hosts {
			for _, to := range []int{n, n + 1, n + 2} {
				if to < pages {
					fmt.Fprintf(rw, `<p><a href="http://%s/%d">page %d</a></p>`, host, to, to)
				}
			}
		}
	})
	for _, address := range []string{"127.0.0.2:0", "127.0.0.3:0"} {
		at, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, at.Addr().String())
		server := &http.Server{Handler: handler}
		go func() { _ = server.Serve(at) }()
		t.Cleanup(func() { _ = server.Close() })
	}
	return "http://" + hosts[0] + "/0"
}

// TestProcessesLearned: a crawl by two processes ends with what both have learned, a threshold and suggestions, also where no archive is kept of which
// pages could be read again; the same command changes nothing.
func TestProcessesLearned(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const ontology = `@prefix av: <http://example.org/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
av:Airplane a owl:Class ; rdfs:label "airplane"@en .`
	write(t, filepath.Join(folder, "a.ttl"), ontology)
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: [%s]
focus: {ontology: {files: [a.ttl], target: ['http://example.org/#Airplane']}}
allow_private: true
duplicates: off
traps: off
archive: off
politeness: {delay: 10ms, contact: me@example.org}
limits: {depth: 0}
output: crawl
`, hangars(t, 20)))
	run := func(args ...string) string {
		t.Helper()
		out, err := program(t, folder, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	out := run("crawl", "f.yaml", "--processes", "2")
	if pages := regexp.MustCompile(`pages fetched +40\b`); !pages.MatchString(out) || !strings.Contains(out, "from a score of") {
		t.Errorf("it says\n%s", out)
	}
	model := func() string {
		t.Helper()
		book, err := ledger.OpenForLooks(filepath.Join(folder, "crawl"))
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		m, _, err := book.Model()
		if err != nil || book.Progress().Threshold == 0 {
			t.Errorf("threshold %v, %v", book.Progress().Threshold, err)
		}
		return string(m)
	}
	before := model()
	if suggested := run("suggestions", "crawl"); !regexp.MustCompile(`word +20 .* hangar `).MatchString(suggested) {
		t.Errorf("suggested\n%s", suggested)
	}
	if run("crawl", "f.yaml", "--processes", "2"); model() != before {
		t.Error("again it has learned something else")
	}
}
