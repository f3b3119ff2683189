package engine

import (
	"orbweaver"
	"orbweaver/internal/step"
)

// Explore has a share of the requests drawn at random in place of the best, so that outcomes are known of links
// that the ranking would never follow. The zero value draws none.
//
// Which requests are random follows from Seed and their position in commit order. Over an archive the waiting
// requests are the same at a position, whatever was killed before, so the same one is drawn.
//
// Over an archive a draw is exactly uniform: each waiting request that can be drawn has the same probability,
// whatever its score. In a round of fixed size the drawn ones are a simple random sample, without replacement, of
// what waits when the round begins. On the live Web outside rounds a draw is uniform over what waits then, too, and
// the request drawn is the next one made at its host, when the host's turn comes: delays, robots.txt and slots hold
// as for any other. It is approximate in that a host with a drawn request ahead gets no second one, that the order
// of outcomes is that of the answers, and that what is ahead when a process is killed is no longer marked.
//
// Nothing can be drawn at hosts that are down or whose budget is spent. Seeds, targets of redirects, sitemaps and
// queries are never drawn; where these are nearly all that waits, a turn may go to the best request after all.
type Explore struct {
	Share float64 // of the requests, 0..1
	Seed  int64
}

// maxDraws bounds the draws for one request; each hits a request that can be drawn with the probability of their
// share in what waits.
const maxDraws = 64

// bits returns 64 uniformly distributed bits that follow from the seed, a position in commit order, and a try:
// rounds of SplitMix64 (Steele, Lea and Flood 2014).
func (e Explore) bits(position int64, try int) uint64 {
	h := uint64(e.Seed)
	for _, part := range [...]uint64{uint64(position), uint64(try)} {
		h += part*0xbf58476d1ce4e5b9 + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// explores reports whether the request at a position in commit order is a random one.
func (c *Crawl) explores(position int64) bool {
	e := c.cfg.Explore
	return e.Share > 0 && !c.refreshes() && float64(e.bits(position, 0)>>11)/(1<<53) < e.Share
}

// draw draws a request for a position in commit order and marks it; ok is false if none can be drawn.
func (c *Crawl) draw(position int64) (w step.Waiting, ok bool, err error) {
	for try := 1; try <= maxDraws; try++ {
		id, ok := c.cfg.Frontier.Draw(c.cfg.Explore.bits(position, try))
		if _, again := c.drawn[id]; !ok || again {
			continue
		}
		if w, err = c.cfg.Ledger.Waiting(id); err != nil {
			return w, false, err
		}
		if isLink(w.Request) {
			c.drawn[id] = struct{}{}
			return w, true, nil
		}
	}
	return w, false, nil
}

// isLink reports whether a request waits because a page links to it.
func isLink(r orbweaver.Request) bool {
	return r.Parent != "" && r.Purpose == orbweaver.ForPage && r.Query == "" && len(r.Redirects) == 0
}

// exploreStrictly leases the next request of an archive if it is a random one. The target of a redirect goes first.
func (c *Crawl) exploreStrictly() (id uint64, ok bool, err error) {
	position := c.n + 1
	if c.goesAhead() {
		return 0, false, nil
	}
	if id, ok = c.probe(position); ok {
		return id, c.cfg.Frontier.Take(id, c.now()), nil
	}
	if !c.explores(position) {
		return 0, false, nil
	}
	w, ok, err := c.draw(position)
	return w.ID, ok && c.cfg.Frontier.Take(w.ID, c.now()), err
}

// exploreLive puts a random request ahead of the others of its host if the next request of this session is to be a
// random one. It looks once a request. spare is false if none may start.
func (l *live) exploreLive(spare bool) error {
	c := l.c
	position := c.n + int64(len(c.flying)) + 1
	if !spare || position <= l.explored || c.inRound {
		return nil
	}
	l.explored = position
	if id, ok := c.probe(position); ok {
		w, err := c.cfg.Ledger.Waiting(id)
		if w.Ahead = true; err == nil {
			c.cfg.Frontier.Add(w)
		}
		return err
	}
	if !c.explores(position) {
		return nil
	}
	w, ok, err := c.draw(position)
	if ok {
		w.Ahead = true
		c.cfg.Frontier.Add(w)
	}
	return err
}

// comeBack queues a request again whose turn came to nothing; one that was drawn stays ahead.
func (l *live) comeBack(w step.Waiting) {
	if l.c.away(w.URL) { // its partition went to another worker meanwhile, and it with it
		return
	}
	_, drawn := l.c.drawn[w.ID]
	_, probed := l.c.probed[w.ID]
	if drawn || probed {
		w.Ahead = true
	}
	l.c.cfg.Frontier.Add(w)
}

// mix replaces requests of a new round by random ones: the round has the best requests but for the places that are
// to be random. drawn are those of ids that were drawn.
func (c *Crawl) mix(best []uint64) (ids, drawn []uint64, err error) {
	at := map[int]uint64{}
	for i := range best {
		position := c.n + 1 + int64(i)
		if id, ok := c.probe(position); ok {
			at[i], drawn = id, append(drawn, id|ofProbe)
			continue
		}
		if !c.explores(position) {
			continue
		}
		w, ok, err := c.draw(position)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			at[i], drawn = w.ID, append(drawn, w.ID)
		}
	}
	if len(drawn) == 0 {
		return best, nil, nil
	}
	next := 0
	for i := range best {
		id, random := at[i]
		for !random && id == 0 {
			_, taken := c.drawn[best[next]]
			if _, probed := c.probed[best[next]]; !taken && !probed {
				id = best[next]
			}
			next++
		}
		ids = append(ids, id)
	}
	return ids, drawn, nil
}

// wasDrawn reports whether the outcome of a request tells of a random link: it was drawn itself, or it is what
// another one that was drawn redirects to. A refresh changes nothing.
func (c *Crawl) wasDrawn(w step.Waiting) bool {
	if before, again := c.again[w.ID]; again {
		return before.Explored
	}
	if _, drawn := c.drawn[w.ID]; drawn {
		delete(c.drawn, w.ID)
		return true
	}
	if n := len(w.Redirects); n > 0 {
		from, err := c.cfg.Ledger.Outcome(w.Redirects[n-1])
		return err == nil && from.Explored
	}
	return false
}
