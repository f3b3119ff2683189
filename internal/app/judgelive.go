package app

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/robots"
	"orbweaver/frontier"
	"orbweaver/internal/app/gate"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// A visit is the live Web as judge looks at it: one request after another, each in the turn that the
// frontier of a crawl gives it, so that delays of hosts and of addresses, Retry-After and back-off hold.
type visit struct {
	answers pipeline.Fetcher
	locate  func(ctx context.Context, host string) (string, error)
	gate    *gate.Gate
	limit   int64 // bytes of a payload
	close   func() error

	mu    sync.Mutex
	turns *frontier.Frontier
	hops  map[string]int   // redirects of the robots.txt of a host
	lost  map[string]error // why a host could not be looked up
}

// patience is how long judge waits for a host at most: somebody waits for judge.
const patience = 5 * time.Minute

// Close ends the connections.
func (v *visit) Close() error { return v.close() }

// near knows nothing: the Web cannot be listed.
func (v *visit) near(string) []string { return nil }

// fetch asks once, when the host's turn has come.
func (v *visit) fetch(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	turn, err := v.reach(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	return v.ask(ctx, turn, orbweaver.Request{URL: url, Accept: accept})
}

// robots asks for a host's robots.txt when it was not asked for it before; not for a link's sake.
func (v *visit) robots(ctx context.Context, url string, link bool) (allowed, known bool, line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	host := weburl.Host(url)
	if !v.turns.Open(host) {
		if link {
			return true, false, ""
		}
		turn, err := v.reach(ctx, url)
		if err != nil {
			return true, false, "" // fetch says why
		}
		v.turns.Done(turn.ID, step.Reply{}) // it never had the request
	}
	allowed, line = v.gate.Allows(url)
	return allowed, true, line
}

// reach waits for the turn in which a URL may be asked for. Until then the host is looked up, and asked
// for its robots.txt, in turns of their own.
func (v *visit) reach(ctx context.Context, url string) (step.Turn, error) {
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
			return turn, fmt.Errorf("fetch %s: %w: its host is to be left alone for another %v", url, orbweaver.ErrGaveUp, wait.Round(time.Second))
		default:
			if err := pause(ctx, wait); err != nil {
				return turn, err
			}
		}
	}
}

// failed reports whether an errand can never be served. A robots.txt that a redirect leads to where nobody
// answers cannot be had.
func (v *visit) failed(id uint64) (gone bool) {
	for _, turn := range v.turns.Failed() {
		if turn.Task == step.TakeRobots {
			v.learn(turn, robots.Answer{Err: orbweaver.ErrGaveUp})
		}
		gone = gone || turn.ID == id
	}
	return gone
}

// pause waits, unless the context ends before.
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

// serve does what must be done before a host may be asked for anything. The error is that of looking it
// up: whoever judges does not wait for a name to come to be.
func (v *visit) serve(ctx context.Context, turn step.Turn, host string) error {
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
	v.turns.Done(turn.ID, step.Reply{}) // nobody waits for it any more
	return nil
}

// askRobots asks for a robots.txt, once: where it cannot be had for now, nothing is allowed.
func (v *visit) askRobots(ctx context.Context, turn step.Turn) {
	response, payload, err := v.ask(ctx, turn, orbweaver.Request{URL: turn.URL, Purpose: orbweaver.ForRobots})
	answer := gate.AnswerFor(response, payload, v.hops[turn.For], err)
	if next := robots.Judge(answer, v.gate.Agent).Next; next != "" {
		v.hops[turn.For]++
		v.turns.Hop(turn, next)
		return
	}
	v.learn(turn, answer)
}

// learn takes what came of asking for a robots.txt.
func (v *visit) learn(turn step.Turn, answer robots.Answer) {
	verdict, delay := robots.Judge(answer, v.gate.Agent), time.Duration(0)
	if verdict.Rules != nil {
		delay = verdict.Rules.Delay
	}
	v.gate.Learn(turn.For, verdict.Rules, answer)
	v.turns.RobotsKnown(turn.For, delay, verdict.Why, time.Now())
}

// ask makes a request whose turn has come.
func (v *visit) ask(ctx context.Context, turn step.Turn, r orbweaver.Request) (*step.Response, []byte, error) {
	p := pipeline.Pipeline{Fetch: v.answers, MaxBody: v.limit}
	response, payload, err := p.Ask(ctx, r)
	v.turns.Done(turn.ID, pipeline.ReplyTo(response, int64(len(payload)), err, time.Now()))
	if err != nil {
		return nil, nil, err
	}
	return response, payload, nil
}
