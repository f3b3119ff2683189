package step

import (
	"testing"

	"orbweaver"
)

// TestFailuresText: which statuses answers had is said, as far as it is known.
func TestFailuresText(t *testing.T) {
	type reasons = map[orbweaver.Failure]int64
	for _, tc := range []struct {
		name     string
		of       Failures
		most     int
		want     string
		answered string
	}{
		{"none", Failures{}, 9, "none", ""},
		{"statuses", Failures{reasons{"status": 4}, map[int]int64{404: 3, 503: 1}}, 9, "4: 3 answered 404, 1 answered 503", "3 answered 404, 1 answered 503"},
		{"one kind", Failures{reasons{"status": 4}, map[int]int64{404: 4}}, 9, "4 answered 404", "4 answered 404"},
		{"a status that nobody kept", Failures{reasons{"status": 4}, map[int]int64{404: 1}}, 9, "4: 3 answered with an error, 1 answered 404", "3 answered with an error, 1 answered 404"},
		{"others too", Failures{reasons{"status": 2, "timeout": 7, "connect": 2}, map[int]int64{410: 2}}, 9, "11: 7 timeout, 2 answered 410, 2 connect", "2 answered 410"},
		{"the most frequent", Failures{reasons{"timeout": 7, "connect": 2, "tls": 1}, nil}, 2, "10: 7 timeout, 2 connect, …", ""},
	} {
		if got, answered := tc.of.Text(tc.most), tc.of.Answered(); got != tc.want || answered != tc.answered {
			t.Errorf("%s: %s and %s, want %s and %s", tc.name, got, answered, tc.want, tc.answered)
		}
	}
	var f Failures
	f.Add(orbweaver.ErrStatus, 404)
	f.Add(orbweaver.ErrTimeout, 200)
	f.Add(orbweaver.ErrStatus, 0)
	if before := f.Clone(); before.Text(9) != "3: 1 answered 404, 1 answered with an error, 1 timeout" || f.Total() != 3 {
		t.Error(before.Text(9), f.Total())
	}
}

// TestRuleWords: why a focus dropped links is said in words, in a blend too.
func TestRuleWords(t *testing.T) {
	for _, tc := range []struct{ reason, rule, want string }{
		{RefusedDropped, "unnamed", "unnamed: no term speaks for it, nor for the 3 links before"},
		{RefusedDropped, "words/unnamed", "words/unnamed: no term speaks for it, nor for the 3 links before"},
		{RefusedDropped, "pattern-record", "pattern-record"},
		{RefusedDropped, "", "the focus gives no reason"},
		{"robots", "unnamed", "unnamed"},
		{"robots", "", "no rule"},
	} {
		if got := (&Refused{Reason: tc.reason}).RuleWords(tc.rule); got != tc.want {
			t.Errorf("%s %q: %q, want %q", tc.reason, tc.rule, got, tc.want)
		}
	}
}
