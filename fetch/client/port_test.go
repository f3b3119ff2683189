package client_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
)

// TestBadPort: nothing is dialed at a port of another protocol, even at an open address.
func TestBadPort(t *testing.T) {
	dialed := 0
	c := client.New(client.Options{
		Guard: guard.New(true, nil, 6000),
		Dial: func(context.Context, netip.AddrPort) (net.Conn, error) {
			dialed++
			return nil, errors.New("dialed")
		},
	})
	defer c.Close()
	for _, url := range []string{"http://127.0.0.1:25/", "https://127.0.0.1:22/", "http://[::1]:6667/", "http://127.0.0.1:0/"} {
		_, err := c.Fetch(t.Context(), orbweaver.Request{URL: url})
		if !errors.Is(err, orbweaver.ErrBadURL) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if dialed > 0 {
		t.Errorf("dialed %d times", dialed)
	}
	if _, err := c.Fetch(t.Context(), orbweaver.Request{URL: "http://127.0.0.1:6000/"}); errors.Is(err, orbweaver.ErrBadURL) || dialed != 1 {
		t.Errorf("an opened port: %v, dialed %d times", err, dialed)
	}
}
