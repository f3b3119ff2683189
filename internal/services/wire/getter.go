package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// Getter fetches what the user named from the live Web, such as an API or a search engine. It refuses
// private addresses unless they are allowed. It ignores robots.txt, which is meant for link-following
// robots; callers must respect the rate limits of an API.
type Getter struct {
	client *client.Client
	Limit  int64 // bytes of an answer, compressed and decompressed
}

// Limits of a getter.
const (
	MaxGot  = 32 << 20
	getTime = time.Minute // per answer
)

// NewGetter returns a getter that sends contact, a URL or an e-mail address, with each request; empty:
// only the program's name.
func NewGetter(wire Wire, private crawlfile.Private, contact string) *Getter {
	opts := wire.Options
	opts.Timeout, opts.Guard = getTime, guard.New(private.All, private.Networks)
	if opts.UserAgent = Agent; contact != "" {
		opts.UserAgent += " (+" + contact + ")"
	}
	return &Getter{client.New(opts), MaxGot}
}

// Get sends one request, and returns the response and its decoded payload.
func (g *Getter) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	response, err := g.client.Fetch(ctx, orbweaver.Request{URL: url, Accept: accept})
	if err != nil {
		return nil, nil, err
	}
	payload, err := io.ReadAll(io.LimitReader(response.Body, g.Limit+1))
	switch err = errors.Join(err, response.Body.Close()); {
	case err == nil && int64(len(payload)) > g.Limit:
		err = orbweaver.ErrTooLarge
	case err == nil:
		payload, err = page.Decode(response.Header, payload, g.Limit)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("fetch %.200s: %w", url, err)
	}
	return response, payload, nil
}

// Close closes the connections.
func (g *Getter) Close() error { return g.client.Close() }
