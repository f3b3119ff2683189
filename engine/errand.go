package engine

import (
	"context"
	"fmt"

	"orbweaver"
)

// get makes a request when the turn of its host comes.
func (l *live) get(ctx context.Context, request orbweaver.Request) (*orbweaver.Response, []byte, error) {
	granted := make(chan error, 1)
	var turn uint64
	queued := func() error {
		turn = l.hosts.Errand(request.URL)
		l.errands[turn] = granted
		return nil
	}
	if !l.do(queued) {
		return nil, nil, l.ctx.Err()
	}
	select {
	case err := <-granted:
		if err != nil {
			return nil, nil, err
		}
	case <-ctx.Done():
		l.do(func() error { return l.forgo(turn, granted) })
		return nil, nil, ctx.Err()
	}
	response, err := l.c.cfg.Fetch.Fetch(ctx, request)
	var payload []byte
	if err == nil {
		l.started(turn, response.Started)
		payload, err = readAll(response, l.c.cfg.Limits.Body)
	}
	reply := replyTo(response, int64(len(payload)), err)
	l.do(func() error {
		l.c.inFlight--
		l.hosts.Done(turn, reply)
		return nil
	})
	return response, payload, err
}

// grant tells who waits for an errand that its turn has come, unless robots.txt forbids it or nobody
// waits any more.
func (l *live) grant(turn orbweaver.Turn) {
	_, wanted := l.errands[turn.ID]
	if wanted && l.c.cfg.Live.Robots != nil {
		if ok, rule := l.c.cfg.Live.Robots.Allows(turn.URL); !ok {
			l.answer(turn.ID, fmt.Errorf("fetch %s: %w: %s", turn.URL, orbweaver.ErrRobots, rule))
			wanted = false
		}
	}
	if !wanted {
		l.hosts.Done(turn.ID, orbweaver.Reply{})
		return
	}
	l.c.inFlight++
	l.answer(turn.ID, nil)
}

// answer ends the waiting for an errand's turn.
func (l *live) answer(turn uint64, err error) {
	if granted, ok := l.errands[turn]; ok {
		delete(l.errands, turn)
		granted <- err
	}
}

// forgo is for who waits no more: a turn that was granted just now is given back.
func (l *live) forgo(turn uint64, granted chan error) error {
	delete(l.errands, turn)
	select {
	case err := <-granted:
		if err == nil {
			l.c.inFlight--
			l.hosts.Done(turn, orbweaver.Reply{})
		}
	default:
	}
	return nil
}
