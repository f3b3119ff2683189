// Package doortest is clients for tests of listeners: slow ones, a thousand at once, in virtual time; and pages of other sites, in
// Chromium.
//
// This package is not part of the stable API.
package doortest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/internal/tier"
)

// A Pipe is a listener in memory.
type Pipe struct {
	conns chan net.Conn
	gone  chan struct{}
	once  sync.Once
}

// Listen returns a listener whose queue holds n connections.
func Listen(n int) *Pipe { return &Pipe{conns: make(chan net.Conn, n), gone: make(chan struct{})} }

// Dial connects.
func (p *Pipe) Dial() (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.gone:
		return nil, net.ErrClosed
	}
}

// Accept returns the next connection.
func (p *Pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.gone:
		return nil, net.ErrClosed
	}
}

// Close ends the listener and what waits in its queue.
func (p *Pipe) Close() error {
	p.once.Do(func() {
		close(p.gone)
		for {
			select {
			case c := <-p.conns:
				c.Close()
			default:
				return
			}
		}
	})
	return nil
}

// Addr is an address that nobody has.
func (p *Pipe) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// Requests are the beginnings of requests to a server: whole ones to be answered, and one with a large answer.
type Requests struct {
	Honest string // answered 200
	Large  string // its answer is long; empty: Honest
	Post   string // with a body of a million bytes; empty: none is read
	Asked  string // of the honest client; empty: Honest
}

// Slow are the clients, and how many there are of each: with a header that dribbles, a body that dribbles, an answer that they
// hardly read, silence, and idleness after an answer. They come back when they are closed.
const Slow = 1000

// pace is how often a client dribbles.
const pace = 100 * time.Millisecond

// Served attacks a listener with Slow clients and reports an error unless an honest client is served within a second, three times.
// It runs in a bubble of synctest. The caller closes the server, and then calls wait.
func Served(t *testing.T, l *Pipe, r Requests) (wait func()) {
	t.Helper()
	var clients sync.WaitGroup
	stop := make(chan struct{})
	kinds := []func(net.Conn, <-chan struct{}){r.header, r.body, r.reader, silent, r.idle}
	slow := Slow
	if !tier.Whole { // still more than a server takes at a time
		slow /= 4
	}
	for i := range slow {
		clients.Go(func() {
			for {
				c, err := l.Dial()
				if err != nil {
					return
				}
				c.SetDeadline(time.Now().Add(30 * time.Second)) // or it waits for a server that is closed
				kinds[i%len(kinds)](c, stop)
				c.Close()
				select {
				case <-stop:
					return
				case <-time.After(pace):
				}
			}
		})
	}
	<-time.After(2 * time.Second)
	for range 3 {
		began := time.Now()
		if err := r.ask(l); err != nil {
			t.Errorf("an honest client: %v", err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("an honest client was served after %v", took)
		}
		<-time.After(700 * time.Millisecond)
	}
	return func() {
		close(stop)
		clients.Wait()
		<-time.After(time.Minute) // the server's goroutines end
	}
}

// ask is an honest request.
func (r Requests) ask(l *Pipe) error {
	c, err := l.Dial()
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	asked := r.Asked
	if asked == "" {
		asked = r.Honest
	}
	if _, err := io.WriteString(c, asked+"\r\n"); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d, %v", answer.StatusCode, err)
	}
	return nil
}

// dribble sends a text every now and then, until the connection ends.
func dribble(c net.Conn, stop <-chan struct{}, text string) {
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
		select {
		case <-stop:
			return
		case <-time.After(pace):
		}
	}
}

func (r Requests) header(c net.Conn, stop <-chan struct{}) {
	if _, err := io.WriteString(c, r.Honest); err == nil {
		dribble(c, stop, "X-Slow: aaaaaaaaaaaaaaaa\r\n")
	}
}

func (r Requests) body(c net.Conn, stop <-chan struct{}) {
	if r.Post == "" {
		r.header(c, stop)
		return
	}
	if _, err := io.WriteString(c, r.Post+"Content-Length: 1000000\r\n\r\n"); err == nil {
		dribble(c, stop, strings.Repeat("x", 20))
	}
}

func (r Requests) reader(c net.Conn, stop <-chan struct{}) {
	ask := r.Large
	if ask == "" {
		ask = r.Honest
	}
	if _, err := io.WriteString(c, ask+"\r\n"); err != nil {
		return
	}
	for some := make([]byte, 20); ; {
		if _, err := io.ReadFull(c, some); err != nil {
			return
		}
		select {
		case <-stop:
			return
		case <-time.After(pace):
		}
	}
}

func silent(c net.Conn, stop <-chan struct{}) {
	_, _ = c.Read(make([]byte, 1)) // until the server ends it
}

func (r Requests) idle(c net.Conn, stop <-chan struct{}) {
	if _, err := io.WriteString(c, r.Honest+"\r\n"); err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, c)
}
