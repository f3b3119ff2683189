package guard

import "net/netip"

// translated is the NAT64 prefix (RFC 6052). Its addresses are treated as the IPv4 addresses that they carry.
const translated = "64:ff9b::/96"

// kinds returns the refused networks, single addresses before the networks that contain them: the first that
// contains an address describes it.
func kinds() []kind {
	table := []struct{ network, is string }{
		// cloud metadata services expose secrets
		{"169.254.169.254/32", "a cloud's metadata address"},
		{"169.254.170.2/32", "a cloud's metadata address"},
		{"100.100.100.200/32", "a cloud's metadata address"},
		{"168.63.129.16/32", "a cloud's metadata address"},
		{"192.0.0.192/32", "a cloud's metadata address"},
		{"fd00:ec2::254/128", "a cloud's metadata address"},
		{"fd20:ce::254/128", "a cloud's metadata address"},

		{"0.0.0.0/32", "the unspecified address"},
		{"0.0.0.0/8", "an address of this network"},
		{"10.0.0.0/8", "a private address"},
		{"100.64.0.0/10", "a shared address of a carrier"},
		{"127.0.0.0/8", "a loopback address"},
		{"169.254.0.0/16", "a link-local address"},
		{"172.16.0.0/12", "a private address"},
		{"192.0.0.0/24", "an address for protocols"},
		{"192.0.2.0/24", "a documentation address"},
		{"192.88.99.0/24", "a relay's address"},
		{"192.168.0.0/16", "a private address"},
		{"198.18.0.0/15", "a benchmarking address"},
		{"198.51.100.0/24", "a documentation address"},
		{"203.0.113.0/24", "a documentation address"},
		{"224.0.0.0/4", "a multicast address"},
		{"255.255.255.255/32", "the broadcast address"},
		{"240.0.0.0/4", "a reserved address"},

		{"::/128", "the unspecified address"},
		{"::1/128", "a loopback address"},
		{"64:ff9b:1::/48", "a translator's own address"},
		{"100::/64", "a discard address"},
		{"2001:2::/48", "a benchmarking address"},
		{"2001:10::/28", "an identifier, no address"},
		{"2001:20::/28", "an identifier, no address"},
		{"2001:db8::/32", "a documentation address"},
		{"3fff::/20", "a documentation address"},
		{"fc00::/7", "a private address"},
		{"fe80::/10", "a link-local address"},
		{"fec0::/10", "a site-local address"},
		{"ff00::/8", "a multicast address"},
	}
	compiled := make([]kind, len(table))
	for i, row := range table {
		compiled[i] = kind{netip.MustParsePrefix(row.network), row.is}
	}
	return compiled
}

// carried returns the IPv4 addresses to which an IPv6 address leads, through a translator or a tunnel.
func carried(a netip.Addr) []netip.Addr {
	if !a.Is6() {
		return nil
	}
	b := a.As16()
	last := netip.AddrFrom4([4]byte(b[12:16]))
	switch {
	case within(a, translated), // NAT64, RFC 6052
		within(a, "64:ff9b:1::/48"),     // local-use NAT64, RFC 8215
		within(a, "::ffff:0:0:0/96"),    // stateless translation, RFC 2765
		within(a, "::/96") && b[12] > 0: // IPv4-compatible, RFC 4291; :: and ::1 are not
		return []netip.Addr{last}
	case within(a, "2002::/16"): // 6to4, RFC 3056
		return []netip.Addr{netip.AddrFrom4([4]byte(b[2:6]))}
	case within(a, "2001::/32"): // Teredo, RFC 4380: the server, and the client with inverted bits
		client := [4]byte{^b[12], ^b[13], ^b[14], ^b[15]}
		return []netip.Addr{netip.AddrFrom4([4]byte(b[4:8])), netip.AddrFrom4(client)}
	case b[8]&^0x02 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP, RFC 5214
		return []netip.Addr{last}
	}
	return nil
}

func within(a netip.Addr, network string) bool {
	return netip.MustParsePrefix(network).Contains(a)
}
