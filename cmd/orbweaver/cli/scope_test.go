package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"orbweaver/crawl"
)

// TestScope: which URLs a crawl file covers, by which rule; nothing is written.
func TestScope(t *testing.T) {
	folder := project(t)
	write(t, "scoped.yaml", "seeds: [http://a.example/]\nfocus: {breadth_first: {}}\nscope: {hosts: [a.example, b.example], include: [a.example], exclude: [\"/\\\\.pdf$/\"]}\n")
	before := tree(t, folder)
	status, stdout, stderr := execute(t, "scope", "scoped.yaml", "--format", "json", "sub.a.example/x", "http://a.example/x.pdf", "http://b.example/", "http://c.example/", "mailto:x@y")
	var all []crawl.Scoped
	if err := json.Unmarshal([]byte(stdout), &all); err != nil || status != exitDone || len(all) != 5 {
		t.Fatalf("%d %v\n%s%s", status, err, stdout, stderr)
	}
	for i, want := range []crawl.Scoped{
		{URL: "http://sub.a.example/x", In: true, Key: "scope.include", Rule: "a.example", Why: "scope.include covers it: a.example"},
		{URL: "http://a.example/x.pdf", Key: "scope.exclude", Rule: `/\.pdf$/`, Why: `scope.exclude covers it: /\.pdf$/`},
		{URL: "http://b.example/", Key: "scope.include", Why: "no pattern of scope.include covers it"},
		{URL: "http://c.example/", Key: "scope.hosts", Why: "no pattern of scope.hosts covers it"},
	} {
		if all[i] != want {
			t.Errorf("%+v, want %+v", all[i], want)
		}
	}
	if all[4].In || all[4].URL != "mailto:x@y" || !strings.Contains(all[4].Why, "bad-url") {
		t.Errorf("%+v", all[4])
	}
	if status, stdout, _ := execute(t, "scope", "examples/aircraft.yaml", "x.example"); status != exitDone || stdout != "in scope      http://x.example/\n              the crawl file limits no URLs\n" {
		t.Errorf("%d %q", status, stdout)
	}
	for _, args := range [][]string{{"scope", "scoped.yaml"}, {"scope", "none.yaml", "x"}, {"scope", "scoped.yaml", "x", "--format", "xml"}, {"scope", "examples/comparison.yaml", "x"}} {
		if status, stdout, stderr := execute(t, args...); status != exitInput || stdout != "" || stderr == "" {
			t.Errorf("%v: %d %s%s", args, status, stdout, stderr)
		}
	}
	if after := tree(t, folder); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}
