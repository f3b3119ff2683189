package guard_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/guard"
)

func TestCheck(t *testing.T) {
	g := guard.New(false, nil)
	for _, tc := range []struct{ addr, is string }{ // is: of the refusal; empty: may be reached
		{"0.0.0.0", "unspecified"},
		{"0.1.2.3", "this network"},
		{"10.0.0.1", "private"},
		{"9.255.255.255", ""},
		{"11.0.0.0", ""},
		{"100.63.255.255", ""},
		{"100.64.0.1", "carrier"},
		{"100.100.100.200", "metadata"},
		{"100.128.0.0", ""},
		{"127.0.0.1", "loopback"},
		{"127.255.255.254", "loopback"},
		{"128.0.0.1", ""},
		{"168.63.129.16", "metadata"},
		{"168.63.129.17", ""},
		{"169.254.1.1", "link-local"},
		{"169.254.169.254", "metadata"},
		{"172.15.255.255", ""},
		{"172.16.0.1", "private"},
		{"172.31.255.255", "private"},
		{"172.32.0.0", ""},
		{"192.0.0.8", "protocols"},
		{"192.0.0.192", "metadata"},
		{"192.0.2.1", "documentation"},
		{"192.168.255.255", "private"},
		{"192.169.0.0", ""},
		{"198.18.0.1", "benchmarking"},
		{"198.19.255.255", "benchmarking"},
		{"198.20.0.0", ""},
		{"198.51.100.7", "documentation"},
		{"203.0.113.9", "documentation"},
		{"223.255.255.255", ""},
		{"224.0.0.1", "multicast"},
		{"239.255.255.255", "multicast"},
		{"240.0.0.1", "reserved"},
		{"255.255.255.255", "broadcast"},
		{"8.8.8.8", ""},

		{"::", "unspecified"},
		{"::1", "loopback"},
		{"::ffff:127.0.0.1", "loopback"},
		{"::ffff:10.0.0.1", "private"},
		{"::ffff:8.8.8.8", ""},
		{"::127.0.0.1", "carries 127.0.0.1"},
		{"::ffff:0:10.0.0.1", "carries 10.0.0.1"},
		{"64:ff9b::127.0.0.1", "carries 127.0.0.1"},
		{"64:ff9b::a9fe:a9fe", "metadata"},
		{"64:ff9b::8.8.8.8", ""},
		{"64:ff9b:1::10.0.0.1", "carries 10.0.0.1"},
		{"64:ff9b:1:a00:0:100::8", "carries 0.0.0.8"},
		{"64:ff9b:1::8.8.8.8", "translator"},
		{"2002:7f00:1::", "carries 127.0.0.1"},
		{"2002:808:808::1", ""},
		{"2001:0:a00:1::f7f7:f7f7", "carries 10.0.0.1"},
		{"2001:0:808:808::80ff:fffe", "carries 127.0.0.1"},
		{"2001:0:808:808::f7f7:f7f7", ""},
		{"2606:4700::5efe:10.0.0.1", "carries 10.0.0.1"},
		{"2606:4700::200:5efe:192.168.0.1", "carries 192.168.0.1"},
		{"100::1", "discard"},
		{"2001:db8::1", "documentation"},
		{"2001:2::1", "benchmarking"},
		{"3fff::1", "documentation"},
		{"4000::1", "reserved"},
		{"fc00::1", "private"},
		{"fd00:ec2::254", "metadata"},
		{"fd12:3456::1", "private"},
		{"fe80::1", "link-local"},
		{"fe80::1%eth0", "link-local"},
		{"fec0::1", "site-local"},
		{"ff02::1", "multicast"},
		{"2606:4700:4700::1111", ""},
	} {
		err := g.Check(netip.MustParseAddr(tc.addr))
		switch {
		case tc.is == "" && err != nil:
			t.Errorf("%s is refused: %v", tc.addr, err)
		case tc.is != "" && (!errors.Is(err, orbweaver.ErrPrivate) || !strings.Contains(err.Error(), tc.is)):
			t.Errorf("%s: %v, want %q", tc.addr, err, tc.is)
		}
	}
	if err := g.Check(netip.Addr{}); !errors.Is(err, orbweaver.ErrPrivate) {
		t.Errorf("no address: %v", err)
	}
}

func TestNetworksOpenThemselvesAlone(t *testing.T) {
	for _, tc := range []struct {
		network, addr string
		open          bool
	}{
		{"10.1.0.0/16", "10.1.2.3", true},
		{"10.1.0.0/16", "10.2.0.1", false},
		{"10.1.0.0/16", "127.0.0.1", false},
		{"10.1.0.0/16", "::ffff:10.1.0.1", true},
		{"10.1.0.0/16", "64:ff9b::10.1.0.1", true},
		{"10.1.0.0/16", "64:ff9b::10.2.0.1", false},
		{"10.1.0.0/16", "64:ff9b:1::10.1.0.1", true},
		{"10.1.0.0/16", "::10.1.0.1", true},
		{"10.1.2.3/16", "10.1.9.9", true},
		{"::ffff:10.1.0.0/112", "10.1.2.3", true},
		{"::ffff:10.1.0.0/112", "10.2.2.3", false},
		{"127.0.0.1/32", "127.0.0.1", true},
		{"127.0.0.1/32", "127.0.0.2", false},
		{"127.0.0.1/32", "::1", false},
		{"::1/128", "::1", true},
		{"fd00:1::/32", "fd00:1::1", true},
		{"fd00:1::/32", "fd00:2::1", false},
		{"fe80::/64", "fe80::1%eth0", true},
		{"169.254.169.254/32", "169.254.169.254", true},
	} {
		g := guard.New(false, []netip.Prefix{netip.MustParsePrefix(tc.network)})
		if err := g.Check(netip.MustParseAddr(tc.addr)); (err == nil) != tc.open {
			t.Errorf("%s with %s: %v, want open %v", tc.addr, tc.network, err, tc.open)
		}
	}
}

// TestNetwork: the network to open for an address that is refused.
func TestNetwork(t *testing.T) {
	g := guard.New(false, nil)
	for addr, want := range map[string]string{
		"127.0.0.1": "127.0.0.0/8", "10.1.2.3": "10.0.0.0/8", "192.168.7.7": "192.168.0.0/16", "::ffff:172.16.1.1": "172.16.0.0/12",
		"fd00::7": "fc00::/7", "169.254.169.254": "169.254.169.254/32", "8.8.8.8": "", "2606:4700::1": "",
	} {
		network, ok := g.Network(netip.MustParseAddr(addr))
		if ok != (want != "") || ok && network.String() != want {
			t.Errorf("%s: %v, %v; want %q", addr, network, ok, want)
		}
		if ok && guard.New(false, []netip.Prefix{network}).Check(netip.MustParseAddr(addr)) != nil {
			t.Errorf("%s: %v does not open it", addr, network)
		}
	}
}

func TestAllOpensEverything(t *testing.T) {
	g := guard.New(true, nil)
	for _, addr := range []string{"127.0.0.1", "10.0.0.1", "::1", "169.254.169.254", "fe80::1%eth0", "8.8.8.8"} {
		if err := g.Check(netip.MustParseAddr(addr)); err != nil {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// FuzzCheck: an IPv4 address and its mapped form are one; no bytes make the guard panic.
func FuzzCheck(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte("0123456789abcdef"))
	g := guard.New(false, nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		err := g.Check(addr)
		if addr.Is4() {
			mapped := netip.AddrFrom16(addr.As16())
			if (g.Check(mapped) == nil) != (err == nil) {
				t.Errorf("%s: %v, but mapped: %v", addr, err, g.Check(mapped))
			}
		}
		if err == nil && (addr.IsLoopback() || addr.IsPrivate() || addr.IsMulticast() || addr.IsUnspecified()) {
			t.Errorf("%s may be reached", addr)
		}
	})
}
