package eval

import (
	"fmt"
	"math"

	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// LeastDrawn is the number of requests drawn at random from which a Sample is shown.
const LeastDrawn = 20

// A Sample compares links that were drawn at random with those that were followed by their rank. Each link counts
// once, by what it led to in the end: a page, or a failure, which is not accepted.
type Sample struct {
	Drawn          int `json:"drawn"`           // links drawn at random
	DrawnAccepted  int `json:"drawn_accepted"`  // those that led to an accepted page
	Ranked         int `json:"ranked"`          // links followed by rank; seeds, sitemaps and queries do not count
	RankedAccepted int `json:"ranked_accepted"` // those that led to an accepted page
}

// Add adds a line of pages.jsonl.
func (s *Sample) Add(l ledger.Line) {
	accepted := 0
	if l.Accepted {
		accepted = 1
	}
	switch {
	case l.Redirect != "" && l.Error == "" || l.Query != "" || l.Error == step.ErrSource:
	case l.Explored:
		s.Drawn, s.DrawnAccepted = s.Drawn+1, s.DrawnAccepted+accepted
	case l.Parent != "":
		s.Ranked, s.RankedAccepted = s.Ranked+1, s.RankedAccepted+accepted
	}
}

// Text tells the rates in words; empty if fewer than LeastDrawn links were drawn.
func (s *Sample) Text() string {
	if s == nil || s.Drawn < LeastDrawn {
		return ""
	}
	low, high := Wilson(s.DrawnAccepted, s.Drawn)
	text := fmt.Sprintf("%.1f %% of %d accepted (95 %%: %.1f to %.1f %%)", 100*float64(s.DrawnAccepted)/float64(s.Drawn), s.Drawn, 100*low, 100*high)
	if s.Ranked > 0 {
		text += fmt.Sprintf("; of the %d others %.1f %%", s.Ranked, 100*float64(s.RankedAccepted)/float64(s.Ranked))
	}
	return text
}

// Wilson returns the bounds of the 95 % interval of a probability of which n trials had some successes (Wilson 1927);
// 0 and 1 without a trial.
func Wilson(successes, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, trials := float64(successes)/float64(n), float64(n)
	middle := p + z*z/(2*trials)
	half := z * math.Sqrt(p*(1-p)/trials+z*z/(4*trials*trials))
	of := 1 + z*z/trials
	return max(0, (middle-half)/of), min(1, (middle+half)/of)
}
