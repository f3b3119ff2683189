package client

import (
	"context"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// Fetch asks for r.URL, once, and returns the answer whatever its status. What it waits for ends
// with the client's Timeout or with the context, which the body's reading obeys as well. The body has
// to be closed, or read to its end, by one goroutine; its content coding is still on. An r.Query is sent
// as Options.Query says.
//
// Errors are of the form "fetch URL: reason: detail" and wrap one Failure: ErrNoHost, ErrLookup,
// ErrPrivate, ErrConnect, ErrTLS, ErrTimeout, ErrCut, ErrMalformed, ErrBadURL; or else the context's
// error. Those of reading the body are the same. Errors that wrap a Failure have a method Started()
// time.Time, which says when the server can be taken to have had the request; zero: it never had it.
func (c *Client) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	return c.FetchIf(ctx, r, "", "")
}

// FetchIf is Fetch that asks for a page only if it is another one than that of an ETag, or was changed
// after a Last-Modified, each as the server wrote it and empty for none. If it is the same the status
// is 304.
func (c *Client) FetchIf(ctx context.Context, r orbweaver.Request, etag, lastModified string) (*step.Response, error) {
	m := c.message(r)
	m.etag, m.lastModified = etag, lastModified
	return c.send(ctx, r, m)
}

// Post is Fetch that posts a body of a media type to r.URL. It is for requests without side effects that need POST.
// It does not send r.Query.
func (c *Client) Post(ctx context.Context, r orbweaver.Request, mediaType string, body []byte) (*step.Response, error) {
	return c.send(ctx, r, message{url: r.URL, accept: r.Accept, mediaType: mediaType, body: body})
}

// send sends the message that is for a request.
func (c *Client) send(ctx context.Context, r orbweaver.Request, m message) (*step.Response, error) {
	x := c.begin(ctx, "fetch "+short(r.URL))
	x.message = m
	addr, err := c.locate(x, m.url)
	if err != nil {
		return nil, err
	}
	k, err := c.obtain(x, place{x.host, addr})
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
		if r.Query != "" { // which goes along by itself
			response.Redirect = weburl.Unqueried(response.Redirect)
		}
	}
	return response, err
}

// obtain returns a connection to a place: one that was kept, or a new one.
func (c *Client) obtain(x *exchange, at place) (*conn, error) {
	if k := c.kept(at); k != nil {
		return k, nil
	}
	if !x.secure { // it will not be shared
		return c.connect(x, at)
	}
	if busy := c.pool.claim(at); busy != nil {
		return c.join(x, at, busy)
	}
	defer c.pool.settle(at)
	return c.open(x, at)
}

// kept returns a living connection from the pool, or nil.
func (c *Client) kept(at place) *conn {
	for {
		k := c.pool.take(at)
		if k == nil || k.h2 != nil || k.alive() {
			return k
		}
		k.close()
	}
}

// join waits for another exchange that connects to the same place, as what it comes to may be shared;
// if not, it connects as well.
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

// open makes a connection, and one of HTTP/2 known to others.
func (c *Client) open(x *exchange, at place) (*conn, error) {
	k, err := c.connect(x, at)
	if err == nil && k.h2 != nil {
		k = c.pool.share(k)
	}
	return k, err
}

// response returns an answer whose head is there; its body is still to come.
func response(x *exchange, k *conn, answer *http.Response) *step.Response {
	return &step.Response{
		Status:   answer.StatusCode,
		Header:   answer.Header,
		Redirect: redirect(x.message.url, answer),
		Body:     http.NoBody,
		At:       time.Now(),
		Address:  k.at.addr.String(),
		Started:  x.marks.started(),
	}
}

// redirect returns where a 3xx leads to, canonical; "" when it leads nowhere.
func redirect(url string, answer *http.Response) string {
	if answer.StatusCode/100 != 3 || answer.StatusCode == http.StatusNotModified {
		return ""
	}
	return weburl.Target(url, answer.Header.Get("Location"))
}
