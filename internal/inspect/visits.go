package inspect

import (
	"context"

	"orbweaver/engine"
	"orbweaver/internal/changes"
	"orbweaver/internal/kind"
	"orbweaver/internal/ongoing"
	"orbweaver/internal/saturation"
	"orbweaver/internal/step"
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

// Logins returns the logins of the crawl file, and how they stand if the crawl runs.
func (h *Handle) Logins(ctx context.Context) ([]ongoing.Login, error) {
	return loginsCall.ask(ctx, h, struct{}{})
}

var loginsCall = call[struct{}, []ongoing.Login]{name: "logins", do: func(ctx context.Context, p *spot, _ struct{}) (all []ongoing.Login, err error) {
	if p.run == nil {
		return ongoing.Logins(p.file, nil), nil
	}
	now, err := p.run.Logins(ctx)
	return ongoing.Logins(p.file, now), err
}}

// Stopping returns what is left to accept, as estimated, and when the crawl ends.
func (h *Handle) Stopping(ctx context.Context) (ongoing.Stopping, error) {
	return stoppingCall.ask(ctx, h, struct{}{})
}

var stoppingCall = call[struct{}, ongoing.Stopping]{name: "stopping", do: func(ctx context.Context, p *spot, _ struct{}) (s ongoing.Stopping, err error) {
	var now step.Progress
	waiting, limits := int64(0), engine.Limits{}
	if err := p.between(ctx, func() {
		now, limits = p.ledger.Progress(), p.limits()
		if waiting = max(0, int64(p.ledger.Known())-now.Requests); p.run != nil {
			now, waiting = p.run.Session.Progress(), int64(p.run.Turns.Len())
		}
	}); err != nil {
		return s, err
	}
	var curve *saturation.Curve
	switch {
	case kind.AbilitiesOf(p.file.Focus).Pageless:
		s = ongoing.Without(ongoing.NoPages)
	case p.run != nil && p.run.C.Left == nil:
		s = ongoing.Without(ongoing.Revisits)
	case p.run != nil:
		s = ongoing.StoppingOf(p.file.Stop.Saturation, p.run.C.Left.Curve(ctx), now.Threshold, waiting)
	default:
		if curve, err = p.left.Read(ctx, p.file.Output, now.Requests); err == nil {
			s = ongoing.StoppingOf(p.file.Stop.Saturation, curve, now.Threshold, waiting)
		}
	}
	s.Limits = ongoing.LimitsOf(limits, now)
	return s, err
}}

// limits are those of the session, or of the crawl file.
func (p *spot) limits() engine.Limits {
	if p.run != nil {
		return p.run.Session.Limits()
	}
	l := p.file.Limits
	return engine.Limits{Requests: l.Requests, Pages: l.Pages, Bytes: l.Bytes, Time: l.Time, Depth: l.Depth}
}

// Changes returns the latest changes that watches of the crawl found, at most so many, the latest first.
func (h *Handle) Changes(most int) ([]changes.Change, error) {
	return changes.Latest(h.Dir, min(max(most, 0), MostRows))
}
