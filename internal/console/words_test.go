package console

import (
	"testing"
)

func TestSizeOf(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 1_550_000: "1.6 MB", 2_000_000_000: "2.0 GB", 5e15: "5000.0 TB",
	} {
		if got := SizeOf(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestVisible(t *testing.T) {
	for _, tc := range []struct {
		in   string
		n    int
		want string
	}{
		{"  two\n\n words ", 20, "two words"}, {"abcdef", 4, "abc…"}, {"abcd", 5, "abcd"}, {"", 5, ""}, {"abc", 0, "…"}, {"äöü", 9, "äöü"}, {"\xff", 9, "\ufffd"},
	} {
		if got := Visible(tc.in, tc.n); got != tc.want {
			t.Errorf("%q in %d: %q, want %q", tc.in, tc.n, got, tc.want)
		}
	}
}
