package client_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/internal/step"
)

// public is an address that passes the guard; nothing in these tests ever goes there.
const public = "8.8.4.4"

// A fakeNet is a net in memory: names, and what answers at addresses.
type fakeNet struct {
	mu      sync.Mutex
	names   map[string][]string
	lookups map[string]int
	serve   func(addr string, c net.Conn) // its own goroutine; nil: nobody answers
	refuse  map[string]bool
	dialed  []string
	conns   sync.WaitGroup
}

func newNet(serve func(addr string, c net.Conn)) *fakeNet {
	return &fakeNet{
		names: map[string][]string{"a.test": {public}}, lookups: map[string]int{},
		refuse: map[string]bool{}, serve: serve,
	}
}

func (n *fakeNet) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lookups[name]++
	found, ok := n.names[name]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, a := range found {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, nil
}

func (n *fakeNet) dial(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dialed = append(n.dialed, addr.String())
	if n.refuse[addr.Addr().String()] {
		return nil, &net.OpError{Op: "dial", Err: fmt.Errorf("connection refused")}
	}
	near, far := net.Pipe()
	n.conns.Go(func() {
		defer far.Close()
		n.serve(addr.String(), far)
	})
	return near, nil
}

func (n *fakeNet) client(o client.Options) *client.Client {
	if o.Resolve == nil {
		o.Resolve = n.resolve
	}
	if o.Dial == nil {
		o.Dial = n.dial
	}
	return client.New(o)
}

func (n *fakeNet) dials() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.dialed)
}

// answering serves one connection: each request gets the same bytes, and close ends the connection
// after the first.
func answering(answer string, close bool) func(string, net.Conn) {
	return func(_ string, c net.Conn) {
		r := bufio.NewReader(c)
		for {
			if _, err := http.ReadRequest(r); err != nil {
				return
			}
			if _, err := io.WriteString(c, answer); err != nil || close {
				return
			}
		}
	}
}

// get fetches a URL whole.
func get(c *client.Client, url string) (*step.Response, string, error) {
	return getWith(context.Background(), c, url)
}

func getWith(ctx context.Context, c *client.Client, url string) (*step.Response, string, error) {
	resp, err := c.Fetch(ctx, orbweaver.Request{URL: url})
	if err != nil {
		return nil, "", err
	}
	body, err := io.ReadAll(resp.Body)
	if closing := resp.Body.Close(); err == nil {
		err = closing
	}
	return resp, string(body), err
}

// wantFailure checks that an error wraps a failure, and no context's error.
func wantFailure(t *testing.T, err error, want orbweaver.Failure) {
	t.Helper()
	if got := orbweaver.FailureOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// in advances the time of a bubble.
func in(d time.Duration) { <-time.After(d) }
