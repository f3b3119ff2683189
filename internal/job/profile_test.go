package job

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
)

// TestProfile: both files are complete, even if the job failed.
func TestProfile(t *testing.T) {
	odd := errors.New("odd")
	for name, job := range map[string]func() error{
		"done":        func() error { return nil },
		"failed":      func() error { return odd },
		"interrupted": func() error { return console.ErrInterrupted },
		"crashed":     func() error { panic(odd) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "profiles", name)
			var err error
			crash := func() (crash any) {
				defer func() { crash = recover() }()
				err = Profile(dir, job)
				return nil
			}()
			switch {
			case name == "done" && err != nil, name == "failed" && !errors.Is(err, odd),
				name == "interrupted" && !errors.Is(err, console.ErrInterrupted), (name == "crashed") != (crash != nil):
				t.Errorf("error %v, crash %v", err, crash)
			}
			for _, file := range []string{"cpu.pprof", "heap.pprof"} {
				whole(t, filepath.Join(dir, file))
			}
		})
	}
}

// whole checks that a file is a complete gzip file.
func whole(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	if n, err := io.Copy(io.Discard, z); err != nil || n == 0 {
		t.Errorf("%s: %d bytes, %v", path, n, err)
	}
}

// TestNoProfile: the job does not run if the folder cannot be created or the profiler is busy.
func TestNoProfile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	never := func() error {
		t.Error("the job was done")
		return nil
	}
	if err := Profile(file, never); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a file that is in the way: %v", err)
	}
	inner := filepath.Join(dir, "inner")
	err := Profile(filepath.Join(dir, "outer"), func() error {
		if err := Profile(inner, never); err == nil {
			t.Error("two profiles at a time")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(inner); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
