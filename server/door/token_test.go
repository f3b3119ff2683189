package door

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestToken: as given or from a file; what is none is an error, so that no server stands open by mistake.
func TestToken(t *testing.T) {
	file := func(name, content string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return "@" + path
	}
	for _, tc := range []struct{ given, want, fails string }{
		{"", "", ""},
		{"0123456789abcdef", "0123456789abcdef", ""},
		{"short", "", "16 characters"},
		{file("good", " 0123456789abcdef\n"), "0123456789abcdef", ""},
		{file("empty", "\n"), "", "empty is empty"},
		{file("short", "short\n"), "", "16 characters"},
		{"@/nowhere/at/all", "", "/nowhere/at/all"},
	} {
		got, err := Token(tc.given)
		if got != tc.want || (err != nil) != (tc.fails != "") || err != nil && !strings.Contains(err.Error(), tc.fails) {
			t.Errorf("%q: %q, %v", tc.given, got, err)
		}
	}
}
