package text

import "testing"

func TestParts(t *testing.T) {
	const whole = "head\n\none\n\ntwo\n\ntail"
	for _, c := range []struct {
		parts [][2]int
		want  string
	}{
		{nil, whole},
		{[][2]int{{6, 9}}, "one"},
		{[][2]int{{0, 4}, {11, 14}}, "head\n\ntwo"},
	} {
		if got := Parts(whole, c.parts); got != c.want {
			t.Errorf("%v: %q, want %q", c.parts, got, c.want)
		}
	}
}
