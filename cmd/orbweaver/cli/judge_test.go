package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestJudge: exit statuses, where the words go, and that nothing is written.
func TestJudge(t *testing.T) {
	folder := project(t)
	before := tree(t, folder)
	const file = "examples/aircraft.yaml"
	for _, tc := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // stand in it; empty: there is nothing
	}{
		{"a page", []string{file, "http://skylines.example/types/a320.html"}, exitDone, ", accepted (from 0.5 on)\n  as of       judged as the first page of a crawl", ""},
		{"without a scheme", []string{file, "skylines.example/types/a320.html"}, exitDone, "engines ×2 (engine), turbofan ×2", ""},
		{"as JSON", []string{file, "skylines.example/types/a320.html", "--format", "json"}, exitDone, `"words": "engines ×2 (engine), turbofan ×2"`, ""},
		{"forbidden", []string{file, "http://skylines.example/print/a340.html"}, exitFailed, "", "robots: Disallow: /print/; --force requests it anyway"},
		{"forbidden, as JSON", []string{file, "http://skylines.example/print/a340.html", "--format=json"}, exitFailed, `"error": "robots"`, "Disallow: /print/"},
		{"forced", []string{file, "http://skylines.example/print/a340.html", "--force"}, exitDone, "the crawl would not request http://skylines.example/print/a340.html: robots: Disallow: /print/\n", ""},
		{"an error", []string{file, "http://skylines.example/types/a390.html"}, exitFailed, "status      404", "status 404"},
		{"not there", []string{file, "http://skylines.example/types/a321.html"}, exitInput, "", "absent from the archive; nearest: http://skylines.example/types/a320.html, http"},
		{"no URL", []string{file}, exitInput, "", "judge: want a crawl file and a URL, have 1 arguments\nSee"},
		{"no such format", []string{file, "a.example", "--format", "xml"}, exitInput, "", `judge: --format is text or json, not "xml"`},
		{"a comparison file", []string{"examples/comparison.yaml", "a.example"}, exitInput, "", "orbweaver compare examples/comparison.yaml"},
		{"no such file", []string{"none.yaml", "a.example"}, exitInput, "", "none.yaml: no such file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, stdout, stderr := execute(t, append([]string{"judge"}, tc.args...)...)
			if status != tc.status || !strings.Contains(stdout, tc.stdout) || !strings.Contains(stderr, tc.stderr) {
				t.Errorf("status %d\n%s%s", status, stdout, stderr)
			}
			if (stdout == "") != (tc.stdout == "") || (stderr == "") != (tc.stderr == "") {
				t.Errorf("words in the wrong place:\n%s---\n%s", stdout, stderr)
			}
			if strings.Contains(stdout, `"url"`) && !json.Valid([]byte(stdout)) {
				t.Errorf("no JSON: %s", stdout)
			}
		})
	}
	if after := tree(t, folder); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}
