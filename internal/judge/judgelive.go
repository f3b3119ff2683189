package judge

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/robots"
	"orbweaver/frontier"
	"orbweaver/internal/gate"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// A liveSource is the live Web, one request after another. A crawl's frontier schedules them, so that the
// delays of hosts and addresses, Retry-After and back-off hold.
type liveSource struct {
	answers pipeline.Fetcher
	locate  func(ctx context.Context, host string) (string, error)
	gate    *gate.Gate
	limit   int64 // bytes of a payload
	close   func() error

	mu    sync.Mutex
	turns *frontier.Frontier
	hops  map[string]int   // by host: redirects of its robots.txt
	lost  map[string]error // by host: why its look-up failed
}

// patience is the longest wait for a host: a person waits for judge.
const patience = 5 * time.Minute

// Close closes the connections.
func (v *liveSource) Close() error { return v.close() }

// Near returns nothing: the Web cannot be listed.
func (v *liveSource) Near(string) []string { return nil }

// Fetch makes one request, when its host's turn comes.
func (v *liveSource) Fetch(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	turn, err := v.reach(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	return v.ask(ctx, turn, orbweaver.Request{URL: url, Accept: accept})
}

// Robots fetches a host's robots.txt unless it is known already, or url is the target of a link.
func (v *liveSource) Robots(ctx context.Context, url string, link bool) (allowed, known bool, line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	host := weburl.Host(url)
	if !v.turns.Open(host) {
		if link {
			return true, false, ""
		}
		turn, err := v.reach(ctx, url)
		if err != nil {
			return true, false, "" // Fetch reports the reason
		}
		v.turns.Done(turn.ID, step.Reply{}) // without a request
	}
	allowed, line = v.gate.Allows(url)
	return allowed, true, line
}

// reach waits for the turn of a request. Until then it looks up the host and fetches its robots.txt, in
// turns of their own.
func (v *liveSource) reach(ctx context.Context, url string) (step.Turn, error) {
	id := v.turns.Subresource(url)
	for {
		gone := v.failed(id)
		turn, wait, ok := v.turns.Next(time.Now())
		switch {
		case ok && turn.Task == step.TakeSubresource && turn.ID == id:
			return turn, nil
		case ok:
			if err := v.serve(ctx, turn, weburl.Host(url)); err != nil {
				return turn, fmt.Errorf("fetch %s: %w", url, err)
			}
		case gone || wait < 0:
			return turn, fmt.Errorf("fetch %s: %w", url, cmp.Or(v.lost[weburl.Host(url)], error(orbweaver.ErrGaveUp)))
		case wait > patience:
			return turn, fmt.Errorf("fetch %s: %w: its host must rest for another %v", url, orbweaver.ErrGaveUp, wait.Round(time.Second))
		default:
			if err := pause(ctx, wait); err != nil {
				return turn, err
			}
		}
	}
}

// failed reports whether a subresource request can never be served. A robots.txt that redirects to a dead
// host is unavailable.
func (v *liveSource) failed(id uint64) (gone bool) {
	for _, turn := range v.turns.Failed() {
		if turn.Task == step.TakeRobots {
			v.learn(turn, robots.Answer{Err: orbweaver.ErrGaveUp})
		}
		gone = gone || turn.ID == id
	}
	return gone
}

// pause waits, or returns the error of ctx when that ends first.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// serve looks up a host or fetches its robots.txt. It returns the error of a look-up: judge does not retry
// one.
func (v *liveSource) serve(ctx context.Context, turn step.Turn, host string) error {
	switch turn.Task {
	case step.TakeAddress:
		address, err := v.locate(ctx, turn.Host)
		v.turns.Located(turn, address, orbweaver.FailureOf(err), time.Now())
		if turn.Host != host {
			return ctx.Err()
		}
		v.lost[host] = err
		return err
	case step.TakeRobots:
		v.askRobots(ctx, turn)
		return ctx.Err()
	}
	v.turns.Done(turn.ID, step.Reply{}) // of an earlier call
	return nil
}

// askRobots fetches a robots.txt, once: while it is unavailable, nothing is allowed.
func (v *liveSource) askRobots(ctx context.Context, turn step.Turn) {
	response, payload, err := v.ask(ctx, turn, orbweaver.Request{URL: turn.URL, Purpose: orbweaver.ForRobots})
	answer := gate.AnswerFor(response, payload, v.hops[turn.For], err)
	if next := robots.Judge(answer, v.gate.Agent).Next; next != "" {
		v.hops[turn.For]++
		v.turns.Hop(turn, next)
		return
	}
	v.learn(turn, answer)
}

// learn applies the answer to a robots.txt request.
func (v *liveSource) learn(turn step.Turn, answer robots.Answer) {
	verdict, delay := robots.Judge(answer, v.gate.Agent), time.Duration(0)
	if verdict.Rules != nil {
		delay = verdict.Rules.Delay
	}
	v.gate.Learn(turn.For, verdict.Rules, answer)
	v.turns.RobotsKnown(turn.For, delay, verdict.Why, time.Now())
}

// ask makes a request in its turn.
func (v *liveSource) ask(ctx context.Context, turn step.Turn, r orbweaver.Request) (*step.Response, []byte, error) {
	p := pipeline.Pipeline{Fetch: v.answers, MaxBody: v.limit}
	response, payload, err := p.Ask(ctx, r)
	v.turns.Done(turn.ID, pipeline.ReplyTo(response, int64(len(payload)), err, time.Now()))
	if err != nil {
		return nil, nil, err
	}
	return response, payload, nil
}
