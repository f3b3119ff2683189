package ledger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

func TestThreshold(t *testing.T) {
	line := func(score, threshold float64) string {
		b, err := json.Marshal(Line{N: 1, URL: "http://a.test/", Status: 200, Score: score, Accepted: score >= threshold, Threshold: threshold})
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + "\n"
	}
	failed := `{"n":9,"url":"http://a.test/x","error":"status","reasons":[{"rule":"seed","evidence":"\"threshold\":0.9","weight":1}]}` + "\n"
	far := strings.Repeat(failed, 5000) // more than one read
	for _, tc := range []struct {
		name, text string
		want       float64
	}{
		{"no line", "", 0},
		{"no threshold", failed, 0},
		{"that of the last line", line(0.1, 0.5) + line(0.6, 0.55), 0.55},
		{"that of the last line which has one", line(0.1, 0.5) + far, 0.5},
		{"none anywhere", far, 0},
		{"not that of a line that is being written", line(0.1, 0.5) + line(0.1, 0.25)[:strings.Index(line(0.1, 0.25), "0.25")+3], 0.5},
	} {
		path := filepath.Join(t.TempDir(), JournalFile)
		if err := os.WriteFile(path, []byte(tc.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := Threshold(path, int64(len(tc.text))); err != nil || got != tc.want {
			t.Errorf("%s: %v, %v; want %v", tc.name, got, err, tc.want)
		}
	}
	for shift := range 40 { // the key spans two reads
		text := line(0.1, 0.5) + strings.Repeat(" ", 1<<18-shift-len("\n")) + "\n"
		path := filepath.Join(t.TempDir(), JournalFile)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := Threshold(path, int64(len(text))); err != nil || got != 0.5 {
			t.Errorf("seam %d: %v, %v", shift, got, err)
		}
	}
	if got, err := Threshold(filepath.Join(t.TempDir(), "none"), 10); err != nil || got != 0 {
		t.Errorf("no file: %v, %v", got, err)
	}
}

func TestCommittedHasVerdictsOfNow(t *testing.T) {
	var text strings.Builder
	for i, l := range []Line{
		{Score: 0.4, Accepted: true, Threshold: 0.3},
		{Score: 0.4, Accepted: true}, // a duplicate has the judgement of another page
		{Score: 0.6, Accepted: true, Threshold: 0.5},
	} {
		l.N, l.URL = int64(i+1), fmt.Sprintf("http://a.test/%d", i)
		b, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(b, '\n'))
	}
	path := filepath.Join(t.TempDir(), JournalFile)
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var then, now []bool
	for l, err := range Lines(path) {
		if err != nil {
			t.Fatal(err)
		}
		then = append(then, l.Accepted)
	}
	for l, err := range Committed(path) {
		if err != nil {
			t.Fatal(err)
		}
		now = append(now, l.Accepted)
	}
	if fmt.Sprint(then, now) != "[true true true] [false false true]" {
		t.Error(then, now)
	}
}

func TestThresholdOfOutcomes(t *testing.T) {
	page, why := &orbweaver.Page{}, orbweaver.Judgement{Score: 0.5, Reasons: []orbweaver.Reason{{Rule: orbweaver.RuleThreshold, Weight: 0.4}}}
	for _, tc := range []struct {
		name string
		o    orbweaver.Outcome
		want float64
	}{
		{"a page", orbweaver.Outcome{Page: page, Actual: why}, 0.4},
		{"a redirect to one judged before", orbweaver.Outcome{Redirect: "http://a.test/", Actual: why}, 0},
		{"a duplicate", orbweaver.Outcome{Page: page, Actual: why, Duplicate: orbweaver.Duplicate{URL: "http://a.test/"}}, 0},
		{"a page that did not change", orbweaver.Outcome{Page: page, Actual: why, Status: 304}, 0},
		{"a page judged otherwise", orbweaver.Outcome{Page: page}, 0},
	} {
		if got := LineOf(tc.o).Threshold; got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestNoIndexUnderAnyThreshold: a noindex page is never accepted.
func TestNoIndexUnderAnyThreshold(t *testing.T) {
	j := orbweaver.Judgement{Score: 0.9, Reasons: []orbweaver.Reason{{Rule: orbweaver.RuleNoIndex}}}
	l := LineOf(orbweaver.Outcome{Actual: j})
	for _, threshold := range []float64{0, 0.5} {
		if !l.NoIndex || l.Under(threshold).Accepted || step.AcceptedFrom(j, threshold) {
			t.Errorf("accepted from %v: %+v", threshold, l.Under(threshold))
		}
	}
}
