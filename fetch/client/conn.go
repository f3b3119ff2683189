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
	keepIdle  = 90 * time.Second // idle time of a connection that can be checked before use
	keepOpen  = 20 * time.Second // of one that something must read: of HTTP/2
	keepBlind = 30 * time.Second // of one that cannot
	readerLen = 16 << 10
)

var errHeadTooLong = errors.New("a head without end")

// A place is the key of pooled connections: a host at one of its addresses, and the way there.
type place struct {
	host string
	addr netip.AddrPort
	way  *way
}

// A conn is one connection. It belongs to one exchange at a time, or to the pool. An HTTP/2 connection may be
// shared; the pool counts its exchanges.
type conn struct {
	net.Conn          // TCP, or TLS over TCP
	base     net.Conn // the lowest layer: closing it closes all
	peek     syscall.RawConn
	at       place
	proxied  bool // requests use the absolute form

	// HTTP/1.1. x is the exchange in progress.
	x        *exchange
	r        *bufio.Reader
	out      []byte // a request's head
	flawed   int    // lines of the last head that were left out or mended: it carries no other
	left     int    // bytes left for a response head; negative: the body is being read
	stall    time.Duration
	broken   error // the first network error of reading
	unwatch  func() bool
	canceled atomic.Bool
	one      [1]byte

	// HTTP/2.
	h2     *http2Conn
	frames *framed
	active int
	rest   *time.Timer // closes it when it was idle for long; nil: not idle

	// Fields of the pool.
	keep    time.Duration // longest idle time
	expires time.Time
	element *list.Element // nil: not idle
}

// readers pools the buffers of connections in use; idle connections have none.
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

// watch interrupts the connection's network calls when the exchange's context ends, until release.
func (k *conn) watch(x *exchange) {
	k.x, k.broken = x, nil
	if x.ctx.Done() != nil {
		k.unwatch = context.AfterFunc(x.ctx, func() {
			k.canceled.Store(true)
			k.base.SetDeadline(past())
		})
	}
}

// release ends watch. It reports whether the context left the connection untouched.
func (k *conn) release() bool {
	stop := k.unwatch
	k.x, k.unwatch = nil, nil
	return stop == nil || stop()
}

// past is a deadline in the past.
func past() time.Time { return time.Unix(1, 0) }

// until sets the deadline of the next calls. It sets it before it checks the context: either the check sees
// that the context ended, or watch sets its deadline after this one.
func (k *conn) until(deadline time.Time) error {
	k.Conn.SetDeadline(deadline)
	if k.canceled.Load() {
		return context.Canceled
	}
	return nil
}

// Read reads from the server, within the exchange's deadlines and the limit of a head.
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

// close closes the connection immediately, without a TLS close_notify, which might block.
func (k *conn) close() {
	k.base.Close()
	if k.h2 != nil {
		k.h2.Close()
	}
}
