package starting

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver"
)

// TestFailure: the detail of a failure is extracted with or without the request in the message.
func TestFailure(t *testing.T) {
	for _, tc := range []struct {
		err    error
		why    orbweaver.Failure
		detail string
	}{
		{fmt.Errorf("fetch http://a.test/: %w: connect to 1.2.3.4:80: refused", orbweaver.ErrConnect), orbweaver.ErrConnect, "connect to 1.2.3.4:80: refused"},
		{fmt.Errorf("fetch http://a.test/: %w", orbweaver.ErrAbsent), orbweaver.ErrAbsent, ""},
		{fmt.Errorf("read http://a.test/: broken: %w", orbweaver.ErrUnreadable), orbweaver.ErrUnreadable, "broken"},
		{orbweaver.ErrTimeout, orbweaver.ErrTimeout, ""},
	} {
		why, detail := Failure(tc.err)
		if why != tc.why || detail != tc.detail {
			t.Errorf("%v: %s, %q; want %s, %q", tc.err, why, detail, tc.why, tc.detail)
		}
	}
}

// TestFates: every failure has a reason and a remedy on one line without control sequences. Seeds with the same remedy are
// grouped, and seeds beyond the maximum are counted.
func TestFates(t *testing.T) {
	var fates []Fate
	for _, why := range []orbweaver.Failure{
		orbweaver.ErrAbsent, orbweaver.ErrNoHost, orbweaver.ErrLookup, orbweaver.ErrPrivate, orbweaver.ErrConnect, orbweaver.ErrTLS,
		orbweaver.ErrTimeout, orbweaver.ErrCut, orbweaver.ErrGaveUp, orbweaver.ErrRedirects, orbweaver.ErrBadTarget, orbweaver.ErrTooLarge,
		orbweaver.ErrMalformed, orbweaver.ErrUnreadable, orbweaver.ErrScope, orbweaver.ErrRobots, "error", "dropped",
	} {
		fates = append(fates, Fate{Seed: "http://a.test/" + string(why), Why: why, Rule: "\x1b[2Jrule\n", Detail: "\x1b[2J10.1.2.3 is\nprivate"})
	}
	for _, status := range []int{401, 403, 404, 410, 418, 429, 500, 503} {
		fates = append(fates, Fate{Seed: fmt.Sprint("http://a.test/", status), Why: orbweaver.ErrStatus, Status: status})
	}
	sorted := Sorted(fates)
	lines := Lines(sorted, len(sorted))
	for _, f := range fates {
		if f.Reason() == "" || f.Mend() == "" {
			t.Errorf("%+v: %q, %q", f, f.Reason(), f.Mend())
		}
	}
	told := map[string]int{}
	for _, line := range lines {
		if strings.ContainsAny(line, "\x1b\n") {
			t.Errorf("%q", line)
		}
		if strings.Contains(line, "→") {
			if told[line]++; told[line] > 1 {
				t.Errorf("%q stands twice", line)
			}
		}
	}
	if short := Lines(sorted, 3); !strings.HasPrefix(short[len(short)-1], "and ") {
		t.Errorf("%q", short)
	}
}

func TestTerms(t *testing.T) {
	if got := fmt.Sprintf("%q", Terms([]string{" a,  b  c ,a", ",", "d"})); got != `["a" "b c" "d"]` {
		t.Error(got)
	}
}
