// Package hostile is a web of hosts that each misbehave in one way, to test that a crawl of them terminates and
// stays within its limits on each.
//
// It writes raw bytes to connections, since no server of the standard library misbehaves so. It generates large
// bodies in pieces, so that a test measures the crawler's memory and not that of the web. It shares no code
// with the crawler. It does not cover HTTP/2.
//
// This package is not part of the stable API.
package hostile

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver/fetch/fetchtest"
)

// A Host misbehaves in one way and otherwise answers correctly, a robots.txt with 404.
type Host struct {
	Name   string // one label of a host name
	Does   string // the misbehaviour
	Path   string // of its seed; empty: "/"
	Secure bool   // requested by https; no handshake completes

	meet   func(v *visit) // handles each raw connection; nil: requests are read
	robots func(v *visit) // answers /robots.txt; nil: 404
	answer func(v *visit) // answers all other requests
}

// Hosts are all hosts, each with a unique name.
func Hosts() []Host {
	return slices.Concat(connections(), heads(), bodies(), codings(), redirects(), documents(),
		robotsFiles(), sitemaps(), traps())
}

// A Tally counts the requests to a host and the bytes of its responses.
type Tally struct {
	Requests int   // connections, if requests are not read
	Bytes    int64 // written to connections
}

// A Web serves hosts. Its methods are safe for concurrent use.
type Web struct {
	hosts []Host

	mu      sync.Mutex
	bases   map[string]string // by name
	tallies map[string]Tally
}

// New returns a web of hosts.
func New(hosts ...Host) *Web {
	return &Web{hosts: hosts, bases: map[string]string{}, tallies: map[string]Tally{}}
}

// Serve puts the hosts on a network in memory, each at its own global address as NAME.test and all names below
// it.
func (w *Web) Serve(n *fetchtest.Network) {
	for i, h := range w.hosts {
		scheme, addr := "http", fetchtest.Address(i)
		if h.Secure {
			scheme, addr = "https", netip.AddrPortFrom(addr.Addr(), 443)
		}
		w.bases[h.Name] = scheme + "://" + h.Name + ".test"
		n.ServeConns(h.Name+".test", addr, func(ctx context.Context, c net.Conn) { w.converse(ctx, h, c) })
	}
}

// Base is the scheme, name and port of a host that is served.
func (w *Web) Base(name string) string { return w.bases[name] }

// Seeds are the start URLs, in the order of the hosts.
func (w *Web) Seeds() []string {
	var seeds []string
	for _, h := range w.hosts {
		path := h.Path
		if path == "" {
			path = "/"
		}
		seeds = append(seeds, w.bases[h.Name]+path)
	}
	return seeds
}

// Tally returns the counts of a host so far.
func (w *Web) Tally(name string) Tally {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tallies[name]
}

// count adds to the tally of a host.
func (w *Web) count(name string, requests int, bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tallies[name]
	t.Requests += requests
	t.Bytes += bytes
	w.tallies[name] = t
}

// converse serves one connection until one side closes it.
func (w *Web) converse(ctx context.Context, h Host, c net.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer c.Close()
	context.AfterFunc(ctx, func() { c.Close() })
	v := &visit{ctx: ctx, conn: c, in: bufio.NewReader(c), sent: func(n int) { w.count(h.Name, 0, int64(n)) }}
	if h.meet != nil {
		w.count(h.Name, 1, 0)
		h.meet(v)
		return
	}
	for !v.over {
		r, err := http.ReadRequest(v.in)
		if err != nil {
			return
		}
		w.count(h.Name, 1, 0)
		v.host, v.target, v.path, v.query = r.Host, r.RequestURI, r.URL.Path, r.URL.Query().Get
		switch {
		case v.path != "/robots.txt":
			h.answer(v)
		case h.robots != nil:
			h.robots(v)
		default:
			v.reply("404 Not Found", "text/plain", "none")
		}
	}
}

// A visit is a connection to a host with its current request.
type visit struct {
	ctx  context.Context
	conn net.Conn
	in   *bufio.Reader
	sent func(n int)
	over bool // no further request is answered

	host   string // as in the request
	target string // path and query, as in the request
	path   string
	query  func(key string) string
}

// say writes to the connection; false: the client closed it.
func (v *visit) say(s string) bool {
	n, err := v.conn.Write([]byte(s))
	v.sent(n)
	if err != nil {
		v.over = true
	}
	return err == nil
}

// forever writes a piece repeatedly, with a pause after each, until the client closes the connection.
func (v *visit) forever(piece string, pause time.Duration) {
	for v.say(piece) && v.pause(pause) {
	}
}

// times writes a piece n times.
func (v *visit) times(n int, piece string) {
	for range n {
		if !v.say(piece) {
			return
		}
	}
}

// pause waits; false: the web is closed.
func (v *visit) pause(d time.Duration) bool {
	if d <= 0 {
		return v.ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-v.ctx.Done():
		v.over = true
		return false
	}
}

// hangUp closes the connection after the response.
func (v *visit) hangUp() { v.over = true }

// wait sends nothing until the client closes the connection.
func (v *visit) wait() {
	v.over = true
	for {
		if _, err := v.in.Discard(1); err != nil {
			return
		}
	}
}

// reply sends a correct response; fields are whole lines.
func (v *visit) reply(status, kind, body string, fields ...string) {
	v.head(status, append(fields, "Content-Type: "+kind, fmt.Sprintf("Content-Length: %d", len(body)))...)
	v.say(body)
}

// html responds with a correct page.
func (v *visit) html(body string) { v.reply("200 OK", "text/html; charset=utf-8", body) }

// head writes a response head.
func (v *visit) head(status string, fields ...string) {
	v.say("HTTP/1.1 " + status + "\r\n" + strings.Join(fields, "\r\n") + "\r\n\r\n")
}

// redirect answers with a redirect.
func (v *visit) redirect(location string) {
	v.reply("302 Found", "text/plain", "", "Location: "+location)
}

// url is an absolute URL on the requested host.
func (v *visit) url(path string) string { return "http://" + v.host + path }
