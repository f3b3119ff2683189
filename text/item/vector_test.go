package item

import (
	"math"
	"reflect"
	"testing"
)

func TestCosine(t *testing.T) {
	for _, tc := range []struct {
		name string
		a, b []Term
		want float64
	}{
		{"the same", []Term{{1, 3}, {2, 4}}, []Term{{1, 3}, {2, 4}}, 1},
		{"longer", []Term{{1, 3}, {2, 4}}, []Term{{1, 6}, {2, 8}}, 1},
		{"nothing in common", []Term{{1, 3}}, []Term{{2, 4}}, 0},
		{"a part", []Term{{1, 3}, {2, 4}}, []Term{{1, 5}, {7, 12}}, 3.0 / 13},
		{"none", nil, []Term{{1, 1}}, 0},
		{"both none", nil, nil, 0},
	} {
		if got := Cosine(tc.a, tc.b); math.Abs(got-tc.want) > 1e-12 || got != Cosine(tc.b, tc.a) {
			t.Errorf("%s: %v, not %v", tc.name, got, tc.want)
		}
	}
}

func TestMean(t *testing.T) {
	got := Mean([][]Term{{{1, 3}, {2, 4}}, nil, {{2, 10}}})
	if want := []Term{{1, 0.3}, {2, 0.9}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if got := Mean(nil); len(got) != 0 {
		t.Errorf("%v of nothing", got)
	}
}

func TestHeaviest(t *testing.T) {
	v := []Term{{1, 1}, {2, 5}, {3, 5}, {4, 2}}
	for _, tc := range []struct {
		n    int
		want []Term
	}{{0, []Term{}}, {-1, []Term{}}, {2, []Term{{2, 5}, {3, 5}}}, {9, []Term{{2, 5}, {3, 5}, {4, 2}, {1, 1}}}} {
		if got := Heaviest(v, tc.n); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%d: %v", tc.n, got)
		}
	}
	if v[0].ID != 1 {
		t.Error("the vector was sorted")
	}
}
