//go:build e2e

package crawls_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/realdata"
)

// TestSummary checks the printed summary of a crawl.
func TestSummary(t *testing.T) {
	head := toy.DemoLines(t) + toy.DemoFocus(t) + "limits: {requests: 100}\n"
	told, _ := apptest.CrawlIn(t, t.TempDir(), head+"truth: {file: "+filepath.Join(realdata.Root(t), "examples/demo-truth.tsv")+", topics: [aircraft]}\n")
	for _, want := range []string{
		`^crawl: limit of requests after 100 requests\n`,
		`\n  pages fetched    \d+\n  accepted         \d+[^\n]*\n  acceptance rate  \d+\.\d %\n`,
		`\n  harvest rate     \d+\.\d % \(\d+ relevant: topics aircraft\)\n`,
		`\nThe best pages:\n  1\. 0\.\d{3} [* ] http://\S+\n +“[^\n]+”\n +[^\n]+: .*×\d`,
		`\n 10\. 0\.\d{3} [* ] http://\S+\n +“[^\n]+”\n +[^\n]+: .*×\d`,
		`/crawl has report\.html, pages\.jsonl and the crawl file as run\.\n`,
		`\nNext:\n  open \S+/crawl/report\.html   `,
		`\n  orbweaver ontology show \S+aircraft\.ttl --target 'http://orbweaver\.example/aircraft#Airplane'   `,
	} {
		if !regexp.MustCompile(want).MatchString(told) {
			t.Errorf("the summary lacks %s:\n%s", want, told)
		}
	}
	if bare, _ := apptest.CrawlIn(t, t.TempDir(), head); strings.Contains(bare, "harvest rate") {
		t.Errorf("a harvest rate without a truth:\n%s", bare)
	}
}

// TestASummaryOfNothing: a summary without pages does not divide by zero.
func TestASummaryOfNothing(t *testing.T) {
	told, _ := apptest.CrawlIn(t, t.TempDir(), strings.Replace(toy.DemoLines(t), "http://tidings.example/, http://signpost.example/, http://wayfarer.example/", "http://nowhere.example/", 1)+toy.DemoFocus(t))
	if !strings.Contains(told, "  acceptance rate  0.0 %\n") || !strings.Contains(told, "No page scored above 0.") {
		t.Error(told)
	}
}
