package pages

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

const (
	sparkPoints = 24 // places of a crawl that are looked at
	sparkPages  = 25 // pages at each
	sparkWhole  = sparkPoints * sparkPages
	sparkWait   = 60 * time.Millisecond // that a page waits for a line that is not known yet
	sparkWidth  = 120
	sparkHeight = 28
)

// A spark is a small line: the harvest from the first page of a crawl to its latest.
type spark struct {
	Points string // of an SVG polyline
	Label  string // the same in words
}

// sparks are the lines that are known, by crawl.
type sparks struct {
	mu  sync.Mutex
	all map[string]*sparkJob
}

// A sparkJob draws a line.
type sparkJob struct {
	requests int64 // of the crawl when it was drawn
	done     chan struct{}
	line     *spark // nil: there is too little to draw
}

// spark returns the line of a crawl, drawn at most once for the same number of requests; nil if it is not there soon: the next
// request has it then.
func (h *Handler) spark(c workspace.Crawl) *spark {
	requests := c.Status.Progress.Requests
	h.sparks.mu.Lock()
	if h.sparks.all == nil {
		h.sparks.all = map[string]*sparkJob{}
	}
	job := h.sparks.all[c.ID]
	if job == nil || job.ended() && (requests < job.requests || requests > job.requests+job.requests/50) {
		job = &sparkJob{requests: requests, done: make(chan struct{})}
		h.sparks.all[c.ID] = job
		h.Workspace.Beside(func(ctx context.Context) { h.draw(ctx, c.ID, job) })
	}
	h.sparks.mu.Unlock()
	select {
	case <-job.done:
		return job.line
	case <-time.After(sparkWait):
		return nil
	}
}

func (j *sparkJob) ended() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// draw draws a line from samples of the pages in the order of commits: it never reads a whole list.
func (h *Handler) draw(ctx context.Context, id string, job *sparkJob) {
	defer close(job.done)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var shares []float64
	err := h.Workspace.Use(ctx, id, func(c *crawl.Crawl) (err error) {
		shares, err = harvests(ctx, c, job.requests)
		return err
	})
	if err == nil && len(shares) > 1 {
		job.line = lineOf(shares)
	}
}

// harvests are the shares of accepted pages in parts of a crawl, in order.
func harvests(ctx context.Context, c *crawl.Crawl, requests int64) (shares []float64, err error) {
	if requests <= sparkWhole {
		list, err := c.Pages(ctx, crawl.PageQuery{Sort: "n", Limit: sparkWhole})
		part := max(1, (len(list.Pages)+sparkPoints-1)/sparkPoints)
		for i := 0; i < len(list.Pages); i += part {
			shares = append(shares, acceptedShare(list.Pages[i:min(i+part, len(list.Pages))]))
		}
		return shares, err
	}
	for i := range int64(sparkPoints) {
		list, err := c.Pages(ctx, since(i*(requests-sparkPages)/(sparkPoints-1), sparkPages))
		if err != nil {
			return nil, err
		}
		if len(list.Pages) > 0 {
			shares = append(shares, acceptedShare(list.Pages))
		}
	}
	return shares, nil
}

// since asks for the pages after an outcome, at the cost of those pages alone.
func since(n int64, limit int) crawl.PageQuery {
	q := crawl.PageQuery{Sort: "n", Limit: limit}
	if n > 0 {
		q.After = q.Cursor(crawl.Page{N: n})
	}
	return q
}

func acceptedShare(pages []crawl.Page) float64 {
	n := 0
	for _, p := range pages {
		if p.Accepted {
			n++
		}
	}
	return float64(n) / float64(len(pages))
}

func lineOf(shares []float64) *spark {
	var points strings.Builder
	for i, s := range shares {
		x := float64(i) * sparkWidth / float64(len(shares)-1)
		fmt.Fprintf(&points, "%.1f,%.1f ", x, 1+(1-s)*(sparkHeight-2))
	}
	return &spark{
		Points: strings.TrimSpace(points.String()),
		Label:  fmt.Sprintf("Share of accepted pages: %.0f %% at the start, %.0f %% at the end", 100*shares[0], 100*shares[len(shares)-1]),
	}
}
