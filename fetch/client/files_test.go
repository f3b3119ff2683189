package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestTooManyFiles: a dial or look-up that fails for lack of files is tried again as long as its phase lasts, after idle
// connections are closed. Other failures are not.
func TestTooManyFiles(t *testing.T) {
	tooMany := &net.OpError{Op: "dial", Err: fmt.Errorf("socket: %w", syscall.EMFILE)}
	for _, tc := range []struct {
		name     string
		failures int
		err      error
		dials    int // at least
		fails    bool
	}{
		{"some time", 5, tooMany, 6, false},
		{"for ever", 1 << 30, tooMany, 10, true},
		{"refused", 1 << 30, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, 1, true},
		{"a resolver's words", 3, errors.New("dial udp: socket: too many open files"), 4, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dials := 0
				c := New(Options{Timeout: 30 * time.Second})
				idle, _ := net.Pipe()
				k := &conn{Conn: idle, base: idle, at: place{addr: netip.MustParseAddrPort("127.0.0.1:80")}, keep: time.Hour}
				c.pool.put(k)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				err := c.patiently(ctx, func() error {
					if dials++; dials <= tc.failures {
						return tc.err
					}
					return nil
				})
				if (err != nil) != tc.fails || dials < tc.dials || dials > 40 {
					t.Errorf("%d dials: %v", dials, err)
				}
				if shed := c.pool.order.Len() == 0; shed != (tc.name != "refused") {
					t.Errorf("idle connections closed: %t", shed)
				}
				c.pool.close()
			})
		})
	}
}
