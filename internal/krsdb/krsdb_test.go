package krsdb_test

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"orbweaver"
	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
)

func TestOpening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x.krs")
	if _, err := krsdb.Open(dir, ""); !errors.Is(err, krs.ErrNone) {
		t.Errorf("where there is none: %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("opening made a folder")
	}
	s, err := krsdb.Open(dir, "topic")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := krsdb.Open(dir, "topic"); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("twice: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := krsdb.Open(dir, "another"); !errors.Is(err, krs.ErrTopic) {
		t.Errorf("of another topic: %v", err)
	}
	if s, err = krsdb.Open(dir, ""); err != nil { // the failed one left no lock
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// corpus yields a document with one noun, and then err if it is not nil.
func corpus(err error) iter.Seq2[krs.Document, error] {
	return func(yield func(krs.Document, error) bool) {
		d := krs.Document{ID: "a", Nouns: []krs.Noun{{Lemma: "x", Tag: "NN", IRI: "http://kb.test/x"}}}
		if yield(d, nil) && err != nil {
			yield(krs.Document{}, err)
		}
	}
}

// TestBuilding: a build leaves a complete KRS or none, and replaces nothing.
func TestBuilding(t *testing.T) {
	dir, wrong := filepath.Join(t.TempDir(), "x.krs"), errors.New("unreadable")
	if _, err := krsdb.Build(t.Context(), dir, krs.Plan{Topic: "topic", Documents: corpus(wrong)}); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if err := os.MkdirAll(dir+".part/db", 0o777); err != nil { // of a build that was killed
		t.Fatal(err)
	}
	s, err := krsdb.Build(t.Context(), dir, krs.Plan{Topic: "topic", Documents: corpus(nil)})
	if err != nil {
		t.Fatal(err)
	}
	documents := 0
	for _, err := range s.IDs() {
		if documents++; err != nil {
			t.Fatal(err)
		}
	}
	if documents != 1 {
		t.Errorf("%d documents", documents)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := krsdb.Build(t.Context(), dir, krs.Plan{Topic: "topic", Documents: corpus(nil)}); !errors.Is(err, krs.ErrExists) {
		t.Errorf("over another: %v", err)
	}
}
