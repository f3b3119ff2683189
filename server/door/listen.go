package door

import (
	"net"
	"sync"
	"time"
)

// Listen returns a listener that keeps at most n connections of l open. For each one more it closes the connection that has
// neither read nor written a byte for longest, but none that did so within the last patience: then the new one waits.
func Listen(l net.Listener, n int, patience time.Duration) net.Listener {
	return &listener{Listener: l, most: n, patience: patience, open: map[*conn]struct{}{}, left: make(chan struct{}, 1)}
}

type listener struct {
	net.Listener
	most     int
	patience time.Duration

	mu   sync.Mutex
	open map[*conn]struct{}
	left chan struct{} // a connection was closed
}

// Accept returns the next connection when there is room for it.
func (l *listener) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, from: l, moved: time.Now()}
	for !l.admit(c) {
		select {
		case <-l.left:
		case <-time.After(l.patience):
		}
	}
	return c, nil
}

// admit adds a connection, in place of the idlest if there is no room; false if none has been idle for long enough.
func (l *listener) admit(c *conn) bool {
	l.mu.Lock()
	var idlest *conn
	if len(l.open) >= l.most {
		for other := range l.open {
			if idlest == nil || other.at().Before(idlest.at()) {
				idlest = other
			}
		}
		if time.Since(idlest.at()) < l.patience {
			l.mu.Unlock()
			return false
		}
		delete(l.open, idlest)
	}
	l.open[c] = struct{}{}
	l.mu.Unlock()
	if idlest != nil {
		_ = idlest.Conn.Close() // its server notices
	}
	return true
}

// A conn knows when it last moved a byte.
type conn struct {
	net.Conn
	from *listener

	mu    sync.Mutex
	moved time.Time
}

func (c *conn) at() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.moved
}

func (c *conn) move(n int) {
	if n >= progress {
		c.mu.Lock()
		c.moved = time.Now()
		c.mu.Unlock()
	}
}

// progress is the fewest bytes at a time that count: a client that dribbles makes none.
const progress = 16

// Read reads, and notes progress.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.move(n)
	return n, err
}

// Write writes, and notes progress.
func (c *conn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.move(n)
	return n, err
}

// Close closes the connection and makes room.
func (c *conn) Close() error {
	c.from.mu.Lock()
	delete(c.from.open, c)
	c.from.mu.Unlock()
	select {
	case c.from.left <- struct{}{}:
	default:
	}
	return c.Conn.Close()
}
