package view

import (
	"bytes"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/server"
)

// TestFailedStatuses: the end of a crawl and its status say which HTTP statuses failed.
func TestFailedStatuses(t *testing.T) {
	reasons, statuses := map[orbweaver.Failure]int64{orbweaver.ErrStatus: 4}, map[int]int64{404: 3, 503: 1}
	var b bytes.Buffer
	PrintSummary(&b, 80, &assembly.Summary{Failures: reasons, Statuses: statuses})
	Status(&b, server.Status{Failures: reasons, Statuses: statuses})
	for _, want := range []string{"\n  failed           4: 3 answered 404, 1 answered 503\n", "\n  failures    4: 3 answered 404, 1 answered 503\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, &b)
		}
	}
}
