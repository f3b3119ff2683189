package simulation

import (
	"context"
	"errors"
	"time"

	"orbweaver/internal/manners"
)

// errKilled ends the crawl of a worker that is killed.
var errKilled = errors.New("killed")

// Times of kills.
const (
	betweenKills = 20 * time.Second // on average
	downFor      = 15 * time.Second // at most
)

// killLater has a worker drawn at random killed after a while, and then the next.
func (c *crew) killLater() {
	after := time.Duration(c.dice.ExpFloat64() * float64(betweenKills))
	w := c.workers[c.dice.IntN(len(c.workers))]
	if w.over {
		return
	}
	w.clock.At(c.now().Add(after), func() error {
		c.result.kills++
		if c.result.kills < c.simulation.Kills {
			c.killLater()
		}
		w.killed = true
		return errKilled
	})
}

// now is the time of the crew: no clock is past it.
func (c *crew) now() (latest time.Time) {
	for _, w := range c.workers {
		if t := w.clock.Now(); t.After(latest) {
			latest = t
		}
	}
	return latest
}

// live runs the crawl of a worker, again after each kill.
func (w *worker) live(ctx context.Context) {
	for {
		w.finish(w.crawl.Run(ctx))
		if !errors.Is(w.err, errKilled) || ctx.Err() != nil {
			return
		}
		if w.err = w.book.Abandon(); w.err != nil {
			return
		}
		killed := w.clock.Now()
		w.clock.Restart(time.Duration(w.crew.dice.Float64() * float64(downFor)))
		w.guest.leave(killed) // it comes back as a stranger, who waits for what was asked before
		w.guest = w.crew.join()
		clear(w.owed)
		w.killed = false
		if w.err = w.prepare(ctx); w.err != nil {
			return
		}
	}
}

// A guest is a worker at the places that workers share.
type guest struct {
	*manners.Member
	turns map[string]int
	delay time.Duration
}

// join makes a worker a guest.
func (c *crew) join() *guest {
	return &guest{Member: c.places.Join(func(error) {}), turns: map[string]int{}}
}

// Claim implements frontier.Others.
func (g *guest) Claim(place string, delay time.Duration, now time.Time) (time.Time, bool) {
	until, ok := g.Member.Claim(place, delay, now)
	if ok {
		g.turns[place]++
		g.delay = max(g.delay, delay)
	}
	return until, ok
}

// Release implements frontier.Others.
func (g *guest) Release(place string, start time.Time, delay time.Duration) {
	if g.turns[place]--; g.turns[place] <= 0 {
		delete(g.turns, place)
	}
	g.Member.Release(place, start, delay)
}

// leave ends the turns of a worker that was killed, as if their requests had started then.
func (g *guest) leave(killed time.Time) {
	for place, n := range g.turns {
		for range n {
			g.Member.Release(place, killed, g.delay)
		}
	}
	clear(g.turns)
}
