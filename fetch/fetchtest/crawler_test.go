package fetchtest

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"orbweaver/fetch/robots"
	"orbweaver/weburl"
)

// A crawler takes one URL after the other and keeps all manners, but for those it is told to forget.
type crawler struct {
	t    *testing.T
	dial func(ctx context.Context, host string) (net.Conn, error)

	delay   time.Duration
	retries int
	at      func(host string) string // the address of a host

	hostDelay, addressDelay, crawlDelay, robotsFirst, rules, retryAfter, agent bool // manners

	last    map[string]time.Time // by host or address: latest start
	rest    map[string]time.Time // by host: end of its Retry-After
	known   map[string]*robots.Rules
	refused map[string]bool
	seen    map[string]bool
	waiting []string
	failed  map[string]int
}

// polite returns a crawler on a network that keeps all manners.
func polite(t *testing.T, n *Network, delay time.Duration) *crawler {
	c := &crawler{
		t: t, delay: delay, retries: 2,
		hostDelay: true, addressDelay: true, crawlDelay: true, robotsFirst: true, rules: true, retryAfter: true, agent: true,
		last: map[string]time.Time{}, rest: map[string]time.Time{}, known: map[string]*robots.Rules{}, refused: map[string]bool{},
		seen: map[string]bool{}, failed: map[string]int{},
	}
	c.dial = func(ctx context.Context, host string) (net.Conn, error) {
		addrs, err := n.Resolve(ctx, host)
		if err != nil {
			return nil, err
		}
		return n.Dial(ctx, netip.AddrPortFrom(addrs[0], 80))
	}
	c.at = func(host string) string {
		addrs, err := n.Resolve(t.Context(), host)
		if err != nil {
			return ""
		}
		return addrs[0].String()
	}
	return c
}

// crawl follows everything from the seeds until nothing waits.
func (c *crawler) crawl(seeds ...string) {
	for _, seed := range seeds {
		c.add(seed, "")
	}
	for len(c.waiting) > 0 {
		next := c.waiting[0]
		c.waiting = c.waiting[1:]
		c.visit(next)
	}
}

func (c *crawler) add(base, ref string) {
	b, err := weburl.NewBase(base)
	if err != nil {
		c.t.Fatal(err)
	}
	if u, err := b.Resolve(ref); err == nil && !c.seen[u] {
		c.seen[u] = true
		c.waiting = append(c.waiting, u)
	}
}

func (c *crawler) visit(raw string) {
	u, err := url.Parse(raw)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.robotsFirst && !c.open(u.Host) {
		return
	}
	if c.rules {
		if ok, _ := c.known[u.Host].Allows(u.RequestURI()); !ok {
			return
		}
	}
	status, header, body := c.get(u)
	if status == 0 || status == http.StatusServiceUnavailable {
		if c.failed[raw]++; c.failed[raw] <= c.retries {
			c.waiting = append(c.waiting, raw)
		}
		return
	}
	if to := header.Get("Location"); to != "" {
		c.add(raw, to)
		return
	}
	c.read(raw, body)
}

// read follows what a page or a sitemap links to.
func (c *crawler) read(base string, body []byte) {
	if strings.HasSuffix(base, ".gz") {
		z, err := gzip.NewReader(strings.NewReader(string(body)))
		if err != nil {
			c.t.Fatal(err)
		}
		if body, err = io.ReadAll(z); err != nil {
			c.t.Fatal(err)
		}
	}
	text := string(body)
	for _, mark := range [][2]string{{`href="`, `"`}, {"<loc>", "<"}} {
		for part := range strings.SplitSeq(text, mark[0]) {
			if ref, _, ok := strings.Cut(part, mark[1]); ok && !strings.HasPrefix(part, "<") {
				c.add(base, strings.ReplaceAll(ref, "&amp;", "&"))
			}
		}
	}
}

// open asks for a host's robots.txt until it is known, and reports whether the host may be crawled.
func (c *crawler) open(host string) bool {
	if c.known[host] != nil || c.refused[host] {
		return c.known[host] != nil
	}
	u := &url.URL{Scheme: "http", Host: host, Path: "/robots.txt"}
	for failures := 0; failures <= c.retries; {
		status, header, body := c.get(u)
		switch {
		case status == 0 || status >= 500:
			failures++
		case status >= 300 && status < 400:
			next, err := u.Parse(header.Get("Location"))
			if err != nil {
				c.t.Fatal(err)
			}
			u = next
		default:
			rules := robots.Parse(nil, "naive")
			if status == http.StatusOK {
				rules = robots.Parse(body, "naive")
			}
			c.known[host] = rules
			c.waiting = append(c.waiting, rules.Sitemaps...)
			return true
		}
	}
	c.refused[host] = true
	return false
}

// get asks once, when the host's and its address's turn has come. The status is 0 when there is no
// answer in full.
func (c *crawler) get(u *url.URL) (int, http.Header, []byte) {
	host, address := u.Host, "at "+c.at(u.Host)
	var until time.Time
	wait := func(t time.Time, manner bool) {
		if manner && t.After(until) {
			until = t
		}
	}
	wait(c.last[host].Add(c.delay), c.hostDelay)
	wait(c.last[address].Add(c.delay), c.addressDelay)
	wait(c.rest[host], c.retryAfter)
	if rules := c.known[host]; rules != nil {
		wait(c.last[host].Add(rules.Delay), c.crawlDelay)
	}
	if err := pause(c.t.Context(), time.Until(until)); err != nil {
		c.t.Fatal(err)
	}
	c.last[host], c.last[address] = time.Now(), time.Now()
	status, header, body := c.ask(u)
	c.rest[host] = retryAfter(header)
	return status, header, body
}

func retryAfter(header http.Header) time.Time {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Now().Add(time.Duration(seconds) * time.Second)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return time.Time{}
	}
	return at
}

func (c *crawler) ask(u *url.URL) (int, http.Header, []byte) {
	conn, err := c.dial(c.t.Context(), u.Host)
	if err != nil {
		return 0, nil, nil
	}
	defer conn.Close()
	r, err := http.NewRequest(http.MethodGet, u.String(), nil)
	if err != nil { // several goroutines ask: none may end the test
		c.t.Error(err)
		return 0, nil, nil
	}
	r.Header.Set("User-Agent", "")
	if c.agent {
		r.Header.Set("User-Agent", "naive")
	}
	if err := r.Write(conn); err != nil {
		return 0, nil, nil
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), r)
	if err != nil {
		return 0, nil, nil
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil, nil
	}
	return answer.StatusCode, answer.Header, body
}

// kinds are the rules that violations name, each once, sorted.
func kinds(violations []string) []string {
	var found []string
	for _, v := range violations {
		for _, kind := range []string{
			"no User-Agent", "before robots.txt", "forbidden by", "gap at host", "gap at address",
			"in flight at host", "in flight at address", "Retry-After",
		} {
			if strings.Contains(v, ": "+kind) {
				found = append(found, kind)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
