//go:build e2e

package studio_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"orbweaver/server/door/doortest"
	"orbweaver/studio"
	"orbweaver/studio/workspace"
)

// painted is the time from the start of a navigation to the largest contentful paint, in ms; 0 while there is none.
const painted = `new Promise(done => new PerformanceObserver(l => done(l.getEntries().at(-1).startTime)).observe({type: "largest-contentful-paint", buffered: true})).then(at => window.painted = at), true`

// BenchmarkShown measures the pages of a crawl in the workspace that ORBWEAVER_WORKSPACE names: the median of ms at the server, and of ms
// from the start of the navigation to the largest contentful paint in Chromium. It takes the first crawl, and changes none.
func BenchmarkShown(b *testing.B) {
	folder := os.Getenv("ORBWEAVER_WORKSPACE")
	if folder == "" {
		b.Skip("ORBWEAVER_WORKSPACE names no workspace")
	}
	addr, id, page := shownOf(b, folder)
	chromium, stop := chromedp.NewExecAllocator(b.Context(), append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(doortest.Chromium(b)), chromedp.NoSandbox)...)
	defer stop()
	tab, stop := chromedp.NewContext(chromium)
	defer stop()
	at := "/crawls/" + id
	of := url.Values{"url": {page}}.Encode()
	for _, p := range []struct{ name, path string }{
		{"home", "/"}, {"new", "/new"}, {"live", at}, {"results", at + "/results"}, {"search", at + "/results?words=aircraft"}, {"page", at + "/page?" + of},
		{"map", at + "/map"}, {"around", at + "/map?" + of}, {"compare", "/compare?crawl=" + id}, {"ask", at + "/ask"}, {"teach", at + "/teach"},
	} {
		b.Run(p.name, func(b *testing.B) {
			var server, shown []float64
			for b.Loop() {
				server = append(server, answered(b, "http://"+addr+p.path))
				shown = append(shown, paintedAfter(b, tab, "http://"+addr+p.path))
			}
			b.ReportMetric(median(server), "ms-server")
			b.ReportMetric(median(shown), "ms-shown")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// shownOf serves a workspace, and returns the address, its first crawl, and the best page of that.
func shownOf(b *testing.B, folder string) (addr, id, page string) {
	ws, err := workspace.Open(folder, workspace.Options{Spare: -1})
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- studio.New(studio.Options{Workspace: ws}).Serve(ctx, l) }()
	b.Cleanup(func() {
		stop()
		<-done
		if err := ws.Close(); err != nil {
			b.Error(err)
		}
	})
	crawls, err := ws.Crawls(b.Context())
	if err != nil || len(crawls) == 0 {
		b.Fatalf("%s has no crawls (%v)", folder, err)
	}
	addr, id = l.Addr().String(), crawls[0].ID
	response, err := http.Get("http://" + addr + "/api/v1/crawls/" + id + "/pages?sort=score&limit=1")
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	var list struct{ Pages []struct{ URL string } }
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil || len(list.Pages) == 0 {
		b.Fatalf("%s has no pages (%v)", id, err)
	}
	return addr, id, list.Pages[0].URL
}

// answered is the time of the server's whole answer, in ms.
func answered(b *testing.B, address string) float64 {
	begin := time.Now()
	response, err := http.Get(address)
	if err != nil {
		b.Fatal(err)
	}
	_, err = io.Copy(io.Discard, response.Body)
	if response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s (%v)", address, response.Status, err)
	}
	return float64(time.Since(begin).Microseconds()) / 1000
}

// paintedAfter opens a page and returns when its largest content was painted, in ms.
func paintedAfter(b *testing.B, tab context.Context, address string) float64 {
	if _, err := chromedp.Run(tab, chromedp.Navigate(address)); err != nil {
		b.Fatal(err)
	}
	if _, err := chromedp.Run(tab, chromedp.Evaluate[bool](painted)); err != nil {
		b.Fatal(err)
	}
	for {
		at, err := chromedp.Run(tab, chromedp.Evaluate[float64]("window.painted ?? 0"))
		if err != nil {
			b.Fatal(err)
		}
		if at > 0 {
			return at
		}
	}
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
