package ledger_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// TestModel: a snapshot comes back as it was, large ones compressed and folders of earlier versions included, with the rounds
// that ended since.
func TestModel(t *testing.T) {
	dir, l := t.TempDir(), (*ledger.Ledger)(nil)
	reopen := func() {
		t.Helper()
		if l != nil {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if l, err = ledger.Open(dir); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(b step.Batch) {
		t.Helper()
		if err := l.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
	reopen()
	if model, _, err := l.Model(); model != nil || err != nil {
		t.Errorf("a new ledger has %q, %v", model, err)
	}
	large := make([]byte, 1<<20)
	for i := range large {
		large[i] = byte(rand.IntN(4))
	}
	for _, model := range [][]byte{[]byte("small"), large, {}, large[:1<<19], []byte("small again")} {
		commit(step.Batch{Ended: &step.EndedRound{N: 1, Note: []byte("before the snapshot")}})
		commit(step.Batch{Model: model})
		commit(step.Batch{Ended: &step.EndedRound{N: 2}})
		commit(step.Batch{Ended: &step.EndedRound{N: 300, Note: []byte("after")}})
		reopen()
		got, _, err := l.Model()
		if !bytes.Equal(got, model) || got == nil || err != nil {
			t.Fatalf("%d bytes, not %d; %v", len(got), len(model), err)
		}
		rounds, err := l.EndedRounds()
		if err != nil || len(rounds) != 2 || rounds[0].N != 2 || rounds[1].N != 300 || string(rounds[1].Note) != "after" {
			t.Errorf("%+v, %v", rounds, err)
		}
	}
	commit(step.Batch{Model: large})
	if size := l.ModelSize(); size < 1000 || size > 1<<19 {
		t.Errorf("stored as %d bytes", size)
	}
	l.SetModel([]byte("no such thing"))
	if _, _, err := l.Model(); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("a damaged one: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
