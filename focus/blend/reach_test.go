package blend

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"orbweaver"
)

// TestPayoff: what a page was worth is the best share of accepted pages among it and its links, by hand.
func TestPayoff(t *testing.T) {
	for _, tc := range []struct {
		accepted bool
		chances  []float64
		want     float64
	}{
		{false, nil, 0},
		{true, nil, 1},
		{true, []float64{0.9}, 1},
		{false, []float64{0.1, 0.8}, 0.4},            // 0.8 of two requests
		{false, []float64{0.9, 0.9, 0.9}, 2.7 / 4},   // of four
		{false, []float64{1, 0, 0}, 0.5},             // of two, not of four
		{true, []float64{0, 0}, 1},                   // the page alone
		{false, []float64{0.6, 0.6, 0.1}, 1.2 / 3.0}, // of three
	} {
		if got := payoff(tc.accepted, tc.chances); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%v %v: %v, want %v", tc.accepted, tc.chances, got, tc.want)
		}
	}
}

// TestReach: links of a higher score are worth no less, and after many links as much as those led to.
func TestReach(t *testing.T) {
	var r reach
	if got := r.worth(0.3); got != 0.3 {
		t.Errorf("before any evidence %v", got)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		s := random.Float64()
		v := 0.0
		if random.Float64() < s*s {
			v = 1
		}
		r.add(s, v)
	}
	last := 0.0
	for s := 0.01; s < 1; s += 0.01 {
		v := r.worth(s)
		if v < last || v < 0 || v > 1 {
			t.Fatalf("%v is worth %v, less %v", s, v, last)
		}
		last = v
	}
	if got := r.worth(0.5); math.Abs(got-(0.8*0.25+0.2*0.5)) > 0.06 {
		t.Errorf("0.5 is worth %v", got)
	}
	again, err := readReach(r.append(nil))
	if err != nil || again.worth(0.4) != r.worth(0.4) {
		t.Errorf("%v: read again %v, want %v", err, again.worth(0.4), r.worth(0.4))
	}
}

func TestNote(t *testing.T) {
	n := note{parts: []standing{{ranked: true, raw: 0.25, note: []byte("ab")}, {}, {ranked: true, raw: 1}}, best: 0.5}
	b := n.append(nil)
	got, ok := readNote(b, 3)
	if !ok || got.best != 0.5 || got.parts[0].raw != 0.25 || string(got.parts[0].note) != "ab" || got.parts[1].ranked || !got.parts[2].ranked || got.parts[2].note != nil {
		t.Errorf("%+v", got)
	}
	if !bytes.Equal(got.append(nil), b) {
		t.Error("written again, it differs")
	}
	for i := range b {
		if _, ok := readNote(b[:i], 3); ok {
			t.Errorf("%d of %d bytes are a note", i, len(b))
		}
	}
	if _, ok := readNote(b, 2); ok {
		t.Error("a note of three parts is one of two")
	}
}

func FuzzNote(f *testing.F) {
	f.Add(note{parts: []standing{{ranked: true, note: []byte("x")}, {}}}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		n, ok := readNote(b, 2)
		if ok && !bytes.Equal(n.append(nil), b) {
			again, same := readNote(n.append(nil), 2)
			if !same || len(again.parts) != 2 {
				t.Fatalf("%x", b)
			}
		}
	})
}

func FuzzRestore(f *testing.F) {
	f.Add([]byte{1, 0, 16})
	f.Fuzz(func(t *testing.T, b []byte) {
		focus := joined(t, "all", "a", "b")
		if err := focus.Restore(bytes.NewReader(b)); err != nil && !errors.Is(err, orbweaver.ErrDamaged) && !errors.Is(err, orbweaver.ErrForeign) {
			t.Fatal(err)
		}
	})
}
