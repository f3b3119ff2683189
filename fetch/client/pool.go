package client

import (
	"container/list"
	"slices"
	"sync"
	"time"
)

// A pool keeps idle connections, and HTTP/2 connections in use, which can be shared. It has no goroutine: each
// call drops expired connections, and a timer an idle one of HTTP/2.
type pool struct {
	limit int

	mu      sync.Mutex
	closed  bool
	idle    map[place][]*conn // of HTTP/1.1, latest used last
	shared  map[place]*conn   // of HTTP/2, in use or idle
	order   list.List         // of all idle ones, latest used first
	dialing map[place]chan struct{}
}

func newPool(limit int) *pool {
	return &pool{
		limit: limit, idle: map[place][]*conn{}, shared: map[place]*conn{},
		dialing: map[place]chan struct{}{},
	}
}

// take returns a pooled connection to a place, or nil. An HTTP/1.1 connection may be dead.
func (p *pool) take(at place) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if k := p.shared[at]; k != nil {
		if (k.active > 0 || now.Before(k.expires)) && k.h2.ReserveNewRequest() {
			p.unlist(k)
			k.active++
			return k
		}
		p.retire(k)
	}
	for n := len(p.idle[at]); n > 0; n = len(p.idle[at]) {
		k := p.idle[at][n-1]
		p.unlist(k)
		if now.Before(k.expires) {
			return k
		}
		k.close()
	}
	return nil
}

// put keeps an HTTP/1.1 connection until it is taken, expires or is evicted.
func (p *pool) put(k *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		k.close()
		return
	}
	p.idle[k.at] = append(p.idle[k.at], k)
	p.list(k, k.keep)
}

// share adds a new HTTP/2 connection, used by one exchange. If the pool already has a usable one, share returns
// that one, with one more use, and closes the new one.
func (p *pool) share(k *conn) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if other := p.shared[k.at]; other != nil {
		if other.h2.ReserveNewRequest() {
			k.close()
			p.unlist(other)
			other.active++
			return other
		}
		p.retire(other)
	}
	k.h2.ReserveNewRequest()
	k.active = 1
	p.shared[k.at] = k
	return k
}

// leave ends one use of an HTTP/2 connection.
func (p *pool) leave(k *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k.active--; k.active > 0 {
		return
	}
	if p.closed || p.shared[k.at] != k || !k.h2.CanTakeNewRequest() {
		p.retire(k)
		return
	}
	p.list(k, keepOpen)
	k.rest = time.AfterFunc(keepOpen, func() { p.rested(k) })
}

// rested closes an HTTP/2 connection whose host was not asked for long: its next turn is far, and until then the server
// could send what it likes.
func (p *pool) rested(k *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k.element != nil {
		p.retire(k)
	}
}

// abandon excludes an HTTP/2 connection in use from further requests.
func (p *pool) abandon(k *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.retire(k)
}

// retire removes an HTTP/2 connection from the pool, and closes it unless it is in use.
func (p *pool) retire(k *conn) {
	if p.shared[k.at] == k {
		delete(p.shared, k.at)
	}
	if k.active == 0 {
		p.unlist(k)
		k.close()
	}
}

// list makes a connection the most recently used idle one, and evicts others over the limit.
func (p *pool) list(k *conn, keep time.Duration) {
	now := time.Now()
	k.expires = now.Add(keep)
	k.element = p.order.PushFront(k)
	for last := p.order.Back(); last != nil; last = p.order.Back() {
		oldest := last.Value.(*conn)
		if p.order.Len() <= p.limit && now.Before(oldest.expires) {
			return
		}
		p.drop(oldest)
	}
}

// drop closes an idle connection.
func (p *pool) drop(k *conn) {
	if k.h2 != nil {
		p.retire(k)
		return
	}
	p.unlist(k)
	k.close()
}

// unlist removes a connection from the idle ones.
func (p *pool) unlist(k *conn) {
	if k.element == nil {
		return
	}
	p.order.Remove(k.element)
	k.element = nil
	if k.h2 != nil {
		if k.rest != nil {
			k.rest.Stop()
		}
		return
	}
	others := p.idle[k.at]
	if i := slices.Index(others, k); len(others) > 1 {
		p.idle[k.at] = slices.Delete(others, i, i+1)
		return
	}
	delete(p.idle, k.at)
}

// claim returns nil to the one caller that must connect to a place and then call settle; others get a channel
// that is closed by settle. All may share the connection.
func (p *pool) claim(at place) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if busy := p.dialing[at]; busy != nil {
		return busy
	}
	p.dialing[at] = make(chan struct{})
	return nil
}

// settle ends a claim.
func (p *pool) settle(at place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.dialing[at])
	delete(p.dialing, at)
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for p.order.Len() > 0 {
		p.drop(p.order.Back().Value.(*conn))
	}
}
