package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"orbweaver"
)

const (
	handshake = 5 * time.Second // that Dial waits for a first answer
	maxAnswer = 16 << 20        // bytes of an answer that is read whole
	quiet     = idleTime / 2    // after which a connection is not used again: before the server closes it
)

// A Client asks and tells the crawl that runs in a folder. It may be used by many goroutines; close
// it. An error of the crawl's has its words and wraps its Failure; one that wraps ErrNoCrawl says
// that no crawl runs there any more.
type Client struct {
	dir  string
	http *http.Client
}

// A dialer opens a connection to the crawl that runs in a folder.
type dialer func(ctx context.Context, dir string) (net.Conn, error)

// Dial reaches the crawl that runs in a folder. The error wraps ErrNoCrawl when none does, and
// ErrTimeout when one does that has not answered after five seconds.
func Dial(dir string) (*Client, error) { return greet(newClient(dir, connect)) }

func newClient(dir string, dial dialer) *Client {
	c := &Client{dir: dir}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return c.connect(ctx, dial) },
			IdleConnTimeout: quiet, MaxIdleConnsPerHost: 2,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// greet asks who listens, and closes the client if it is no crawl.
func greet(c *Client) (*Client, error) {
	ctx, cancel := context.WithTimeout(context.Background(), handshake)
	defer cancel()
	var about About
	err := c.Ask(ctx, http.MethodGet, "/", nil, &about)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%s: the crawl's process takes connections and does not answer; is it suspended? (%w)", c.dir, orbweaver.ErrTimeout)
	case err == nil && about.Version == "":
		err = fmt.Errorf("%s: what listens at %s is no crawl", c.dir, SocketFile)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close ends the client's connections. A Client that is closed can be used again.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Status asks how the crawl stands.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	err = c.Ask(ctx, http.MethodGet, "/status", nil, &s)
	return s, err
}

// Pause lets nothing new start until Resume.
func (c *Client) Pause(ctx context.Context) error {
	return c.Ask(ctx, http.MethodPost, "/pause", nil, nil)
}

// Resume ends a pause.
func (c *Client) Resume(ctx context.Context) error {
	return c.Ask(ctx, http.MethodPost, "/resume", nil, nil)
}

// Stop ends the session after what is in hand.
func (c *Client) Stop(ctx context.Context) error {
	return c.Ask(ctx, http.MethodPost, "/stop", nil, nil)
}

// Add offers a URL as a seed. The error wraps ErrBadURL for what is none.
func (c *Client) Add(ctx context.Context, url string) (a Added, err error) {
	err = c.Ask(ctx, http.MethodPost, "/add", offer{url}, &a)
	return a, err
}

// Get asks a route that was added: what it answers is to be read and closed. The path begins with a
// slash; the query may be nil.
func (c *Client) Get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error) {
	r, err := c.send(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, err
	}
	return r.Body, nil
}

// Ask sends a value to a route that was added and reads another, as JSON; either may be nil.
func (c *Client) Ask(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	r, err := c.send(ctx, method, path, nil, body)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if out == nil {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer))
	if err != nil {
		return c.broken(ctx, err)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s: the crawl's answer to %s: %w", c.dir, path, err)
	}
	return nil
}

// send makes a request; its answer is one of success.
func (c *Client) send(ctx context.Context, method, path string, query url.Values, body io.Reader) (*http.Response, error) {
	target := url.URL{Scheme: "http", Host: "crawl", Path: path, RawQuery: query.Encode()}
	request, err := http.NewRequestWithContext(ctx, method, target.String(), body)
	if err != nil {
		return nil, err
	}
	r, err := c.http.Do(request)
	if err != nil {
		return nil, c.broken(ctx, err)
	}
	if r.StatusCode >= 300 {
		err := received(r)
		return nil, errors.Join(err, r.Body.Close())
	}
	return r, nil
}

// connect opens a connection to the folder's socket.
func (c *Client) connect(ctx context.Context, dial dialer) (net.Conn, error) {
	conn, err := dial(ctx, c.dir)
	if isAbsent(err) {
		return nil, fmt.Errorf("no crawl runs in %s: %w", c.dir, ErrNoCrawl)
	}
	return conn, err
}

// broken explains why there is no answer.
func (c *Client) broken(ctx context.Context, err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // without the address, which says nothing
	}
	var dial orbweaver.Failure
	var operation *net.OpError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", c.dir, ctx.Err())
	case errors.As(err, &dial):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &operation):
		return fmt.Errorf("%s: the crawl ended before it answered: %w", c.dir, ErrNoCrawl)
	}
	return fmt.Errorf("%s: %w", c.dir, err)
}
