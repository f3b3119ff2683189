package fetchtest

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// window is how many bytes may be on the way in one direction before a writer waits.
const window = 64 << 10

// A conn is one end of a connection in memory. Unlike net.Pipe it buffers what was written and delivers it
// after a latency. It waits only on channels and timers, which are durable blocks for testing/synctest.
type conn struct {
	in, out       *half
	local, remote net.Addr
}

// newConns returns the two ends of a connection with a latency in each direction.
func newConns(client, server net.Addr, latency time.Duration) (*conn, *conn) {
	up, down := &half{latency: latency}, &half{latency: latency}
	return &conn{in: down, out: up, local: client, remote: server},
		&conn{in: up, out: down, local: server, remote: client}
}

// Read returns arrived bytes: io.EOF after the other end was closed, net.ErrClosed after this one was,
// os.ErrDeadlineExceeded after the deadline.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.in.read(p)
	return n, c.named("read", err)
}

// Write takes all of p, waiting while the window is full. It fails with net.ErrClosed, EPIPE when the
// other end was closed, or os.ErrDeadlineExceeded.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.out.write(p)
	return n, c.named("write", err)
}

// named wraps an error as the connections of package net do, except io.EOF.
func (c *conn) named(op string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}

func (c *conn) Close() error {
	c.out.end()
	c.in.leave()
	return nil
}

func (c *conn) LocalAddr() net.Addr  { return c.local }
func (c *conn) RemoteAddr() net.Addr { return c.remote }

func (c *conn) SetDeadline(t time.Time) error {
	c.in.limit(&c.in.readBy, t)
	c.out.limit(&c.out.writeBy, t)
	return nil
}

func (c *conn) SetReadDeadline(t time.Time) error {
	c.in.limit(&c.in.readBy, t)
	return nil
}

func (c *conn) SetWriteDeadline(t time.Time) error {
	c.out.limit(&c.out.writeBy, t)
	return nil
}

// A half is one direction of a connection.
type half struct {
	latency time.Duration

	mu              sync.Mutex
	parts           []part // on the way or arrived, oldest first
	size            int    // bytes of parts
	ended           bool   // the writer closed
	endsAt          time.Time
	left            bool // the reader closed
	readBy, writeBy time.Time
	changed         chan struct{} // closed when anything above changes; nil without waiters
}

// A part is what one write sent.
type part struct {
	bytes []byte
	at    time.Time // of arrival
}

func (h *half) read(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		now := time.Now()
		switch {
		case h.left:
			return 0, net.ErrClosed
		case passed(h.readBy, now):
			return 0, os.ErrDeadlineExceeded
		case len(p) == 0:
			return 0, nil
		case len(h.parts) > 0 && !h.parts[0].at.After(now):
			return h.take(p, now), nil
		case len(h.parts) == 0 && h.ended && !h.endsAt.After(now):
			return 0, io.EOF
		}
		h.wait(earlier(h.readBy, h.arrival()))
	}
}

// take copies the bytes that have arrived by now.
func (h *half) take(p []byte, now time.Time) (n int) {
	for n < len(p) && len(h.parts) > 0 && !h.parts[0].at.After(now) {
		first := &h.parts[0]
		copied := copy(p[n:], first.bytes)
		n += copied
		if first.bytes = first.bytes[copied:]; len(first.bytes) == 0 {
			first.bytes = nil
			h.parts = h.parts[1:]
		}
	}
	h.size -= n
	h.wake()
	return n
}

// arrival is when the next part, or the end, arrives; zero if neither is on its way.
func (h *half) arrival() time.Time {
	switch {
	case len(h.parts) > 0:
		return h.parts[0].at
	case h.ended:
		return h.endsAt
	}
	return time.Time{}
}

func (h *half) write(p []byte) (n int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		now := time.Now()
		switch {
		case h.ended:
			return n, net.ErrClosed
		case h.left:
			return n, syscall.EPIPE
		case passed(h.writeBy, now):
			return n, os.ErrDeadlineExceeded
		}
		if room := min(window-h.size, len(p)-n); room > 0 {
			h.parts = append(h.parts, part{append([]byte(nil), p[n:n+room]...), now.Add(h.latency)})
			h.size += room
			n += room
			h.wake()
		}
		if n == len(p) {
			return n, nil
		}
		h.wait(h.writeBy)
	}
}

// end is the writer's Close: the reader still receives what was sent.
func (h *half) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.ended, h.endsAt = true, time.Now().Add(h.latency)
		h.wake()
	}
}

// leave is the reader's Close: it receives no more.
func (h *half) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left, h.parts, h.size = true, nil, 0
	h.wake()
}

// limit sets a deadline, also for waiting operations.
func (h *half) limit(deadline *time.Time, t time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*deadline = t
	h.wake()
}

// wait releases the lock until something changes or until a time; zero: no limit.
func (h *half) wait(until time.Time) {
	if h.changed == nil {
		h.changed = make(chan struct{})
	}
	changed := h.changed
	h.mu.Unlock()
	defer h.mu.Lock()
	if until.IsZero() {
		<-changed
		return
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	}
}

func (h *half) wake() {
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
}

// passed reports whether a deadline is over; zero is none.
func passed(deadline, now time.Time) bool {
	return !deadline.IsZero() && !now.Before(deadline)
}

// earlier is the earlier of two times, zero being never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
