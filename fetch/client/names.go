package client

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"orbweaver"
)

const (
	keepName   = 5 * time.Minute
	keepNoHost = 30 * time.Second
	maxNames   = 1 << 15 // in each of two generations
)

// names caches the addresses of names. It has two generations and drops the older one as a whole, which bounds
// memory without a sweep.
type names struct {
	check func(netip.Addr) error // allowed addresses

	mu         sync.Mutex
	young, old map[string]*known
}

// known is a cached lookup of a name.
type known struct {
	addrs []netip.Addr // allowed addresses, IPv4 first; none: no such host
	until time.Time
	skip  map[string]int // host → number of addrs that could not be reached
}

func newNames(check func(netip.Addr) error) *names {
	return &names{check: check, young: map[string]*known{}}
}

// find returns the valid cached lookup of a name, or nil.
func (n *names) find(name string) *known {
	n.mu.Lock()
	defer n.mu.Unlock()
	k := n.young[name]
	if k == nil {
		if k = n.old[name]; k != nil {
			n.keep(name, k)
		}
	}
	if k == nil || !time.Now().Before(k.until) {
		return nil
	}
	return k
}

// keep stores a lookup. The caller holds the lock.
func (n *names) keep(name string, k *known) {
	if len(n.young) >= maxNames {
		n.old, n.young = n.young, map[string]*known{}
	}
	n.young[name] = k
}

func (n *names) learn(name string, addrs []netip.Addr, last time.Duration) *known {
	n.mu.Lock()
	defer n.mu.Unlock()
	k := &known{addrs: addrs, until: time.Now().Add(last)}
	n.keep(name, k)
	return k
}

// choose returns the address for a host.
func (n *names) choose(k *known, host string) netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	return k.addrs[k.skip[host]%len(k.addrs)]
}

// unreachable makes a host use the next address of a name, if addr is the current one.
func (n *names) unreachable(name, host string, addr netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	k := n.young[name]
	if k == nil || len(k.addrs) < 2 || k.addrs[k.skip[host]%len(k.addrs)] != addr {
		return
	}
	if k.skip == nil {
		k.skip = map[string]int{}
	}
	k.skip[host]++
}

// Locate returns the address, IP and port, at which a host will be contacted from now on. The host is as weburl.Host
// writes it, "http://a.test:8080". Of several addresses it is the first that passes the guard, IPv4 before IPv6, and
// after Fetch could not connect to that, the next. Addresses are cached for 5 minutes, "no such host" for 30 seconds,
// other failures not at all.
//
// Errors name the host and wrap ErrNoHost, ErrLookup, ErrPrivate, ErrTimeout, ErrBadURL or the context's error.
func (c *Client) Locate(ctx context.Context, host string) (string, error) {
	x := c.begin(ctx, "locate "+short(host))
	addr, err := c.locate(x, host)
	if err != nil {
		return "", err
	}
	return addr.String(), nil
}

// locate sets the exchange's target to a URL and returns where to ask for it.
func (c *Client) locate(x *exchange, url string) (netip.AddrPort, error) {
	var err error
	if x.target, err = parseTarget(url); err != nil {
		return netip.AddrPort{}, x.blame("address", orbweaver.ErrBadURL, err)
	}
	if err := x.ctx.Err(); err != nil {
		return netip.AddrPort{}, x.blame("look-up", orbweaver.ErrLookup, err)
	}
	addr, err := c.address(x, c.names, x.name, x.host)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if err := c.opt.Guard.Port(x.port); err != nil {
		return netip.AddrPort{}, x.blame("guard", orbweaver.ErrBadURL, err)
	}
	return netip.AddrPortFrom(addr, x.port), nil
}

// address returns the address of a name, or of an IP address literal, for a host. It passes the check of n.
func (c *Client) address(x *exchange, n *names, name, host string) (netip.Addr, error) {
	if addr, err := netip.ParseAddr(name); err == nil {
		addr = addr.Unmap()
		if err := n.check(addr); err != nil {
			return addr, x.blame("guard", orbweaver.ErrPrivate, err)
		}
		return addr, nil
	}
	k := n.find(name)
	if k == nil {
		var err error
		if k, err = c.lookUp(x, n, name); err != nil {
			return netip.Addr{}, err
		}
	}
	if len(k.addrs) == 0 {
		return netip.Addr{}, x.fail(orbweaver.ErrNoHost, "%s has no address", short(name))
	}
	return n.choose(k, host), nil
}

// lookUp resolves a name and caches the result.
func (c *Client) lookUp(x *exchange, n *names, name string) (*known, error) {
	ctx, cancel := context.WithDeadline(x.ctx, x.phase())
	defer cancel()
	var found []netip.Addr
	err := c.patiently(ctx, func() (err error) {
		found, err = c.opt.Resolve(ctx, name)
		return err
	})
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound && x.ctx.Err() == nil:
		return n.learn(name, nil, keepNoHost), nil
	case err != nil && ctx.Err() != nil && !tooManyFiles(err):
		return nil, x.blame("look-up", orbweaver.ErrLookup, ctx.Err())
	case err != nil:
		return nil, x.blame("look-up", orbweaver.ErrLookup, err)
	case len(found) == 0:
		return n.learn(name, nil, keepNoHost), nil
	}
	allowed, err := passing(found, n.check)
	if err != nil {
		return nil, x.blame(short(name), orbweaver.ErrPrivate, err)
	}
	return n.learn(name, allowed, keepName), nil
}

// passing returns the addresses that pass a check, IPv4 first, without duplicates, or the first error if none
// passes.
func passing(found []netip.Addr, check func(netip.Addr) error) (allowed []netip.Addr, refusal error) {
	var six []netip.Addr
	for _, addr := range found {
		addr = addr.Unmap()
		if err := check(addr); err != nil {
			if refusal == nil {
				refusal = err
			}
			continue
		}
		if addr.Is4() && !slices.Contains(allowed, addr) {
			allowed = append(allowed, addr)
		} else if addr.Is6() && !slices.Contains(six, addr) {
			six = append(six, addr)
		}
	}
	if allowed = append(allowed, six...); len(allowed) > 0 {
		return allowed, nil
	}
	return nil, refusal
}

// short truncates an untrusted string for a message.
func short(s string) string {
	if len(s) > longestSaying {
		return s[:longestSaying] + "…"
	}
	return s
}
