package online

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"testing"

	"orbweaver"
)

// after returns a model that learned from links of a web.
func after(t testing.TB, from, links int) *Model {
	t.Helper()
	m := New(1, rules())
	teach(m, from, links)
	return m
}

func teach(m *Model, from, to int) {
	for _, e := range web(3, to)[from:] {
		m.Learn(m.Features(nil, &e.sight), e.class)
	}
}

func snapshot(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSnapshot: a restored model equals the original, and learns the same.
func TestSnapshot(t *testing.T) {
	m := after(t, 0, 100)
	written := snapshot(t, m)
	if !bytes.Equal(written, snapshot(t, after(t, 0, 100))) {
		t.Error("the same history gives other bytes")
	}
	again := after(t, 40, 60)
	if err := again.Restore(bytes.NewReader(written)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, snapshot(t, again)) {
		t.Error("restored, it is another")
	}
	teach(m, 100, 200)
	teach(again, 100, 200)
	if !bytes.Equal(snapshot(t, m), snapshot(t, again)) {
		t.Error("restored, it learns otherwise")
	}
	if n := len(snapshot(t, New(1, rules()))); n > 64 {
		t.Errorf("an untrained model is %d bytes", n)
	}
}

// TestDamaged: a snapshot with any byte changed, truncated, with an additional byte, or of another model is
// rejected, and the model is unchanged.
func TestDamaged(t *testing.T) {
	written := snapshot(t, after(t, 0, 3))
	m := after(t, 40, 60)
	before := snapshot(t, m)
	refused := func(what string, at int, b []byte) {
		if err := m.Restore(bytes.NewReader(b)); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Fatalf("%s %d: %v", what, at, err)
		}
	}
	for i := range written {
		b := bytes.Clone(written)
		b[i] ^= 0x10
		refused("byte", i, b)
		refused("cut", i, written[:i])
	}
	refused("more", 1, append(bytes.Clone(written), 0))
	refused("another seed", 2, snapshot(t, New(2, rules())))
	refused("other rules", 1, snapshot(t, New(1, rules()[1:])))
	if !bytes.Equal(before, snapshot(t, m)) {
		t.Error("a damaged snapshot left its traces")
	}
}

// FuzzRestore: a restored model is encoded unchanged, and predicts.
func FuzzRestore(f *testing.F) {
	f.Add(snapshot(f, after(f, 0, 2))[1:])
	f.Add(snapshot(f, New(1, rules()))[1:])
	m := New(1, rules())
	features := m.Features(nil, usual())
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 12 {
			return
		}
		b = append([]byte{snapshotVersion}, b[:len(b)-4]...)
		binary.LittleEndian.PutUint64(b[1:], m.fingerprint())
		b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
		if err := m.Restore(bytes.NewReader(b)); err != nil {
			if !errors.Is(err, orbweaver.ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		again := New(1, rules())
		if err := again.Restore(bytes.NewReader(snapshot(t, m))); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for c, p := range m.Predict(features, 0) {
				if !(p >= 0 && p <= 1) {
					t.Fatalf("P(%v) = %v", Class(c), p)
				}
			}
			m.Learn(features, R)
		}
	})
}

// TestNote: features are decoded unchanged, with the rest of the note.
func TestNote(t *testing.T) {
	m := New(1, rules())
	for _, s := range []*Sight{usual(), link("http://a.test/", "")} {
		features := m.Features(nil, s)
		note := append(AppendNote([]byte("before"), features), "behind"...)[len("before"):]
		got, rest, ok := ReadNote([]uint32{7}, note)
		if !ok || !slices.Equal(got[1:], features) || got[0] != 7 || string(rest) != "behind" {
			t.Errorf("%s: %v, %q, %v", s.Link.To, got, rest, ok)
		}
		for cut := range len(note) - len("behind") {
			if got, _, ok := ReadNote(nil, note[:cut]); ok || got != nil {
				t.Errorf("%d bytes of a note were read as %v", cut, got)
			}
		}
	}
	if AppendNote(nil, nil) != nil {
		t.Error("a note of nothing")
	}
}

// FuzzNote: decoded features are valid, and encoded unchanged.
func FuzzNote(f *testing.F) {
	m := New(1, rules())
	f.Add(AppendNote(nil, m.Features(nil, usual())))
	f.Fuzz(func(t *testing.T, note []byte) {
		features, rest, ok := ReadNote(nil, note)
		if !ok {
			return
		}
		if len(features) > MaxFeatures || len(rest) > len(note) {
			t.Fatalf("%d features, %d bytes behind", len(features), len(rest))
		}
		again, _, ok := ReadNote(nil, AppendNote(nil, features))
		if !ok || !slices.Equal(again, features) {
			t.Fatalf("%v, again %v", features, again)
		}
		m.Learn(features, R)
		if p := m.Predict(m.WithRule(features, "similar"), 0); !(p.Value() >= 0 && p.Value() <= 1) {
			t.Fatal(p)
		}
	})
}
