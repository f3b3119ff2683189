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
	maxNames   = 1 << 15 // in each of the two generations
)

// names remembers the addresses of names for a while. There are two generations of them: what is in
// neither was not asked for lately, and is forgotten, so that memory is bounded without a sweep.
type names struct {
	check func(netip.Addr) error // allowed addresses

	mu         sync.Mutex
	young, old map[string]*known
}

// known is a cached lookup of a name.
type known struct {
	addrs []netip.Addr // allowed addresses, IPv4 first; none: no such host
	until time.Time
	skip  map[string]int // host → how many of addrs it could not be reached at
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

// keep is called with the lock held.
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

// choose returns the address at which to contact a host.
func (n *names) choose(k *known, host string) netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	return k.addrs[k.skip[host]%len(k.addrs)]
}

// unreachable has the next address of a name chosen for a host, if it is the one chosen now that
// could not be reached.
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
	return netip.AddrPortFrom(addr, x.port), err
}

// address returns the address of a name, or of an address as URLs have it, for a host that has it. Of
// all addresses it is one that passes the check of these names.
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

// lookUp asks for the addresses of a name, and remembers them.
func (c *Client) lookUp(x *exchange, n *names, name string) (*known, error) {
	ctx, cancel := context.WithDeadline(x.ctx, x.phase())
	defer cancel()
	found, err := c.opt.Resolve(ctx, name)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound && x.ctx.Err() == nil:
		return n.learn(name, nil, keepNoHost), nil
	case err != nil && ctx.Err() != nil:
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

// passing returns the addresses that pass a check, IPv4 first, each once, or the error of the first
// when there is none.
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

// short cuts a string that strangers wrote to what a message can bear.
func short(s string) string {
	if len(s) > longestSaying {
		return s[:longestSaying] + "…"
	}
	return s
}
