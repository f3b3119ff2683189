package stream

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"orbweaver/kb/labels"
	"orbweaver/text/item"
)

// stateOf is a model's whole state, the detector of drift included.
func stateOf(t *testing.T, m *Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestBuckets: seven values fill row 0 and merge twice, with the sums and variances of their values.
func TestBuckets(t *testing.T) {
	var a adwin
	for _, x := range []float64{0, 1, 0, 0, 1, 1, 0, 1} {
		a.add(x, 0.002)
	}
	// Rows of 5: the sixth value merges 0, 1; the eighth 0, 0. The variance of 0, 1 around 0.5 is 0.25 + 0.25.
	if got, want := fmt.Sprint(a.Rows), "[[{1 1 0} {1 1 0} {1 0 0} {1 1 0}] [{2 1 0.5} {2 0 0}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if a.N != 8 || a.Sum != 4 || math.Abs(a.Var-2) > 1e-12 { // eight values of 0 and 1, half each: 8 times 0.25
		t.Errorf("%v values, sum %v, variance %v", a.N, a.Sum, a.Var)
	}
	a.drop() // 0 and 1: six are left, of mean 0.5
	if a.N != 6 || a.Sum != 3 || math.Abs(a.Var-1.5) > 1e-12 || !a.sound() {
		t.Errorf("after a drop: %+v", a)
	}
}

// TestWindow: a mean that rises is a cut, one that falls or stays is none.
func TestWindow(t *testing.T) {
	for _, tc := range []struct {
		name          string
		before, after float64
		alarm         bool
	}{
		{"rises", 0.1, 0.5, true}, {"falls", 0.5, 0.1, false}, {"stays", 0.3, 0.3, false}, {"stays nothing", 0, 0, false},
	} {
		var a adwin
		r := rand.New(rand.NewPCG(1, 2))
		value := func(mean float64) float64 {
			if r.Float64() < mean {
				return 1
			}
			return 0
		}
		first := 0
		for i := range 4000 {
			mean := tc.before
			if i >= 2000 {
				mean = tc.after
			}
			c, risen := a.add(value(mean), 0.002)
			if risen && first == 0 {
				first = i
				if math.Abs(c.before-tc.before) > 0.05 || c.after < 0.2 {
					t.Errorf("%s: %+v", tc.name, c)
				}
			}
		}
		if tc.alarm != (first >= 2000 && first < 2100) || !tc.alarm && first > 0 {
			t.Errorf("%s: first alarm at %d", tc.name, first)
		}
		if mean := a.Sum / a.N; math.Abs(mean-tc.after) > 0.05 || !a.sound() {
			t.Errorf("%s: the window has the mean %v", tc.name, mean)
		}
	}
}

// TestBound: of 32 zeros and 32 ones the bound at the cut in the middle is, with m = 1/16, σ² = 1/4 and
// ln(2·ln(64)/0.002) = 8.333, √(2·8.333/64) + 2/3·8.333/16 = 0.510 + 0.347 = 0.857: the means are 1 apart.
func TestBound(t *testing.T) {
	window := func(last float64) *adwin {
		a := &adwin{}
		for i := range 64 {
			x := 0.0
			if i >= 32 {
				x = last
			}
			a.push(bucket{N: 1, Sum: x})
		}
		return a
	}
	if c, ok := window(1).find(0.002); !ok || c.before != 0 || c.after != 1 || c.values != 32 {
		t.Errorf("%+v, %v", c, ok)
	}
	// With 0.4 for 1, σ is 0.2: 0.204 + 0.347 is more than 0.4.
	if c, ok := window(0.4).find(0.002); ok {
		t.Errorf("a cut within doubt: %+v", c)
	}
}

// exchanged is a stream of documents with six words of one subject of thirty, and from a place on of another.
func exchanged(t *testing.T, m *Model, from, to, place int) (alarms []labels.Change) {
	t.Helper()
	var reader item.Reader
	for i := from; i < to; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		subject := "bird"
		if i >= place {
			subject = "ship"
		}
		var words []string
		for range 6 {
			words = append(words, subject+string(rune('a'+r.IntN(26)))+string(rune('a'+r.IntN(2))))
		}
		_, changes := m.Learn(fmt.Sprint("d", i), time.Unix(int64(i), 0).UTC(), reader.Read(strings.Join(words, ". "), "", "en"))
		for _, c := range changes {
			if c.Kind == labels.OfAlarm {
				alarms = append(alarms, c)
			}
		}
	}
	return alarms
}

// TestAlarm: one is told soon after topics are exchanged, none where they are not, and the same after a
// restart in between.
func TestAlarm(t *testing.T) {
	const place = 1000
	whole := newModel(t, Options{})
	alarms := exchanged(t, whole, 0, 1500, place)
	if len(alarms) != 1 || alarms[0].Item <= place || alarms[0].Item > place+150 || len(whole.Alarms()) != 1 {
		t.Fatalf("%+v", alarms)
	}
	a := alarms[0]
	if !strings.Contains(a.New, "ship") || strings.Contains(a.New, "bird") || a.P <= a.Before || a.Since > a.Item || a.Since < place-100 || a.ID == "" || a.At.IsZero() {
		t.Errorf("%+v", a)
	}
	if said := whole.ShowAlarm(a); !strings.Contains(said, "new: ship") || !strings.Contains(said, fmt.Sprint(a.Since)) {
		t.Error(said)
	}
	if alarms := exchanged(t, newModel(t, Options{}), 0, 1500, 1500); len(alarms) != 0 {
		t.Errorf("where nothing changes: %+v", alarms)
	}
	for _, at := range []int{301, 1010, 1200} {
		half := newModel(t, Options{})
		exchanged(t, half, 0, at, place)
		again := newModel(t, Options{})
		if err := again.Restore(strings.NewReader(stateOf(t, half))); err != nil {
			t.Fatal(err)
		}
		exchanged(t, again, at, 1500, place)
		if stateOf(t, again) != stateOf(t, whole) {
			t.Errorf("another state after a restart at %d", at)
		}
	}
}

// TestDamagedChurn: a state that no detector has is refused.
func TestDamagedChurn(t *testing.T) {
	m := newModel(t, Options{})
	exchanged(t, m, 0, 400, 1500)
	var b bytes.Buffer
	if err := m.churn.snapshot(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := decodeChurn(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, damage := range []string{`{`, `{"window":{"n":3}}`, `{"window":{"since":99}}`, `{"window":{"rows":[[{"n":2,"sum":1,"var":0}]],"n":2}}`,
		`{"window":{"sum":-1}}`} {
		if _, err := decodeChurn([]byte(damage)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", damage, err)
		}
	}
}
