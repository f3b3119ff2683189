package krs

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
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
	dir := filepath.Join(t.TempDir(), "x.krs")
	if _, err := Open(dir, ""); !errors.Is(err, ErrNone) {
		t.Errorf("where there is none: %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("opening made a folder")
	}
	s, err := Open(dir, "topic")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "topic"); !errors.Is(err, ErrInUse) {
		t.Errorf("twice: %v", err)
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
	s.state.Format = 99
	c := s.change()
	if err := c.commit(func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	c.close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "topic"); !errors.Is(err, ErrFormat) {
		t.Errorf("of another version: %v", err)
	}
	other := empty(t)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other.dir, "another"); !errors.Is(err, ErrTopic) {
		t.Errorf("of another topic: %v", err)
	}
	*other = *mustOpen(t, other.dir)
}

func mustOpen(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
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
			dir := filepath.Join(t.TempDir(), "x.krs")
			tc.plan.Topic = "topic"
			if _, err := Build(t.Context(), dir, tc.plan); !errors.Is(err, tc.want) {
				t.Errorf("got %v", err)
			}
			if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
				t.Errorf("left %v, %v", left, err)
			}
		})
	}
	dir := filepath.Join(t.TempDir(), "x.krs")
	if err := os.MkdirAll(dir+".part/db", 0o777); err != nil {
		t.Fatal(err)
	}
	var told []int64
	s, err := Build(t.Context(), dir, Plan{
		Topic: "topic", Documents: each([]Document{say("a", "x"), say("b", "x y"), say("a", "y z")}),
		Background: each([]Document{say("a", "z")}), Sections: map[string][]byte{"with": []byte("this")},
		Progress: func(n int64) { told = append(told, n) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := s.Get("with"); err != nil || string(got) != "this" || !slices.Equal(told, []int64{1, 2, 3, 4}) {
		t.Errorf("section %s, %v; told %v", got, err, told)
	}
	same(t, compiled(t, s, Options{}), compiled(t, built(t, []Document{say("a", "y z"), say("b", "x y")}, []Document{say("a", "z")}), Options{}))
	if _, err := Build(t.Context(), dir, Plan{Topic: "topic", Documents: each(nil)}); !errors.Is(err, ErrExists) {
		t.Errorf("over another: %v", err)
	}
}

// TestCut: whatever a power cut leaves of the disk, the KRS is as of the last document that was added.
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
