package mediawiki

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// A Getter makes one GET request and returns the response, whatever its status, and its payload without content
// codings; the response's Body is not read. It follows no redirect and bounds the payload. Errors wrap an
// orbweaver.Failure, or the context's.
type Getter interface {
	Get(ctx context.Context, url, accept string) (*step.Response, []byte, error)
}

const (
	// DefaultDelay is the pause between the end of a response and the next request.
	DefaultDelay = time.Second

	maxLag      = 5 // seconds of database lag above which the wiki refuses
	maxTries    = 6
	firstWait   = 5 * time.Second // before the second try, unless the wiki says; it doubles
	longestWait = 5 * time.Minute // of a wait that the wiki asks for
	maxHops     = 5               // redirects followed in a row
	maxParts    = 1000            // responses of one continued query
	maxQuery    = 7000            // bytes of parameters that common servers accept
)

// A Client queries one wiki. It is safe for concurrent use and sends one request at a time.
type Client struct {
	get   Getter
	delay time.Duration

	mu      sync.Mutex
	api     string    // canonical
	last    time.Time // end of the last response
	extract bool      // the wiki supports extracts, as far as known
}

// New returns a client of the API at a URL such as "https://en.wikipedia.org/w/api.php". A delay of zero or
// less means DefaultDelay. The error wraps ErrBadURL.
func New(api string, get Getter, delay time.Duration) (*Client, error) {
	canonical, err := weburl.Canonical(api)
	if err != nil {
		return nil, fmt.Errorf("mediawiki: %w: %w", orbweaver.ErrBadURL, err)
	}
	if delay <= 0 {
		delay = DefaultDelay
	}
	return &Client{get: get, delay: delay, api: canonical, extract: true}, nil
}

// An answer is a decoded response of the API.
type answer struct {
	Error    *struct{ Code, Info string }
	Warnings map[string]struct{ Warnings string }
	Continue map[string]json.RawMessage
	Query    struct {
		Pages     []pageAnswer
		Redirects []struct{ From, To string }
		Members   []memberAnswer `json:"categorymembers"`
	}
	Parse struct{ Text *string }
}

// query requests action=query, and again while the API continues; it passes each part to take, which reports
// whether it wants more.
func (c *Client) query(ctx context.Context, params url.Values, take func(*answer) bool) error {
	params.Set("action", "query")
	asked := params
	for range maxParts {
		a, err := c.ask(ctx, asked)
		if err != nil {
			return err
		}
		if more := take(a); !more || len(a.Continue) == 0 {
			return nil
		}
		next := continued(params, a.Continue)
		if text := next.Encode(); text == asked.Encode() || len(text) > maxQuery {
			return fmt.Errorf("mediawiki %s: %w: the answer goes on where it began, or nowhere", c.address(), orbweaver.ErrUnreadable)
		}
		asked = next
	}
	return fmt.Errorf("mediawiki %s: %w: an answer in more than %d parts", c.address(), orbweaver.ErrTooLarge, maxParts)
}

// address is the URL of the API.
func (c *Client) address() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.api
}

// continued are the parameters for the next part.
func continued(params url.Values, more map[string]json.RawMessage) url.Values {
	next := url.Values{}
	for key, values := range params {
		next[key] = values
	}
	for key, raw := range more {
		value := string(raw)
		var s string
		if json.Unmarshal(raw, &s) == nil {
			value = s
		}
		next.Set(key, value)
	}
	return next
}

// ask retries until there is an answer or an error that retries cannot change.
func (c *Client) ask(ctx context.Context, params url.Values) (*answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, value := range map[string]string{"format": "json", "formatversion": "2", "maxlag": strconv.Itoa(maxLag)} {
		params.Set(key, value)
	}
	join := "?"
	if strings.Contains(c.api, "?") {
		join = "&"
	}
	query := join + params.Encode()
	wait := firstWait
	for try := 1; ; try++ {
		a, later, err := c.follow(ctx, c.api+query, query)
		if err == nil || later < 0 || ctx.Err() != nil {
			return a, err
		}
		if later == 0 {
			later, wait = wait, 2*wait
		}
		switch {
		case try == maxTries:
			return nil, fmt.Errorf("%w; asked %d times", err, maxTries)
		case later > longestWait:
			return nil, fmt.Errorf("%w; it wants to be left alone for %v: try again then", err, later)
		}
		if err := sleep(ctx, later); err != nil {
			return nil, err
		}
	}
}

// never is the wait of an error that a retry cannot change.
const never = -1

// follow sends one request and follows redirects; later requests go to the new address of an API that moved. An error
// comes with the time to wait before a retry: 0 if unspecified, negative if a retry is pointless.
func (c *Client) follow(ctx context.Context, at, query string) (*answer, time.Duration, error) {
	for range maxHops + 1 {
		if err := c.rest(ctx); err != nil {
			return nil, never, err
		}
		response, body, err := c.get.Get(ctx, at, "application/json")
		c.last = time.Now()
		switch {
		case err != nil:
			return nil, lost(err), fmt.Errorf("mediawiki %s: %w", c.api, err)
		case response.Status/100 != 3:
			return c.read(response, body)
		case response.Redirect == "":
			return nil, never, fmt.Errorf("mediawiki %s: %w: status %d", c.api, orbweaver.ErrBadTarget, response.Status)
		}
		at = response.Redirect
		if moved, ok := strings.CutSuffix(at, query); ok {
			c.api = moved
		}
	}
	return nil, never, fmt.Errorf("mediawiki %s: more than %d: %w", c.api, maxHops, orbweaver.ErrRedirects)
}

// lost is the wait before a retry after a request without response.
func lost(err error) time.Duration {
	switch orbweaver.FailureOf(err) {
	case orbweaver.ErrLookup, orbweaver.ErrConnect, orbweaver.ErrTimeout, orbweaver.ErrCut:
		return 0
	}
	return never
}

// read decodes a response that is no redirect.
func (c *Client) read(response *step.Response, body []byte) (*answer, time.Duration, error) {
	later := retryAfter(response.Header, time.Now())
	switch status := response.Status; {
	case status == http.StatusTooManyRequests || status/100 == 5:
		return nil, later, fmt.Errorf("mediawiki %s: %w %d: %s", c.api, orbweaver.ErrStatus, status, saying(body))
	case status/100 != 2:
		return nil, never, fmt.Errorf("mediawiki %s: %w %d: %s", c.api, orbweaver.ErrStatus, status, saying(body))
	}
	a := &answer{}
	if err := json.Unmarshal(body, a); err != nil {
		return nil, never, c.illegible(body, err)
	}
	if a.Error == nil {
		return a, 0, nil
	}
	refused := &Error{API: c.api, Code: saying([]byte(a.Error.Code)), Info: saying([]byte(a.Error.Info))}
	if !refused.passing() {
		later = never
	}
	return nil, later, refused
}

// illegible describes a response that cannot be decoded.
func (c *Client) illegible(body []byte, err error) error {
	if strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 100)])), "<") {
		err = errors.New("a page came, and no JSON: the address of a wiki's api.php is wanted")
	}
	return fmt.Errorf("mediawiki %s: %w: %w", c.api, orbweaver.ErrUnreadable, err)
}

// retryAfter is the server's Retry-After; 0: none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// rest waits until the delay since the last response is over.
func (c *Client) rest(ctx context.Context) error {
	if c.last.IsZero() {
		return ctx.Err()
	}
	return sleep(ctx, time.Until(c.last.Add(c.delay)))
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
