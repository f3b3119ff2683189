package client_test

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/weburl"
)

// A trap is a server on this machine that nobody may reach.
func trap(t *testing.T) (port string, reached *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback network: ", err)
	}
	reached = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close() })
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port, reached
}

// TestNoTrickReachesThisMachine: whatever a URL is spelt like, wherever a name leads, nothing connects
// to the server that listens here. Each trick is a link as a page may have it; dialing is real.
func TestNoTrickReachesThisMachine(t *testing.T) {
	port, reached := trap(t)
	names := newNet(nil)
	for name, addrs := range map[string][]string{
		"localhost": {"127.0.0.1", "::1"}, "localhost.": {"::1"}, "private.test": {"127.0.0.1"},
		"mapped.test": {"::ffff:127.0.0.1"}, "six.test": {"::1"}, "nat64.test": {"64:ff9b::7f00:1"},
		"zero.test": {"0.0.0.0"}, "teredo.test": {"2001:0:808:808::80ff:fffe"}, "many.test": {"10.0.0.1", "127.0.0.1", "::1"},
		"127.0.0.1.nip.test": {"127.0.0.1"}, "metadata.google.internal": {"169.254.169.254"},
	} {
		names.names[name] = addrs
	}
	c := client.New(client.Options{Resolve: names.resolve})
	defer c.Close()
	for _, host := range []string{
		"127.0.0.1", "2130706433", "0x7f000001", "0x7F.1", "017700000001", "0177.0.0.1", "127.1", "127.0.1",
		"127.0.0.1.", "127.00.00.01", "%31%32%37.0.0.1", "１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1",
		"0.0.0.0", "0", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
		"[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:808:808::80ff:fffe]",
		"[::ffff:10.0.0.1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[fd00:ec2::254]", "[fe80::1]",
		"user:password@127.0.0.1", "a.test@127.0.0.1", "localhost", "LOCALHOST", "localhost.", "private.test",
		"mapped.test", "six.test", "nat64.test", "zero.test", "teredo.test", "many.test", "127.0.0.1.nip.test",
		"metadata.google.internal",
	} {
		for _, scheme := range []string{"http", "https"} {
			canonical, err := weburl.Bare(scheme + "://" + host + ":" + port + "/")
			if err != nil {
				t.Errorf("%s: %v", host, err)
				continue
			}
			_, err = c.Fetch(t.Context(), orbweaver.Request{URL: canonical})
			if got := orbweaver.FailureOf(err); got != orbweaver.ErrPrivate {
				t.Errorf("%s (%s): %v", host, canonical, err)
			}
			if _, err := c.Locate(t.Context(), weburl.Host(canonical)); orbweaver.FailureOf(err) != orbweaver.ErrPrivate {
				t.Errorf("locate %s: %v", canonical, err)
			}
		}
	}
	if reached.Load() != 0 {
		t.Errorf("the server was reached %d times", reached.Load())
	}
}

// TestSpellingsThatAreNotCanonical: they are refused, or no host, even if nobody made them canonical.
func TestSpellingsThatAreNotCanonical(t *testing.T) {
	port, reached := trap(t)
	c := client.New(client.Options{Resolve: newNet(nil).resolve})
	for _, host := range []string{"2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::1%25lo]", "[::ffff:127.0.0.1]", "127.0.0.1."} {
		_, err := c.Fetch(t.Context(), orbweaver.Request{URL: "http://" + host + ":" + port + "/"})
		switch got := orbweaver.FailureOf(err); got {
		case orbweaver.ErrPrivate, orbweaver.ErrNoHost, orbweaver.ErrBadURL:
		default:
			t.Errorf("%s: %v", host, err)
		}
	}
	if reached.Load() != 0 {
		t.Errorf("the server was reached %d times", reached.Load())
	}
}

// TestARedirectIsNotFollowed: the hop to a private address is a request of its own, and refused.
func TestARedirectIsNotFollowed(t *testing.T) {
	port, reached := trap(t)
	target := "http://127.0.0.1:" + port + "/"
	n := newNet(answering("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "+target+"\r\n\r\n", true))
	c := n.client(client.Options{Dial: inMemoryOr(n)})
	defer c.Close()
	resp, _, err := get(c, "http://a.test/")
	if err != nil || resp.Redirect != target || resp.Status != 302 {
		t.Fatalf("%+v, %v", resp, err)
	}
	_, _, err = get(c, resp.Redirect)
	wantFailure(t, err, orbweaver.ErrPrivate)
	if reached.Load() != 0 {
		t.Error("the server was reached")
	}
}

// inMemoryOr dials public addresses in memory, and all others really.
func inMemoryOr(n *fakeNet) func(context.Context, netip.AddrPort) (net.Conn, error) {
	return func(ctx context.Context, addr netip.AddrPort) (net.Conn, error) {
		if addr.Addr().String() == public {
			return n.dial(ctx, addr)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", addr.String())
	}
}

// TestANameThatChanges: what is asked is the address that was checked, however often the name changes
// its mind, and also when it had a good one before.
func TestANameThatChanges(t *testing.T) {
	port, reached := trap(t)
	lookups := 0
	n := newNet(answering("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", true))
	resolve := func(context.Context, string) ([]netip.Addr, error) {
		lookups++
		if lookups%2 == 1 {
			return []netip.Addr{netip.MustParseAddr(public)}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	for range 3 { // clients forget
		c := n.client(client.Options{Resolve: resolve, Dial: inMemoryOr(n)})
		for range 3 {
			_, _, err := get(c, "http://changing.test:"+port+"/")
			if lookups%2 == 1 && err != nil {
				t.Error(err)
			}
			if lookups%2 == 0 {
				wantFailure(t, err, orbweaver.ErrPrivate)
			}
		}
		c.Close()
	}
	if reached.Load() != 0 || lookups < 3 {
		t.Errorf("reached %d times, %d look-ups", reached.Load(), lookups)
	}
}

func TestAProxyDoesNotOpenThisMachine(t *testing.T) {
	port, reached := trap(t)
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:"+port)
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:"+port)
	n := newNet(answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true))
	env := n.client(client.Options{Dial: inMemoryOr(n)})
	defer env.Close()
	if _, _, err := get(env, "http://a.test/"); err != nil {
		t.Error(err)
	}
	via := n.client(client.Options{Proxy: &url.URL{Scheme: "http", Host: public + ":3128"}, Dial: inMemoryOr(n)})
	defer via.Close()
	_, _, err := get(via, "http://127.0.0.1:"+port+"/")
	wantFailure(t, err, orbweaver.ErrPrivate)
	if reached.Load() != 0 {
		t.Error("the server was reached")
	}
}

// TestAllowedNetworks: what the user opens can be reached, and nothing beside it.
func TestAllowedNetworks(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback network: ", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go server.Serve(l)
	defer server.Close()
	c := client.New(client.Options{Guard: guard.New(false, []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")})})
	defer c.Close()
	_, port, _ := strings.Cut(l.Addr().String(), ":")
	for host, want := range map[string]orbweaver.Failure{
		"127.0.0.1": "", "[::ffff:7f00:1]": "", "127.0.0.2": orbweaver.ErrPrivate, "[::1]": orbweaver.ErrPrivate, "0.0.0.0": orbweaver.ErrPrivate,
	} {
		_, _, err := get(c, "http://"+host+":"+port+"/")
		wantFailure(t, err, want)
	}
}
