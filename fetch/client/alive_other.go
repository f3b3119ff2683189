//go:build !unix

package client

import (
	"net"
	"syscall"
)

// peekable returns nil: connections cannot be examined here.
func peekable(net.Conn) syscall.RawConn { return nil }

// quiet is never asked.
func quiet(syscall.RawConn) bool { return true }
