//go:build e2e

package crawls_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// BenchmarkAbsence crawls 40 hosts of linked data, one of which has a dump of many statements, and reports how long the
// goroutine that decides was away at most, in milliseconds of its own CPU time. Five million statements run with -bench
// Absence/5M.
func BenchmarkAbsence(b *testing.B) {
	for _, size := range []struct {
		name       string
		statements int
	}{{"none", 0}, {"150k", 150_000}, {"5M", 5_000_000}} {
		b.Run(size.name, func(b *testing.B) {
			if size.statements > 1_000_000 && !strings.Contains(flag.Lookup("test.bench").Value.String(), "5M") {
				b.Skip("-bench Absence/5M")
			}
			dump := dumpOf(b, size.statements)
			for b.Loop() {
				longest, pages := absence(b, dump)
				b.ReportMetric(float64(longest.Microseconds())/1000, "ms/longest")
				b.ReportMetric(pages, "outcomes")
			}
		})
	}
}

// dumpOf returns a dump of that many statements.
func dumpOf(b *testing.B, statements int) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for i := range statements {
		if _, err := fmt.Fprintf(w, "<http://dump.test/thing/%d> <http://dump.test/has/%d> \"the value %d of a thing\"@en .\n", i/7, i%7, i); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// absence runs a crawl and returns the longest absence that its log tells of, and its number of outcomes.
func absence(b *testing.B, dump []byte) (longest time.Duration, pages float64) {
	n := fetchtest.NewNetwork()
	defer n.Close()
	const hosts, each = 40, 150
	var seeds []string
	for i := range hosts {
		host := fmt.Sprintf("h%d.test", i)
		n.Serve(host, netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i + 1)}), 80), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			servePage(w, r, host, each, dump)
		}))
		seeds = append(seeds, "http://"+host+"/p/0")
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "crawl.yaml")
	text := "seeds: [" + strings.Join(seeds, ", ") + "]\nfocus: {linked_data: {}}\nallow_private: true\npoliteness: {contact: me@example.org, delay: 20ms}\noutput: out\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	j := &job.Job{Console: console.Console{Out: &out, Err: &out}, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
	if err := verbs.Crawl(b.Context(), j, file); err != nil {
		b.Fatalf("%v\n%s", err, &out)
	}
	log, err := os.ReadFile(filepath.Join(dir, "out", "log.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	b.Log(string(regexp.MustCompile(`.*"decided".*`).Find(log)))
	var ns int64
	if _, err := fmt.Sscan(string(regexp.MustCompile(`"longest":(\d+)`).FindSubmatch(log)[1]), &ns); err != nil {
		b.Fatal(err)
	}
	for _, err := range ledger.Lines(filepath.Join(dir, "out", ledger.JournalFile)) {
		if err != nil {
			b.Fatal(err)
		}
		pages++
	}
	return time.Duration(ns), pages
}

// servePage answers a request to a host: a page with links and data, or the dump.
func servePage(w http.ResponseWriter, r *http.Request, host string, each int, dump []byte) {
	var at int
	switch _, err := fmt.Sscanf(r.URL.Path, "/p/%d", &at); {
	case r.URL.Path == "/all.nt.gz" && len(dump) > 0:
		w.Header().Set("Content-Type", "application/gzip")
		_, _ = w.Write(dump)
		return
	case err != nil:
		http.NotFound(w, r)
		return
	}
	fmt.Fprintf(w, "<html><head><title>Page %d of %s</title>", at, host)
	if host == "h0.test" && at == 0 {
		fmt.Fprint(w, `<link rel="alternate" type="application/n-triples" href="/all.nt.gz">`)
	}
	fmt.Fprint(w, `<script type="application/ld+json">[`)
	for i := range 30 {
		fmt.Fprintf(w, `{"@context": {"@vocab": "http://schema.example/"}, "@id": "#%d", "name": "thing %d of page %d", "size": %d},`, i, i, at, at*i)
	}
	fmt.Fprint(w, `{}]</script></head><body><p>`, strings.Repeat("Some words about things. ", 40))
	for i := 1; i <= 10 && at*10+i < each; i++ {
		fmt.Fprintf(w, `<a href="/p/%d">thing %d</a> `, at*10+i, i)
	}
	fmt.Fprint(w, `</body></html>`)
}
