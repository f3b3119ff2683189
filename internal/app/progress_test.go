package app

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/internal/realdata"
)

// TestProgressLines: a line each ten seconds where nothing can be redrawn, and one at the end.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := startProgress(&out, false, snapshot{pages: 100, accepted: 7})
		p.tell(snapshot{pages: 150, accepted: 9, waiting: 3, hosts: 2})
		after(rewrite + time.Second)
		p.tell(snapshot{pages: 310, accepted: 10, waiting: 0, hosts: 2})
		after(9 * time.Second)
		p.close()
		want := "150 pages, 5 pages/s, 9 accepted, 3 waiting, 2 hosts\n" + // of this sitting, in 10 s
			"310 pages, 10 pages/s, 10 accepted, 0 waiting, 2 hosts\n" + // at 20 s
			"310 pages, 10 pages/s, 10 accepted, 0 waiting, 2 hosts\n" // the last word
		if got := out.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestProgressOnATerminal: one line, redrawn in place, ended once.
func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := startProgress(&out, true, snapshot{})
		p.tell(snapshot{pages: 1000})
		after(time.Second + redraw/2)
		p.close()
		got := out.String()
		if n := strings.Count(got, "\r"); n != 6 { // each 200 ms, and at the end
			t.Errorf("drawn %d times: %q", n, got)
		}
		if strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\x1b[K\n") {
			t.Errorf("not one line: %q", got)
		}
	})
}

// TestNoProgress: a crawl that was over before says nothing of how it goes.
func TestNoProgress(t *testing.T) {
	var out bytes.Buffer
	startProgress(&out, false, snapshot{pages: 100}).close()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

// TestAfterAWhile: what is over soon goes in silence, what lasts says so once.
func TestAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		a := &App{Err: &out}
		stop := a.afterAWhile("soon over")
		after(patience / 2)
		stop()
		stop = a.afterAWhile("reading")
		after(3 * patience)
		stop()
		if out.String() != "reading\n" {
			t.Errorf("%q", out.String())
		}
	})
}

// after lets time pass in a bubble.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// TestSummary: what a crawl prints in the end.
func TestSummary(t *testing.T) {
	head := demoLines(t) + demoFocus(t) + "limits: {requests: 100}\n"
	told, _ := crawlIn(t, t.TempDir(), head+"truth: {file: "+filepath.Join(realdata.Root(t), "examples/demo-truth.tsv")+", topics: [aircraft]}\n")
	for _, want := range []string{
		`^crawl: limit of requests after 100 requests\n`,
		`\n  pages fetched    \d+\n  accepted         \d+\n  acceptance rate  \d+\.\d %\n`,
		`\n  harvest rate     \d+\.\d % \(\d+ relevant: topics aircraft\)\n`,
		`\nThe best pages:\n  1\. 0\.\d{3} [* ] http://\S+\n +[^\n]+: .*×\d`,
		`\n 10\. 0\.\d{3} [* ] http://\S+\n +[^\n]+: .*×\d`,
		`/crawl has report\.html, pages\.jsonl and the crawl file as run\.\n`,
		`\nNext:\n  open \S+/crawl/report\.html   `,
		`\n  orbweaver ontology show \S+aircraft\.ttl --target 'http://orbweaver\.example/aircraft#Airplane'   `,
	} {
		if !regexp.MustCompile(want).MatchString(told) {
			t.Errorf("the summary lacks %s:\n%s", want, told)
		}
	}
	if bare, _ := crawlIn(t, t.TempDir(), head); strings.Contains(bare, "harvest rate") {
		t.Errorf("a harvest rate without a truth:\n%s", bare)
	}
}

// TestASummaryOfNothing divides by no pages.
func TestASummaryOfNothing(t *testing.T) {
	told, _ := crawlIn(t, t.TempDir(), strings.Replace(demoLines(t), "http://tidings.example/, http://signpost.example/, http://wayfarer.example/", "http://nowhere.example/", 1)+demoFocus(t))
	if !strings.Contains(told, "  acceptance rate  0.0 %\n") || !strings.Contains(told, "No page scored above 0.") {
		t.Error(told)
	}
}
