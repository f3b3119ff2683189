package engine

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// A subresource is a request that waits for its turn.
type subresource struct {
	turn    step.Turn  // complete once it is granted
	granted chan error // of capacity 1: nil, or why the turn never comes
}

// get makes a subresource request when its turn comes.
func (l *live) get(ctx context.Context, request orbweaver.Request) (*step.Response, []byte, error) {
	e := &subresource{granted: make(chan error, 1)}
	queued := func() error {
		e.turn.ID = l.hosts.Subresource(request.URL)
		l.subresources[e.turn.ID] = e
		return nil
	}
	if !l.do(queued) {
		return nil, nil, failed("fetch", request, l.ctx.Err())
	}
	if err := l.granted(ctx, e); err != nil {
		return nil, nil, err
	}
	response, payload, err := l.ask(ctx, e.turn, request, func(r *step.Response) ([]byte, error) {
		return pipeline.Payload(r, l.c.cfg.Limits.Body, nil)
	})
	reply := l.c.replyTo(response, int64(len(payload)), err)
	l.deliver(func() error {
		l.c.inFlight--
		if err := l.done(e.turn, reply); err != nil {
			return err
		}
		return l.settle(e.turn.Host, 0, reading{err: err})
	})
	return response, payload, err
}

// granted waits for a subresource's turn, until ctx or the session ends.
func (l *live) granted(ctx context.Context, e *subresource) error {
	var err error
	select {
	case err = <-e.granted:
		return err
	case <-ctx.Done():
		err = ctx.Err()
	case <-l.ctx.Done():
		err = l.ctx.Err()
	}
	l.deliver(func() error { return l.forgo(e) })
	return err
}

// ask makes a request whose turn has come, for its payload alone. A panic fails this request alone.
func (l *live) ask(ctx context.Context, turn step.Turn, request orbweaver.Request, read func(*step.Response) ([]byte, error)) (response *step.Response, payload []byte, err error) {
	defer pipeline.Catch(&err, "fetch", request.URL)
	if response, err = l.c.cfg.Fetch.Fetch(ctx, request); err != nil {
		return nil, nil, err
	}
	l.started(turn.ID, response.Started)
	if payload, err = read(response); err != nil {
		err = failed("fetch", request, err)
	}
	return response, payload, err
}

// grant gives a subresource its turn, unless robots.txt forbids it or its page waits no more.
func (l *live) grant(turn step.Turn) {
	e, wanted := l.subresources[turn.ID]
	if wanted && l.c.cfg.Live.Robots != nil {
		if ok, rule := l.c.cfg.Live.Robots.Allows(turn.URL); !ok {
			l.answer(turn, fmt.Errorf("fetch %s: %w: %s", turn.URL, orbweaver.ErrRobots, rule))
			wanted = false
		}
	}
	if wanted && l.shutOut(turn, turn.URL) {
		delete(l.subresources, turn.ID)
		e.turn.ID = l.hosts.Subresource(turn.URL)
		l.subresources[e.turn.ID] = e
		return
	}
	if !wanted {
		l.hosts.Done(turn.ID, step.Reply{})
		return
	}
	l.c.inFlight++
	e.turn = turn
	l.answer(turn, nil)
}

// answer ends the waiting for a subresource's turn.
func (l *live) answer(turn step.Turn, err error) {
	if e, ok := l.subresources[turn.ID]; ok {
		delete(l.subresources, turn.ID)
		e.granted <- err
	}
}

// forgo withdraws a subresource that its page waits for no more: a turn granted meanwhile is given back.
func (l *live) forgo(e *subresource) error {
	delete(l.subresources, e.turn.ID)
	select {
	case err := <-e.granted:
		if err == nil {
			l.c.inFlight--
			l.hosts.Done(e.turn.ID, step.Reply{})
		}
	default:
		l.hosts.Drop(e.turn.ID)
	}
	return nil
}
