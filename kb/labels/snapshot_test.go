package labels

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
)

func snapshot(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func restore(t testing.TB, b []byte) *Model {
	t.Helper()
	m, err := Restore(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// crowded are parameters under which terms and pairs are evicted all the time.
func crowded() Parameters {
	p := small()
	p.MaxTerms, p.MaxPairs, p.HalfLife = 24, 60, 40
	return p
}

// TestResume: a model written and read after any item continues as without that: the same changes, the same
// bytes.
func TestResume(t *testing.T) {
	all := regimes()
	all["crowded"] = crowded()
	for name, p := range all {
		straight, resumed := newModel(t, p), newModel(t, p)
		s := newStream(5, 60, p.Terms)
		for i := range 400 {
			it := itemOf(s.next())
			one := slices.Clone(straight.Learn(it))
			two := slices.Clone(resumed.Learn(it))
			if !slices.Equal(one, two) {
				t.Fatalf("%s, item %d:\n%+v\nresumed:\n%+v", name, i, one, two)
			}
			if straight.Digest() != resumed.Digest() {
				t.Fatalf("%s, item %d: digests differ", name, i)
			}
			if i%7 == 0 {
				resumed = restore(t, snapshot(t, resumed))
			}
			if i == 200 {
				s.turn()
			}
		}
		if !bytes.Equal(snapshot(t, straight), snapshot(t, resumed)) {
			t.Fatalf("%s: bytes differ", name)
		}
		if resumed.Parameters() != p || resumed.Version() != straight.Version() || straight.Version() == 0 {
			t.Fatalf("%s: %+v, version %d", name, resumed.Parameters(), resumed.Version())
		}
	}
}

// TestDigest: another stream, order or parameter gives another digest.
func TestDigest(t *testing.T) {
	learn := func(p Parameters, items ...[]string) string {
		m := newModel(t, p)
		for _, terms := range items {
			m.Learn(itemOf(terms))
		}
		return m.Digest()
	}
	a, b := []string{"sea", "ship"}, []string{"sky"}
	other := small()
	other.Alpha = 0.75
	digests := []string{
		learn(small(), a, b), learn(small(), b, a), learn(small(), a), learn(small(), a, b, b), learn(other, a, b),
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(digests))); len(distinct) != 5 {
		t.Errorf("two are the same: %v", digests)
	}
	if learn(small(), a, b) != digests[0] {
		t.Error("the same stream, another digest")
	}
}

func TestSnapshotsThatAreNone(t *testing.T) {
	m, s := newModel(t, small()), newStream(1, 14, 6)
	for range 50 {
		m.Learn(itemOf(s.next()))
	}
	good := snapshot(t, m)
	changed := func(at int, to byte) []byte {
		b := bytes.Clone(good)
		b[at] = to
		return b
	}
	for _, tc := range []struct {
		name string
		from []byte
		want error
		says string
	}{
		{"another version", changed(len(magic), 2), ErrFormat, "format 2, this version reads 1"},
		{"something else", []byte("%PDF-1.7 and so on, long enough"), ErrDamaged, "does not start as one"},
		{"nothing", nil, ErrDamaged, "unexpected EOF"},
		{"cut short", good[:len(good)-40], ErrDamaged, ""},
		{"without its sum", good[:len(good)-32], ErrDamaged, "sum: "},
		{"another sum", changed(len(good)-1, ^good[len(good)-1]), ErrDamaged, "sum is another one"},
		{"parameters that are none", bytes.Replace(good, []byte(`"alpha":0.7`), []byte(`"alpha":9.7`), 1), ErrDamaged, "alpha 9.7"},
	} {
		if _, err := Restore(bytes.NewReader(tc.from)); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	for at := range good { // only the checksum detects some changes
		if _, err := Restore(bytes.NewReader(changed(at, good[at]^0x10))); err == nil {
			t.Fatalf("byte %d changed: nothing said", at)
		}
	}
}

// full is a writer that fails after a number of bytes.
type full struct{ room int }

var errFull = errors.New("disk full")

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestSnapshotToFullDisk(t *testing.T) {
	m := newModel(t, small())
	m.Learn(itemOf([]string{"sea", "ship"}))
	size := len(snapshot(t, m))
	for _, room := range []int{0, size / 2, size - 1} {
		if err := m.Snapshot(&full{room}); !errors.Is(err, errFull) {
			t.Errorf("room for %d of %d: %v", room, size, err)
		}
	}
}

// FuzzRestore: input is rejected, or gives a model that can learn, classify and be written.
func FuzzRestore(f *testing.F) {
	for _, p := range []Parameters{small(), crowded()} {
		m, s := newModel(f, p), newStream(1, 20, p.Terms)
		for range 30 {
			m.Learn(itemOf(s.next()))
		}
		b := snapshot(f, m)
		f.Add(b[:len(b)-32])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := Restore(bytes.NewReader(sealed(body)))
		if err != nil {
			return
		}
		s := newStream(2, 20, m.p.Terms)
		for range 5 {
			it := itemOf(s.next())
			m.Learn(it)
			m.Classify(it)
		}
		again := restore(t, snapshot(t, m))
		if again.Digest() != m.Digest() {
			t.Fatal("read back, it is another")
		}
	})
}

// sealed appends the checksum to a body, so that fuzzing gets past it.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}
