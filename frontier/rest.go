package frontier

import (
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// Parameters of back-off.
const (
	leastRest = time.Second   // after trouble
	slow      = time.Second   // a slower answer is followed by a longer pause
	slowness  = 2             // ratio of that pause, start to start, to the answer's duration
	tooLong   = time.Hour     // a host that asks for a longer pause is down
	halfRest  = leastRest / 2 // base of the back-off if no delay is in force
)

// handleReply derives from a reply how long its host rests, and whether it is down.
func (f *Frontier) handleReply(l lease, r step.Reply) {
	h, at := l.host, f.ended(r)
	if took := at.Sub(r.Started); !r.Started.IsZero() && took > slow {
		h.rest(r.Started.Add(min(slowness*min(took, f.opts.MaxRest), f.opts.MaxRest)))
	}
	switch {
	case r.Trouble && l.own:
		f.blame(h, r.Failure, at)
	case r.Trouble:
		f.trouble(h, r.Failure, at)
	case !r.Started.IsZero() && l.task != step.TakeRobots:
		h.history().troubles = 0 // a robots.txt is a success if it is usable: see RobotsKnown
	}
	switch {
	case r.RetryAfter > tooLong:
		f.shut(h, r.Failure)
	case r.RetryAfter > 0:
		h.rest(at.Add(r.RetryAfter))
	}
	if f.opts.Live && unreached(r) {
		f.lose(h)
	}
}

// ended returns when a reply was complete; if it does not say, the latest known time.
func (f *Frontier) ended(r step.Reply) time.Time {
	switch {
	case !r.Ended.IsZero():
		return r.Ended
	case f.now.Before(r.Started):
		return r.Started
	}
	return f.now
}

// unreached reports whether the address may have caused a failure.
func unreached(r step.Reply) bool {
	switch r.Failure {
	case orbweaver.ErrConnect, orbweaver.ErrNoHost:
		return true
	case orbweaver.ErrTimeout:
		return r.Started.IsZero()
	}
	return false
}

// blame counts trouble with a host's robots.txt, once per request.
func (f *Frontier) blame(h *host, why orbweaver.Failure, at time.Time) {
	if !h.blamed {
		h.blamed = true
		f.trouble(h, why, at)
	}
}

// trouble makes a host rest after one more failure, or puts it down after too many.
func (f *Frontier) trouble(h *host, why orbweaver.Failure, at time.Time) {
	past := h.history()
	past.troubles++
	if past.troubles >= f.opts.MaxFailures {
		f.shut(h, why)
		return
	}
	h.rest(at.Add(f.backOff(h)))
}

// backOff returns the delay in force, doubled for each consecutive trouble, plus a random part of up to a
// half; at least a second, at most MaxRest. Without a delay in force, half a second is doubled.
func (f *Frontier) backOff(h *host) time.Duration {
	rest := f.spacing(h)
	if rest <= 0 {
		rest = halfRest
	}
	rest = min(rest, f.opts.MaxRest)
	for range h.past.troubles {
		if rest = 2 * rest; rest >= f.opts.MaxRest {
			return f.opts.MaxRest
		}
	}
	rest = max(rest, leastRest)
	return min(rest+time.Duration(f.jitter.Int64N(int64(rest/2)+1)), f.opts.MaxRest)
}
