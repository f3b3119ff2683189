//go:build e2e

package crawls_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// rdfWeb writes an archive with a hub that links to an RDF document through two redirects, to another one through a
// page, and to irrelevant pages.
func rdfWeb(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var warc bytes.Buffer
	add := func(name, head, body string) {
		http := fmt.Sprintf("HTTP/1.1 %s\r\n\r\n%s", head, body)
		fmt.Fprintf(&warc, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://small.test/%s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:%s>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			name, name, len(http), http)
	}
	html := func(name string, links ...string) {
		body := "<html lang=en><title>" + name + "</title><body><p>Words.</p>"
		for _, l := range links {
			body += "<p><a href=/" + l + ">" + l + "</a></p>"
		}
		add(name, "200 OK\r\nContent-Type: text/html", body)
	}
	html("hub", "empty1", "empty2", "empty3", "page", "go", "again.ttl", "lost.ttl", "robots.txt")
	for i := range 3 {
		html(fmt.Sprint("empty", i+1), "hub")
	}
	html("page", "data2.ttl")
	add("go", "302 Found\r\nLocation: /hop", "")
	add("hop", "303 See Other\r\nLocation: /data", "")
	add("again.ttl", "301 Moved Permanently\r\nLocation: /data", "")
	add("data", "200 OK\r\nContent-Type: text/turtle", "<#a> <#b> <#c> .")
	add("data2.ttl", "200 OK\r\nContent-Type: text/turtle", "<#d> <#e> <#f> .")
	if err := os.WriteFile(filepath.Join(dir, "small.warc"), warc.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

const rdfLines = "web: {archive: small.warc}\nseeds: http://small.test/hub\n"

// TestComparedThroughRedirects: a document behind redirects is reachable and counts once, and the oracle fetches it
// first.
func TestComparedThroughRedirects(t *testing.T) {
	folder, results, _, err := apptest.CompareFile(t, rdfWeb(t), rdfLines+`truth: {class: R}
limits: {requests: 50}
runs:
  - {name: focused, focus: {linked_data: {}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"7 documents, 7 can be reached; 2 relevant, 2 of them can be reached",
		// the oracle: hub, go, hop, data; page, data2.ttl
		"oracle                             4               6               6",
		"precision of links",
		"focused                100.0 %",
	} {
		if !strings.Contains(results, want) {
			t.Errorf("no %q in\n%s", want, results)
		}
	}
	for _, run := range []string{"focused", "breadth-first", "oracle"} {
		if recall := toy.Read(t, folder).OfRecall(run); recall != 1 {
			t.Errorf("%s: recall %v", run, recall)
		}
	}
	report, err := os.ReadFile(filepath.Join(folder, "report.html"))
	if err != nil || !strings.Contains(string(report), "How links were predicted") {
		t.Errorf("the report tells nothing of links: %v", err)
	}
}

// TestLinksTold: summary and report show the precision of link classes, at the end, when rewritten, and for an
// interrupted crawl.
func TestLinksTold(t *testing.T) {
	file := strings.Replace(rdfLines, "small.warc", filepath.Join(rdfWeb(t), "small.warc"), 1) + "focus: {linked_data: {classifier: rules}}\n"
	for _, tc := range []struct{ name, limits, want string }{
		{"to the end", "", `
  R                        4       2       0       2    100.0 %          100.0 %       50.0 %
  HR                       4       1       0       0     25.0 %           25.0 %       25.0 %
`},
		{"ended by a limit, data2.ttl not fetched", "limits: {requests: 8}\n", `
  HR                       4       0       1       0      0.0 %            0.0 %        0.0 %
`},
	} {
		folder := t.TempDir()
		told, _ := apptest.CrawlIn(t, folder, file+tc.limits)
		again, err := apptest.Saying(func(j *job.Job) error { return verbs.Report(t.Context(), j, filepath.Join(folder, "crawl")) })
		if err != nil || again != told {
			t.Errorf("told again: %v\n%s\nbefore:\n%s", err, again, told)
		}
		if !strings.Contains(told, tc.want) {
			t.Errorf("%s: no %s in\n%s", tc.name, tc.want, told)
		}
		report, err := os.ReadFile(filepath.Join(folder, "crawl", assembly.ReportFile))
		if err != nil || !strings.Contains(string(report), "Precision and recall by rule") {
			t.Errorf("the report tells nothing of links: %v", err)
		}
	}
	if told, _ := apptest.CrawlIn(t, t.TempDir(), strings.Replace(file, "linked_data: {classifier: rules}", "breadth_first: {}", 1)); strings.Contains(told, "Links followed") {
		t.Errorf("a focus that predicts nothing: %s", told)
	}
}

// TestLinksOfARunningCrawl: waiting URLs count as open, and the graph is read between two steps.
func TestLinksOfARunningCrawl(t *testing.T) {
	file := strings.Replace(rdfLines, "small.warc", filepath.Join(rdfWeb(t), "small.warc"), 1) + "focus: {linked_data: {}}\n"
	dir, _ := apptest.PausedCrawl(t, file, func(l *ledger.Ledger) {
		like := orbweaver.Judgement{Score: 0.6, Class: "HR", Reasons: []orbweaver.Reason{{Rule: "similar", Weight: 0.6}}}
		offer := func(url string) step.Waiting {
			p := orbweaver.Proposal{Request: orbweaver.Request{URL: url, Parent: "http://small.test/"}, Judgement: like}
			id, _ := l.Offer(p.Request)
			return step.Waiting{ID: id, Proposal: p}
		}
		waits, fetched := offer("http://small.test/data2.ttl"), []step.Waiting{offer("http://small.test/page"), offer("http://small.test/empty1")}
		err := l.Commit(step.Batch{Waiting: append(fetched, waits)})
		for i, to := range []string{waits.URL, "http://small.test/dropped"} {
			page := &orbweaver.Page{Request: fetched[i].Request, URL: fetched[i].URL, Status: 200, Links: []orbweaver.Link{{To: to}}}
			err = errors.Join(err, l.Commit(step.Batch{Done: fetched[i].ID, Outcome: &orbweaver.Outcome{
				N: int64(i + 1), Request: fetched[i].Request, Page: page, Status: 200, Predicted: like, Actual: orbweaver.Judgement{Class: "H"},
			}}))
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	told, err := apptest.Saying(func(j *job.Job) error { return verbs.Report(t.Context(), j, dir) })
	if want := "\n  HR                       2       0       1       0      0.0 %            0.0 %        0.0 %\n"; err != nil || !strings.Contains(told, "running") || !strings.Contains(told, want) {
		t.Errorf("%v\n%s", err, told)
	}
}

// TestLinkedDataSites checks the figures of real sites against figures counted by hand.
func TestLinkedDataSites(t *testing.T) {
	archive := realdata.File(t, "linked-data-sites.warc.gz")
	told, _ := apptest.CrawlIn(t, t.TempDir(), "web: {archive: "+archive+`}
seeds: ["https://w3id.org/dpv/", "https://schema.org/docs/", "https://schema.org/docs/documents.html", "https://schema.org/docs/developers.html", "https://json-ld.org/spec/", "https://json-ld.org/primer/latest/", "https://json-ld.org/test-suite/", "https://json-ld.org/playground/"]
scope: {hosts: [w3id.org, json-ld.org, schema.org]}
explore: 0
focus: {linked_data: {classifier: rules, hr: paper}}
`)
	for _, want := range []string{"(documents of RDF: 101; ", "     101       0     ", "   87.8 %", "   18.8 %"} {
		if !strings.Contains(told, want) {
			t.Errorf("no %q in\n%s", want, told)
		}
	}
}
