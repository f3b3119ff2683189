// Package wire is the transport of jobs that use the live Web other than by crawling: they request what
// the user named, such as an API, and refuse other private addresses. Failures are those of package
// client.
package wire

import (
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"orbweaver/fetch/client"
	"orbweaver/internal/manners"
	"orbweaver/weburl"
)

// Wire replaces the system's resolver and TCP. Tests use a Web in memory.
type Wire struct {
	Options client.Options    // Resolve, Dial, Roots
	Hosts   *manners.Registry // what crawls of another network share of its hosts; nil: nothing
}

// ours is the registry of all crawls of this process that use the system's network.
var ours = sync.OnceValue(manners.Ours)

// Registry returns where crawls share what they know of the hosts of a network; nil: they do not.
func (w Wire) Registry() *manners.Registry {
	if w.Hosts == nil && w.Options.Resolve == nil && w.Options.Dial == nil {
		return ours()
	}
	return w.Hosts
}

// NamedNetworks returns the private addresses that a URL names explicitly: the user intends to reach them.
func NamedNetworks(raw string) []netip.Prefix {
	at, err := weburl.Canonical(raw)
	if err != nil {
		return nil
	}
	host := strings.Trim(weburl.Hostname(at), "[]")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return nil
	}
	return []netip.Prefix{netip.PrefixFrom(addr, addr.BitLen())}
}

// NamedPorts returns the port that a URL names explicitly: the user intends to reach it, whatever protocol it belongs to.
func NamedPorts(raw string) []uint16 {
	at, err := weburl.Canonical(raw)
	if err != nil {
		return nil
	}
	host := weburl.Host(at)
	port, err := strconv.ParseUint(host[strings.LastIndexByte(host, ':')+1:], 10, 16)
	if err != nil {
		return nil
	}
	return []uint16{uint16(port)}
}

// Agent is the User-Agent of requests to services that the user named.
const Agent = "orbweaver"
