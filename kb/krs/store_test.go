package krs

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database"
)

func TestSections(t *testing.T) {
	s := empty(t)
	if _, err := s.Get("gazetteer"); !errors.Is(err, ErrSection) {
		t.Errorf("got %v", err)
	}
	if err := s.Put("gazetteer", []byte{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	if got, err := reopen(t, s).Get("gazetteer"); err != nil || string(got) != "\x00\x01\x02" {
		t.Errorf("got %v, %v", got, err)
	}
	if err := s.Put("gazetteer", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get("gazetteer"); !errors.Is(err, ErrSection) {
		t.Errorf("got %v", err)
	}
}

func TestOpening(t *testing.T) {
	disk := vfs.NewMem()
	if _, err := open("x.krs", "", disk); !errors.Is(err, ErrNone) {
		t.Errorf("where there is none: %v", err)
	}
	s, err := open("x.krs", "topic", disk)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Snapshot(Options{}); !errors.Is(err, ErrEmpty) {
		t.Errorf("a snapshot of nothing: %v", err)
	}
	for name, err := range map[string]error{"empty": s.Add(Document{}), "long": s.Add(Document{ID: strings.Repeat("x", 5000)})} {
		if !errors.Is(err, ErrID) {
			t.Errorf("%s ID: %v", name, err)
		}
	}
	if err := s.Remove("nobody"); !errors.Is(err, ErrUnknown) {
		t.Errorf("removing nobody: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := open("x.krs", "another", disk); !errors.Is(err, ErrTopic) {
		t.Errorf("of another topic: %v", err)
	}
	if s, err = open("x.krs", "", disk); err != nil {
		t.Fatal(err)
	}
	s.state.Format = 99
	c := s.change()
	if err := c.commit(func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	c.close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := open("x.krs", "topic", disk); !errors.Is(err, ErrFormat) {
		t.Errorf("of another version: %v", err)
	}
}

// open opens a KRS on a file system; nil is the operating system's.
func open(dir, topic string, on vfs.FS) (*Store, error) {
	db, err := openDatabase(dir, on)
	if err != nil {
		return nil, err
	}
	return Open(db, dir, topic)
}

func openDatabase(dir string, on vfs.FS) (*database.DB, error) {
	path := filepath.Join(dir, "db")
	if err := database.MakeFolder(on, path); err != nil {
		return nil, err
	}
	return database.Open(path, database.Options{FS: on})
}

func TestBuilding(t *testing.T) {
	wrong := errors.New("unreadable")
	failing := func(yield func(Document, error) bool) {
		_ = yield(say("a", "x y"), nil) && yield(Document{}, wrong)
	}
	for _, tc := range []struct {
		name string
		plan Plan
		want error
	}{
		{"no document", Plan{Documents: each(nil)}, ErrEmpty},
		{"no noun", Plan{Documents: each([]Document{{ID: "a"}})}, ErrNoNouns},
		{"no ID", Plan{Documents: each([]Document{{}})}, ErrID},
		{"a document that fails", Plan{Documents: failing}, wrong},
		{"a background that fails", Plan{Documents: each([]Document{say("a", "x")}), Background: failing}, wrong},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db, err := openDatabase("x.krs", vfs.NewMem())
			if err != nil {
				t.Fatal(err)
			}
			tc.plan.Topic = "topic"
			if err := Build(t.Context(), db, "x.krs", tc.plan); !errors.Is(err, tc.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	var progress []int64
	s := build(t, Plan{
		Topic: "topic", Documents: each([]Document{say("a", "x"), say("b", "x y"), say("a", "y z")}),
		Background: each([]Document{say("a", "z")}), Sections: map[string][]byte{"with": []byte("this")},
		Progress: func(n int64) { progress = append(progress, n) },
	})
	if got, err := s.Get("with"); err != nil || string(got) != "this" || !slices.Equal(progress, []int64{1, 2, 3, 4}) {
		t.Errorf("section %s, %v; progress %v", got, err, progress)
	}
	same(t, compiled(t, s, Options{}), compiled(t, built(t, []Document{say("a", "y z"), say("b", "x y")}, []Document{say("a", "z")}), Options{}))
}

// TestCut: after a power cut at any point, the KRS has all documents added before.
func TestCut(t *testing.T) {
	disk := vfs.NewCrashableMem()
	s, err := open("x.krs", "topic", disk)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 12 {
		if err := s.Add(randomDocument(r, i%9)); err != nil {
			t.Fatal(err)
		}
		left := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50 * r.IntN(3), RNG: r})
		again, err := open("x.krs", "", left)
		if err != nil {
			t.Fatal(err)
		}
		if got := again.state; got.Documents != s.state.Documents || got.Sums.A.Cmp(s.state.Sums.A) != 0 {
			t.Errorf("after %d: %+v", i, got)
		}
		if got, want := exported(t, again), exported(t, s); !slices.Equal(got, want) {
			t.Errorf("after %d: %d quads, want %d", i, len(got), len(want))
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
