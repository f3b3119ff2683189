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
	"strings"
	"time"

	"orbweaver"
)

const (
	handshake = 5 * time.Second // that Dial waits for the first response
	maxAnswer = 16 << 20        // bytes of a JSON response
	again     = 100             // times that a request is made again: each waits in the queue of the socket
	quiet     = idleTime / 2    // after which a connection is not used again: before the server closes it
)

// A Client controls the crawl that runs in a folder. It is safe for concurrent use; close it. An error from
// the crawl keeps its text and its Failure; an error that wraps ErrNoCrawl means that the crawl runs no
// more.
type Client struct {
	dir  string
	http *http.Client
}

// A dialer connects to the crawl that runs in a folder.
type dialer func(ctx context.Context, dir string) (net.Conn, error)

// Dial connects to the crawl that runs in a folder. The error wraps ErrNoCrawl if none runs there, and
// ErrTimeout if the crawl does not respond within five seconds.
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

// greet checks that the server is a crawl, and closes the client if not.
func greet(c *Client) (*Client, error) {
	ctx, cancel := context.WithTimeout(context.Background(), handshake)
	defer cancel()
	var about About
	err := c.Ask(ctx, http.MethodGet, "/", nil, &about)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%s: the crawl's process accepts connections and does not respond; is it suspended? (%w)", c.dir, orbweaver.ErrTimeout)
	case err == nil && about.Version == "":
		err = fmt.Errorf("%s: what listens at %s is no crawl", c.dir, SocketFile)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close closes idle connections. The Client may be used again.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Status returns the state of the crawl.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	err = c.Ask(ctx, http.MethodGet, "/status", nil, &s)
	return s, err
}

// Pause keeps the crawl from starting requests until Resume.
func (c *Client) Pause(ctx context.Context) error {
	return c.Ask(ctx, http.MethodPost, "/pause", nil, nil)
}

// Resume ends a pause.
func (c *Client) Resume(ctx context.Context) error {
	return c.Ask(ctx, http.MethodPost, "/resume", nil, nil)
}

// Stop ends the session once requests in flight are done.
func (c *Client) Stop(ctx context.Context) error {
	return c.Ask(ctx, http.MethodPost, "/stop", nil, nil)
}

// Add offers a URL as a seed. The error wraps ErrBadURL if it is not a URL.
func (c *Client) Add(ctx context.Context, url string) (a Added, err error) {
	err = c.Ask(ctx, http.MethodPost, "/add", offer{url}, &a)
	return a, err
}

// Get requests a path of a route given to Serve. The caller reads and closes the body. The path begins with
// a slash; the query may be nil.
func (c *Client) Get(ctx context.Context, path string, query url.Values) (io.ReadCloser, error) {
	r, err := c.send(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, err
	}
	return r.Body, nil
}

// Ask posts a value as JSON to a route given to Serve, and reads the JSON response; either may be nil.
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

// send makes a request, and returns a response of status 2xx.
func (c *Client) send(ctx context.Context, method, path string, query url.Values, body io.Reader) (*http.Response, error) {
	target := url.URL{Scheme: "http", Host: "crawl", Path: path, RawQuery: query.Encode()}
	request, err := http.NewRequestWithContext(ctx, method, target.String(), body)
	if err != nil {
		return nil, err
	}
	r, err := c.do(request)
	if err != nil {
		return nil, c.broken(ctx, err)
	}
	if r.StatusCode >= 300 {
		err := received(r)
		return nil, errors.Join(err, r.Body.Close())
	}
	return r, nil
}

// do makes a request, and makes it again where the connection gave way to others before the request was whole.
func (c *Client) do(request *http.Request) (*http.Response, error) {
	for i := 0; ; i++ {
		r, err := c.http.Do(request)
		if i == again || !gaveWay(r, err) {
			return r, err
		}
		if r != nil {
			_ = r.Body.Close() // empty
		}
		if request.GetBody != nil {
			if request.Body, err = request.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// closedIdle is what net/http says, by no name, of a connection that was to be used again when the server's 408 arrived on it.
const closedIdle = "http: server closed idle connection"

// gaveWay reports whether the server has not read a request: it said so, or closed the connection before all was written.
func gaveWay(r *http.Response, err error) bool {
	var operation *net.OpError
	if errors.As(err, &operation) {
		return operation.Op == "write"
	}
	if err != nil && strings.HasSuffix(err.Error(), closedIdle) {
		return true
	}
	return err == nil && r.StatusCode == http.StatusRequestTimeout
}

// connect connects to the folder's socket.
func (c *Client) connect(ctx context.Context, dial dialer) (net.Conn, error) {
	conn, err := dial(ctx, c.dir)
	if isAbsent(err) {
		return nil, fmt.Errorf("no crawl runs in %s: %w", c.dir, ErrNoCrawl)
	}
	return conn, err
}

// broken explains a failed request.
func (c *Client) broken(ctx context.Context, err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // without the address, which is the same for all
	}
	var dial orbweaver.Failure
	var operation *net.OpError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", c.dir, ctx.Err())
	case errors.As(err, &dial):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &operation):
		return fmt.Errorf("%s: the crawl ended before it responded: %w", c.dir, ErrNoCrawl)
	}
	return fmt.Errorf("%s: %w", c.dir, err)
}
