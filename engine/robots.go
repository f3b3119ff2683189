package engine

import (
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// maxRobots is how many bytes of a robots.txt are read, as received. The rest is ignored.
const maxRobots = 1 << 20

// robots requests a robots.txt, or the target of its redirect.
func (l *live) robots(turn step.Turn) func() error {
	request := orbweaver.Request{URL: turn.URL, Purpose: orbweaver.ForRobots}
	var packed any
	response, payload, err := l.ask(l.ctx, turn, request, func(r *step.Response) (head []byte, err error) {
		if head, err = readHead(r, maxRobots); err == nil && l.c.cfg.Recorder != nil {
			packed, err = l.c.packed(r, head)
		}
		return head, err
	})
	reply := l.c.replyTo(response, int64(len(payload)), err)
	return func() error {
		if err := l.done(turn, reply); err != nil || l.ctx.Err() != nil {
			return err
		}
		return l.robotsAnswered(turn, response, payload, packed, err)
	}
}

// robotsAnswered handles the response to a robots.txt request, or its failure.
func (l *live) robotsAnswered(turn step.Turn, response *step.Response, payload []byte, packed any, problem error) error {
	var batch step.Batch
	if packed != nil {
		_, err := l.c.cfg.Recorder.Append(packed)
		if err == nil {
			batch.Archive, err = l.c.cfg.Recorder.Mark()
		}
		if err != nil {
			return fmt.Errorf("archive %s: %w", turn.URL, err)
		}
	}
	m := l.c.cfg.Live.Robots.Answer(turn.For, l.hops[turn.For], response, payload, problem)
	if m.Next != "" && response != nil {
		l.hops[turn.For]++
		l.hosts.Hop(turn, m.Next)
		batch.Accounts = l.accounts()
		return l.c.commit(batch)
	}
	delete(l.hops, turn.For)
	if m.Later || m.Next != "" {
		l.hosts.RobotsUnavailable(turn.For, m.Why, l.c.now())
	} else {
		l.hosts.RobotsKnown(turn.For, m.Delay, m.Why, l.c.now())
		if err := l.admit(turn.For, &batch); err != nil {
			return err
		}
	}
	l.note(turn.For)
	batch.Accounts = l.accounts()
	if err := l.c.commit(batch); err != nil {
		return err
	}
	for _, host := range slices.Compact([]string{turn.For, turn.Host}) {
		if err := l.settle(host, 0, reading{err: problem}); err != nil {
			return err
		}
	}
	return nil
}

// admit removes the waiting requests that a host's robots.txt forbids, and proposes its sitemaps. In a
// refresh, a forbidden page gets an outcome.
func (l *live) admit(host string, batch *step.Batch) error {
	for _, id := range l.hosts.Waits(host) {
		waiting, err := l.waiting(id)
		if err != nil {
			return err
		}
		ok, rule := l.c.admits(waiting.URL)
		if ok {
			continue
		}
		l.hosts.Drop(id)
		if _, again := l.c.again[id]; again {
			err = l.c.decide(l.ctx, waiting, reading{err: fmt.Errorf("refresh %s: %w: %s", waiting.URL, orbweaver.ErrRobots, rule), at: l.c.now()})
		} else {
			if l.c.fresh[id] {
				if _, err := l.c.saw(Sight{Visit: Visit{ID: id, Fresh: true}}); err != nil {
					return err
				}
			}
			batch.Refused = append(batch.Refused, id)
			l.c.refuse(waiting.Proposal, rule)
		}
		if err != nil {
			return err
		}
	}
	if l.c.refreshes() {
		return nil
	}
	offers := newOffers(l.c)
	err := offers.proposeSitemaps()
	offers.into(batch)
	return err
}

// proposeSitemaps proposes the sitemaps found since the last call.
func (f *offers) proposeSitemaps() error {
	if f.c.cfg.Sitemaps == nil {
		return nil
	}
	return f.proposeAll(proposeSitemaps(f.c.cfg.Sitemaps(), 1, "", 0))
}

// proposeSitemaps returns proposals for sitemaps.
func proposeSitemaps(urls []string, score float64, parent string, depth int) []orbweaver.Proposal {
	var proposals []orbweaver.Proposal
	for _, url := range urls {
		p := orbweaver.Proposal{Request: orbweaver.Request{URL: url, Purpose: orbweaver.ForSitemap, Parent: parent, Depth: depth}}
		p.Judgement = orbweaver.Judgement{Score: score, Reasons: []orbweaver.Reason{{Rule: "sitemap", Evidence: url, Weight: score}}}
		proposals = append(proposals, p)
	}
	return proposals
}

// sitemapsOf returns proposals for the sitemaps of a sitemap index, with the score of the index.
func sitemapsOf(o orbweaver.Outcome) []orbweaver.Proposal {
	var urls []string
	for _, link := range o.Page.Links {
		if link.Rel == "sitemap" {
			urls = append(urls, link.To)
		}
	}
	return proposeSitemaps(urls, o.Predicted.Score, o.Request.URL, o.Request.Depth+1)
}
