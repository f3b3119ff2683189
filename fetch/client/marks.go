package client

import (
	"sync"
	"time"
)

// marks are when a request was written and when the first byte of its answer came, zero for what has
// not happened. HTTP/2 sets them from goroutines of its own.
type marks struct {
	mu             sync.Mutex
	written, first time.Time
}

// wrote marks the request as written now.
func (m *marks) wrote() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.written = time.Now()
}

// got marks the first byte of the answer as come now. What a proxy says before the request is
// written is no answer.
func (m *marks) got() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first.IsZero() && !m.written.IsZero() {
		m.first = time.Now()
	}
}

// started returns when the server surely had the request: when its answer began, or now when none did.
// Anything earlier is a guess: a busy server may read a request long after it was sent, and would then
// see the next one too soon. It is zero when the request was not written.
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
