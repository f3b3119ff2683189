//go:build !unix

package client

import (
	"net"
	"syscall"
)

// peekable returns nil: this platform cannot examine idle connections.
func peekable(net.Conn) syscall.RawConn { return nil }

// quiet is never called on this platform.
func quiet(syscall.RawConn) bool { return true }
