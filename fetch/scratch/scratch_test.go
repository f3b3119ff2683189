package scratch

import (
	"errors"
	"math/rand/v2"
	"testing"

	"orbweaver/internal/tier"
)

// TestMap: whatever is in files, a map answers as one in memory would, and holds few keys.
func TestMap(t *testing.T) {
	for _, tc := range []struct{ recent, n, most int }{{0, 1000, 1000}, {1, 300, 40}, {100, 20_000, 400}, {1000, tier.Of(20_000, 100_000), 2600}} {
		m := Map{Open: In(t.TempDir()), Recent: tc.recent}
		r, want := rand.New(rand.NewPCG(1, 2)), map[uint64]Value{}
		for len(want) < tc.n {
			key, v := r.Uint64(), Value{r.Uint64(), r.Uint64()}
			if _, known := want[key]; known {
				continue
			}
			if got, ok, err := m.Get(key); ok || err != nil {
				t.Fatalf("%x, which is new, is %v, %v", key, got, err)
			}
			if err := m.Put(key, v); err != nil {
				t.Fatal(err)
			}
			want[key] = v
			if m.InMemory() > tc.most {
				t.Fatalf("of %d keys %d are in memory", m.Len(), m.InMemory())
			}
		}
		for key, v := range want {
			if got, ok, err := m.Get(key); !ok || err != nil || got != v {
				t.Fatalf("%x is %v, %t, %v, not %v", key, got, ok, err, v)
			}
		}
		for key := range want { // in place of another
			want[key] = Value{7, want[key][0]}
			if err := m.Put(key, want[key]); err != nil {
				t.Fatal(err)
			}
		}
		for key, v := range want {
			if got, ok, err := m.Get(key); !ok || err != nil || got != v {
				t.Fatalf("%x is %v, %t, %v, not %v", key, got, ok, err, v)
			}
		}
		if m.Len() != 2*tc.n {
			t.Errorf("%d keys of %d", m.Len(), tc.n)
		}
		t.Logf("%d keys: %d in memory, %d files", m.Len(), m.InMemory(), len(m.runs))
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestMapFails: the first error of a disk stays.
func TestMapFails(t *testing.T) {
	broken := errors.New("broken")
	m := Map{Open: func() (File, error) { return nil, broken }, Recent: 2}
	_ = m.Put(1, Value{})
	for range 2 {
		if err := m.Put(2, Value{}); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := m.Get(3); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func BenchmarkMap(b *testing.B) {
	m := Map{Open: In(b.TempDir())}
	r := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		key := r.Uint64()
		if _, _, err := m.Get(key); err != nil {
			b.Fatal(err)
		}
		if err := m.Put(key, Value{}); err != nil {
			b.Fatal(err)
		}
	}
}
