package services

import (
	"context"
	"fmt"
	"net/url"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/machine"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// LiveWorkers is the default number of concurrent requests to the live Web. Most of them wait for their
// hosts.
const LiveWorkers = 128

// MostWorkers is the default number of concurrent requests to the live Web while the processors have nothing else to do.
const MostWorkers = 512

// idleConnections bounds the idle connections to all hosts together. Keeping them pays off: a host is
// requested again after its delay, and a new connection costs more than the first answer. With few files
// that may be open they are fewer: see package machine.
const idleConnections = 4096

// NewClient returns the HTTP client of a crawl file.
func NewClient(f *crawlfile.Crawl, wire wire.Wire) (*client.Client, error) {
	opts, p := wire.Options, f.Politeness
	opts.UserAgent, opts.Timeout = p.UserAgent, p.Timeout
	if p.Contact != "" {
		opts.UserAgent += " (+" + p.Contact + ")"
	}
	opts.Idle = min(idleConnections, machine.Files().Idle)
	opts.Guard = guard.New(f.AllowPrivate.All, f.AllowPrivate.Networks, ports(f.AllowPorts)...)
	if opts.Access == nil {
		var err error
		if opts.Access, err = OpenAccess("crawl file", f, ""); err != nil {
			return nil, err
		}
	}
	if opts.Query == nil {
		opts.Query = sparql.Put
	}
	if p.Proxy != "" {
		proxy, err := url.Parse(p.Proxy)
		if err != nil {
			return nil, fmt.Errorf("politeness.proxy: %s (%w)", weburl.Redacted(err.Error()), orbweaver.ErrInput)
		}
		opts.Proxy = proxy
	}
	return client.New(opts), nil
}

// ports are the ports of a crawl file, each from 1 to 65535.
func ports(numbers []int) []uint16 {
	list := make([]uint16, len(numbers))
	for i, n := range numbers {
		list[i] = uint16(n)
	}
	return list
}

// LiveWeb fetches from the live Web.
type LiveWeb struct{ *client.Client }

// Fetch sends one request, a conditional one if a version of the page is known.
func (w LiveWeb) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if r.Since != nil {
		return w.FetchIf(ctx, r, r.Since.ETag, r.Since.LastModified)
	}
	return w.Client.Fetch(ctx, r)
}
