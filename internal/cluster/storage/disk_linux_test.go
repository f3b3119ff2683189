package storage

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"orbweaver"
)

// TestSmallDisk: a disk of 256 KiB takes what it has room for; read-only, it is refused.
func TestSmallDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	s, err := open(t.Context(), dir, options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "a/one", "former")
	if err := s.Put(t.Context(), "a/one", make([]byte, 1<<20)); !errors.Is(err, ErrFull) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	file := t.TempDir() + "/large"
	if err := os.WriteFile(file, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.PutFile(t.Context(), "a/two", file); !errors.Is(err, ErrFull) {
		t.Errorf("%v", err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"a/one"}) || get(t, s, "a/one") != "former" {
		t.Errorf("there are %v", got)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Error(err)
	} else if err := s.Put(t.Context(), "b", nil); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("%v", err)
	} else if _, err := Open(t.Context(), dir); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "cannot write") {
		t.Errorf("%v", err)
	} else if _, err := Open(t.Context(), dir+"/new"); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
