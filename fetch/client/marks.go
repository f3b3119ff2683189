package client

import (
	"sync"
	"time"
)

// marks are when a request was written and when the first byte of its response arrived; zero: not yet. HTTP/2
// sets them from its own goroutines.
type marks struct {
	mu             sync.Mutex
	written, first time.Time
}

// wrote records that the request is written.
func (m *marks) wrote() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.written = time.Now()
}

// got records the first byte of the response. A proxy's response before the request is written does not count.
func (m *marks) got() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first.IsZero() && !m.written.IsZero() {
		m.first = time.Now()
	}
}

// started returns the latest time at which the server received the request: when its response began, or now
// without one. An earlier time would be a guess: a busy server may read a request long after it was sent, and
// would then get the next one too soon. It is zero if the request was not written.
func (m *marks) started() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.written.IsZero():
		return time.Time{}
	case m.first.IsZero():
		return time.Now()
	}
	return m.first
}
