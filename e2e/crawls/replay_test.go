//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/internal/realdata"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// replayed replays archives on loopback until the test ends, and returns the server's address.
func replayed(t *testing.T, work offline.ReplayJob) (here string) {
	t.Helper()
	if work.Listen == "" {
		work.Listen = "127.0.0.1:0"
	}
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		err := offline.Replay(ctx, &job.Job{Console: console.Console{Out: w, Err: io.Discard}}, work)
		w.CloseWithError(fmt.Errorf("ended: %v", err))
		ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	messages := ""
	buffer := make([]byte, 4096)
	for !strings.Contains(messages, "Ctrl-C") {
		n, err := r.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		messages += string(buffer[:n])
	}
	return regexp.MustCompile(`all hosts +(\S+)/\n`).FindStringSubmatch(messages)[1]
}

// crawled runs a crawl file and returns its journal.
func offlineCrawled(t *testing.T, a *job.Job, text string) (lines []ledger.Line) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "f.yaml")
	if err := os.WriteFile(file, []byte(text+"output: crawl\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a.Out, a.Err, a.Alone = &out, &out, true
	if err := verbs.Crawl(t.Context(), a, file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for line, err := range ledger.Lines(filepath.Join(dir, "crawl", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestCrawlThroughReplay: a live crawl through the proxy finds what a crawl of the archive finds, in the
// same order with the same scores, one host at a time.
func TestCrawlThroughReplay(t *testing.T) {
	root := realdata.Root(t)
	demo := filepath.Join(root, "examples/demo.warc.gz")
	here := replayed(t, offline.ReplayJob{Archives: []string{demo}, Absent: http.StatusNotFound})
	anywhere := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil // never dialled: only the proxy is
	}
	text := fmt.Sprintf("seeds: [http://hangar.example/]\nscope: {hosts: [hangar.example]}\n"+
		"focus: {ontology: {files: %s, target: 'http://orbweaver.example/aircraft#Airplane'}}\n",
		filepath.Join(root, "examples/aircraft.ttl"))
	want := offlineCrawled(t, &job.Job{}, text+fmt.Sprintf("web: {archive: %s, robots: archived}\n", demo))
	got := offlineCrawled(t, &job.Job{Wire: wire.Wire{Options: client.Options{Resolve: anywhere}}},
		text+fmt.Sprintf("politeness: {proxy: '%s', delay: 0s}\nworkers: 1\n", here))
	if a, b := outline(t, got), outline(t, want); !slices.Equal(a, b) {
		t.Errorf("through the proxy %d lines, from the archive %d\n%s", len(a), len(b), firstDifference(a, b))
	}
	if len(want) < 25 {
		t.Errorf("a crawl of %d lines shows little", len(want))
	}
}

// outline reduces a journal to what does not depend on the source of the answers: what the archive lacks
// is an error status in one crawl and absent in the other.
func outline(t *testing.T, lines []ledger.Line) (outline []string) {
	t.Helper()
	for _, l := range lines {
		if l.Status == http.StatusNotFound || l.Error == orbweaver.ErrAbsent {
			l.Status, l.Error = 0, "not there"
		}
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		outline = append(outline, string(text))
	}
	return outline
}

func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n%s\n%s", i+1, a[i], b[i])
		}
	}
	return "one is the start of the other"
}

// TestReplayOfACrawl: the folder of a crawl with an archive can be replayed.
func TestReplayOfACrawl(t *testing.T) {
	dir := t.TempDir()
	root := realdata.Root(t)
	file := filepath.Join(dir, "f.yaml")
	text := fmt.Sprintf("seeds: [http://skylines.example/]\nweb: {archive: %s}\nfocus: {breadth_first: {}}\nlimits: {requests: 5}\narchive: on\noutput: crawl\n",
		filepath.Join(root, "examples/demo.warc.gz"))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Alone: true}, file); err != nil {
		t.Fatal(err)
	}
	here := replayed(t, offline.ReplayJob{Archives: []string{filepath.Join(dir, "crawl")}})
	resp, err := http.Get(here + "/web/http://skylines.example/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), `href="/web/http://skylines.example/types/"`) {
		t.Errorf("%d %v\n%s", resp.StatusCode, err, body)
	}
}

func TestReplayMistakes(t *testing.T) {
	dir := t.TempDir()
	demo := filepath.Join(realdata.Root(t), "examples/demo.warc.gz")
	precious := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(precious, []byte("years"), 0o666); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(dir, "bare")
	if err := os.MkdirAll(bare, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bare, "crawl.yaml"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		job  offline.ReplayJob
		want string
	}{
		{"no such file", offline.ReplayJob{Archives: []string{filepath.Join(dir, "none")}}, "none"},
		{"neither WARC nor file", offline.ReplayJob{Archives: []string{precious, filepath.Join(dir, "none")}}, "thesis.txt"},
		{"an empty folder", offline.ReplayJob{Archives: []string{t.TempDir()}}, "no WARC, ARC or WACZ file"},
		{"a crawl without archive", offline.ReplayJob{Archives: []string{bare}}, "keeps no archive"},
		{"a certificate over something else", offline.ReplayJob{Archives: []string{demo}, CA: precious}, "something other than a certificate"},
		{"no address", offline.ReplayJob{Archives: []string{demo}, Listen: "nowhere"}, "--listen nowhere"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := offline.Replay(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, tc.job)
			if orbweaver.FailureOf(err) != orbweaver.ErrInput || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v", err)
			}
		})
	}
	if content, err := os.ReadFile(precious); err != nil || string(content) != "years" {
		t.Errorf("%q, %v", content, err)
	}
}

// TestReplayCertificate: --ca overwrites a certificate that it wrote earlier.
func TestReplayCertificate(t *testing.T) {
	demo := filepath.Join(realdata.Root(t), "examples/demo.warc.gz")
	file := filepath.Join(t.TempDir(), "ca.pem")
	var last string
	for range 2 {
		replayed(t, offline.ReplayJob{Archives: []string{demo}, CA: file})
		content, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(content), "-----BEGIN CERTIFICATE-----\n") || string(content) == last {
			t.Fatalf("%q, %v", content, err)
		}
		last = string(content)
	}
}
