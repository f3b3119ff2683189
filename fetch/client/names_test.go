package client_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
)

func TestLocate(t *testing.T) {
	n := newNet(nil)
	n.names["six.test"] = []string{"2606:4700::1"}
	n.names["both.test"] = []string{"2606:4700::1", "9.9.9.9", "8.8.8.8"}
	n.names["mapped.test"] = []string{"::ffff:9.9.9.9"}
	n.names["partly.test"] = []string{"127.0.0.1", "10.0.0.1", "2606:4700::1"}
	n.names["private.test"] = []string{"127.0.0.1", "::1"}
	n.names["empty.test"] = nil
	c := n.client(client.Options{})
	for _, tc := range []struct {
		host, want string
		failure    orbweaver.Failure
	}{
		{"http://a.test", public + ":80", ""},
		{"https://a.test", public + ":443", ""},
		{"http://a.test:8080", public + ":8080", ""},
		{"http://six.test", "[2606:4700::1]:80", ""},
		{"http://both.test", "9.9.9.9:80", ""},
		{"http://mapped.test", "9.9.9.9:80", ""},
		{"http://partly.test", "[2606:4700::1]:80", ""},
		{"http://1.1.1.1:81", "1.1.1.1:81", ""},
		{"http://[2606:4700::2]", "[2606:4700::2]:80", ""},
		{"http://[::ffff:909:909]", "9.9.9.9:80", ""},
		{"http://private.test", "", orbweaver.ErrPrivate},
		{"http://127.0.0.1", "", orbweaver.ErrPrivate},
		{"http://empty.test", "", orbweaver.ErrNoHost},
		{"http://none.test", "", orbweaver.ErrNoHost},
		{"none.test", "", orbweaver.ErrBadURL},
	} {
		got, err := c.Locate(t.Context(), tc.host)
		wantFailure(t, err, tc.failure)
		if got != tc.want {
			t.Errorf("%s: %s, want %s", tc.host, got, tc.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "locate "+tc.host+": ") {
			t.Errorf("%v does not name %s", err, tc.host)
		}
	}
}

func TestNamesAreKeptForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNet(nil)
		c := n.client(client.Options{})
		var asked []int
		ask := func(host string) {
			c.Locate(t.Context(), "http://"+host)
			c.Locate(t.Context(), "https://"+host+":8443")
			asked = append(asked, n.lookups[host])
		}
		for _, after := range []time.Duration{0, 5*time.Minute - 1, 1} {
			in(after)
			ask("a.test")
		}
		for _, after := range []time.Duration{0, 30*time.Second - 1, 1} {
			in(after)
			ask("none.test")
		}
		for i, want := range []int{1, 1, 2, 1, 1, 2} {
			if asked[i] != want {
				t.Errorf("look-ups %v, want 1 1 2 1 1 2", asked)
				break
			}
		}
	})
}

func TestOtherFailuresAreNotKept(t *testing.T) {
	trouble := error(&net.DNSError{Err: "server misbehaving", Name: "a.test", IsTemporary: true})
	asked := 0
	c := client.New(client.Options{Resolve: func(context.Context, string) ([]netip.Addr, error) {
		asked++
		return nil, trouble
	}})
	for range 2 {
		_, err := c.Locate(t.Context(), "http://a.test")
		wantFailure(t, err, orbweaver.ErrLookup)
	}
	trouble = &net.DNSError{Err: "i/o timeout", IsTimeout: true}
	_, err := c.Locate(t.Context(), "http://a.test")
	wantFailure(t, err, orbweaver.ErrTimeout)
	if asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Locate(ctx, "http://a.test"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTheNextAddressAfterAFailure(t *testing.T) {
	n := newNet(answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false))
	n.names["a.test"] = []string{"2606:4700::1", "8.8.8.8", "9.9.9.9"}
	n.refuse["8.8.8.8"] = true
	c := n.client(client.Options{})
	defer c.Close()
	locate := func(host, want string) {
		t.Helper()
		if got, err := c.Locate(t.Context(), host); got != want {
			t.Errorf("%s: %s, %v; want %s", host, got, err, want)
		}
	}
	locate("http://a.test", "8.8.8.8:80")
	_, _, err := get(c, "http://a.test/")
	wantFailure(t, err, orbweaver.ErrConnect)
	locate("http://a.test", "9.9.9.9:80")
	locate("http://a.test:81", "8.8.8.8:81") // another host: it was not asked
	if _, _, err := get(c, "http://a.test/"); err != nil {
		t.Error(err)
	}
	locate("http://a.test", "9.9.9.9:80")
	n.refuse["9.9.9.9"], n.refuse["2606:4700::1"] = true, true
	c.Close()
	for _, want := range []string{"[2606:4700::1]:80", "8.8.8.8:80", "9.9.9.9:80"} {
		_, _, err := get(c, "http://a.test/")
		wantFailure(t, err, orbweaver.ErrConnect)
		locate("http://a.test", want)
	}
	if got, want := strings.Join(n.dialed, " "), "8.8.8.8:80 9.9.9.9:80 9.9.9.9:80 [2606:4700::1]:80 8.8.8.8:80"; got != want {
		t.Errorf("dialed %s, want %s", got, want)
	}
}
