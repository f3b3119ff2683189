package client

import (
	"bufio"
	"container/list"
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	keepIdle  = 90 * time.Second // an idle connection that can be examined before it is used
	keepBlind = 30 * time.Second // one that cannot
	readerLen = 16 << 10
)

var errHeadTooLong = errors.New("a head without end")

// A place is what connections are kept for: a host at one of its addresses.
type place struct {
	host string
	addr netip.AddrPort
}

// A conn is one connection. It belongs to one exchange at a time, or to the pool; one of HTTP/2 may
// be shared, and the pool counts by how many.
type conn struct {
	net.Conn          // what is spoken over: TCP, or TLS over that
	base     net.Conn // lowest: closing it closes all
	peek     syscall.RawConn
	at       place
	proxied  bool // requests are put to a proxy in absolute form

	// HTTP/1.1. x is the exchange in progress.
	x        *exchange
	r        *bufio.Reader
	out      []byte // a request's head
	left     int    // bytes that an answer's head may still have; negative: its body is being read
	stall    time.Duration
	broken   error // what reading from the network came to
	unwatch  func() bool
	canceled atomic.Bool
	one      [1]byte

	// HTTP/2.
	h2     *http2Conn
	active int

	// In the pool.
	keep    time.Duration // how long it may be idle
	expires time.Time
	element *list.Element // nil: not idle
}

// readers keeps buffers for connections in use: an idle one needs none.
type readers struct{ pool sync.Pool }

func (p *readers) take(k *conn) *bufio.Reader {
	if r, ok := p.pool.Get().(*bufio.Reader); ok {
		r.Reset(k)
		return r
	}
	return bufio.NewReaderSize(k, readerLen)
}

func (p *readers) give(r *bufio.Reader) {
	r.Reset(nil)
	p.pool.Put(r)
}

// watch has the end of the exchange's context break off what the connection waits for, until
// release.
func (k *conn) watch(x *exchange) {
	k.x, k.broken = x, nil
	if x.ctx.Done() != nil {
		k.unwatch = context.AfterFunc(x.ctx, func() {
			k.canceled.Store(true)
			k.base.SetDeadline(past())
		})
	}
}

// release ends watch. It reports whether the connection is as it was before.
func (k *conn) release() bool {
	stop := k.unwatch
	k.x, k.unwatch = nil, nil
	return stop == nil || stop()
}

// past is a deadline that is over.
func past() time.Time { return time.Unix(1, 0) }

// until sets the deadline of what follows. Its order against watch matters: either the context's end
// is seen here, or its deadline comes after this one.
func (k *conn) until(deadline time.Time) error {
	k.Conn.SetDeadline(deadline)
	if k.canceled.Load() {
		return context.Canceled
	}
	return nil
}

// Read reads what the server sends, within the deadlines of the exchange and the limit of a head.
func (k *conn) Read(p []byte) (int, error) {
	if k.left == 0 {
		return 0, errHeadTooLong
	}
	if k.left > 0 {
		p = p[:min(len(p), k.left)]
	} else if err := k.untilStalled(); err != nil {
		k.broken = err
		return 0, err
	}
	n, err := k.Conn.Read(p)
	if k.left > 0 {
		k.left -= n
		if n > 0 {
			k.x.marks.got()
		}
	}
	if err != nil {
		k.broken = err
	}
	return n, err
}

// untilStalled sets the deadline of one read of a body.
func (k *conn) untilStalled() error {
	deadline := time.Now().Add(k.stall)
	if deadline.After(k.x.whole) {
		deadline = k.x.whole
	}
	k.Conn.SetReadDeadline(deadline)
	if k.canceled.Load() {
		return context.Canceled
	}
	return nil
}

// alive reports whether an idle connection can be used: the server has not closed it, nor sent unsolicited data.
func (k *conn) alive() bool {
	if k.Conn != k.base || k.peek == nil {
		k.Conn.SetReadDeadline(past())
		if n, err := k.Conn.Read(k.one[:]); n > 0 || !timedOut(err) {
			return false
		}
	}
	if k.peek == nil {
		return true
	}
	k.base.SetReadDeadline(time.Time{})
	return quiet(k.peek)
}

// close closes the connection at once: a farewell would have to wait for the server.
func (k *conn) close() {
	k.base.Close()
	if k.h2 != nil {
		k.h2.Close()
	}
}
