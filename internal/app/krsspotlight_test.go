package app

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"context"
	"net/netip"

	"orbweaver/fetch/spotlight"
	"orbweaver/internal/console"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/kind/krs/krstest"
	"orbweaver/ledger"
)

// learn builds a KRS of the planes.
func learn(t *testing.T, dir string, change func(*krs.Job)) (folder, told string, err error) {
	t.Helper()
	job := krs.Job{Dir: filepath.Join(dir, "planes.krs"), Topic: "planes", Corpus: []string{filepath.Join(dir, "corpus")}}
	change(&job)
	var out bytes.Buffer
	err = (&krs.Jobs{Console: console.Console{Out: io.Discard, Err: &out}}).Build(t.Context(), job)
	return job.Dir, out.String(), err
}

// planesFile is a crawl file; %s: more of krs, the archive, more.
const planesFile = `seeds: [http://planes.test/hub]
web: {archive: [%s]}
focus: {krs: {file: planes.krs, %s}}
output: %s
`

// crawlPlanes crawls, and returns pages.jsonl by URL and what was told.
func crawlPlanes(t *testing.T, dir, archive, more, output string) (lines map[string]ledger.Line, told string) {
	t.Helper()
	file := put(t, dir, output+".yaml", fmt.Sprintf(planesFile, archive, more, output))
	var out bytes.Buffer
	if err := (&App{Console: console.Console{Out: &out, Err: &out}, Alone: true}).Crawl(t.Context(), file); err != nil {
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

// TestCrawlAsksSpotlight crawls with a server, then goes on, and crawls the archive anew, when there is
// none any more.
func TestCrawlAsksSpotlight(t *testing.T) {
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	if _, _, err := learn(t, dir, func(j *krs.Job) { j.Spotlight = server.URL }); err != nil {
		t.Fatal(err)
	}
	server.Count()
	first, told := crawlPlanes(t, dir, "planes.warc", "rule: calibrated", "first")
	if server.Count() == 0 || strings.Contains(told, "Spotlight was") || len(first) != 4 {
		t.Fatalf("%d pages: %s", len(first), told)
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
	again, told := crawlPlanes(t, dir, "first/planes.warc", "rule: calibrated", "again")
	if server.Count() > 0 || strings.Contains(told, "Spotlight was left out") {
		t.Errorf("the server is asked again: %s", told)
	}
	for url, l := range first {
		if again[url].Score != l.Score {
			t.Errorf("%s: %v, was %v", url, again[url].Score, l.Score)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "first", "spotlight")); err != nil {
		t.Fatal(err)
	}
	alone, told := crawlPlanes(t, dir, "first/planes.warc", "rule: calibrated, learn: true", "alone")
	if len(alone) != 4 || !strings.Contains(told, "Spotlight was left out for 4 pages") {
		t.Errorf("%d pages: %s", len(alone), told)
	}
	server.Count()
	off, told := crawlPlanes(t, dir, "first/planes.warc", "linking: gazetteer", "off")
	if len(off) != 4 || server.Count() > 0 || strings.Contains(told, "Spotlight was") {
		t.Errorf("%d pages: %s", len(off), told)
	}
	report, err := os.ReadFile(filepath.Join(dir, "alone", "report.html"))
	if err != nil || !bytes.Contains(report, []byte("Spotlight was left out for 4 pages")) {
		t.Errorf("the report does not say so: %v", err)
	}
}

// TestCrawlMayNameTheServer: the corpus was linked by a gazetteer alone.
func TestCrawlMayNameTheServer(t *testing.T) {
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	if _, _, err := learn(t, dir, func(*krs.Job) {}); err != nil {
		t.Fatal(err)
	}
	if _, told := crawlPlanes(t, dir, "planes.warc", "spotlight: "+server.URL, "out"); server.Count() == 0 {
		t.Error(told)
	}
	file := put(t, dir, "none.yaml", fmt.Sprintf(planesFile, "planes.warc", "linking: both", "none"))
	if err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Crawl(t.Context(), file); err == nil || !strings.Contains(err.Error(), "linking") {
		t.Errorf("both, and no server: %v", err)
	}
}

// TestPrivateSpotlight: judge and compare reach a server at a private address where their file allows it,
// as a crawl does, and not where it does not.
func TestPrivateSpotlight(t *testing.T) {
	server, dir := krstest.NewSpotlight(t), krstest.PlaneWeb(t)
	if _, _, err := learn(t, dir, func(*krs.Job) {}); err != nil {
		t.Fatal(err)
	}
	at, err := netip.ParseAddrPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	a := &App{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	a.Wire.Options.Resolve = func(context.Context, string) ([]netip.Addr, error) { return []netip.Addr{at.Addr()}, nil }
	focus := fmt.Sprintf("krs: {file: planes.krs, spotlight: 'http://spotlight.test:%d/', rule: calibrated}", at.Port())
	const web = "seeds: [http://planes.test/hub]\nweb: {archive: [planes.warc]}\n"
	for _, allowed := range []bool{false, true} {
		private := fmt.Sprintf("allow_private: %v\n", allowed)
		file := put(t, dir, "judged.yaml", web+private+"focus: {"+focus+"}\n")
		if err := a.Judge(t.Context(), file, "http://planes.test/works", JudgeOptions{}); err != nil {
			t.Fatal(err)
		}
		if asked := server.Count() > 0; asked != allowed {
			t.Errorf("allow_private: %v: judge asks Spotlight: %v", allowed, asked)
		}
		file = put(t, dir, "compared.yaml", web+private+"truth: {keywords: [wing]}\nruns:\n  - {name: krs, focus: {"+focus+"}}\n"+fmt.Sprintf("output: compared-%v\n", allowed))
		if err := a.Compare(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		if asked := server.Count() > 0; asked != allowed {
			t.Errorf("allow_private: %v: compare asks Spotlight: %v", allowed, asked)
		}
	}
}
