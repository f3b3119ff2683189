package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Discoverer finds requests beside those that the focus proposes, and picks waiting ones to be made in place of the best, as
// probes. It is a Learner: all that it knows follows from outcomes.
type Discoverer interface {
	orbweaver.Learner
	// Proposals returns the requests that the last outcome learned, or the beginning, gave rise to.
	Proposals() []orbweaver.Proposal
	// Keys returns the groups of waiting requests that a request belongs to.
	Keys(orbweaver.Request) []string
	// Probes reports whether the request at a position in commit order is a probe.
	Probes(position int64) bool
	// Pick returns the waiting request that is probed; false: none. group and rank look at what waits.
	Pick(group func(key string) []uint64, rank func(id uint64) (score float64, waits bool)) (id uint64, ok bool)
	// Why returns the reason for a probe.
	Why(orbweaver.Request) orbweaver.Reason
}

// joined teaches a Discoverer beside the focus, which may be no Learner.
type joined struct {
	focus orbweaver.Learner
	found Discoverer
}

// Learn teaches both.
func (j joined) Learn(ctx context.Context, o orbweaver.Outcome) (lesson orbweaver.Lesson, err error) {
	if j.focus != nil {
		if lesson, err = j.focus.Learn(ctx, o); err != nil {
			return lesson, err
		}
	}
	_, err = j.found.Learn(ctx, o)
	return lesson, err
}

// Snapshot writes the length of the focus's snapshot, that snapshot, and the Discoverer's.
func (j joined) Snapshot(w io.Writer) error {
	var b bytes.Buffer
	if j.focus != nil {
		if err := j.focus.Snapshot(&b); err != nil {
			return err
		}
	}
	if _, err := w.Write(binary.AppendUvarint(nil, uint64(b.Len()))); err != nil {
		return err
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return err
	}
	return j.found.Snapshot(w)
}

// Restore reads what Snapshot wrote.
func (j joined) Restore(r io.Reader) error {
	all, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	n, size := binary.Uvarint(all)
	if size <= 0 || n > uint64(len(all)-size) {
		return fmt.Errorf("snapshot: %w", orbweaver.ErrDamaged)
	}
	own, found := all[size:size+int(n)], all[size+int(n):]
	if j.focus != nil {
		if err := j.focus.Restore(bytes.NewReader(own)); err != nil {
			return err
		}
	}
	return j.found.Restore(bytes.NewReader(found))
}

// probe picks the request for a position in commit order, if that is for a probe, and marks it; false: the best goes on.
func (c *Crawl) probe(position int64) (id uint64, ok bool) {
	if c.cfg.Discover == nil || c.refreshes() || !c.cfg.Discover.Probes(position) {
		return 0, false
	}
	id, ok = c.cfg.Discover.Pick(c.cfg.Frontier.Group, func(id uint64) (float64, bool) {
		score, waits := c.cfg.Frontier.Rank(id)
		_, drawn := c.drawn[id]
		_, probed := c.probed[id]
		return score, waits && !drawn && !probed && !step.IsLast(score) && !math.IsInf(score, 1)
	})
	if ok {
		c.probed[id] = struct{}{}
	}
	return id, ok
}

// refreshes reports whether this session asks again for what it has.
func (c *Crawl) refreshes() bool { return c.cfg.Live != nil && (c.cfg.Live.Refresh > 0 || c.watches()) }

// isFound reports whether a request waits because a Discoverer proposed it: no focus has a rank for it.
func isFound(r orbweaver.Request) bool {
	return r.Via != nil && (r.Via.Origin == orbweaver.FromSearch || r.Via.Origin == orbweaver.FromBacklink)
}

// proposeFound offers what a Discoverer found. What is known already is left alone.
func (f *offers) proposeFound() error {
	if f.c.cfg.Discover == nil {
		return nil
	}
	for _, p := range f.c.cfg.Discover.Proposals() {
		if _, known := f.c.cfg.Ledger.Seen(p.Request); known {
			continue
		}
		if err := f.propose(p); err != nil {
			return err
		}
	}
	return nil
}

// keyed adds the groups that a Discoverer picks from to a new proposal.
func (c *Crawl) keyed(p *orbweaver.Proposal) {
	if c.cfg.Discover != nil {
		p.Keys = append(p.Keys[:len(p.Keys):len(p.Keys)], c.cfg.Discover.Keys(p.Request)...)
	}
}

// explainProbe completes the judgement of a probe.
func (c *Crawl) explainProbe(w *step.Waiting) {
	if _, probed := c.probed[w.ID]; probed {
		delete(c.probed, w.ID)
		w.Reasons = append(w.Reasons[:len(w.Reasons):len(w.Reasons)], c.cfg.Discover.Why(w.Request))
	}
}

// ofProbe marks the numbers of probes among those of a round that were drawn. Numbers of requests are below it.
const ofProbe = 1 << 63
