package inspect

import (
	"context"

	"orbweaver/internal/changes"
	"orbweaver/server"
)

// Visits are the state of a watch, and its next visits.
type Visits struct {
	Watch    *server.Watch     `json:"watch"`    // nil: the crawl is not watched now
	Upcoming []server.Upcoming `json:"upcoming"` // the first one first
}

// Visits returns the state of a watch and its next visits, at most so many.
func (h *Handle) Visits(ctx context.Context, most int) (Visits, error) {
	return visitsCall.ask(ctx, h, min(max(most, 0), MostRows))
}

var visitsCall = call[int, Visits]{name: "visits", do: func(ctx context.Context, p *spot, most int) (v Visits, err error) {
	v.Upcoming = []server.Upcoming{}
	if p.run == nil || !p.run.C.Watching {
		return v, nil
	}
	s, err := p.run.Status(ctx)
	if v.Watch = s.Watch; err != nil {
		return v, err
	}
	list, err := p.run.Upcoming(ctx, min(max(most, 0), MostRows))
	v.Upcoming = append(v.Upcoming, list...)
	return v, err
}}

// Changes returns the latest changes that watches of the crawl found, at most so many, the latest first.
func (h *Handle) Changes(most int) ([]changes.Change, error) {
	return changes.Latest(h.Dir, min(max(most, 0), MostRows))
}
