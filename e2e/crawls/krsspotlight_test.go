//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/fetch/spotlight"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/compare"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/kind/krs/krstest"
	"orbweaver/ledger"
)

// crawlPlanes runs a crawl, and returns pages.jsonl by URL and the messages.
func crawlPlanes(t *testing.T, dir, archive, more, output string) (lines map[string]ledger.Line, messages string) {
	t.Helper()
	file := toy.Put(t, dir, output+".yaml", fmt.Sprintf(toy.PlanesFile, archive, more, output))
	var out bytes.Buffer
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true}, file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	lines = map[string]ledger.Line{}
	for l, err := range ledger.Lines(filepath.Join(dir, output, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines[l.URL] = l
	}
	return lines, out.String()
}

// TestCrawlAsksSpotlight: a crawl with a server is resumed, and repeated over its archive, after the
// server is gone.
func TestCrawlAsksSpotlight(t *testing.T) {
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	if _, _, err := toy.Learn(t, dir, func(j *krs.Job) { j.Spotlight = server.URL }); err != nil {
		t.Fatal(err)
	}
	server.Count()
	first, messages := crawlPlanes(t, dir, "planes.warc", "rule: calibrated", "first")
	if server.Count() == 0 || strings.Contains(messages, "Spotlight was") || len(first) != 4 {
		t.Fatalf("%d pages: %s", len(first), messages)
	}
	kept, err := spotlight.ReadKept(filepath.Join(dir, "first"))
	if err != nil {
		t.Fatal(err)
	}
	kept.Close()
	server.Fail(func(w http.ResponseWriter) { http.Error(w, "down", http.StatusBadGateway) })
	if err := os.Rename(filepath.Join(dir, "planes.warc"), filepath.Join(dir, "first", "planes.warc")); err != nil {
		t.Fatal(err)
	}
	again, messages := crawlPlanes(t, dir, "first/planes.warc", "rule: calibrated", "again")
	if server.Count() > 0 || strings.Contains(messages, "Spotlight was left out") {
		t.Errorf("the server got another request: %s", messages)
	}
	for url, l := range first {
		if again[url].Score != l.Score {
			t.Errorf("%s: %v, was %v", url, again[url].Score, l.Score)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "first", "spotlight")); err != nil {
		t.Fatal(err)
	}
	alone, messages := crawlPlanes(t, dir, "first/planes.warc", "rule: calibrated, learn: true", "alone")
	if len(alone) != 4 || !strings.Contains(messages, "Spotlight was left out for 4 pages") {
		t.Errorf("%d pages: %s", len(alone), messages)
	}
	server.Count()
	off, messages := crawlPlanes(t, dir, "first/planes.warc", "linking: gazetteer", "off")
	if len(off) != 4 || server.Count() > 0 || strings.Contains(messages, "Spotlight was") {
		t.Errorf("%d pages: %s", len(off), messages)
	}
	report, err := os.ReadFile(filepath.Join(dir, "alone", "report.html"))
	if err != nil || !bytes.Contains(report, []byte("Spotlight was left out for 4 pages")) {
		t.Errorf("the report does not say so: %v", err)
	}
}

// TestCrawlMayNameTheServer: the corpus was linked by a gazetteer only.
func TestCrawlMayNameTheServer(t *testing.T) {
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	if _, _, err := toy.Learn(t, dir, func(*krs.Job) {}); err != nil {
		t.Fatal(err)
	}
	if _, messages := crawlPlanes(t, dir, "planes.warc", "spotlight: "+server.URL, "out"); server.Count() == 0 {
		t.Error(messages)
	}
	file := toy.Put(t, dir, "none.yaml", fmt.Sprintf(toy.PlanesFile, "planes.warc", "linking: both", "none"))
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, file); err == nil || !strings.Contains(err.Error(), "linking") {
		t.Errorf("both, and no server: %v", err)
	}
}

// TestPrivateSpotlight: judge and compare reach a server at a private address if their file allows it,
// like a crawl.
func TestPrivateSpotlight(t *testing.T) {
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	if _, _, err := toy.Learn(t, dir, func(*krs.Job) {}); err != nil {
		t.Fatal(err)
	}
	at, err := netip.ParseAddrPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	a.Wire.Options.Resolve = func(context.Context, string) ([]netip.Addr, error) { return []netip.Addr{at.Addr()}, nil }
	focus := fmt.Sprintf("krs: {file: planes.krs, spotlight: 'http://spotlight.test:%d/', rule: calibrated}", at.Port())
	const web = "seeds: [http://planes.test/hub]\nweb: {archive: [planes.warc]}\n"
	for _, allowed := range []bool{false, true} {
		private := fmt.Sprintf("allow_private: %v\n", allowed)
		file := toy.Put(t, dir, "judged.yaml", web+private+"focus: {"+focus+"}\n")
		if err := verbs.Judge(t.Context(), a, file, "http://planes.test/works", false, false); err != nil {
			t.Fatal(err)
		}
		if asked := server.Count() > 0; asked != allowed {
			t.Errorf("allow_private: %v: judge requests Spotlight: %v", allowed, asked)
		}
		file = toy.Put(t, dir, "compared.yaml", web+private+"truth: {keywords: [wing]}\nruns:\n  - {name: krs, focus: {"+focus+"}}\n"+fmt.Sprintf("output: compared-%v\n", allowed))
		if err := compare.Compare(t.Context(), a, file); err != nil {
			t.Fatal(err)
		}
		if asked := server.Count() > 0; asked != allowed {
			t.Errorf("allow_private: %v: compare requests Spotlight: %v", allowed, asked)
		}
	}
}
