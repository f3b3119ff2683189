package frontier

import (
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// Parameters of back-off.
const (
	leastRest = time.Second   // after trouble
	slow      = time.Second   // an answer that took longer is followed by a pause
	slowness  = 2             // which is so many times as long, from start to start
	tooLong   = time.Hour     // a host that asks to be left alone for longer is down
	halfRest  = leastRest / 2 // what doubles where no delay is in force
)

// handleReply derives from a reply how long its host rests, and whether the host is asked again at all.
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
		h.history().troubles = 0 // a robots.txt is a good reply when it could be used: RobotsKnown says so
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

// ended is when a reply was there; the latest time told, where it does not say.
func (f *Frontier) ended(r step.Reply) time.Time {
	switch {
	case !r.Ended.IsZero():
		return r.Ended
	case f.now.Before(r.Started):
		return r.Started
	}
	return f.now
}

// unreached reports whether a failure may be one of the address.
func unreached(r step.Reply) bool {
	switch r.Failure {
	case orbweaver.ErrConnect, orbweaver.ErrNoHost:
		return true
	case orbweaver.ErrTimeout:
		return r.Started.IsZero()
	}
	return false
}

// blame counts trouble with a host's robots.txt, once per request for it.
func (f *Frontier) blame(h *host, why orbweaver.Failure, at time.Time) {
	if !h.blamed {
		h.blamed = true
		f.trouble(h, why, at)
	}
}

// trouble lets a host rest after one more failure, or puts it down after too many.
func (f *Frontier) trouble(h *host, why orbweaver.Failure, at time.Time) {
	past := h.history()
	past.troubles++
	if past.troubles >= f.opts.MaxFailures {
		f.shut(h, why)
		return
	}
	h.rest(at.Add(f.backOff(h)))
}

// backOff returns the delay in force, doubled for each trouble in a row, plus a random part of up to a half; at least
// a second, at most MaxRest. Without a delay in force, half a second is doubled.
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
