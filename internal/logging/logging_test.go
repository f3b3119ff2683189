package logging

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
)

// failed is an outcome with terminal control sequences and a password.
func failed() orbweaver.Outcome {
	return orbweaver.Outcome{N: 7, Request: orbweaver.Request{URL: "http://a.test/\x1b[2J\n\u202e"},
		Err: fmt.Errorf("fetch http://u:s3cret@a.test/: %w", orbweaver.ErrConnect)}
}

// TestShown checks what a log shows for each set of flags, and what it writes to the folder.
func TestShown(t *testing.T) {
	for _, tc := range []struct {
		opts       Options
		want, miss []string
	}{
		{Options{}, []string{"warning: be careful\n", "10 pages\n"}, []string{"fetched", "failed", "level"}},
		{Options{Quiet: true}, nil, []string{"careful", "pages"}},
		{Options{Verbose: true}, []string{"level=WARN", "msg=\"be careful\"", "level=DEBUG msg=fetched n=8 url=http://a.test/", "msg=failed"}, nil},
		{Options{Format: "text"}, []string{"level=INFO msg=\"10 pages\"", "msg=failed n=7 url=\"http://a.test/\ufffd[2J \ufffd\" error=connect"}, []string{"fetched"}},
		{Options{Format: "json"}, []string{`"level":"WARN","msg":"be careful"`, `"msg":"failed","n":7`}, []string{"fetched"}},
		{Options{Format: "json", Verbose: true}, []string{`"level":"DEBUG","msg":"fetched","n":8,"url":"http://a.test/","status":200`}, nil},
	} {
		var out bytes.Buffer
		dir := t.TempDir()
		l := New(&out, tc.opts)
		fmt.Fprint(l, "warning: be ")
		fmt.Fprint(l, "careful\n10 pages\n")
		l.Attach(dir)
		l.Outcome(failed())
		l.Outcome(orbweaver.Outcome{N: 8, Status: 200, Request: orbweaver.Request{URL: "http://a.test/"}})
		l.Close()
		kept, err := os.ReadFile(filepath.Join(dir, File))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%+v: no %q in\n%s", tc.opts, want, &out)
			}
		}
		for _, miss := range append(tc.miss, "s3cret", "\x1b", "\u202e") {
			if strings.Contains(out.String(), miss) {
				t.Errorf("%+v: %q in\n%s", tc.opts, miss, &out)
			}
		}
		var levels []string
		for line := range strings.Lines(string(kept)) {
			var record struct{ Time, Level, Msg string }
			if err := json.Unmarshal([]byte(line), &record); err != nil || record.Time == "" {
				t.Errorf("%q: %v", line, err)
			}
			levels = append(levels, record.Level)
		}
		want := "[WARN INFO INFO]"
		if tc.opts.Verbose {
			want = "[WARN INFO INFO DEBUG]"
		}
		if fmt.Sprint(levels) != want || strings.Contains(string(kept), "s3cret") {
			t.Errorf("%+v: kept %v\n%s", tc.opts, levels, kept)
		}
	}
}

// TestRotated: a reopened log appends, is bounded, and ends an incomplete record.
func TestRotated(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, File)
	if err := os.WriteFile(path, []byte(`{"msg":"cut`), 0o666); err != nil {
		t.Fatal(err)
	}
	l := New(new(bytes.Buffer), Options{})
	l.Attach(dir)
	text := strings.Repeat("word ", maxText/5)
	for range 2 * maxFile / maxText {
		l.Info(text)
	}
	l.Close()
	for _, name := range []string{File, Before} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() > maxFile || info.Size() < 100 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if kept, _ := os.ReadFile(filepath.Join(dir, Before)); bytes.Contains(kept, []byte(`cut{`)) {
		t.Error("a record begins in one that was cut")
	}
}

// TestUnwritable: an unwritable log does not stop the crawl.
func TestUnwritable(t *testing.T) {
	var out bytes.Buffer
	l := New(&out, Options{})
	l.Attach(filepath.Join(t.TempDir(), "no", "folder"))
	l.Info("one")
	fmt.Fprintln(l, "two")
	l.Close()
	if out.String() != "two\n" {
		t.Errorf("%q", &out)
	}
}
