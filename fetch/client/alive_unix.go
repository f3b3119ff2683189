//go:build unix

package client

import (
	"net"
	"syscall"
)

// peekable returns the raw connection that quiet needs; nil if there is none.
func peekable(c net.Conn) syscall.RawConn {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// quiet reports whether a connection is open and has nothing to read. It does not block. A connection that is
// not quiet may have lost a byte.
func quiet(raw syscall.RawConn) bool {
	silent := false
	err := raw.Read(func(fd uintptr) bool {
		var one [1]byte
		n, err := syscall.Read(int(fd), one[:])
		silent = n <= 0 && (err == syscall.EAGAIN || err == syscall.EWOULDBLOCK)
		return true
	})
	return err == nil && silent
}
