package toy

import (
	"os"
	"path/filepath"
	"testing"
)

// Put writes a file and returns its path.
func Put(t testing.TB, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
