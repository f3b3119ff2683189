//go:build e2e

package crawls_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/internal/view"
	"orbweaver/ledger"
)

// olderFolder unpacks a crawl folder of an older version with 30 requests, beside its archive. It returns the crawl file
// with another limit, and more lines.
func olderFolder(t *testing.T, requests, more string) (folder, file string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range []string{"demo.warc.gz", "aircraft.ttl"} {
		content, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples", name))
		if err != nil {
			t.Fatal(err)
		}
		toy.Put(t, folder, name, string(content))
	}
	text, err := os.ReadFile(filepath.Join("testdata", "older-crawl.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return folder, toy.Put(t, folder, "older-crawl.yaml", strings.Replace(string(text), "requests: 30", "requests: "+requests, 1)+more)
}

// unpack unpacks the older folder into another.
func unpack(t *testing.T, into string) {
	t.Helper()
	packed, err := os.Open(filepath.Join("testdata", "older-crawl.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(into, filepath.Clean("/"+h.Name))
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		content, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		toy.Put(t, filepath.Dir(path), filepath.Base(path), string(content))
	}
}

// printing returns a job that prints into a buffer.
func printing(out *bytes.Buffer) *job.Job {
	return &job.Job{Console: console.Console{Out: out, Err: io.Discard}}
}

// TestOlderFolder: the folder of an older version opens, and its pages can be listed and explained. Resumed, its crawl ends
// like an uninterrupted one of this version.
func TestOlderFolder(t *testing.T) {
	folder, file := olderFolder(t, "60", "")
	unpack(t, folder)
	older := filepath.Join(folder, "old")
	journal, err := os.ReadFile(filepath.Join(older, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	begun := bytes.Count(journal, []byte("\n"))
	var pages, why bytes.Buffer
	if err := verbs.Pages(t.Context(), printing(&pages), older, ledger.PageQuery{Accepted: true, Sort: "score"}, view.PagesOptions{Format: "csv"}); err != nil || strings.Count(pages.String(), "\n") != 28 {
		t.Errorf("27 pages were accepted: %v\n%s", err, &pages)
	}
	if err := verbs.Explain(t.Context(), printing(&why), older, "http://skylines.example/types/a320.html", false); err != nil || !strings.Contains(why.String(), "aircraft ×1") {
		t.Errorf("%v\n%s", err, &why)
	}
	l, err := ledger.Open(older)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := l.Count(ledger.PageQuery{Accepted: true}); n != 27 || err != nil {
		t.Errorf("its index has %d accepted pages; %v", n, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := verbs.Crawl(t.Context(), printing(&bytes.Buffer{}), file); err != nil {
		t.Fatal(err)
	}
	whole, fileOfWhole := olderFolder(t, "60", "explore: 0\nlists: text\n")
	if err := verbs.Crawl(t.Context(), printing(&bytes.Buffer{}), fileOfWhole); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(older, ledger.JournalFile))
	want, other := os.ReadFile(filepath.Join(whole, "old", ledger.JournalFile))
	if err := errors.Join(err, other); err != nil {
		t.Fatal(err)
	}
	// The older version wrote other chances and thresholds.
	ignored, scores := regexp.MustCompile(`,"chance":[^,}]*`), regexp.MustCompile(`"url":"[^"]*"|"score":[^,]*`)
	mine, theirs := bytes.SplitAfter(ignored.ReplaceAll(got, nil), []byte("\n")), bytes.SplitAfter(ignored.ReplaceAll(want, nil), []byte("\n"))
	if len(mine) != 61 || len(theirs) != 61 || begun == 0 {
		t.Fatalf("%d lines, %d of them old; want %d", len(mine), begun, len(theirs))
	}
	for i := range mine {
		if i < begun {
			mine[i], theirs[i] = bytes.Join(scores.FindAll(mine[i], 2), nil), bytes.Join(scores.FindAll(theirs[i], 2), nil)
		}
		if !bytes.Equal(mine[i], theirs[i]) {
			t.Errorf("line %d of the resumed crawl is\n%s\nwant\n%s", i+1, mine[i], theirs[i])
		}
	}
}

// TestFoldersOfOtherVersions: the error names what this version cannot read, and what to do. Jobs that do not need it work.
func TestFoldersOfOtherVersions(t *testing.T) {
	folder, file := olderFolder(t, "60", "")
	unpack(t, folder)
	older := filepath.Join(folder, "old")
	l, err := ledger.Open(older)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Commit(step.Batch{Model: []byte(`{"version":99}`), Progress: l.Progress()}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	err = verbs.Crawl(t.Context(), printing(&bytes.Buffer{}), file)
	for _, part := range []string{"snapshot of version 99", "another version of orbweaver wrote the model", "crawl again into another folder"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v: lacks %q", err, part)
		}
	}
	var pages bytes.Buffer
	if err := verbs.Pages(t.Context(), printing(&pages), older, ledger.PageQuery{}, view.PagesOptions{Format: "csv"}); err != nil || strings.Count(pages.String(), "\n") != 30 {
		t.Errorf("%v\n%s", err, &pages)
	}
	run := filepath.Join(older, "crawl.yaml")
	text, err := os.ReadFile(run)
	if err != nil {
		t.Fatal(err)
	}
	toy.Put(t, older, "crawl.yaml", string(text)+"horizon: 7\n")
	err = verbs.Crawl(t.Context(), printing(&bytes.Buffer{}), file)
	for _, part := range []string{run + ": this version of orbweaver cannot read it", "horizon: unknown key", "crawl again into another folder"} {
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), part) {
			t.Errorf("%v: lacks %q", err, part)
		}
	}
	toy.Put(t, older, "crawl.yaml", strings.Replace(string(text), "sitemaps: seeds\n", "", 1)) // as written by a version without the key
	if err = verbs.Pages(t.Context(), printing(&bytes.Buffer{}), older, ledger.PageQuery{}, view.PagesOptions{Format: "csv"}); err != nil {
		t.Error(err)
	}
}
