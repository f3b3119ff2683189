package workspace

import (
	"context"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/crawl"
)

// maxCompared is the number of crawls that are compared at once.
const maxCompared = 12

// A Compared is a crawl beside others.
type Compared struct {
	ID       string        `json:"id"`
	Focus    string        `json:"focus,omitempty"` // its kind, as the crawl file names it
	Status   crawl.Status  `json:"status"`
	Failures int64         `json:"failures"` // outcomes without a page
	Active   time.Time     `json:"active"`   // when it last changed
	Points   []crawl.Point `json:"points"`   // its curve
}

// comparedPoints is the number of points of each curve.
const comparedPoints = 120

// Compare returns crawls of the workspace side by side, in the order asked for. The error wraps ErrUnknown if there is none of an id,
// and orbweaver.ErrInput if one has not begun.
func (w *Workspace) Compare(ctx context.Context, ids []string) ([]Compared, error) {
	if len(ids) > maxCompared {
		return nil, fmt.Errorf("at most %d crawls are compared at once (%w)", maxCompared, orbweaver.ErrInput)
	}
	all := []Compared{}
	for _, id := range ids {
		one, err := w.compared(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func (w *Workspace) compared(ctx context.Context, id string) (one Compared, err error) {
	view, err := w.Crawl(ctx, id)
	if err != nil {
		return one, err
	}
	if view.Status == nil {
		return one, fmt.Errorf("crawl %s has not begun: there is nothing to compare (%w)", id, orbweaver.ErrInput)
	}
	one = Compared{ID: id, Status: *view.Status, Active: view.Active}
	for _, n := range view.Status.Failures {
		one.Failures += n
	}
	if text, err := w.Text(id); err == nil { // a folder alone may lack it
		values, _ := crawl.FileValues(text) // likewise
		one.Focus = values["focus"]
	}
	err = w.Use(ctx, id, func(c *crawl.Crawl) (err error) {
		one.Points, err = c.Curve(ctx, comparedPoints)
		return err
	})
	return one, err
}
