package client

import (
	"sync"
	"time"
)

// onItsWay is the longest that a request can be taken to travel to its server: one that has been
// written for longer has arrived, answered or not.
const onItsWay = 50 * time.Millisecond

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

// started returns when the server can be taken to have had the request: when its answer began, but
// no later than onItsWay after the request was written. It is zero when it was not written.
func (m *marks) started() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.written.IsZero() {
		return time.Time{}
	}
	arrived := m.first
	if arrived.IsZero() {
		arrived = time.Now()
	}
	if latest := m.written.Add(onItsWay); latest.Before(arrived) {
		return latest
	}
	return arrived
}
