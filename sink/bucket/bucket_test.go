package bucket

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/sink"
)

// archiveOf makes WARC files of so many bytes.
func archiveOf(t *testing.T, folder string, sizes ...int) {
	t.Helper()
	for i, size := range sizes {
		name := filepath.Join(folder, "c-0000"+string(rune('0'+i))+".warc.gz")
		if err := os.WriteFile(name, []byte(strings.Repeat(string(rune('a'+i)), size)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func names(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			all = append(all, e.Name())
		}
	}
	return all
}

func pageIn(file string) sink.Item {
	return sink.Item{Kind: sink.Accepted, Page: &sink.Page{Record: orbweaver.Ref{File: file}}}
}

// TestArchives: files are put when they are full, the last one at the end, and again when it has grown; what is there is not put again.
func TestArchives(t *testing.T) {
	archive, to := t.TempDir(), t.TempDir()
	checkArchives(t, archive, to, func() []string { return names(t, to) })
}

func checkArchives(t *testing.T, archive, to string, there func() []string) {
	t.Helper()
	archiveOf(t, archive, 10, 40<<20, 30)
	open := func() *Bucket {
		return New(Options{To: to, Archive: archive, Put: filepath.Join(archive, "put.json")})
	}
	b := open()
	deliver := func(items ...sink.Item) {
		t.Helper()
		if err := b.Deliver(t.Context(), items); err != nil {
			t.Fatal(err)
		}
	}
	deliver(pageIn("c-00000.warc.gz"))
	if got := there(); len(got) != 0 {
		t.Errorf("a file that is being written was put: %v", got)
	}
	deliver(pageIn("c-00001.warc.gz"), pageIn("c-00002.warc.gz"))
	if got := there(); !slices.Equal(got, []string{"c-00000.warc.gz", "c-00001.warc.gz"}) {
		t.Errorf("%v", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	b = open()
	deliver(sink.Item{Kind: sink.End})
	if got := there(); len(got) != 3 {
		t.Errorf("%v", got)
	}
	archiveOf(t, archive, 10, 40<<20, 300)
	deliver(sink.Item{Kind: sink.End})
	put, err := b.noted()
	if err != nil || put["c-00002.warc.gz"].Size != 300 {
		t.Errorf("%+v, %v", put, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// TestSettle: files that are in the bucket are removed here, all but the last; one that is another there stays, and is put again.
func TestSettle(t *testing.T) {
	archive, to := t.TempDir(), t.TempDir()
	archiveOf(t, archive, 10, 20, 30)
	away := map[string]string{}
	b := New(Options{To: to, Archive: archive, Put: filepath.Join(archive, "put.json"), Away: func(name, at string, size int64, sum string) error {
		away[name] = at
		if put, err := digest(filepath.Join(archive, name)); err != nil || put != sum || size == 0 {
			t.Errorf("%s has %s, not %s of %d bytes: %v", name, put, sum, size, err)
		}
		return os.Remove(filepath.Join(archive, name))
	}})
	if err := b.Deliver(t.Context(), []sink.Item{{Kind: sink.End}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "c-00001.warc.gz"), []byte("somebody else's"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := b.Settle(t.Context()); err == nil || !strings.Contains(err.Error(), "c-00001.warc.gz is not what was put") || away["c-00000.warc.gz"] != to+"/c-00000.warc.gz" || len(away) != 1 {
		t.Errorf("%v, %v", away, err)
	}
	for range 2 {
		if err := b.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := names(t, archive); !slices.Equal(got, []string{"c-00002.warc.gz", "put.json"}) || len(away) != 2 {
			t.Errorf("%v, %v", got, away)
		}
	}
	if got := names(t, to); len(got) != 3 {
		t.Error(got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// TestPack: the WACZ file is made when the crawl is over and has accepted something.
func TestPack(t *testing.T) {
	to, made := t.TempDir(), 0
	b := New(Options{To: to, Name: "c.wacz", Temp: t.TempDir(), Pack: func(_ context.Context, path string) error {
		made++
		return os.WriteFile(path, []byte("wacz"), 0o666)
	}})
	for _, items := range [][]sink.Item{{pageIn("x")}, {{Kind: sink.End}}, {{Kind: sink.End, Total: 3}}} {
		if err := b.Deliver(t.Context(), items); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(to, "c.wacz")); made != 1 || string(text) != "wacz" {
		t.Errorf("made %d times: %q, %v", made, text, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// TestServer puts archives, one in parts, on an S3 server: versitygw of ORBWEAVER_VERSITYGW or of PATH.
func TestServer(t *testing.T) {
	program := os.Getenv("ORBWEAVER_VERSITYGW")
	if program == "" {
		var err error
		if program, err = exec.LookPath("versitygw"); err != nil {
			t.Skip("no versitygw: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0, or set ORBWEAVER_VERSITYGW")
		}
	}
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "crawls"), 0o777); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), program, "--port", at, "--access", "tester", "--secret", "of-the-test", "posix", data)
	if err := server.Start(); err != nil {
		t.Skipf("versitygw does not start: %v", err)
	}
	t.Cleanup(func() { _ = server.Wait() }) // the context of the test kills it
	t.Setenv("AWS_ACCESS_KEY_ID", "tester")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "of-the-test")
	to := "s3://crawls/demo?endpoint=" + at + "&region=us-east-1&tls=off"
	b := New(Options{To: to})
	for end := time.Now().Add(time.Minute); ; {
		if err = b.Check(t.Context()); err == nil || time.Now().After(end) { // each try has patience of its own
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	checkArchives(t, t.TempDir(), to, func() []string { return names(t, filepath.Join(data, "crawls", "demo")) })
	got, err := os.ReadFile(filepath.Join(data, "crawls", "demo", "c-00001.warc.gz"))
	if err != nil || string(got) != strings.Repeat("b", 40<<20) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
