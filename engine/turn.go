package engine

import (
	"time"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// serve starts the task of a turn.
func (l *live) serve(turn step.Turn) error {
	switch turn.Task {
	case step.TakeAddress:
		l.begin(func() func() error { return l.locate(turn) })
	case step.TakeRobots:
		l.begin(func() func() error { return l.robots(turn) })
	case step.TakeSubresource:
		l.grant(turn)
	case step.TakeRequisite:
		return l.requisite(turn)
	default:
		waiting, err := l.waiting(turn.ID)
		if err != nil {
			return err
		}
		if last, err := l.putLast(turn, waiting); last || err != nil {
			return err
		}
		if l.shutOut(turn, waiting.URL) {
			l.comeBack(waiting)
			return nil
		}
		if before, again := l.c.again[turn.ID]; again && l.c.watches() {
			waiting.Since = l.c.cfg.Live.Watch.Since(Visit{ID: turn.ID, Before: before})
		} else if again && l.c.cfg.Live.Since != nil {
			waiting.Since = l.c.cfg.Live.Since(before)
		}
		if waiting, err = l.c.predict(waiting); err != nil {
			return err
		}
		l.c.flying[turn.ID] = struct{}{}
		l.begin(func() func() error { return l.request(turn, waiting) })
	}
	return nil
}

// giveBack returns a request to the queue.
func (l *live) giveBack(turn step.Turn) error {
	waiting, err := l.waiting(turn.ID)
	if err == nil {
		l.hosts.Done(turn.ID, step.Reply{})
		l.comeBack(waiting)
	}
	return err
}

// putLast puts a request of a kind that does not answer after all others of its host, and gives its turn back.
func (l *live) putLast(turn step.Turn, w step.Waiting) (last bool, err error) {
	_, drawn := l.c.drawn[w.ID]
	if _, again := l.c.again[w.ID]; again || drawn || l.c.inRound || l.c.watches() || step.IsLast(w.Score) {
		return false, nil
	}
	if _, fails := l.c.fails(w); !fails {
		return false, nil
	}
	opinion := step.Opinion{ID: w.ID, Score: step.Last(w.Score), Note: w.Note}
	if err := l.c.commit(step.Batch{Opinions: []step.Opinion{opinion}}); err != nil {
		return false, err
	}
	l.hosts.Done(turn.ID, step.Reply{})
	w.Score = opinion.Score
	l.c.cfg.Frontier.Add(w)
	return true, nil
}

// waiting returns a request that waits, or whose turn has come.
func (l *live) waiting(id uint64) (step.Waiting, error) {
	if before, again := l.c.again[id]; again {
		return step.Waiting{ID: id, Proposal: orbweaver.Proposal{Request: before.Request, Judgement: before.Actual}}, nil
	}
	return l.c.cfg.Ledger.Waiting(id)
}

// locate looks up a host's address.
func (l *live) locate(turn step.Turn) func() error {
	address, err := l.lookUp(turn.Host)
	return func() error {
		if l.ctx.Err() != nil {
			return nil
		}
		why := orbweaver.FailureOf(err)
		l.hosts.Located(turn, address, why, l.c.now())
		l.note(turn.Host)
		if err == nil { // a name that is known says nothing of the network
			return nil
		}
		reply := step.Reply{Failure: why}
		if why != orbweaver.ErrPrivate && why != orbweaver.ErrNoHost {
			reply.Fault = step.FaultHost
		}
		asked, _ := l.best(turn.Host)
		if err := l.noteReply(turn.Host, asked, reply); err != nil {
			return err
		}
		return l.settle(turn.Host, 0, reading{err: err})
	}
}

// lookUp resolves a host's address.
func (l *live) lookUp(host string) (address string, err error) {
	defer pipeline.Catch(&err, "look up", host)
	return l.c.cfg.Live.Locate(l.ctx, host)
}

// request makes a waiting request.
func (l *live) request(turn step.Turn, waiting step.Waiting) func() error {
	x := &exchange{c: l.c, id: turn.ID, live: l, turn: turn}
	r := x.run(l.ctx, waiting.Request, l.c.cfg.Fetch.Fetch)
	return func() error {
		defer x.decided()
		l.widen()
		delete(l.c.flying, turn.ID)
		if !x.silent.Load() {
			if err := l.done(turn, r.reply); err != nil {
				return err
			}
		}
		if l.ctx.Err() != nil {
			return nil // the reading may be incomplete: the next session repeats the request
		}
		if err := l.arrived(turn, waiting, r); err != nil || r.err == nil {
			return err
		}
		return l.settle(turn.Host, turn.ID, r)
	}
}

// done reports that an exchange is over, to the frontier and to what watches the network. An exchange that the end of the session interrupted
// is no failure of the host, though the host may have received the request.
func (l *live) done(turn step.Turn, reply step.Reply) error {
	if l.ctx.Err() != nil {
		reply = step.Reply{Started: reply.Started, Ended: reply.Ended, Bytes: reply.Bytes}
	}
	l.hosts.Done(turn.ID, reply)
	l.note(turn.Host)
	l.release(turn.Host)
	var failed uint64
	if turn.Task == step.TakeRequest {
		failed = turn.ID
	}
	return l.noteReply(turn.Host, failed, reply)
}

// arrived decides a reading, or queues its request for a retry.
func (l *live) arrived(turn step.Turn, waiting step.Waiting, r reading) error {
	if l.lost(turn, waiting, r) {
		return l.c.commit(step.Batch{Accounts: l.accounts()})
	}
	if l.again(waiting, r) {
		l.putBack(turn.Host, waiting, r)
		return l.c.commit(step.Batch{Accounts: l.accounts()}) // with the host's rest
	}
	l.note(turn.Host)
	r.accounts = l.accounts()
	return l.c.decide(l.ctx, waiting, r)
}

// started reports the start of an exchange to the frontier before its end, if turns overlap.
func (l *live) started(id uint64, at time.Time) {
	if l.c.cfg.Live.Overlap {
		l.do(func() error {
			l.hosts.Started(id, at)
			return nil
		})
	}
}
