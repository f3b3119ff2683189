package replay

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver/internal/tier"
	"orbweaver/page"
	"orbweaver/server/door/doortest"
)

// TestSlowBrowsers: a thousand slow clients, many of which take a rewritten page slowly, do not keep an honest one from another.
func TestSlowBrowsers(t *testing.T) {
	tier.Long(t, "it takes ten minutes under the race detector")
	html := http.Header{"Content-Type": {"text/html"}}
	web := forged{"http://a.test/": {html, "<p>page"}, "http://a.test/long": {html, strings.Repeat("<p>"+strings.Repeat("page ", 200), 700)}}
	for name, path := range map[string]string{"pages": "/web/http://a.test/", "proxy": "http://a.test/"} {
		if name == "proxy" && os.Getenv("ORBWEAVER_EFFECT") != "all" { // the same listener
			continue
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := New(web, Options{URLs: slices.Values([]string{"http://a.test/", "http://a.test/long"}), Decode: page.Decode})
				if err != nil {
					t.Fatal(err)
				}
				l := doortest.Listen(2000)
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- s.Serve(ctx, l) }()
				wait := doortest.Served(t, l, doortest.Requests{Honest: "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n", Large: "GET " + path + "long HTTP/1.1\r\nHost: 127.0.0.1\r\n"})
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				wait()
			})
		})
	}
}
