//go:build e2e && linux

package cluster_test

import (
	"context"
	"net"
	"regexp"
	"sync"
	"testing"
)

// A network carries connections between workers and servers, which can be cut: what is sent then arrives when the cut is mended, as when packets are lost.
type network struct {
	mu      sync.Mutex
	cut     map[[2]string]bool
	changed chan struct{} // closed at the next change
	running context.Context
}

func newNetwork(t *testing.T) *network {
	return &network{cut: map[[2]string]bool{}, changed: make(chan struct{}), running: t.Context()}
}

// set cuts ways between two, or mends them.
func (n *network) set(cut bool, from []string, to []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, a := range from {
		for _, b := range to {
			n.cut[[2]string{a, b}], n.cut[[2]string{b, a}] = cut, cut
		}
	}
	close(n.changed)
	n.changed = make(chan struct{})
}

// pass waits until the way from one to another is whole; false: the test is over.
func (n *network) pass(from, to string) bool {
	for {
		n.mu.Lock()
		cut, changed := n.cut[[2]string{from, to}], n.changed
		n.mu.Unlock()
		if !cut {
			return true
		}
		select {
		case <-changed:
		case <-n.running.Done():
			return false
		}
	}
}

// way listens for connections to a server; from is who begins them, empty if they say so.
func (n *network) way(t *testing.T, from, to, target string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go n.carry(near, from, to, target)
		}
	}()
	return l.Addr().String()
}

// carry carries one connection.
func (n *network) carry(near net.Conn, from, to, target string) {
	defer near.Close()
	if !n.pass(from, to) {
		return
	}
	far, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	defer far.Close()
	over := context.AfterFunc(n.running, func() { near.Close(); far.Close() })
	defer over()
	who := &caller{name: from}
	done := make(chan struct{}, 2)
	go func() {
		n.copy(far, near, func(b []byte) bool { return n.pass(who.is(b), to) })
		done <- struct{}{}
	}()
	go func() {
		n.copy(near, far, func([]byte) bool { return n.pass(to, who.is(nil)) })
		done <- struct{}{}
	}()
	<-done
}

// copy copies as long as it may.
func (n *network) copy(to, from net.Conn, may func([]byte) bool) {
	b := make([]byte, 64<<10)
	for {
		size, err := from.Read(b)
		if size > 0 {
			if !may(b[:size]) {
				return
			}
			if _, err := to.Write(b[:size]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// A caller is who began a connection: a server tells its name when it connects to another.
type caller struct {
	mu   sync.Mutex
	name string
}

func (c *caller) is(b []byte) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name == "" {
		if m := regexp.MustCompile(`"(?:server_)?name":"(s\d)"`).FindSubmatch(b); m != nil {
			c.name = string(m[1])
		}
	}
	return c.name
}
