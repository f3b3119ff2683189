package machine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"orbweaver"
)

// TestShare: the parts of all limits fit into them, and grow with them.
func TestShare(t *testing.T) {
	for _, tc := range []struct{ limit, tables, connections, idle int }{
		{48, 8, 8, 4}, // of the 16 beyond those kept: at least 8, a half, a quarter
		{64, 8, 16, 8},
		{128, 12, 48, 24},
		{256, 28, 112, 56},
		{1024, 124, 496, 248},
		{1 << 20, 1000, (1<<20 - 32) / 2, (1<<20 - 32) / 4},
	} {
		s := Share(tc.limit)
		if s != (Shares{tc.limit, tc.tables, tc.connections, tc.idle}) {
			t.Errorf("%d: %+v", tc.limit, s)
		}
		if tc.limit >= 64 && kept+s.Tables+s.Connections+s.Idle > tc.limit {
			t.Errorf("%d: %+v are more", tc.limit, s)
		}
	}
}

// TestTooLittle: what is too little is refused with the number that is needed.
func TestTooLittle(t *testing.T) {
	for _, tc := range []struct {
		err  error
		says string
	}{
		{CheckFiles(LeastFiles - 1), "at least 48"},
		{CheckFiles(LeastFiles), ""},
		{CheckFiles(0), ""},
		{CheckSpace(LeastSpace - 1), fmt.Sprintf("at least %d MB", LeastSpace>>20)},
		{CheckSpace(LeastSpace), ""},
		{CheckSpace(0), ""},
	} {
		if tc.says == "" && tc.err != nil || tc.says != "" && (!errors.Is(tc.err, orbweaver.ErrInput) || !strings.Contains(tc.err.Error(), tc.says)) {
			t.Errorf("%v, want %q", tc.err, tc.says)
		}
	}
}

func TestExplain(t *testing.T) {
	err := fmt.Errorf("open x: %w", syscall.EMFILE)
	if got := Explain(err); !errors.Is(got, syscall.EMFILE) || !strings.Contains(got.Error(), "ulimit -n") {
		t.Error(got)
	}
	full := &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	if got := Explain(full); !errors.Is(got, syscall.ENOSPC) || got.Error() != "write x: no space left on device: make room there, and the same command goes on" {
		t.Error(got)
	}
	if other := errors.New("other"); Explain(other) != other || Explain(nil) != nil {
		t.Error("explains other errors")
	}
}

func TestClock(t *testing.T) {
	now := time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		now, last time.Time
		says      string
	}{
		{now, time.Time{}, ""},
		{now, now.Add(-time.Hour), ""},
		{now, now.Add(30 * time.Second), ""},
		{now, now.Add(3 * time.Hour), "3h0m0s before the last answer"},
		{time.Unix(0, 0), time.Time{}, "1970-01-01"},
		{now.AddDate(200, 0, 0), time.Time{}, "2230-05-01"},
	} {
		if got := Clock(tc.now, tc.last); (tc.says == "") != (got == "") || !strings.Contains(got, tc.says) {
			t.Errorf("%v, %v: %q, want %q", tc.now, tc.last, got, tc.says)
		}
	}
}

// TestCgroupLimit: the least limit of a group and those above it counts, in both versions.
func TestCgroupLimit(t *testing.T) {
	for _, tc := range []struct {
		self  string
		files map[string]string
		want  int64
	}{
		{"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "1000\n", "memory.max": "2000\n"}, 1000},
		{"0::/a/b\n", map[string]string{"a/b/memory.max": "500\n", "a/memory.max": "1000\n"}, 500},
		{"0::/\n", nil, 0},
		{"0::/../../x\n", map[string]string{"x/memory.max": "7\n"}, 7},
		{"3:cpu,memory:/c\n2:cpu:/d\n", map[string]string{"memory/c/memory.limit_in_bytes": "900\n", "memory/memory.limit_in_bytes": fmt.Sprint(math.MaxInt64 - 4095)}, 900},
		{"nonsense", nil, 0},
	} {
		root := t.TempDir()
		self := filepath.Join(root, "self")
		write(t, self, tc.self)
		for name, content := range tc.files {
			write(t, filepath.Join(root, name), content)
		}
		if got := cgroupLimit(self, root); got != tc.want {
			t.Errorf("%q: %d, want %d", tc.self, got, tc.want)
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
