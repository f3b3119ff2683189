package frontier

import (
	"slices"
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
	case l.task == step.TakeProbe: // says more of the network than of the host
	case r.Fault == step.FaultNone:
		if !r.Started.IsZero() && l.task != step.TakeRobots { // a robots.txt is a success if it is usable: see RobotsKnown
			f.answered(h)
			f.widen(l, r)
		}
	case l.own:
		f.blame(h, r.Failure, at)
	case r.Fault == step.FaultDocument:
		h.rest(at.Add(f.backOff(h, 1)))
	default:
		f.trouble(h, l, r, at)
	}
	switch {
	case r.RetryAfter > tooLong:
		f.shut(h, r.Failure, at.Add(r.RetryAfter))
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
		f.trouble(h, lease{probe: h.down() != ""}, step.Reply{Failure: why, Fault: step.FaultHost}, at)
	}
}

// trouble makes a host rest after one more failure, or puts it down after too many. Failures to answer count once for
// each request: a page that never answers, tried again and again, is no trouble of its host.
func (f *Frontier) trouble(h *host, l lease, r step.Reply, at time.Time) {
	past := h.history()
	past.width = width{}
	switch {
	case past.down != "" && l.probe:
		f.shutAgain(h, at)
		return
	case past.down != "": // it was in flight when the host went down
		return
	case r.Fault == step.FaultHost:
		past.troubles++
	case slices.Contains(past.blamed, l.id):
		h.rest(at.Add(f.backOff(h, 1)))
		return
	default:
		past.troubles++
		past.blamed = append(past.blamed, l.id)
	}
	if past.troubles >= f.opts.MaxFailures {
		f.shut(h, r.Failure, at.Add(firstProbe))
		return
	}
	h.rest(at.Add(f.backOff(h, past.troubles)))
}

// backOff returns the delay in force, doubled for each of a number of consecutive troubles, plus a random part of up to
// a half; at least a second, at most MaxRest. Without a delay in force, half a second is doubled.
func (f *Frontier) backOff(h *host, troubles int) time.Duration {
	rest := f.spacing(h)
	if rest <= 0 {
		rest = halfRest
	}
	rest = min(rest, f.opts.MaxRest)
	for range troubles {
		if rest = 2 * rest; rest >= f.opts.MaxRest {
			return f.opts.MaxRest
		}
	}
	rest = max(rest, leastRest)
	return min(rest+time.Duration(f.jitter.Int64N(int64(rest/2)+1)), f.opts.MaxRest)
}
