package engine

import (
	"fmt"
	"time"

	"orbweaver"
)

// maxRobots is how many bytes of a robots.txt are taken, compressed or not; what follows is not read.
const maxRobots = 1 << 20

// robots asks for a robots.txt, or what stands for it.
func (l *live) robots(turn orbweaver.Turn) func() error {
	request := orbweaver.Request{URL: turn.URL, Purpose: orbweaver.ForRobots}
	var payload []byte
	var packed any
	response, err := l.c.cfg.Fetch.Fetch(l.ctx, request)
	if err == nil {
		l.started(turn.ID, response.Started)
		if payload, err = readHead(response, maxRobots); err == nil && l.c.cfg.Recorder != nil {
			packed, err = l.c.cfg.Recorder.Pack(response, payload)
		}
	}
	reply := replyTo(response, int64(len(payload)), err)
	return func() error {
		if l.ctx.Err() != nil {
			return nil
		}
		l.hosts.Done(turn.ID, reply)
		return l.manners(turn, response, payload, packed, err)
	}
}

// manners takes what came of asking for a robots.txt.
func (l *live) manners(turn orbweaver.Turn, response *orbweaver.Response, payload []byte, packed any, problem error) error {
	batch := orbweaver.Batch{Accounts: l.accounts(turn.Host)}
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
	if m.Next != "" {
		l.hops[turn.For]++
		l.hosts.Hop(turn, m.Next)
		return l.c.commit(batch)
	}
	delete(l.hops, turn.For)
	if m.Later {
		l.hosts.Unopened(turn.For, m.Why, time.Now())
	} else {
		l.hosts.Opened(turn.For, m.Delay, m.Why, time.Now())
		if err := l.welcome(turn.For, &batch); err != nil {
			return err
		}
	}
	batch.Accounts = l.accounts(turn.For)
	if turn.Host != turn.For {
		batch.Accounts = l.accounts(turn.For, turn.Host)
	}
	if err := l.c.commit(batch); err != nil {
		return err
	}
	return l.settle(turn.For, problem)
}

// welcome drops what a host's robots.txt forbids of what waits there, and proposes its sitemaps.
func (l *live) welcome(host string, batch *orbweaver.Batch) error {
	for _, id := range l.hosts.Waits(host) {
		waiting, err := l.waiting(id)
		if err != nil {
			return err
		}
		if !l.c.inScope(waiting.URL) {
			batch.Refused = append(batch.Refused, id)
		}
	}
	l.hosts.Drop(batch.Refused...)
	if l.c.cfg.Live.Refresh > 0 {
		return nil
	}
	offers := newOffers(l.c)
	err := offers.proposeSitemaps()
	batch.Waiting = offers.list
	return err
}

// proposeSitemaps takes the sitemaps that came to be known.
func (f *offers) proposeSitemaps() error {
	if f.c.cfg.Sitemaps == nil {
		return nil
	}
	return f.proposeAll(proposeSitemaps(f.c.cfg.Sitemaps(), 1, "", 0))
}

// proposeSitemaps makes proposals of sitemaps.
func proposeSitemaps(urls []string, score float64, parent string, depth int) []orbweaver.Proposal {
	var proposals []orbweaver.Proposal
	for _, url := range urls {
		p := orbweaver.Proposal{Request: orbweaver.Request{URL: url, Purpose: orbweaver.ForSitemap, Parent: parent, Depth: depth}}
		p.Judgement = orbweaver.Judgement{Score: score, Reasons: []orbweaver.Reason{{Rule: "sitemap", Evidence: url, Weight: score}}}
		proposals = append(proposals, p)
	}
	return proposals
}

// sitemapsOf proposes the sitemaps that a sitemap index names, with the score of the index itself.
func sitemapsOf(o orbweaver.Outcome) []orbweaver.Proposal {
	var urls []string
	for _, link := range o.Page.Links {
		if link.Rel == "sitemap" {
			urls = append(urls, link.To)
		}
	}
	return proposeSitemaps(urls, o.Predicted.Score, o.Request.URL, o.Request.Depth)
}
