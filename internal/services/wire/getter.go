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

// A Getter asks the live Web for what the user named: an API, a search engine. Nothing private is
// reached unless it is allowed. Robots.txt is not looked at, which is for those who follow links; the
// manners that an API asks for are the business of who uses this.
type Getter struct {
	client *client.Client
	Limit  int64 // bytes of an answer, packed and unpacked
}

// The bounds of a getter.
const (
	MaxGot  = 32 << 20
	getTime = time.Minute // of one answer
)

// NewGetter returns a getter that tells contact, a URL or an e-mail address, with each request; empty:
// nothing but our name.
func NewGetter(wire Wire, private crawlfile.Private, contact string) *Getter {
	opts := wire.Options
	opts.Timeout, opts.Guard = getTime, guard.New(private.All, private.Networks)
	if opts.UserAgent = Agent; contact != "" {
		opts.UserAgent += " (+" + contact + ")"
	}
	return &Getter{client.New(opts), MaxGot}
}

// Get asks once, and returns the answer and its payload without content codings.
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

// Close ends the connections.
func (g *Getter) Close() error { return g.client.Close() }
