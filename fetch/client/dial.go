package client

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"

	"orbweaver"
)

// A proxyServer is a proxy that the user configured.
type proxyServer struct {
	name   string
	port   uint16
	secure bool
	socks  bool // SOCKS5, not HTTP
	user   *url.Userinfo
	auth   string // of Proxy-Authorization; empty: none
	secret *secret
	names  *names // addresses of the proxy, which the guard does not check: the user configured it
}

func newProxy(u *url.URL) *proxyServer {
	if u == nil {
		return nil
	}
	p := &proxyServer{name: u.Hostname(), secure: u.Scheme == "https", socks: u.Scheme == "socks5", user: u.User, port: 80}
	p.names = newNames(func(netip.Addr) error { return nil })
	switch {
	case p.secure:
		p.port = 443
	case p.socks:
		p.port = 1080
	}
	if port, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		p.port = uint16(port)
	}
	p.secret = newSecret(u.User)
	if u.User != nil {
		password, _ := u.User.Password()
		p.auth = "Basic " + base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password))
	}
	return p
}

// connect makes a connection to the exchange's host at an address, ready for a request.
func (c *Client) connect(x *exchange, at place) (*conn, error) {
	if err := c.opt.Guard.Check(at.addr.Addr()); err != nil {
		return nil, x.blame("guard", orbweaver.ErrPrivate, err)
	}
	if err := c.opt.Guard.Port(x.port); err != nil {
		return nil, x.blame("guard", orbweaver.ErrBadURL, err)
	}
	k, err := c.reach(x, at)
	if err != nil {
		return nil, err
	}
	if x.secure {
		if err := k.shakeHands(x, x.way.tlsFor(x.name, protocol2, protocol1), "handshake"); err != nil {
			return nil, k.giveUp(err)
		}
	}
	if t, ok := speaksHTTP2(k); ok {
		if err := c.upgrade(x, k, t); err != nil {
			return nil, k.giveUp(err)
		}
	}
	if !k.release() {
		return nil, k.giveUp(x.blame("connect", orbweaver.ErrConnect, context.Canceled))
	}
	return k, nil
}

// reach connects to the address, or to the proxy if requests use the absolute form.
func (c *Client) reach(x *exchange, at place) (*conn, error) {
	k, err := c.dialFor(x, at)
	if err != nil || x.way.proxy == nil {
		return k, err
	}
	if x.way.proxy.socks {
		if err := x.way.proxy.connected(x, k); err != nil {
			c.names.unreachable(x.name, x.host, at.addr.Addr())
			return nil, k.giveUp(err)
		}
		return k, nil
	}
	if x.way.proxy.secure {
		if err := k.shakeHands(x, c.direct.tlsFor(x.way.proxy.name, protocol1), "proxy: handshake"); err != nil {
			return nil, k.giveUp(err)
		}
	}
	if !x.secure {
		k.proxied = true
		return k, nil
	}
	if err := c.tunnel(x, k); err != nil {
		c.names.unreachable(x.name, x.host, at.addr.Addr())
		return nil, k.giveUp(err)
	}
	return k, nil
}

// dialFor dials an address, or its proxy, within the context.
func (c *Client) dialFor(x *exchange, at place) (*conn, error) {
	n, name, host, addr, phase := c.names, x.name, x.host, at.addr, "connect to "+at.addr.String()
	if p := x.way.proxy; p != nil {
		found, err := c.address(x, p.names, p.name, "")
		if err != nil {
			return nil, err
		}
		n, name, host, addr = p.names, p.name, "", netip.AddrPortFrom(found, p.port)
		phase = "connect to proxy " + addr.String()
	}
	ctx, cancel := context.WithDeadline(x.ctx, x.phase())
	defer cancel()
	var base net.Conn
	err := c.patiently(ctx, func() (err error) {
		base, err = c.opt.Dial(ctx, addr)
		return err
	})
	if err != nil {
		if x.ctx.Err() == nil && !tooManyFiles(err) {
			n.unreachable(name, host, addr.Addr())
		}
		return nil, x.blame(phase, orbweaver.ErrConnect, err)
	}
	k := &conn{Conn: base, base: base, peek: peekable(base), at: at}
	k.watch(x)
	return k, nil
}

// giveUp closes a connection that could not be set up.
func (k *conn) giveUp(err error) error {
	k.release()
	k.close()
	return err
}

// tlsFor returns the TLS configuration for a server name.
func (w *way) tlsFor(name string, protocols ...string) *tls.Config {
	config := w.tls.Clone()
	config.ServerName, config.NextProtos = trimDot(name), protocols
	return config
}

// trimDot removes the dot at the end of an absolute name: certificates omit it.
func trimDot(name string) string {
	if n := len(name); n > 1 && name[n-1] == '.' {
		return name[:n-1]
	}
	return name
}

// shakeHands starts TLS on the connection, without a goroutine.
func (k *conn) shakeHands(x *exchange, config *tls.Config, phase string) error {
	err := k.until(x.phase())
	if err != nil {
		return x.blame(phase, orbweaver.ErrTLS, err)
	}
	t := tls.Client(k.Conn, config)
	if err = t.Handshake(); err != nil {
		if x.ctx.Err() != nil || timedOut(err) {
			return x.blame(phase, orbweaver.ErrTLS, err)
		}
		return x.fail(orbweaver.ErrTLS, "%s", handshakeSays(err))
	}
	k.Conn = t
	return nil
}

// tunnel makes the proxy CONNECT to the checked address.
func (c *Client) tunnel(x *exchange, k *conn) error {
	if err := k.until(x.phase()); err != nil {
		return x.blame("proxy", orbweaver.ErrConnect, err)
	}
	addr := k.at.addr.String()
	head := "CONNECT " + addr + " HTTP/1.1\r\nHost: " + addr + "\r\n"
	if c.opt.UserAgent != "" {
		head += "User-Agent: " + clean(c.opt.UserAgent) + "\r\n"
	}
	if auth := x.way.proxy.auth; auth != "" {
		head += "Proxy-Authorization: " + auth + "\r\n"
	}
	if _, err := k.Write([]byte(head + "\r\n")); err != nil {
		return x.blame("proxy", orbweaver.ErrConnect, err)
	}
	k.r = c.readers.take(k)
	defer func() {
		c.readers.give(k.r)
		k.r = nil
	}()
	answer, err := k.head(&http.Request{Method: http.MethodConnect})
	switch {
	case err != nil:
		return x.headless(k, "proxy", err)
	case answer.StatusCode/100 != 2:
		return x.fail(orbweaver.ErrConnect, "proxy says %.80q", answer.Status)
	case k.r.Buffered() > 0:
		return x.fail(orbweaver.ErrConnect, "proxy says more than it was asked")
	}
	return nil
}
