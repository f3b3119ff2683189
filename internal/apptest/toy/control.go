package toy

import (
	"os"
	"path/filepath"
	"testing"

	"orbweaver/internal/crawlfolder"
)

// Bare returns a crawl folder with only its crawl.yaml, as left by a crawl killed before it began.
func Bare(t *testing.T) string {
	t.Helper()
	text := DemoLines(t) + "focus: {breadth_first: {}}\noutput: .\n"
	dir := filepath.Join(t.TempDir(), "crawl")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, crawlfolder.RunFile), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}
