package crawl_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
)

// TestReadVerdicts: the column relevant is yes, no or part, in the words that people write; others are errors that name the line.
func TestReadVerdicts(t *testing.T) {
	sheet := func(text string) string {
		file := filepath.Join(t.TempDir(), "ask.csv")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	all, err := crawl.ReadVerdicts(sheet("url,relevant\nhttp://a/,yes\nhttp://b/,Part\nhttp://c/,\nhttp://d/,no\nhttp://e/,part of it\n"))
	if err != nil || len(all) != 4 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, want := range []crawl.Verdict{
		{URL: "http://a/", Relevant: true}, {URL: "http://b/", Relevant: true, Said: crawl.SaidPart}, {URL: "http://d/"},
		{URL: "http://e/", Relevant: true, Said: crawl.SaidPart},
	} {
		if all[i] != want {
			t.Errorf("%+v, want %+v", all[i], want)
		}
	}
	if _, err = crawl.ReadVerdicts(sheet("url,relevant\nhttp://a/,maybe\n")); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "ask.csv:2") {
		t.Errorf("maybe: %v", err)
	}
}
