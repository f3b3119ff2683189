package blend

import (
	"math"
	"strings"
	"testing"
)

func named(names ...string) (parts []Part) {
	for _, n := range names {
		parts = append(parts, Part{Name: strings.TrimSuffix(n, "*"), Weight: 1, Guide: strings.HasSuffix(n, "*")})
	}
	return parts
}

// of returns the values of parts; a negative value abstains.
func of(values ...float64) leafValue {
	return func(i int) (float64, bool) { return values[i], values[i] >= 0 }
}

// TestExpressions: pages by minimum and maximum, links by product and dual, computed by hand.
func TestExpressions(t *testing.T) {
	for _, tc := range []struct {
		combine     string
		parts       []string
		values      []float64
		page, links float64
	}{
		{"all", []string{"a", "b"}, []float64{0.5, 0.8}, 0.5, 0.4},
		{"any", []string{"a", "b"}, []float64{0.5, 0.8}, 0.8, 0.9},
		{"a and not b", []string{"a", "b"}, []float64{0.5, 0.8}, 0.2, 0.1},
		{"a and (b or c)", []string{"a", "b", "c"}, []float64{0.9, 0.2, 0.5}, 0.5, 0.54},
		{"a and b or c", []string{"a", "b", "c"}, []float64{0.5, 0.5, 0.1}, 0.5, 0.325},
		{"not (a or b)", []string{"a", "b"}, []float64{0.5, 0.2}, 0.5, 0.4},
		{"not not a and b", []string{"a", "b"}, []float64{0.5, 0.4}, 0.4, 0.2},
		{"a and b", []string{"a", "b"}, []float64{0.7, -1}, 0.7, 0.7},
		{"a and not b", []string{"a", "b"}, []float64{0.7, -1}, 0.7, 0.7},
		{"a and (b or g)", []string{"a", "b", "g*"}, []float64{0.9, 0.6, 0.99}, 0.6, 0.9 * (1 - 0.4*0.01)},
		{"all", []string{"a", "b", "g*"}, []float64{0.9, 0.6, 0.1}, 0.6, 0.054},
		{"weighted", []string{"a", "b"}, []float64{0.8, 0.8}, 0.8, 0.8},
		{"weighted", []string{"a", "b"}, []float64{0.8, 0.2}, 0.5, 0.5},
		{"weighted", []string{"a", "g*"}, []float64{0.8, 0.2}, 0.8, 0.5},
	} {
		r, err := parse(tc.combine, named(tc.parts...))
		if err != nil {
			t.Errorf("%s: %v", tc.combine, err)
			continue
		}
		page, ok := r.strictly(of(tc.values...))
		links, also := r.independently(of(tc.values...))
		if !ok || !also || math.Abs(page-tc.page) > 1e-9 || math.Abs(links-tc.links) > 1e-9 {
			t.Errorf("%s of %v: %v and %v, want %v and %v", tc.combine, tc.values, page, links, tc.page, tc.links)
		}
	}
}

// TestWeights: log odds of 0.8 are 1.386, and those of 0.5 are 0; with weights 3 to 1 the mean is 1.04.
func TestWeights(t *testing.T) {
	parts := named("a", "b")
	parts[0].Weight = 3
	r, err := parse(Weighted, parts)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := r.strictly(of(0.8, 0.5)); math.Abs(got-logistic(0.75*math.Log(4))) > 1e-9 {
		t.Errorf("%v", got)
	}
}

func TestBadOptions(t *testing.T) {
	for _, tc := range []struct {
		combine, key, msg string
		parts             []Part
	}{
		{"a and", "combine", "ends where a part is expected", named("a", "b")},
		{"a b", "combine", `"b" is one too many`, named("a", "b")},
		{"a and (b", "combine", "lacks a closing parenthesis", named("a", "b")},
		{"a and c", "combine", `"c" is no part; the parts are a, b`, named("a", "b")},
		{"a", "combine", "does not name part b", named("a", "b")},
		{"a and g", "combine", "accepts no page", named("a", "g*")},
		{"all", "combine", "accepts no page", named("f*", "g*")},
		{strings.Repeat("(", 40) + "a", "combine", "nested", named("a", "b")},
		{strings.Repeat("not ", 400) + "a", "combine", "characters", named("a", "b")},
		{"all", "parts", "2 to 16 parts, not 1", named("a")},
		{"all", "parts[2].name", "there is another part a", named("a", "a")},
		{"all", "parts[1].name", "is no word of combine", named("and", "b")},
		{"all", "parts[1].name", "a name has", named("1a", "b")},
		{"all", "parts[2].weight", "is not above 0", []Part{{Name: "a", Weight: 1}, {Name: "b"}}},
	} {
		problems := Check(Options{Combine: tc.combine, Parts: tc.parts})
		if len(problems) == 0 || problems[0].Key != tc.key || !strings.Contains(problems[0].Msg, tc.msg) {
			t.Errorf("%.40s: %+v, want %s: %s", tc.combine, problems, tc.key, tc.msg)
		}
	}
}

// FuzzCombine: an expression is refused or, of values in 0..1, has a value in 0..1; a page scores one half exactly where the
// expression holds.
func FuzzCombine(f *testing.F) {
	for _, seed := range []string{"a and (b or not c)", "all", "weighted", "a or b or c", ")(", "not", "a  and\tb and c"} {
		f.Add(seed, uint8(5))
	}
	f.Fuzz(func(t *testing.T, combine string, bits uint8) {
		r, err := parse(combine, named("a", "b", "c"))
		if err != nil {
			return
		}
		value := func(i int) (float64, bool) { return 0.2 + 0.5*float64(bits>>i&1), true }
		exactly := func(i int) (float64, bool) { return float64(bits >> i & 1), true }
		page, _ := r.strictly(value)
		holds, _ := r.strictly(exactly)
		link, _ := r.independently(value)
		if !(page >= 0 && page <= 1 && link >= 0 && link <= 1) {
			t.Fatalf("%s: %v and %v", combine, page, link)
		}
		if r.expr != nil && (page >= half) != (holds >= half) {
			t.Fatalf("%s of %b: %v, and it holds: %v", combine, bits, page, holds)
		}
	})
}
