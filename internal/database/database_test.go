package database_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"orbweaver"
	"orbweaver/internal/database"
)

func TestOpening(t *testing.T) {
	dir := t.TempDir()
	db, err := database.Open(dir, database.Options{What: "this test"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = database.Open(dir, database.Options{What: "this test"})
	if want := dir + ": another process is using this test: " + orbweaver.ErrBusy.Error(); !errors.Is(err, orbweaver.ErrBusy) || err.Error() != want {
		t.Errorf("opened twice: %v, want %s", err, want)
	}
	if err := db.Put([]byte("a"), []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, err = database.Open(dir, database.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if value, found, err := db.Value([]byte("a")); string(value) != "one" || !found || err != nil {
		t.Errorf("%q, %t, %v", value, found, err)
	}
	if err := db.Put([]byte("a"), nil); err == nil {
		t.Error("a reader removed a value")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	manifests, err := filepath.Glob(filepath.Join(dir, "MANIFEST-*"))
	if err != nil || len(manifests) == 0 {
		t.Fatal(manifests, err)
	}
	for _, name := range manifests {
		if err := os.WriteFile(name, []byte("junk"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := database.Open(dir, database.Options{}); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("damaged: %v", err)
	}
}

// TestFailStop: whichever change to the disk fails, the process survives, every later change returns the
// error, and the database opens again with all earlier values.
func TestFailStop(t *testing.T) {
	broken := errors.New("broken")
	for n := int64(0); ; n++ {
		disk := vfs.NewMem()
		var changes atomic.Int64
		db, err := database.Open("db", database.Options{Size: database.Tiny, FS: errorfs.Wrap(disk, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && changes.Add(1)-1 == n {
				return broken
			}
			return nil
		}))})
		put := byte(0)
		if err == nil {
			for ; put < 20; put++ {
				if err = db.Put([]byte{put}, make([]byte, 4096)); err != nil {
					break
				}
			}
			if again := db.Put([]byte("more"), []byte{1}); err != nil && !errors.Is(again, broken) {
				t.Fatalf("change %d failed: %v, and then %v", n, err, again)
			}
			_ = db.Close()
		}
		if changes.Load() <= n {
			t.Logf("%d changes", n)
			return
		}
		if err != nil && !errors.Is(err, broken) {
			t.Fatalf("change %d failed: %v", n, err)
		}
		if db, err = database.Open("db", database.Options{FS: disk}); err != nil {
			t.Fatalf("change %d failed: %v", n, err)
		}
		for key := range put {
			if _, found, err := db.Value([]byte{key}); !found || err != nil {
				t.Errorf("change %d failed: %d of %d: %t, %v", n, key, put, found, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLock: a file cannot be locked twice.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	lock, err := database.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := database.Lock(path); err == nil {
		t.Error("locked twice")
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
}
