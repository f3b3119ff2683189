// Package guard decides which addresses a crawl may reach.
//
// A crawler follows links that strangers wrote: without a guard, any page could make it contact machines behind
// the user's firewall. The guard checks addresses, never names, after every lookup and for every hop, directly
// before the connection is made: no spelling of a URL bypasses it.
//
// It refuses the addresses that the IANA registries of special-purpose addresses (RFC 6890) do not call
// globally reachable, the metadata services of clouds, and every IPv6 address that carries a refused IPv4
// address through a translator or a tunnel. It refuses ports of other protocols, whose servers may take a request for
// commands. It does not resolve names or connect.
//
// This package is not part of the stable API.
package guard

import (
	"fmt"
	"net/netip"
	"slices"

	"orbweaver"
)

// A Guard knows which addresses are refused. It is immutable and safe for concurrent use.
type Guard struct {
	all      bool
	networks []netip.Prefix // open; without IPv4-mapped ones
	refused  []kind
	global   netip.Prefix
	ports    []uint16 // open
}

// A kind is a network and the description of its addresses.
type kind struct {
	network netip.Prefix
	is      string
}

// New returns a guard that refuses private addresses except those of the given networks; all permits
// every address. ports are permitted beside those of the Web. A network permits only the addresses in it; one of
// IPv4 permits their IPv6 forms too, and one in IPv4-mapped form equals its IPv4 form.
func New(all bool, networks []netip.Prefix, ports ...uint16) *Guard {
	g := &Guard{all: all, ports: ports, global: netip.MustParsePrefix("2000::/3"), refused: kinds()}
	for _, n := range networks {
		g.networks = append(g.networks, plainNetwork(n))
	}
	return g
}

// plainNetwork returns a network without host bits; an IPv4-mapped one as IPv4.
func plainNetwork(n netip.Prefix) netip.Prefix {
	if n.Addr().Is4In6() && n.Bits() >= 96 {
		n = netip.PrefixFrom(n.Addr().Unmap(), n.Bits()-96)
	}
	return n.Masked()
}

// Check returns nil for a permitted address, and otherwise an error that wraps orbweaver.ErrPrivate and names
// the kind of address. It ignores a zone.
func (g *Guard) Check(addr netip.Addr) error {
	plain := addr.WithZone("").Unmap()
	switch {
	case !plain.IsValid():
		return fmt.Errorf("no address at all: %w", orbweaver.ErrPrivate)
	case g.all || g.open(plain):
		return nil
	}
	inner := carried(plain)
	for _, a := range inner {
		if is := g.special(a); is != "" && !g.open(a) {
			return fmt.Errorf("%s carries %s, which is %s: %w", addr, a, is, orbweaver.ErrPrivate)
		}
	}
	if slices.ContainsFunc(inner, g.open) {
		return nil
	}
	if is := g.special(plain); is != "" {
		return fmt.Errorf("%s is %s: %w", addr, is, orbweaver.ErrPrivate)
	}
	return nil
}

// open reports whether the user has opened a network with the address.
func (g *Guard) open(a netip.Addr) bool {
	return slices.ContainsFunc(g.networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

// Network is the special-purpose network of a refused address: the one to open. ok is false for a globally
// reachable address.
func (g *Guard) Network(addr netip.Addr) (network netip.Prefix, ok bool) {
	plain := addr.WithZone("").Unmap()
	for _, k := range g.refused {
		if k.network.Contains(plain) {
			return k.network, true
		}
	}
	return netip.Prefix{}, false
}

// special describes an address that is not globally reachable; "" for others.
func (g *Guard) special(a netip.Addr) string {
	for _, k := range g.refused {
		if k.network.Contains(a) {
			return k.is
		}
	}
	if a.Is6() && !g.global.Contains(a) && !within(a, translated) {
		return "a reserved address"
	}
	return ""
}
