package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/netip"
	"net/url"
	"time"

	"orbweaver"
	"orbweaver/fetch/guard"
)

const (
	usualTimeout = 30 * time.Second
	usualIdle    = 512
	longestPhase = 10 * time.Second // of looking up, connecting, shaking hands
	maxHead      = 256 << 10        // bytes of an answer's head, interim answers included
	maxInterim   = 10               // 1xx answers before the one that counts
	streamWindow = 1 << 20          // bytes of an HTTP/2 body that wait to be read, at most
)

// Options are what a Client goes by.
type Options struct {
	UserAgent string // sent as it is; empty: none is sent

	// Timeout bounds a whole exchange including the body; 0: 30 s. Lookup, connect and handshake may each take a
	// third of it, 10 s at most; the first byte of the response the remainder; a stall in the body a third.
	Timeout time.Duration

	Guard *guard.Guard   // nil: everything private is refused
	Idle  int            // idle connections kept, all hosts together; 0: 512. Least recently used goes first
	Proxy *url.URL       // http or https, with userinfo if need be; nil: none. The environment is never examined
	Roots *x509.CertPool // authorities that may sign servers' certificates; nil: the system's

	// Query returns what is sent for a request with a Query: its URL and Accept as they go over HTTP
	// and, unless it is to go by GET, a form of a media type to be posted there; as sparql.Put does.
	// Nil: a Query is not sent.
	Query func(r orbweaver.Request) (to orbweaver.Request, mediaType string, form []byte)

	// Resolve looks up the addresses of a name; nil: as the system does.
	Resolve func(ctx context.Context, name string) ([]netip.Addr, error)

	// Dial connects to an address that has passed the guard, or to the proxy; nil: over TCP.
	Dial func(ctx context.Context, addr netip.AddrPort) (net.Conn, error)
}

// A Client asks the live Web. Any number of goroutines may use it.
type Client struct {
	opt     Options
	share   time.Duration // the longest that one of the first phases may take
	stall   time.Duration // the longest that a body may bring nothing
	tls     *tls.Config   // of servers; without their names
	h2      *http2Transport
	proxy   *proxy // nil: none
	names   *names
	pool    *pool
	readers readers
}

// New returns a client. Nothing runs and nothing is open before the first request.
func New(o Options) *Client {
	o = withDefaults(o)
	c := &Client{
		opt:   o,
		share: min(o.Timeout/3, longestPhase),
		stall: o.Timeout / 3,
		tls: &tls.Config{
			RootCAs:            o.Roots,
			ClientSessionCache: tls.NewLRUClientSessionCache(o.Idle),
		},
		proxy: newProxy(o.Proxy),
		names: newNames(o.Guard.Check),
		pool:  newPool(o.Idle),
	}
	c.h2 = newHTTP2(c.stall)
	return c
}

func withDefaults(o Options) Options {
	if o.Timeout <= 0 {
		o.Timeout = usualTimeout
	}
	if o.Guard == nil {
		o.Guard = guard.New(false, nil)
	}
	if o.Idle <= 0 {
		o.Idle = usualIdle
	}
	if o.Resolve == nil {
		o.Resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	if o.Dial == nil {
		o.Dial = func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", addr.String())
		}
	}
	return o
}

// Close closes idle connections, and those in use when they are done. It never fails; a client that
// is used again all the same keeps no connection.
func (c *Client) Close() error {
	c.pool.close()
	return nil
}
