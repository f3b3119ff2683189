package frontier

import (
	"time"

	"orbweaver/internal/step"
)

// Parameters of widths.
const (
	far     = 20 * time.Millisecond // to the first byte: answers that come sooner are not worth asking for side by side
	queuing = 2                     // ratio of a wait to the shortest one from which on the host answers slower for what it is asked
)

// A width is how many turns a host, or an address, without any delay has in flight, beyond the one that each may have. One more is
// granted after as many answers as are in flight, each after about the shortest wait so far; half are taken away when a wait
// is twice as long, and all by trouble.
type width struct {
	extra    int32
	answers  int32         // since extra changed
	shortest time.Duration // wait for an answer's first byte; 0: there was none
}

// note takes the wait for an answer. No more than most are granted.
func (w *width) note(wait time.Duration, most int) {
	if w.shortest == 0 || wait < w.shortest {
		w.shortest = max(wait, 1)
	}
	switch {
	case wait > queuing*w.shortest+far:
		w.extra, w.answers = w.extra/2, 0
	case wait < far || int(w.extra)+1 >= most:
	default:
		if w.answers++; w.answers > w.extra {
			w.extra, w.answers = w.extra+1, 0
		}
	}
}

// widen notes how long a host, and the address at which it was asked, let an answer wait.
func (f *Frontier) widen(l lease, r step.Reply) {
	if f.opts.Widest < 2 || l.task != step.TakeRequest || r.Started.IsZero() || l.given.IsZero() || f.opts.Idle != nil && !f.opts.Idle() {
		return
	}
	wait := r.Started.Sub(l.given)
	l.host.history().width.note(wait, f.opts.Widest)
	if l.address != nil {
		l.address.width.note(wait, f.opts.Widest)
	}
}
