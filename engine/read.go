package engine

import (
	"context"
	"fmt"
	"io"
	"time"

	"orbweaver"
)

// A reading is all that can be known of a request without knowing the crawl.
type reading struct {
	status   int
	redirect string
	page     *orbweaver.Page
	size     int64
	at       time.Time
	record   orbweaver.Ref
	packed   any // for the Recorder; nil: nothing to archive
	err      error
}

// read fetches a waiting request, reads its page and prepares it for the focus.
func (c *Crawl) read(ctx context.Context, id uint64) reading {
	waiting, err := c.cfg.Ledger.Waiting(id)
	if err != nil {
		return reading{err: err}
	}
	return c.exchange(ctx, c.cfg.Fetch, waiting.Request, c.cfg.Recorder != nil)
}

// exchange puts a request to a fetcher and reads the answer. A panic on the way is a failure of this
// one request.
func (c *Crawl) exchange(ctx context.Context, from Fetcher, request orbweaver.Request, archive bool) (r reading) {
	defer func() {
		if p := recover(); p != nil {
			r.page = nil
			r.err = fmt.Errorf("read %s: %w: %v", request.URL, orbweaver.ErrUnreadable, p)
		}
	}()
	response, err := from.Fetch(ctx, request)
	if err != nil {
		return reading{err: err}
	}
	return c.digest(ctx, response, archive)
}

// digest makes a reading of a response, and closes it.
func (c *Crawl) digest(ctx context.Context, response *orbweaver.Response, archive bool) reading {
	r := reading{status: response.Status, at: response.At, record: response.Record, redirect: response.Redirect}
	payload, err := c.payload(response)
	if err != nil {
		r.err = failed("fetch", response.Request, err)
		return r
	}
	r.size = int64(len(payload))
	if archive {
		if r.packed, err = c.cfg.Recorder.Pack(response, payload); err != nil {
			r.err = failed("archive", response.Request, err)
			return r
		}
	}
	switch {
	case response.Status/100 == 2:
		r.page, r.err = c.page(ctx, response, payload)
	case response.Status/100 == 3 && r.redirect == "" && response.Header.Get("Location") != "":
		r.err = failed("fetch", response.Request, orbweaver.ErrBadTarget)
	case r.redirect == "":
		r.err = fmt.Errorf("fetch %s: %w %d", response.Request.URL, orbweaver.ErrStatus, response.Status)
	}
	return r
}

// payload reads a body as far as the limit allows.
func (c *Crawl) payload(response *orbweaver.Response) ([]byte, error) {
	defer response.Body.Close()
	limit := c.cfg.Limits.Body
	if limit <= 0 {
		return io.ReadAll(response.Body)
	}
	payload, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if int64(len(payload)) > limit {
		return nil, orbweaver.ErrTooLarge
	}
	return payload, err
}

// page reads a page and prepares it.
func (c *Crawl) page(ctx context.Context, response *orbweaver.Response, payload []byte) (*orbweaver.Page, error) {
	page, err := c.cfg.Read.Read(ctx, response, payload)
	if err != nil {
		return nil, failed("read", response.Request, err)
	}
	if c.focus.preparer != nil {
		if page.Findings, err = c.focus.preparer.Prepare(ctx, page); err != nil {
			return nil, failed("prepare", response.Request, err)
		}
	}
	return page, nil
}
