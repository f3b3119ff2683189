//go:build e2e

package crawls_test

import (
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/fetch/archive"
	"orbweaver/internal/compare"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/realdata"
)

// TestRobotsThatCannotBeRead: a missing robots.txt allows everything, an unreadable one nothing.
func TestRobotsThatCannotBeRead(t *testing.T) {
	path := filepath.Join(realdata.Root(t), "examples/demo.warc.gz")
	withRobots, without := "http://hangar.example", "http://nowhere.example"
	for _, tc := range []struct {
		name    string
		maxBody int64
		url     string
		want    bool
	}{
		{"readable", 0, withRobots + "/", true},
		{"too large to be read", 1, withRobots + "/", false},
		{"not there", 1, without + "/", true},
	} {
		web, err := archive.OpenWeb([]string{path}, archive.WebOptions{MaxBody: tc.maxBody})
		if err != nil {
			t.Fatal(err)
		}
		g, err := gate.New(crawlfile.Scope{}, web, true, compare.DefaultAgent)
		if err != nil {
			t.Fatal(err)
		}
		got, rule := g.Admits(tc.url)
		if got != tc.want || !got && !strings.Contains(rule, "robots.txt: ") {
			t.Errorf("%s: %v by %q", tc.name, got, rule)
		}
		if err := web.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
