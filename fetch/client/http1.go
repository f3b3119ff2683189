package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

const (
	protocol1 = "http/1.1"
	version   = "HTTP/"
)

var (
	errNoHTTP   = errors.New("no HTTP")
	errInterims = fmt.Errorf("more than %d interim answers", maxInterim)
	errSwitch   = errors.New("a switch of protocols that nobody asked for")
	errVersion  = errors.New("another version of HTTP")
	errStatus   = errors.New("a status below 100")
)

// askHTTP1 sends the message over HTTP/1.1. The connection returns to the pool when the body has been read to
// its end.
func (c *Client) askHTTP1(x *exchange, k *conn) (*step.Response, error) {
	k.watch(x)
	k.stall, k.r = c.stall, c.readers.take(k)
	fields := c.fields(x)
	answer, err := c.exchange1(x, k, fields)
	if err != nil {
		c.finish(k, false)
		return nil, err
	}
	if k.proxied && x.way.proxy.secret != nil {
		x.search = x.way.proxy.secret.and(x.search)
	}
	resp := c.response(x, k, answer)
	resp.Flawed = k.flawed
	resp.Protocol, resp.Asked = protocol1, headerOf(x.shown(fields))
	if answer.Body != http.NoBody {
		resp.Body = &body1{c: c, x: x, k: k, answer: answer, left: answer.ContentLength}
	}
	if err := x.searched(answer, resp); err != nil {
		c.finish(k, false)
		return nil, err
	}
	if answer.Body == http.NoBody {
		c.finish(k, k.reusable(answer))
	}
	return resp, nil
}

// exchange1 writes the message and reads the response head. A server may respond and close before it has read
// the whole message: then that response counts.
func (c *Client) exchange1(x *exchange, k *conn, fields []field) (*http.Response, error) {
	if err := k.until(x.whole); err != nil {
		return nil, x.blame("request", orbweaver.ErrCut, err)
	}
	auth := ""
	if k.proxied {
		auth = x.way.proxy.auth
	}
	k.out = appendHead(k.out[:0], x, fields, k.proxied, auth)
	if _, err := k.Write(k.out); err != nil {
		return nil, x.blame("request", orbweaver.ErrCut, err)
	}
	var unsent error
	if len(x.message.body) > 0 {
		_, unsent = k.Write(x.message.body)
	}
	x.marks.wrote()
	answer, err := k.head(nil)
	switch {
	case err != nil && unsent != nil:
		return nil, x.blame("request", orbweaver.ErrCut, unsent)
	case err != nil:
		return nil, x.headless(k, "answer", err)
	case unsent != nil:
		answer.Close = true
	}
	k.keepAlive(answer.Header.Get("Keep-Alive"))
	return answer, nil
}

// head reads a response head and skips interim responses. After a head with lines that are no fields the connection
// carries no other request.
func (k *conn) head(request *http.Request) (*http.Response, error) {
	last := false
	k.left = maxHead
	defer func() { k.left = -1 }()
	for range maxInterim + 1 {
		if start, err := k.r.Peek(len(version)); string(start) != version[:len(start)] {
			return nil, errNoHTTP
		} else if err != nil {
			return nil, err
		}
		if better, lines := mended(k.r); better != nil {
			k.r, last, k.flawed = better, true, k.flawed+lines // what is buffered below it is not counted any more
		}
		answer, err := http.ReadResponse(k.r, request)
		if answer != nil {
			answer.Close = answer.Close || last
		}
		switch {
		case err != nil:
			return nil, err
		case answer.ProtoMajor != 1:
			return nil, errVersion
		case answer.StatusCode < 100:
			return nil, errStatus
		case answer.StatusCode == http.StatusSwitchingProtocols:
			return nil, errSwitch
		case answer.StatusCode >= 200:
			return answer, nil
		}
	}
	return nil, errInterims
}

// headless returns the failure of a missing head: a network error, or malformed bytes.
func (x *exchange) headless(k *conn, phase string, err error) error {
	switch {
	case errors.Is(err, errNoHTTP):
		start, _ := k.r.Peek(min(k.r.Buffered(), 40))
		return x.fail(orbweaver.ErrMalformed, "%s: no HTTP: %q", phase, start)
	case errors.Is(err, errHeadTooLong):
		return x.fail(orbweaver.ErrMalformed, "%s: head over %d bytes", phase, maxHead)
	case errors.Is(k.broken, io.EOF):
		return x.blame(phase, orbweaver.ErrCut, errors.New("the connection ended before its head did"))
	case k.broken != nil:
		return x.blame(phase, orbweaver.ErrCut, k.broken)
	}
	return x.blame(phase, orbweaver.ErrMalformed, err)
}

// keepAlive sets the idle time that a server announces, less a second for latency.
func (k *conn) keepAlive(header string) {
	longest := keepBlind
	if k.peek != nil {
		longest = keepIdle
	}
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if strings.EqualFold(name, "timeout") {
			if said, err := time.ParseDuration(value + "s"); err == nil && said < longest {
				longest = said - time.Second
			}
		}
	}
	k.keep = longest
}

// reusable reports whether the connection can carry another request after the response.
func (k *conn) reusable(answer *http.Response) bool {
	return !answer.Close && k.broken == nil && k.r.Buffered() == 0
}

// finish ends an exchange: it keeps or closes the connection.
func (c *Client) finish(k *conn, keep bool) {
	c.readers.give(k.r)
	k.r = nil
	if k.release() && keep && k.keep > 0 {
		c.pool.put(k)
		return
	}
	k.close()
}

// A body1 is the body of an HTTP/1.1 response. It owns the connection until it ends.
type body1 struct {
	c      *Client
	x      *exchange
	k      *conn // nil: returned to the pool
	answer *http.Response
	left   int64 // remaining bytes; meaningless without a Content-Length
	err    error // the error that ended reading
}

// Read returns the body's bytes without the transfer coding. It returns the same errors as Fetch.
func (b *body1) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.answer.Body.Read(p)
	b.left -= int64(n)
	if err == nil {
		return n, nil
	}
	if err == io.EOF {
		b.end(err, b.k.reusable(b.answer))
		return n, io.EOF
	}
	b.end(b.failure(err), false)
	return n, b.err
}

func (b *body1) end(err error, keep bool) {
	b.c.finish(b.k, keep)
	b.k, b.err = nil, err
}

// failure returns why the body could not be read.
func (b *body1) failure(err error) error {
	broken := b.k.broken
	switch {
	case broken != nil && broken != io.EOF:
		return b.x.blame("body", orbweaver.ErrCut, broken)
	case broken == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return b.x.blame("body", orbweaver.ErrCut, errors.New("the connection ended before it did"))
	}
	return b.x.blame("body", orbweaver.ErrMalformed, err)
}

const (
	maxDrain  = 64 << 10             // bytes of an unread body that Close reads to keep the connection
	drainTime = 2 * time.Millisecond // time for it: Close does not wait for later bytes
)

// Close releases the connection. It reads a short rest of the body so that the connection can be used again,
// and otherwise closes it.
func (b *body1) Close() error {
	if b.k == nil {
		b.err = closed(b.err)
		return nil
	}
	keep := b.drain()
	b.end(closed(nil), keep)
	return nil
}

func (b *body1) drain() bool {
	if b.answer.Close || b.answer.ContentLength >= 0 && b.left > maxDrain {
		return false
	}
	if soon := time.Now().Add(drainTime); soon.Before(b.x.whole) {
		b.x.whole = soon
	}
	n, err := io.CopyN(io.Discard, b.answer.Body, maxDrain+1)
	return n <= maxDrain && err == io.EOF && b.k.reusable(b.answer)
}

// closed is the error of reading a closed body: its end or failure if that came before.
func closed(err error) error {
	if err != nil {
		return err
	}
	return http.ErrBodyReadAfterClose
}
