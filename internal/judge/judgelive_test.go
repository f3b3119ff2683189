package judge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/assembly"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
)

// visits records the requests to hosts with their times.
type visits struct {
	mu    sync.Mutex
	began time.Time
	asked []string
}

func (l *visits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.asked = append(l.asked, fmt.Sprintf("%.0fs %s%s", time.Since(l.began).Seconds(), r.Host, r.URL.Path))
	n := len(l.asked)
	l.mu.Unlock()
	switch {
	case r.URL.Path == "/robots.txt" && r.Host == "slow.test":
		fmt.Fprint(w, "User-agent: *\nCrawl-delay: 7\n")
	case r.URL.Path == "/robots.txt" && r.Host == "away.test":
		http.Redirect(w, r, "http://nowhere.test/robots.txt", http.StatusFound)
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /no\n")
	case r.URL.Path == "/busy":
		w.Header().Set("Retry-After", "40")
		http.Error(w, "later", http.StatusServiceUnavailable)
	case r.URL.Path == "/never":
		w.Header().Set("Retry-After", "86400")
		http.Error(w, "later", http.StatusTooManyRequests)
	case r.URL.Path == "/bad":
		http.Error(w, "bad gateway", http.StatusBadGateway)
	default:
		fmt.Fprintf(w, "answer %d", n)
	}
}

// visitIn fetches URLs one after another in virtual time, as judge does. It returns the requests and a word for the
// result of each.
func visitIn(t *testing.T, urls ...string) (asked, came []string) {
	t.Helper()
	file := toy.Put(t, t.TempDir(), "judge.yaml", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nallow_private: true\npoliteness: {delay: 2s}\n")
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		log := &visits{began: time.Now()}
		one, other := netip.MustParseAddrPort("10.0.0.1:80"), netip.MustParseAddrPort("10.0.0.2:80")
		n.Serve("a.test", one, log)
		n.Serve("b.test", one, log)
		n.Serve("slow.test", other, log)
		n.Serve("away.test", other, log)
		run, err := judgeRunOf(context.Background(), assembly.FromFile(&job.Job{}, file), wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer run.Web.Close()
		for _, url := range urls {
			allowed, known, _ := run.Web.Robots(t.Context(), url, false)
			word := "200"
			if known && !allowed {
				word = "robots"
			} else if response, _, err := run.Web.Fetch(t.Context(), url, ""); err != nil {
				word = string(orbweaver.FailureOf(err))
			} else {
				word = fmt.Sprint(response.Status)
			}
			came = append(came, word)
		}
		asked = log.asked
	})
	return asked, came
}

// TestJudgeIsAPoliteGuest: like a crawl, judge obeys the delays of hosts and addresses, Retry-After and back-off.
func TestJudgeIsAPoliteGuest(t *testing.T) {
	for _, tc := range []struct {
		name        string
		urls        []string
		asked, came string
	}{
		{"the delay of a host", []string{"http://a.test/1", "http://a.test/2"},
			"0s a.test/robots.txt, 2s a.test/1, 4s a.test/2", "200, 200"},
		{"the delay of an address", []string{"http://a.test/1", "http://b.test/1"},
			"0s a.test/robots.txt, 2s a.test/1, 4s b.test/robots.txt, 6s b.test/1", "200, 200"},
		{"Crawl-delay", []string{"http://slow.test/1", "http://slow.test/2"},
			"0s slow.test/robots.txt, 7s slow.test/1, 14s slow.test/2", "200, 200"},
		{"Retry-After", []string{"http://a.test/busy", "http://a.test/1"},
			"0s a.test/robots.txt, 2s a.test/busy, 42s a.test/1", "503, 200"},
		{"a host that is to be left alone for a day", []string{"http://a.test/never", "http://a.test/1"},
			"0s a.test/robots.txt, 2s a.test/never", "429, host-down"},
		{"what robots.txt forbids", []string{"http://a.test/no", "http://a.test/1"},
			"0s a.test/robots.txt, 2s a.test/1", "robots, 200"},
		{"a robots.txt that leads nowhere", []string{"http://away.test/1"},
			"0s away.test/robots.txt", "robots"},
		{"a host that is not there", []string{"http://none.test/1"}, "", "no-such-host"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			asked, came := visitIn(t, tc.urls...)
			if got := strings.Join(asked, ", "); got != tc.asked {
				t.Errorf("asked %s, want %s", got, tc.asked)
			}
			if got := strings.Join(came, ", "); got != tc.came {
				t.Errorf("came %s, want %s", got, tc.came)
			}
		})
	}
	asked, _ := visitIn(t, "http://a.test/bad", "http://a.test/1")
	if len(asked) != 3 || strings.HasPrefix(asked[2], "4s ") {
		t.Errorf("no back-off: %v", asked)
	}
}

// TestJudgeEndsWithItsContext: waiting for a host ends when the context is done.
func TestJudgeEndsWithItsContext(t *testing.T) {
	file := toy.Put(t, t.TempDir(), "judge.yaml", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nallow_private: true\npoliteness: {delay: 2m}\n")
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		n.Serve("a.test", netip.MustParseAddrPort("10.0.0.1:80"), &visits{began: time.Now()})
		run, err := judgeRunOf(context.Background(), assembly.FromFile(&job.Job{}, file), wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer run.Web.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		if _, _, err := run.Web.Fetch(ctx, "http://a.test/1", ""); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}
