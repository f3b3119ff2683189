package door

import (
	"io"
	"net"
	"sync"
	"time"
)

// What makes a client slow.
const (
	enough   = 16 << 10    // bytes a second: a client that moves as many is not slow
	oneByte  = 1           // size of the read by which net/http notices the end of a connection while it answers
	courtesy = time.Second // within which a client must take the news that it may ask again
	recheck  = 4           // looks for room within the patience of a listener
)

// Directions of waiting.
const (
	reading = iota
	writing
)

// Listen returns a listener that keeps at most n connections of l open. For each one more it closes the slowest: that which has
// kept the server waiting for longest, for a request, for the rest of a body or to take an answer, where each 16 KiB moved
// make up for a second. None that kept it waiting for less than patience is closed: then the new one waits.
// A connection whose request is being worked on keeps nobody waiting, and what came before a request counts no more.
// If nothing of a request was read, the client is told so by an answer of status 408: it may ask again on another connection.
func Listen(l net.Listener, n int, patience time.Duration) net.Listener {
	return &listener{Listener: l, most: n, patience: patience, open: map[*conn]struct{}{}, left: make(chan struct{}, 1), closed: make(chan struct{})}
}

type listener struct {
	net.Listener
	most     int
	patience time.Duration

	mu   sync.Mutex
	open map[*conn]struct{}
	left chan struct{} // a connection was closed

	closed chan struct{}
	once   sync.Once
}

// Accept returns the next connection when there is room for it.
func (l *listener) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, from: l}
	for !l.admit(c) {
		select {
		case <-l.left:
		case <-time.After(l.patience / recheck):
		case <-l.closed:
			_ = inner.Close()
			return nil, net.ErrClosed
		}
	}
	return c, nil
}

// Close ends Accept; open connections stay.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// admit adds a connection, in place of the slowest if there is no room; false if none is slow enough.
func (l *listener) admit(c *conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= l.most {
		slowest := l.slowest()
		asks, left := slowest.giveWay(l.patience)
		if !left {
			return false
		}
		delete(l.open, slowest)
		go slowest.leave(asks) // its server notices
	}
	l.open[c] = struct{}{}
	return true
}

// slowest returns the connection that has kept the server waiting for longest. The caller holds mu.
func (l *listener) slowest() (slowest *conn) {
	now, most := time.Now(), time.Duration(0)
	for c := range l.open {
		if slow := c.slowness(now); slowest == nil || slow > most {
			slowest, most = c, slow
		}
	}
	return slowest
}

// A conn knows for how long it has kept the server waiting.
type conn struct {
	net.Conn
	from *listener

	mu     sync.Mutex
	waits  [2]time.Time // since when a read and a write have waited for the client; zero: none does
	waited time.Duration
	begun  bool // bytes were read since the last write
	away   bool // it gave way: nothing is read any more
}

// slowness is for how long the connection has kept the server waiting with this request, less what it made up for; 0 while it
// does not.
func (c *conn) slowness(now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slow(now)
}

// slow is slowness. The caller holds mu.
func (c *conn) slow(now time.Time) time.Duration {
	slow := time.Duration(0)
	for _, since := range c.waits {
		if !since.IsZero() {
			slow += now.Sub(since)
		}
	}
	if slow > 0 {
		slow += c.waited
	}
	return slow
}

// gaveWay is what a client reads if nothing of its request was.
const gaveWay = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

// giveWay makes nothing be read from a connection any more, if it has kept the server waiting for at least patience. asks: the
// server was waiting for a request and has read nothing of it.
func (c *conn) giveWay(patience time.Duration) (asks, left bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slow(time.Now()) < patience {
		return false, false
	}
	c.away = true
	return !c.begun && !c.waits[reading].IsZero() && c.waits[writing].IsZero(), true
}

// leave closes a connection that gave way to another, and tells a client that may ask again.
func (c *conn) leave(asks bool) {
	if asks {
		_ = c.Conn.SetWriteDeadline(time.Now().Add(courtesy))
		_, _ = io.WriteString(c.Conn, gaveWay) // a courtesy
	}
	_ = c.Conn.Close()
}

// wait notes that the server waits for the client.
func (c *conn) wait(direction int) {
	c.mu.Lock()
	c.waits[direction] = time.Now()
	c.mu.Unlock()
}

// done notes that n bytes have moved, and reports whether the connection is still the client's.
func (c *conn) done(direction, n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waited += time.Since(c.waits[direction]) - time.Duration(n)*time.Second/enough
	c.waited = max(0, c.waited)
	c.waits[direction] = time.Time{}
	if n > 0 && direction == reading && !c.begun {
		c.waited = 0 // a request begins
	}
	if n > 0 {
		c.begun = direction == reading
	}
	return !c.away
}

// Read reads, and notes how long that took. What arrives after the connection gave way is not read: a client that is told so
// may rely on it.
func (c *conn) Read(b []byte) (int, error) {
	if len(b) <= oneByte { // nothing is wanted from the client
		return c.Conn.Read(b)
	}
	c.wait(reading)
	n, err := c.Conn.Read(b)
	if !c.done(reading, n) {
		return 0, io.EOF
	}
	return n, err
}

// Write writes, and notes how long that took.
func (c *conn) Write(b []byte) (int, error) {
	c.wait(writing)
	n, err := c.Conn.Write(b)
	if !c.done(writing, n) && err == nil {
		err = net.ErrClosed
	}
	return n, err
}

// Close closes the connection and makes room; where it gave way, leave does that.
func (c *conn) Close() error {
	c.mu.Lock()
	away := c.away
	c.mu.Unlock()
	if away {
		return nil
	}
	c.from.mu.Lock()
	delete(c.from.open, c)
	c.from.mu.Unlock()
	select {
	case c.from.left <- struct{}{}:
	default:
	}
	return c.Conn.Close()
}
