package spell

import (
	"math/rand/v2"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"", "abc", 3}, {"word", "word", 0}, {"word", "wrod", 1}, {"word", "wor", 1},
		{"word", "words", 1}, {"word", "ward", 1}, {"word", "wradd", 3}, {"ca", "abc", 3}, {"abcdef", "badcef", 2}, {"straße", "strasse", 2},
		{"abcdefgh", "abefgh", 2}, {"abcd", "wxyz", 3},
	} {
		if got := distance([]rune(tc.a), []rune(tc.b)); got != tc.want {
			t.Errorf("%s to %s: %d, not %d", tc.a, tc.b, got, tc.want)
		}
		if got := distance([]rune(tc.b), []rune(tc.a)); got != tc.want {
			t.Errorf("%s to %s: %d, not %d", tc.b, tc.a, got, tc.want)
		}
	}
}

// plainDistance implements the definition literally.
func plainDistance(a, b []rune) int {
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 0:
		return len(a)
	}
	change := 1
	x, y := len(a), len(b)
	if a[x-1] == b[y-1] {
		change = 0
	}
	n := min(plainDistance(a[:x-1], b)+1, plainDistance(a, b[:y-1])+1, plainDistance(a[:x-1], b[:y-1])+change)
	if x > 1 && y > 1 && a[x-1] == b[y-2] && a[x-2] == b[y-1] {
		n = min(n, plainDistance(a[:x-2], b[:y-2])+1)
	}
	return n
}

func shortWord(random *rand.Rand) []rune {
	w := make([]rune, random.IntN(7))
	for i := range w {
		w[i] = 'a' + rune(random.IntN(3))
	}
	return w
}

func TestDistanceIsItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		a, b := shortWord(random), shortWord(random)
		if got, want := distance(a, b), min(plainDistance(a, b), 3); got != want {
			t.Fatalf("%s to %s: %d, not %d", string(a), string(b), got, want)
		}
	}
}

// TestIndexMissesNothing: the index finds every word within distance 2, including the rules for prefixes.
func TestIndexMissesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		a := append(shortWord(random), shortWord(random)...)
		b := append([]rune(nil), a...)
		for range 2 {
			if i := random.IntN(len(b) + 1); i < len(b) {
				b = append(b[:i:i], b[i+random.IntN(2):]...)
			} else {
				b = append(b, 'x')
			}
		}
		if len(a) == 0 || len(b) == 0 || distance(a, b) > maxDistance {
			continue
		}
		index := newDeletes()
		index.add(string(a), 0)
		var asked letters
		asked.read(string(b))
		var h remains
		found := false
		for _, hash := range h.of(asked.prefix()) {
			found = found || index.heads[hash] != 0
		}
		if !found {
			t.Fatalf("%s is not found by %s", string(a), string(b))
		}
	}
}

func TestInflected(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"bank", "banks", true}, {"traded", "trader", true}, {"securities", "security", true}, {"rated", "rates", true},
		{"agrement", "agreement", false}, {"makret", "market", false}, {"restated", "rested", false}, {"marketx", "market", false},
	} {
		if got := inflected([]rune(tc.a), []rune(tc.b)); got != tc.want {
			t.Errorf("%s, %s: %v", tc.a, tc.b, got)
		}
	}
}
