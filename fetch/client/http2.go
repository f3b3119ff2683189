package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

const protocol2 = "h2"

// askHTTP2 sends the message over an HTTP/2 connection, occupying one stream until the end of the body.
func (c *Client) askHTTP2(x *exchange, k *conn) (*step.Response, error) {
	s := newStream(c, x, k)
	k.frames.request()
	fields := c.fields(x)
	answer, err := k.h2.RoundTrip(s.request(headerOf(fields)))
	if err != nil {
		err = s.failure("answer", err)
		s.end()
		return nil, err
	}
	resp := c.response(x, k, answer)
	resp.Protocol, resp.Asked = protocol2, headerOf(x.shown(fields))
	if answer.Body != http.NoBody {
		s.body, resp.Body = answer.Body, s
	}
	if err := x.searched(answer, resp); err != nil {
		s.end()
		return nil, err
	}
	if answer.Body == http.NoBody {
		s.end()
	}
	return resp, nil
}

// A stream is one exchange over HTTP/2, and the body of its answer.
type stream struct {
	c       *Client
	x       *exchange
	k       *conn // nil: released
	ctx     context.Context
	cancel  context.CancelFunc
	timer   *time.Timer // interrupts blocked calls
	expired atomic.Bool // the timer fired
	body    io.ReadCloser
	err     error
}

func newStream(c *Client, x *exchange, k *conn) *stream {
	s := &stream{c: c, x: x, k: k}
	s.ctx, s.cancel = context.WithCancel(x.ctx)
	s.timer = time.AfterFunc(time.Until(x.whole), func() {
		s.expired.Store(true)
		s.cancel()
	})
	return s
}

// request returns the message for the HTTP/2 library. The URL is opaque, so that it is sent unchanged.
func (s *stream) request(asked http.Header) *http.Request {
	x := s.x
	if _, ok := asked["User-Agent"]; !ok { // the library would add its own
		asked = maps.Clone(asked)
		asked["User-Agent"] = []string{""}
	}
	request := &http.Request{
		Method: x.message.method(),
		URL:    &url.URL{Scheme: "https", Host: x.authority, Opaque: "//" + x.authority + x.path},
		Host:   x.authority,
		Header: asked,
	}
	if body := x.message.body; len(body) > 0 {
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	return request.WithContext(httptrace.WithClientTrace(s.ctx, &httptrace.ClientTrace{
		WroteHeaders:         x.marks.wrote,
		GotFirstResponseByte: x.marks.got,
	}))
}

// failure returns the failure of a stream error. It retires a connection that did not answer in time.
func (s *stream) failure(phase string, err error) error {
	if s.expired.Load() && s.x.ctx.Err() == nil {
		s.c.pool.abandon(s.k)
		return s.x.fail(orbweaver.ErrTimeout, "%s took too long", phase)
	}
	return s.x.blame(phase, streamReason(err), err)
}

// end releases the stream.
func (s *stream) end() {
	s.timer.Stop()
	s.cancel()
	if s.body != nil {
		s.body.Close()
	}
	s.c.pool.leave(s.k)
	s.k = nil
}

// Read returns the body's bytes. It returns the same errors as Fetch.
func (s *stream) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	s.timer.Reset(min(s.c.stall, time.Until(s.x.whole)))
	n, err := s.body.Read(p)
	s.k.frames.took(n)
	s.timer.Reset(time.Until(s.x.whole)) // the caller may read slowly
	if err == nil {
		return n, nil
	}
	if s.err = err; err != io.EOF {
		s.err = s.failure("body", err)
	}
	s.end()
	return n, s.err
}

// Close releases the stream and cancels the rest of the body.
func (s *stream) Close() error {
	if s.k != nil {
		s.end()
	}
	s.err = closed(s.err)
	return nil
}

// speaksHTTP2 reports whether ALPN chose HTTP/2.
func speaksHTTP2(k *conn) (*tls.Conn, bool) {
	t, ok := k.Conn.(*tls.Conn)
	return t, ok && t.ConnectionState().NegotiatedProtocol == protocol2
}
