package worker

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"orbweaver/internal/cluster/bus"
)

// TestHeld: a worker remembers which partitions it has, and what was left of them, without those whose record it has not taken in; it reads what earlier versions wrote.
func TestHeld(t *testing.T) {
	w := &Worker{o: Options{Folder: t.TempDir()}, orphans: []int{4}, estates: map[int]bus.Estate{2: {From: "b", After: 1, UpTo: 3}, 4: {From: "b", UpTo: 1}}}
	if have, err := w.had(); err != nil || len(have.Partitions) > 0 {
		t.Errorf("at first: %v, %v", have, err)
	}
	w.hold[1].Store(mine)
	w.hold[2].Store(inheriting)
	w.hold[4].Store(inheriting)
	if err := w.keepHeld(); err != nil {
		t.Fatal(err)
	}
	want := holding{[]int{1, 2}, map[int]bus.Estate{2: {From: "b", After: 1, UpTo: 3}}}
	if have, err := w.had(); err != nil || !reflect.DeepEqual(have, want) {
		t.Errorf("%v, %v, want %v", have, err, want)
	}
	if err := os.WriteFile(filepath.Join(w.o.Folder, heldFile), []byte("[3,5]"), 0o666); err != nil {
		t.Fatal(err)
	}
	if have, err := w.had(); err != nil || !reflect.DeepEqual(have.Partitions, []int{3, 5}) {
		t.Errorf("of an earlier version: %v, %v", have, err)
	}
}
