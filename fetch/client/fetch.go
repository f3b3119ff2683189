package client

import (
	"context"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// Fetch requests r.URL once and returns the response, whatever its status. It ends with the client's Timeout or
// with the context; both also bound the reading of the body. One goroutine must close the body or read it to
// its end; the content coding is not removed. An r.Query is sent as Options.Query says.
//
// Errors are of the form "fetch URL: reason: detail" and wrap one Failure: ErrNoHost, ErrLookup, ErrPrivate,
// ErrConnect, ErrTLS, ErrTimeout, ErrCut, ErrMalformed, ErrBadURL; or else the context's error. Reading the
// body returns the same errors. Errors that wrap a Failure have a method Started() time.Time, which is when the
// server received the request at the latest; zero: it never received it.
func (c *Client) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	return c.FetchIf(ctx, r, "", "")
}

// FetchIf is a conditional Fetch: it sends the ETag and Last-Modified of the cached version, as the server
// wrote them, empty for none. If the page has not changed, the status is 304.
func (c *Client) FetchIf(ctx context.Context, r orbweaver.Request, etag, lastModified string) (*step.Response, error) {
	m := c.message(r)
	m.etag, m.lastModified = etag, lastModified
	return c.send(ctx, r, m)
}

// Post is a Fetch that posts a body of a media type to r.URL. It is for requests without side effects that need
// POST. It does not send r.Query.
func (c *Client) Post(ctx context.Context, r orbweaver.Request, mediaType string, body []byte) (*step.Response, error) {
	return c.send(ctx, r, message{url: r.URL, accept: r.Accept, mediaType: mediaType, body: body})
}

func (c *Client) send(ctx context.Context, r orbweaver.Request, m message) (*step.Response, error) {
	x := c.begin(ctx, "fetch "+short(r.URL))
	x.message = m
	c.enter(x)
	addr, err := c.locate(x, m.url)
	if err != nil {
		return nil, err
	}
	k, err := c.obtain(x, place{x.host, addr, x.way})
	if err != nil {
		return nil, err
	}
	ask := c.askHTTP1
	if k.h2 != nil {
		ask = c.askHTTP2
	}
	response, err := ask(x, k)
	if err == nil {
		response.Request = r
		if r.Query != "" { // it is an attribute of its own
			response.Redirect = weburl.Unqueried(response.Redirect)
		}
	}
	return response, err
}

// obtain returns a connection to a place from the pool, or a new one.
func (c *Client) obtain(x *exchange, at place) (*conn, error) {
	if k := c.kept(at); k != nil {
		return k, nil
	}
	if !x.secure { // HTTP/1.1 is never shared
		return c.connect(x, at)
	}
	if busy := c.pool.claim(at); busy != nil {
		return c.join(x, at, busy)
	}
	defer c.pool.settle(at)
	return c.open(x, at)
}

// kept returns a live connection from the pool, or nil.
func (c *Client) kept(at place) *conn {
	for {
		k := c.pool.take(at)
		if k == nil || k.h2 != nil || k.alive() {
			return k
		}
		k.close()
	}
}

// join waits for another exchange that is connecting to the same place and shares its connection if possible;
// otherwise it connects itself.
func (c *Client) join(x *exchange, at place, busy <-chan struct{}) (*conn, error) {
	ctx, cancel := context.WithDeadline(x.ctx, x.whole)
	defer cancel()
	select {
	case <-busy:
	case <-ctx.Done():
		return nil, x.blame("connect", orbweaver.ErrConnect, ctx.Err())
	}
	if k := c.kept(at); k != nil {
		return k, nil
	}
	return c.open(x, at)
}

// open makes a connection, and puts one of HTTP/2 into the pool.
func (c *Client) open(x *exchange, at place) (*conn, error) {
	k, err := c.connect(x, at)
	if err == nil && k.h2 != nil {
		k = c.pool.share(k)
	}
	return k, err
}

// response returns a response whose body is not read yet, and keeps its cookies.
func (c *Client) response(x *exchange, k *conn, answer *http.Response) *step.Response {
	to := redirect(x.message.url, answer)
	started := x.marks.started() // may be now, and the answer is not before
	if started.IsZero() {        // HTTP/2: an answer may be read before the writer says that the request is written
		started = time.Now()
	}
	return &step.Response{
		Status:   answer.StatusCode,
		Header:   answer.Header,
		Redirect: to,
		Cookies:  c.opt.Access.Took(x.entry, x.message.url, to, answer.Header),
		Body:     http.NoBody,
		At:       time.Now(),
		Address:  k.at.addr.String(),
		Started:  started,
	}
}

// redirect returns the canonical target of a 3xx, or "" without one.
func redirect(url string, answer *http.Response) string {
	if answer.StatusCode/100 != 3 || answer.StatusCode == http.StatusNotModified {
		return ""
	}
	return weburl.Target(url, answer.Header.Get("Location"))
}
