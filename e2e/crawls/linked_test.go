//go:build e2e

package crawls_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"orbweaver/crawl"
)

// TestLinkedData: looks while a crawl runs do not disturb it, and count ever more; at rest the classes are those of a crawl that nobody looked at,
// and those of the report.
func TestLinkedData(t *testing.T) {
	linked := func(name string) *crawl.Crawl {
		c, err := crawl.New(
			crawl.Seeds("http://tidings.example/"), crawl.Archive("../../examples/demo.warc.gz"), crawl.Requests(400), crawl.Folder(filepath.Join(t.TempDir(), name)),
			crawl.Set("focus.linked_data.method", "focused"),
		)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	alone, c := linked("alone"), linked("looked-at")
	if _, err := alone.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.Run(t.Context())
		done <- err
	}()
	looks, last := 0, int64(0)
	for running := true; running; {
		select {
		case err := <-done:
			if running = false; err != nil {
				t.Fatal(err)
			}
		default:
			if _, err := os.Stat(filepath.Join(c.Folder(), "control.sock")); err != nil { // a look at rest would keep the folder from the session
				runtime.Gosched()
				continue
			}
			d, err := c.LinkedData(t.Context(), crawl.LinkedQuery{})
			if err == nil && d.Outcomes < last {
				t.Errorf("%d outcomes after %d", d.Outcomes, last)
			}
			if err == nil && d.Outcomes > last {
				looks, last = looks+1, d.Outcomes
			}
		}
	}
	t.Logf("%d looks saw something new", looks)
	got, err := c.LinkedData(t.Context(), crawl.LinkedQuery{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := alone.LinkedData(t.Context(), crawl.LinkedQuery{})
	if err != nil || !reflect.DeepEqual(got, want) || got.Links == nil || got.HostsTotal < 3 {
		t.Fatalf("%v: %+v\nwant %+v", err, got, want)
	}
	summary, err := c.Report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, class := range got.Links.Classes {
		reported := summary.Links.All.Classes[i]
		if class.Counts != crawl.LinkCounts(reported) {
			t.Errorf("%s: %+v, the report has %+v", class.Class, class, reported)
		}
	}
}
