// Package fetchtest supports tests of Web clients: a network in memory, for bubbles of testing/synctest, and
// webs that measure the politeness of their crawler.
//
// A [Network] resolves names, carries connections and serves HTTP/1.1 without a socket, with latency in virtual
// time. A [Web] is described by hand or drawn from a seed, is served on a Network or on loopback listeners, and
// records each breach of politeness as the server sees it, invisibly to the crawler. It shares no code with the
// crawler's robots, frontier and client, so that it cannot share their mistakes. It has no TLS and no HTTP/2.
// Only tests use it.
//
// This package is not part of the stable API.
package fetchtest

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// idleTimeout is how long servers keep an idle connection: nginx's default.
const idleTimeout = 75 * time.Second

// A Network is names, addresses and servers in memory. Its methods are safe for concurrent use. To use it in a
// synctest bubble, create and close it there.
type Network struct {
	server   http.Server
	incoming chan net.Conn
	closed   chan struct{}
	close    sync.Once

	running context.Context // ends with Close
	cancel  context.CancelFunc

	mu      sync.Mutex
	names   map[string][]netip.Addr
	places  map[netip.AddrPort]*place
	lookups map[string]int
	dialled int
}

// A place is the server of one address.
type place struct {
	names   map[string]http.Handler         // by lower-case name; nil: the name resolves without a server
	conns   func(context.Context, net.Conn) // handles raw connections; nil: HTTP
	latency time.Duration
	dials   int
}

// NewNetwork returns a network without servers. Close ends its one goroutine.
func NewNetwork() *Network {
	n := &Network{
		incoming: make(chan net.Conn),
		closed:   make(chan struct{}),
		names:    map[string][]netip.Addr{},
		places:   map[netip.AddrPort]*place{},
		lookups:  map[string]int{},
	}
	n.running, n.cancel = context.WithCancel(context.Background())
	n.server.Handler = http.HandlerFunc(n.dispatch)
	n.server.IdleTimeout = idleTimeout
	go n.server.Serve(listener{n})
	return n
}

// Serve puts an HTTP/1.1 server at an address and lets name resolve to it. Several names may share an address (the
// Host header selects the server; an unknown one gets 421), and a name may have several addresses, which resolve in
// the order served. With a nil handler the name resolves, and an address without any other handler refuses
// connections.
func (n *Network) Serve(name string, addr netip.AddrPort, h http.Handler) {
	n.mu.Lock()
	defer n.mu.Unlock()
	name = strings.ToLower(name)
	n.place(addr).names[name] = h
	if !slices.Contains(n.names[name], addr.Addr()) {
		n.names[name] = append(n.names[name], addr.Addr())
	}
}

// ServeConns resolves a name to an address and calls serve for each raw connection, in a new goroutine; serve
// closes it. The context ends with the network.
func (n *Network) ServeConns(name string, addr netip.AddrPort, serve func(context.Context, net.Conn)) {
	n.Serve(name, addr, nil)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.place(addr).conns = serve
}

// Move changes the addresses of a name, or removes them. It does not change what addresses serve. It simulates
// a name that changes between lookups.
func (n *Network) Move(name string, addrs ...netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.names[strings.ToLower(name)] = addrs
}

// SetLatency sets the one-way latency of an address for new connections. Making a connection takes twice as
// long.
func (n *Network) SetLatency(addr netip.AddrPort, latency time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.place(addr).latency = latency
}

func (n *Network) place(addr netip.AddrPort) *place {
	p := n.places[addr]
	if p == nil {
		p = &place{names: map[string]http.Handler{}}
		n.places[addr] = p
	}
	return p
}

// Resolve returns the addresses of a name; without any, a *net.DNSError with IsNotFound. An IP address resolves
// to itself.
func (n *Network) Resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if addr, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{addr}, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	name = strings.ToLower(name)
	n.lookups[name]++
	addrs := n.names[name]
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return slices.Clone(addrs), nil
}

// Dial connects to an address. An address without a server refuses (ECONNREFUSED) after the time of a
// connection.
func (n *Network) Dial(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
	latency, client := n.begin(addr)
	remote := net.TCPAddrFromAddrPort(addr)
	if err := pause(ctx, 2*latency); err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: remote, Err: err}
	}
	near, far := newConns(client, remote, latency)
	conns, answers := n.answers(addr)
	if conns != nil {
		go conns(n.running, far)
		return near, nil
	}
	if answers {
		select {
		case n.incoming <- far:
			return near, nil
		case <-n.closed:
		case <-ctx.Done():
			return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: remote, Err: ctx.Err()}
		}
	}
	return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: remote, Err: syscall.ECONNREFUSED}
}

// begin counts a dial and gives its client a unique address.
func (n *Network) begin(addr netip.AddrPort) (latency time.Duration, client net.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.place(addr)
	p.dials++
	n.dialled++
	port := 1024 + n.dialled%64000
	return p.latency, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port}
}

// answers reports whether an address is served, and by which non-HTTP handler, if any.
func (n *Network) answers(addr netip.AddrPort) (conns func(context.Context, net.Conn), http bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p := n.places[addr]
	for _, h := range p.names {
		if h != nil {
			return p.conns, true
		}
	}
	return p.conns, false
}

// Dials is how many times an address was dialled.
func (n *Network) Dials(addr netip.AddrPort) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if p := n.places[addr]; p != nil {
		return p.dials
	}
	return 0
}

// Lookups is how many times a name was looked up.
func (n *Network) Lookups(name string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lookups[strings.ToLower(name)]
}

// dispatch passes a request to the server of its address and name.
func (n *Network) dispatch(rw http.ResponseWriter, r *http.Request) {
	local := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr).AddrPort()
	name := r.Host
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	n.mu.Lock()
	h := n.place(local).names[strings.ToLower(strings.Trim(name, "[]"))]
	n.mu.Unlock()
	if h == nil {
		http.Error(rw, "nothing of that name here", http.StatusMisdirectedRequest)
		return
	}
	h.ServeHTTP(rw, r)
}

// Close ends all servers and connections, and the context of requests in progress.
func (n *Network) Close() {
	n.close.Do(func() {
		close(n.closed)
		n.cancel()
		n.server.Close()
	})
}

// A listener accepts the connections to all addresses of a network.
type listener struct{ n *Network }

func (l listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.n.incoming:
		return c, nil
	case <-l.n.closed:
		return nil, net.ErrClosed
	}
}

func (l listener) Close() error   { return nil }
func (l listener) Addr() net.Addr { return &net.TCPAddr{} }

// pause waits, or returns the error of a context that ends before.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
