package lab

import "testing"

func TestNumberOrShare(t *testing.T) {
	for _, tc := range []struct {
		text   string
		number int64
		share  float64
		ok     bool
	}{
		{"5000", 5000, 0, true},
		{"5e3", 5000, 0, true},
		{"10%", 0, 0.1, true},
		{"0.5%", 0, 0.005, true},
		{"100%", 0, 1, true},
		{"101%", 0, 0, false},
		{"0%", 0, 0, false},
		{"NaN%", 0, 0, false},
		{"%", 0, 0, false},
		{"0", 0, 0, false},
		{"-1", 0, 0, false},
		{"1.5", 0, 0, false},
		{"NaN", 0, 0, false},
		{"Inf", 0, 0, false},
		{"many", 0, 0, false},
		{"", 0, 0, false},
	} {
		number, share, ok := numberOrShare(tc.text)
		if ok != tc.ok || ok && (number != tc.number || share != tc.share) {
			t.Errorf("%q: %d, %v, %v", tc.text, number, share, ok)
		}
	}
}
