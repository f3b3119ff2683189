package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"

	"golang.org/x/net/proxy"

	"orbweaver"
	"orbweaver/fetch/access"
)

// A way is how servers are reached: by which proxy, with which certificate, and by whose word they are trusted. Connections and TLS
// sessions of one way are never used on another.
type way struct {
	proxy *proxyServer // nil: none
	tls   *tls.Config  // for servers; without ServerName
}

// newWay returns the way of a route.
func newWay(o Options, r access.Route) *way {
	w := &way{tls: &tls.Config{RootCAs: o.Roots, ClientSessionCache: tls.NewLRUClientSessionCache(o.Idle)}}
	if r.Authorities != nil {
		w.tls.RootCAs = r.Authorities
	}
	if r.Certificate != nil {
		w.tls.Certificates = []tls.Certificate{*r.Certificate}
	}
	to := o.Proxy
	if r.Proxy != nil {
		to = r.Proxy
	}
	w.proxy = newProxy(to)
	return w
}

// wayOf returns the way of a route, the same one for the same route.
func (c *Client) wayOf(r access.Route) *way {
	if r == (access.Route{}) {
		return c.direct
	}
	if w, ok := c.ways.Load(r); ok {
		return w.(*way)
	}
	w, _ := c.ways.LoadOrStore(r, newWay(c.opt, r))
	return w.(*way)
}

// connected makes a SOCKS5 proxy (RFC 1928) connect to the checked address, with user name and password (RFC 1929) if it has them.
func (p *proxyServer) connected(x *exchange, k *conn) error {
	ctx, cancel := context.WithDeadline(x.ctx, x.phase())
	defer cancel()
	dialer, err := proxy.SOCKS5("tcp", "", socksUser(p.user), nowhere{})
	if err != nil {
		return x.blame("proxy", orbweaver.ErrConnect, err)
	}
	over, ok := dialer.(interface {
		DialWithConn(ctx context.Context, c net.Conn, network, address string) (net.Addr, error)
	})
	if !ok {
		return x.fail(orbweaver.ErrConnect, "proxy: no SOCKS5")
	}
	if _, err := over.DialWithConn(ctx, k.Conn, "tcp", k.at.addr.String()); err != nil {
		return x.blame("proxy", orbweaver.ErrConnect, err)
	}
	return nil
}

// socksUser returns the credentials of a proxy; nil: none.
func socksUser(u *url.Userinfo) *proxy.Auth {
	if u == nil {
		return nil
	}
	password, _ := u.Password()
	return &proxy.Auth{User: u.Username(), Password: password}
}

// nowhere keeps the library from making connections: ours are made to checked addresses.
type nowhere struct{}

func (nowhere) Dial(string, string) (net.Conn, error) { return nil, errors.New("not dialed here") }
