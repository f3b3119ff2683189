//go:build e2e

package crawls_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/fetchtest"
)

// TestRobotsThatChange: a crawl that takes days reads robots.txt again when it is a day old. Requests that waited under the
// old rules are refused under the new ones.
func TestRobotsThatChange(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		began := time.Now()
		var mu sync.Mutex
		var read, asked []time.Duration // robots.txt, and pages that the later rules forbid
		n.Serve("a.test", netip.MustParseAddrPort("203.0.114.20:80"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			at := time.Since(began)
			switch {
			case r.URL.Path == "/robots.txt":
				read = append(read, at)
				fmt.Fprint(w, "User-agent: *\n")
				if at > time.Hour {
					fmt.Fprint(w, "Disallow: /p\n")
				}
				return
			case strings.HasPrefix(r.URL.Path, "/p"):
				asked = append(asked, at)
			}
			w.Header().Set("Content-Type", "text/html")
			if r.URL.Path == "/" {
				for i := range 60 {
					fmt.Fprintf(w, "<a href='/p%d'>p</a>", i)
				}
			}
		}))
		printed, err := sit(t, n, dir, "seeds: ['http://a.test/']\nfocus: {breadth_first: {}}\nsitemaps: off\narchive: off\npoliteness: {delay: 45m, timeout: 20s}\n")
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		const day = 24 * time.Hour
		if len(read) != 2 || read[1] < day || read[1] > day+time.Hour {
			t.Errorf("robots.txt was read after %v", read)
		}
		if last := asked[len(asked)-1]; len(asked) < 25 || last < day-time.Hour || last > read[len(read)-1] {
			t.Errorf("%d pages were asked for, the last after %v; robots.txt forbade them after %v", len(asked), last, read[len(read)-1])
		}
		report, err := os.ReadFile(filepath.Join(dir, "crawls/mine/report.html"))
		if err != nil || !strings.Contains(string(report), "robots.txt forbids") {
			t.Errorf("the report does not say that robots.txt forbids the other pages: %v", err)
		}
	})
}
