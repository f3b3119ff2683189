package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"orbweaver/fetch/guard"
	"orbweaver/internal/crawlfile"
)

// Poster returns a client for messages to a URL that the user named. It connects to no private address that is not allowed, follows no
// redirect, and asks no proxy.
func (w Wire) Poster(private crawlfile.Private, ports ...uint16) *http.Client {
	addresses := guard.New(private.All, private.Networks, ports...)
	resolve := w.Options.Resolve
	if resolve == nil {
		resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	dial := w.Options.Dial
	if dial == nil {
		dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", to.String())
		}
	}
	transport := &http.Transport{
		TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: time.Minute,
		DialContext: func(ctx context.Context, _, to string) (net.Conn, error) {
			host, text, err := net.SplitHostPort(to)
			if err != nil {
				return nil, err
			}
			port, err := strconv.ParseUint(text, 10, 16)
			if err != nil {
				return nil, err
			}
			addrs, err := resolveLiteral(ctx, host, resolve)
			if err != nil {
				return nil, err
			}
			err = addresses.Port(uint16(port))
			for _, addr := range addrs {
				if err == nil {
					err = addresses.Check(addr)
				}
			}
			if err != nil {
				return nil, err
			}
			for _, addr := range addrs {
				var conn net.Conn
				if conn, err = dial(ctx, netip.AddrPortFrom(addr, uint16(port))); err == nil {
					return conn, nil
				}
			}
			return nil, fmt.Errorf("connect to %s: %w", to, err)
		},
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// resolveLiteral looks up a name that may be an address.
func resolveLiteral(ctx context.Context, host string, resolve func(context.Context, string) ([]netip.Addr, error)) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr.Unmap()}, nil
	}
	addrs, err := resolve(ctx, host)
	if err == nil && len(addrs) == 0 {
		err = fmt.Errorf("%s has no address", host)
	}
	for i := range addrs {
		addrs[i] = addrs[i].Unmap()
	}
	return addrs, err
}
