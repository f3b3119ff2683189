package gather

import (
	"cmp"
	"slices"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/server"
)

// A Sum is the status of a crawl as the sum of those of its workers. It is for one goroutine.
type Sum struct {
	sum     server.Status
	refused map[string]step.Refused
}

// NewSum returns a Sum of none, which has all that is no figure of a status.
func NewSum(of server.Status) *Sum {
	of.Failures, of.Statuses = map[orbweaver.Failure]int64{}, nil
	return &Sum{of, map[string]step.Refused{}}
}

// Add adds the status of a worker.
func (t *Sum) Add(s server.Status) {
	sum, p, q := &t.sum, &t.sum.Progress, s.Progress
	p.Requests, p.Pages, p.Accepted, p.Bytes = p.Requests+q.Requests, p.Pages+q.Pages, p.Accepted+q.Accepted, p.Bytes+q.Bytes
	p.Active, p.Threshold, p.Rounds = max(p.Active, q.Active), max(p.Threshold, q.Threshold), max(p.Rounds, q.Rounds)
	sum.Paused = sum.Paused || s.Paused
	sum.Waiting, sum.InFlight, sum.Hosts = sum.Waiting+s.Waiting, sum.InFlight+s.InFlight, sum.Hosts+s.Hosts
	sum.Ready, sum.Resting, sum.Down = sum.Ready+s.Ready, sum.Resting+s.Resting, sum.Down+s.Down
	sum.Rate, sum.Memory, sum.Floods = sum.Rate+s.Rate, sum.Memory+s.Memory, sum.Floods+s.Floods
	sum.Absence = max(sum.Absence, s.Absence)
	for _, a := range s.Busiest {
		sum.Busiest = step.Busiest(sum.Busiest, a)
	}
	for f, n := range s.Failures {
		sum.Failures[f] += n
	}
	for status, n := range s.Statuses {
		if sum.Statuses == nil {
			sum.Statuses = map[int]int64{}
		}
		sum.Statuses[status] += n
	}
	if sum.Outage == nil {
		sum.Outage = s.Outage
	}
	for _, r := range s.Refused {
		r.Links += t.refused[r.Reason].Links
		t.refused[r.Reason] = r
	}
}

// Status returns the sum.
func (t *Sum) Status() server.Status {
	s := t.sum
	s.Refused = nil
	for _, r := range t.refused {
		s.Refused = append(s.Refused, r)
	}
	order.By(s.Refused, func(a, b step.Refused) int {
		return cmp.Or(cmp.Compare(b.Links, a.Links), cmp.Compare(a.Reason, b.Reason))
	})
	return s
}

// Ended is why a crawl ended whose workers ended so; empty: not all have.
func Ended(ends []string) string {
	if slices.Contains(ends, "") {
		return ""
	}
	for _, end := range ends {
		if !engine.Exhausted(end) && !engine.Passes(end) {
			return end
		}
	}
	for _, end := range ends {
		if engine.Passes(end) {
			return end
		}
	}
	if slices.Contains(ends, engine.EndCut) {
		return engine.EndCut
	}
	return engine.EndExhausted
}
