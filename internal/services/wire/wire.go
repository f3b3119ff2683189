// Package wire is how jobs reach the live Web other than by crawling: what the user named, such as an
// API, is asked over it, and nothing private that was not named. Failures are those of package client.
package wire

import (
	"net/netip"
	"strings"

	"orbweaver/fetch/client"
	"orbweaver/weburl"
)

// A Wire is how the live Web is reached where it is not by the system's resolver and TCP: a web in
// memory, for tests.
type Wire struct {
	Options client.Options // Resolve, Dial, Roots
}

// NamedNetworks are the private addresses that a URL names by itself: the user knows of them.
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

// Agent is the name by which services are asked that the user named.
const Agent = "orbweaver"
