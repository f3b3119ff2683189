//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/starting"
)

// badSeeds serves hosts at which seeds fail, each in its own way.
func badSeeds(n *fetchtest.Network) {
	web := fetchtest.NewWeb(fetchtest.Politeness{},
		fetchtest.Host{Name: "good.test", At: 1, Pages: []fetchtest.Page{{Path: "/"}, {Path: "/gone", Status: 404}}},
		fetchtest.Host{Name: "shut.test", At: 2, Robots: fetchtest.Robots{Disallow: []string{"/private/"}}, Pages: []fetchtest.Page{{Path: "/"}}},
		fetchtest.Host{Name: "out.test", At: 3, Pages: []fetchtest.Page{{Path: "/"}}},
		fetchtest.Host{Name: "moved.test", At: 4, Pages: []fetchtest.Page{{Path: "/", Redirect: "http://good.test/gone"}, {Path: "/out", Redirect: "http://out.test/"},
			{Path: "/in", Redirect: "http://inside.test/"}, {Path: "/mail", Redirect: "http://good.test:25/"}}},
	)
	web.Serve(n)
	n.Serve("inside.test", netip.MustParseAddrPort("10.1.2.3:80"), nil)
	n.Serve("refused.test", netip.MustParseAddrPort("203.0.114.9:80"), nil)
	n.ServeConns("plain.test", netip.MustParseAddrPort("203.0.114.10:443"), func(_ context.Context, c net.Conn) {
		_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
		c.Close()
	})
	n.ServeConns("silent.test", netip.MustParseAddrPort("203.0.114.11:80"), func(ctx context.Context, c net.Conn) {
		<-ctx.Done()
		c.Close()
	})
}

// sit runs a crawl file in a folder over a network in memory, in virtual time.
func sit(t *testing.T, n *fetchtest.Network, dir, file string) (printed string, err error) {
	t.Helper()
	path := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
	err = verbs.Crawl(context.Background(), a, path)
	return out.String(), err
}

const badSeedKeys = `focus: {breadth_first: {}}
sitemaps: off
scope: {exclude: [out.test]}
politeness: {timeout: 20s, retries: 0, failures: 1}
`

// TestSeedsThatGaveNothing: summary and report name each seed with its reason and the remedy.
func TestSeedsThatGaveNothing(t *testing.T) {
	for _, tc := range []struct{ seed, reason, mend string }{
		{"http://good.test/gone", "status 404 (not found)", "check its address in a browser"},
		{"http://127.0.0.1:8080/x", "private: guard: 127.0.0.1 is a loopback address", "allow_private: [127.0.0.0/8]"},
		{"http://inside.test/", "private: inside.test: 10.1.2.3 is a private address", "allow_private: [10.0.0.0/8]"},
		{"http://[fd00::7]/", "private: guard: fd00::7 is a private address", "allow_private: [fc00::/7]"},
		{"http://moved.test/in", "private: inside.test: 10.1.2.3 is a private address, at http://inside.test/, where it redirects to", "name another seed\n"},
		{"http://moved.test/mail", "bad-url: guard: port 25 belongs to another protocol than HTTP, at http://good.test:25/, where it redirects to", "name another seed\n"},
		{"http://good.test:25/", "bad-url: guard: port 25 belongs to another protocol than HTTP", "allow_ports: [25]"},
		{"http://nowhere.test/", "no-such-host: nowhere.test has no address", "check the spelling of the host"},
		{"http://shut.test/private/a", "robots.txt forbids it: Disallow: /private/", "name a seed that it allows"},
		{"http://out.test/", "out of scope: excluded by out.test", "let scope admit it"},
		{"http://refused.test/", "connect: ", "check host and port"},
		{"https://plain.test/", "tls: ", "begins with http://"},
		{"http://silent.test/", "timeout: ", "politeness: {timeout: 2m}"},
		{"http://moved.test/", "status 404 (not found), at http://good.test/gone, where it redirects to", "check its address in a browser"},
		{"http://moved.test/out", "out of scope: excluded by out.test, at http://out.test/", "let scope admit it"},
	} {
		t.Run(tc.seed, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				n := fetchtest.NewNetwork()
				defer n.Close()
				badSeeds(n)
				printed, err := sit(t, n, dir, "seeds: ['"+tc.seed+"', 'http://good.test/']\n"+badSeedKeys)
				if err != nil {
					t.Fatal(err)
				}
				_, told, found := strings.Cut(printed, "\nSeeds that gave no page: 1 of 2\n")
				if !found || !strings.HasPrefix(told, "  "+tc.seed+": "+tc.reason) || !strings.Contains(told, tc.mend) {
					t.Errorf("want %s: %s → %s in\n%s", tc.seed, tc.reason, tc.mend, printed)
				}
			})
			report, err := os.ReadFile(filepath.Join(dir, "crawls/mine/report.html"))
			if err != nil || !strings.Contains(string(report), "seed without a page") {
				t.Errorf("the report says nothing of it, %v", err)
			}
		})
	}
}

// TestNoAdviceFromStrangers: a page that links and redirects to private addresses does not make the summary or the report
// speak of opening them.
func TestNoAdviceFromStrangers(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		badSeeds(n)
		fetchtest.NewWeb(fetchtest.Politeness{}, fetchtest.Host{Name: "hostile.test", At: 7, Pages: []fetchtest.Page{
			{Path: "/", Links: []string{"http://127.0.0.1:6379/", "http://inside.test/admin", "/in", "http://good.test:25/"}}, {Path: "/in", Redirect: "http://[fd00::7]/"},
		}}).Serve(n)
		printed, err := sit(t, n, dir, "seeds: ['http://hostile.test/']\n"+badSeedKeys)
		if err != nil || !strings.Contains(printed, "private") || strings.Contains(printed, "allow_") {
			t.Errorf("%v\n%s", err, printed)
		}
	})
	report, err := os.ReadFile(filepath.Join(dir, "crawls/mine/report.html"))
	if err != nil || strings.Contains(string(report), "allow_") {
		t.Errorf("the report advises to open an address, %v", err)
	}
}

// TestNothingFetchedBeginsAfresh: a crawl without a page fails, and the same command begins it again with a corrected
// file. A different file may not use its folder once it has a page.
func TestNothingFetchedBeginsAfresh(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		badSeeds(n)
		for _, seed := range []string{"http://nowhere.test/", "http://good.test/gone", "http://good.test/gone"} {
			printed, err := sit(t, n, dir, "seeds: ["+seed+"]\n"+badSeedKeys)
			if !errors.Is(err, starting.ErrNothing) || !strings.Contains(printed, seed) {
				t.Fatalf("%s: %v\n%s", seed, err, printed)
			}
		}
		note := filepath.Join(dir, "crawls/mine/notes.txt")
		if err := os.WriteFile(note, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
		printed, err := sit(t, n, dir, "seeds: [http://good.test/]\n"+badSeedKeys)
		if err != nil || !strings.Contains(printed, "pages fetched    1\n") || strings.Contains(printed, "gave no page") {
			t.Fatalf("%v\n%s", err, printed)
		}
		if kept, err := os.ReadFile(note); string(kept) != "mine" {
			t.Errorf("what else is in the folder: %q, %v", kept, err)
		}
		if _, err = sit(t, n, dir, "seeds: [http://good.test/gone]\n"+badSeedKeys); !errors.Is(err, orbweaver.ErrForeign) {
			t.Errorf("another crawl took the folder of one with pages: %v", err)
		}
	})
}

// TestOverAlready: an ended crawl that is run again names the limit to raise and changes nothing. It continues when the
// limit is raised.
func TestOverAlready(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		badSeeds(n)
		file := "seeds: [http://good.test/, http://moved.test/]\nlimits: {requests: 1}\n" + badSeedKeys
		first, err := sit(t, n, dir, file)
		if err != nil || !strings.Contains(first, "limits.requests: 1 ended it") {
			t.Fatalf("%v\n%s", err, first)
		}
		lines, err := os.ReadFile(filepath.Join(dir, "crawls/mine/pages.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := sit(t, n, dir, file)
		if err != nil || !strings.Contains(again, "This crawl was over before: limit of requests (limits.requests: 1). Raise it in ") {
			t.Errorf("%v\n%s", err, again)
		}
		if after, _ := os.ReadFile(filepath.Join(dir, "crawls/mine/pages.jsonl")); !bytes.Equal(after, lines) {
			t.Errorf("it changed:\n%s\n%s", lines, after)
		}
		on, err := sit(t, n, dir, strings.Replace(file, "requests: 1", "requests: 9", 1))
		if err != nil || !strings.Contains(on, "limits.requests is now 9: the crawl continues") || strings.Contains(on, "was over before:") {
			t.Errorf("%v\n%s", err, on)
		}
		if rest, err := sit(t, n, dir, strings.Replace(file, "requests: 1", "requests: 9", 1)); err != nil || !strings.Contains(rest, "This crawl was over before: nothing waits.") {
			t.Errorf("%v\n%s", err, rest)
		}
	})
}
