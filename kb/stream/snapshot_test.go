package stream

import (
	"bytes"
	"errors"
	"testing"
)

// TestSnapshot: a model restored from a snapshot continues as the original.
func TestSnapshot(t *testing.T) {
	o := Options{Terms: 10, HalfLife: 50}
	var b bytes.Buffer
	if err := learned(t, newModel(t, o), 0, 60).Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	again := learned(t, newModel(t, o), 7, 9)
	if err := again.Restore(bytes.NewReader(b.Bytes())); err != nil {
		t.Fatal(err)
	}
	if learned(t, again, 60, 120).Digest() != learned(t, newModel(t, o), 0, 120).Digest() {
		t.Error("it learns something else than one that was not interrupted")
	}
	other := learned(t, newModel(t, Options{Terms: 11}), 0, 9)
	before := other.Digest()
	if err := other.Restore(bytes.NewReader(b.Bytes())); !errors.Is(err, ErrForeign) || other.Digest() != before {
		t.Errorf("of other options: %v", err)
	}
	for _, wrong := range [][]byte{nil, []byte("orbstream\x02"), b.Bytes()[:len(b.Bytes())-1], append(bytes.Clone(b.Bytes()), 0)} {
		if err := again.Restore(bytes.NewReader(wrong)); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) {
			t.Errorf("%d bytes: %v", len(wrong), err)
		}
	}
}

// FuzzRestore: no snapshot makes a model panic, and a rejected one leaves it unchanged.
func FuzzRestore(f *testing.F) {
	m, err := New(Options{})
	var b bytes.Buffer
	if err == nil {
		err = m.Snapshot(&b)
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(snapshotMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := newModel(t, Options{})
		before := m.Digest()
		if m.Restore(bytes.NewReader(b)) != nil && m.Digest() != before {
			t.Error("it was changed")
		}
	})
}
