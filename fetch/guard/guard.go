// Package guard decides which addresses a crawl may reach.
//
// A crawler follows links that strangers wrote: without a guard, any page could have it ask the machines behind the
// user's own firewall. The guard is asked with addresses, never with names, and so after every look-up and for every
// hop, at the moment before the connection is made: there is no spelling of a URL that gets around it.
//
// Refused is what the IANA registries of special-purpose addresses (RFC 6890) do not call globally reachable, what
// clouds answer their metadata at, and every IPv6 address that carries a refused IPv4 address to a translator or into
// a tunnel. Looking up names and connecting is not its business.
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
	networks []netip.Prefix // open; no IPv4-mapped ones among them
	refused  []kind
	global   netip.Prefix
}

// A kind is a network and what an address in it is.
type kind struct {
	network netip.Prefix
	is      string
}

// New returns a guard that refuses what is private, but for the networks given; all opens everything.
// A network opens the addresses in it and no others; one of IPv4 opens them in their IPv6 forms too,
// and one written in IPv4-mapped form is the same as its IPv4 form.
func New(all bool, networks []netip.Prefix) *Guard {
	g := &Guard{all: all, global: netip.MustParsePrefix("2000::/3"), refused: kinds()}
	for _, n := range networks {
		g.networks = append(g.networks, plainNetwork(n))
	}
	return g
}

// plainNetwork returns a network without bits of hosts; an IPv4-mapped one as IPv4.
func plainNetwork(n netip.Prefix) netip.Prefix {
	if n.Addr().Is4In6() && n.Bits() >= 96 {
		n = netip.PrefixFrom(n.Addr().Unmap(), n.Bits()-96)
	}
	return n.Masked()
}

// Check returns nil for an address that may be reached, and otherwise an error that wraps
// orbweaver.ErrPrivate and says what kind of address it is. A zone is ignored.
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

// open reports whether the user has opened a network that holds the address.
func (g *Guard) open(a netip.Addr) bool {
	return slices.ContainsFunc(g.networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

// Network is the network for whose sake an address is refused where none is opened: the one to open. ok is
// false for an address that anybody may reach.
func (g *Guard) Network(addr netip.Addr) (network netip.Prefix, ok bool) {
	plain := addr.WithZone("").Unmap()
	for _, k := range g.refused {
		if k.network.Contains(plain) {
			return k.network, true
		}
	}
	return netip.Prefix{}, false
}

// special returns what is special about an address that is not globally reachable, or "".
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
