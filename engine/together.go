package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
)

// A focus whose state follows from all pages of a round (RoundSharer) is shared by workers so: all begin and end each round together. Each keeps what its
// requests bring, lessons and proposals, also those of its own requests, as parcels in its ledger. When all have made their requests of a round, each takes the
// proposals of requests that it owns and the lessons of all, in an order that is the same whatever the number of workers, and ends the round. Then each offers its best
// requests, and the best of all offers are the next round. A worker that was killed asks for the same exchange again, and finds what it had handed over.

// Together are Others that go through rounds together with this worker. Its methods are called on the goroutine that decides.
type Together interface {
	Others
	// Whole returns the limits of the whole crawl.
	Whole() Limits
	// Lessons hands over what the requests of round n brought: the parcels in the ledger; of round 0, the seeds. It returns what those of all workers brought. ok is
	// false as long as others have not come so far: a Call comes when they have.
	Lessons(n int) (all Lessons, ok bool, err error)
	// Offers hands over what this worker offers for round n, and returns what all do, in the same order at all workers, and which offer is this one's. ok is as of
	// Lessons. try is 0, and one more each time that nobody offered anything and somebody waits for a host.
	Offers(n, try int, offer func() (Offer, error)) (all []Offer, own int, ok bool, err error)
}

// Lessons are what the requests of a round brought.
type Lessons struct {
	Lessons   []step.Parcel   // of all workers' pages
	Proposals []step.Parcel   // of requests that this worker owns
	Taken     []step.Delivery // what the batch that ends the round is to note
}

// An Offer is what a worker has for a round.
type Offer struct {
	Best   []Candidate   `json:"best,omitempty"`  // best first, among equals by URL
	State  string        `json:"state"`           // digest of what the focus knows: the same at all workers
	Have   step.Progress `json:"have"`            // Requests, Pages and Bytes
	Waits  bool          `json:"waits,omitempty"` // for hosts that are down
	Worker string        `json:"worker"`          // Offers sets it
}

// A Candidate is a request that could be part of a round.
type Candidate struct {
	URL    string  `json:"url"`
	Accept string  `json:"accept,omitempty"`
	Query  string  `json:"query,omitempty"`
	State  string  `json:"state,omitempty"`
	Score  float64 `json:"score"`
}

// ErrApart says that the workers of a crawl do not know the same after the same round.
var ErrApart = errors.New("the workers have learned different things")

// before orders candidates.
func (a Candidate) before(b Candidate) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.URL, b.URL), strings.Compare(a.Accept, b.Accept), strings.Compare(a.Query, b.Query), strings.Compare(a.State, b.State))
}

// shareRounds has the crawl go through rounds with others, if its focus is one for that.
func (c *Crawl) shareRounds() {
	if sharer, ok := c.cfg.Focus.(RoundSharer); ok {
		if c.together, ok = c.cfg.Others.(Together); ok {
			c.sharer = sharer
		}
	}
}

// roundMark is the sender under whose name the ledger notes how far the proposals of a round were taken; no worker has it.
const roundMark = "."

// allTaken stands for all proposals of a round.
const allTaken = 1<<40 - 1

// mark notes that the first proposals of a round were taken.
func mark(round, proposals int) step.Delivery {
	return step.Delivery{From: roundMark, Last: uint64(round)<<40 | uint64(proposals)}
}

// marked returns how many proposals of a round were taken.
func (c *Crawl) marked(round int) (proposals int, err error) {
	book, ok := c.cfg.Ledger.(Received)
	if !ok {
		return 0, errors.New("rounds of several workers: the ledger takes no deliveries")
	}
	last, err := book.Taken(roundMark, 0)
	if last>>40 != uint64(round) {
		return 0, err
	}
	return int(last & allTaken), err
}

// A passage is where a worker is between two rounds.
type passage struct {
	offers bool      // the round before has ended: what comes next are the offers for the next one
	try    int       // of these
	until  time.Time // a host that is down may be asked again
}

// meet begins a session of a crawl whose rounds are shared: nothing is requested before a round begins.
func (l *live) meet() error {
	l.hosts.Choose(nil)
	l.c.inRound = false
	l.passage.offers = l.c.progress.Rounds > 0
	if l.passage.offers {
		return nil
	}
	seeds, err := l.c.marked(0)
	l.passage.offers = seeds == allTaken
	return err
}

// goOn does what comes next when this worker has made its requests of a round. wait is as of idle; probe is when a host that is down may be asked again.
func (l *live) goOn(probe time.Time) (wait time.Duration, over bool, err error) {
	c := l.c
	for {
		if !l.passage.offers {
			round := c.progress.Rounds
			if c.inRound {
				round++
			}
			all, ok, err := c.together.Lessons(round)
			if !ok || err != nil {
				return -1, false, err
			}
			if err := c.endTogether(l.ctx, round, all); err != nil {
				return 0, false, err
			}
			l.passage = passage{offers: true}
		}
		if left := l.passage.until.Sub(c.now()); left > 0 {
			return left, false, nil
		}
		all, own, ok, err := c.together.Offers(c.progress.Rounds+1, l.passage.try, func() (Offer, error) { return l.offer(!probe.IsZero()) })
		if !ok || err != nil {
			return -1, false, err
		}
		if err := c.same(all); err != nil {
			return 0, false, err
		}
		size, ended := c.roundWithin(all)
		if ended != "" {
			c.progress.Ended = ended
			return 0, true, nil
		}
		ids, some := l.cut(all, own, size)
		switch {
		case !some && slices.ContainsFunc(all, func(o Offer) bool { return o.Waits }):
			l.passage.try++
			l.passage.until = probe
			continue
		case !some:
			if told, err := l.reportAll(); told || err != nil {
				return 0, false, err
			}
			c.progress.Ended = c.exhaustion()
			return 0, true, nil
		}
		if err := l.beginTogether(ids); err != nil || len(ids) > 0 {
			return 0, false, err
		}
	}
}

// beginTogether begins a round with this worker's requests of it.
func (l *live) beginTogether(ids []uint64) error {
	l.passage, l.c.inRound = passage{}, true
	if len(ids) == 0 {
		return nil
	}
	l.hosts.Choose(ids)
	return l.c.commit(step.Batch{Round: ids})
}

// same returns an error if workers do not know the same.
func (c *Crawl) same(all []Offer) error {
	have := map[string][]string{}
	for _, o := range all {
		have[o.State] = append(have[o.State], o.Worker)
	}
	if len(have) < 2 {
		return nil
	}
	var sides []string
	for _, names := range have {
		sides = append(sides, strings.Join(names, ", "))
	}
	slices.Sort(sides)
	return fmt.Errorf("after round %d: %w: those of %s differ. Their programs, crawl files or items are not the same, or a folder is damaged. Begin the crawl anew with another output; give an item of the Web as a file",
		c.progress.Rounds, ErrApart, strings.Join(sides, " and of "))
}

// roundWithin returns how many requests the next round has within the limits of the whole crawl, or the limit that ends it.
func (c *Crawl) roundWithin(all []Offer) (size int, ended string) {
	size = c.roundSize()
	var have step.Progress
	for _, o := range all {
		have.Requests += o.Have.Requests
		have.Pages += o.Have.Pages
		have.Bytes += o.Have.Bytes
	}
	limits := c.together.Whole()
	for _, l := range []struct {
		name        string
		limit, have int64
	}{{EndRequests, limits.Requests, have.Requests}, {EndPages, limits.Pages, have.Pages}} {
		left := l.limit - l.have
		switch {
		case l.limit <= 0:
		case left <= 0:
			return 0, l.name
		default:
			size = int(min(int64(size), left))
		}
	}
	if limits.Bytes > 0 && have.Bytes >= limits.Bytes {
		return 0, EndBytes
	}
	return size, ""
}

// offer is what this worker has for the next round.
func (l *live) offer(waits bool) (o Offer, err error) {
	p := l.c.progress
	o = Offer{State: l.c.state, Have: step.Progress{Requests: p.Requests, Pages: p.Pages, Bytes: p.Bytes}, Waits: waits}
	o.Best, err = l.candidates(l.c.roundSize())
	return o, err
}

// candidates returns the best waiting requests, among equals by URL.
func (l *live) candidates(size int) (all []Candidate, err error) {
	c := l.c
	var ids []uint64
	for n := size + 1; ; n *= 2 { // until all that are equal to the last one are among them
		ids = l.hosts.Select(n)
		l.hosts.Choose(nil)
		slices.Sort(ids)
		if ids = slices.Compact(ids); len(ids) < n {
			break
		}
		ranks := make([]float64, len(ids))
		for i, id := range ids {
			ranks[i], _ = c.cfg.Frontier.Rank(id)
		}
		order.By(ranks, func(a, b float64) int { return cmp.Compare(b, a) })
		if ranks[n-1] < ranks[size-1] {
			break
		}
	}
	for w, err := range c.cfg.Ledger.WaitingOf(ids) {
		if err != nil {
			return nil, err
		}
		rank, _ := c.cfg.Frontier.Rank(w.ID)
		all = append(all, Candidate{URL: w.URL, Accept: w.Accept, Query: w.Query, State: w.State, Score: rank})
	}
	order.By(all, Candidate.before)
	return all[:min(size, len(all))], nil
}

// cut returns this worker's requests of the next round that still wait: of the best of all offers. some: there are any, of any worker.
func (l *live) cut(all []Offer, own, size int) (ids []uint64, some bool) {
	type candidate struct {
		Candidate
		of int
	}
	var best []candidate
	for i, o := range all {
		for _, one := range o.Best {
			best = append(best, candidate{one, i})
		}
	}
	order.By(best, func(a, b candidate) int { return a.before(b.Candidate) })
	for _, one := range best[:min(size, len(best))] {
		if one.of != own {
			continue
		}
		id, known := l.c.cfg.Ledger.Seen(orbweaver.Request{URL: one.URL, Accept: one.Accept, Query: one.Query, State: one.State})
		if _, waits := l.c.cfg.Frontier.Rank(id); known && waits {
			ids = append(ids, id)
		}
	}
	return ids, len(best) > 0
}

// teachLater keeps what an outcome teaches for the end of the round.
func (f *offers) teachLater(ctx context.Context, o orbweaver.Outcome) (err error) {
	defer f.c.broke(&err, "lesson of", o.Request.URL)
	lesson, err := f.c.sharer.LessonOf(ctx, o)
	if err == nil && len(lesson) > 0 {
		f.sent = append(f.sent, step.Parcel{Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: o.Request.URL}}, Lesson: lesson})
	}
	return err
}

// endTogether takes what the requests of a round brought, in one order, and ends the round.
func (c *Crawl) endTogether(ctx context.Context, round int, all Lessons) error {
	order.Stably(all.Proposals, byParent)
	order.Stably(all.Lessons, func(a, b step.Parcel) int { return strings.Compare(a.URL, b.URL) })
	done, err := c.marked(round)
	if err != nil {
		return err
	}
	for done < len(all.Proposals) {
		part := all.Proposals[done:min(done+maxGiven, len(all.Proposals))]
		offers := newOffers(c)
		offers.held, offers.owned = false, true
		for _, p := range part {
			if err := offers.receive(p); err != nil {
				return err
			}
		}
		done += len(part)
		batch := step.Batch{Inherited: []step.Delivery{mark(round, done)}}
		offers.into(&batch)
		if err := c.commit(batch); err != nil {
			return err
		}
		c.breathe()
	}
	return c.fold(ctx, round, all)
}

// byParent orders proposals: by the pages that they are of, then by URL. How they came there is the same for those of one page.
func byParent(a, b step.Parcel) int {
	return cmp.Or(strings.Compare(a.Parent, b.Parent), strings.Compare(a.URL, b.URL), slices.Compare(a.Redirects, b.Redirects))
}

// fold has the focus learn the lessons of a round, ends it, and commits the state.
func (c *Crawl) fold(ctx context.Context, n int, all Lessons) (err error) {
	for _, p := range all.Lessons {
		if err := c.folded(ctx, p); err != nil {
			return err
		}
		c.breathe()
	}
	offers := newOffers(c)
	offers.held, offers.owned = false, true
	batch := step.Batch{Inherited: append(all.Taken, mark(n, allTaken)), Round: []uint64{}}
	if n > 0 {
		proposals, lesson, err := c.concluded(ctx, orbweaver.Round{N: n, Known: c.cfg.Ledger})
		if err == nil {
			proposals, err = c.followable(proposals)
		}
		if err == nil {
			err = offers.proposeAll(slices.DeleteFunc(proposals, func(p orbweaver.Proposal) bool { return c.away(p.URL) }))
		}
		if err == nil {
			err = offers.rerank(lesson.Stale)
		}
		if err == nil {
			err = offers.commitOpinions()
		}
		if err != nil {
			return err
		}
		batch.Facts = lesson.Facts
	}
	if batch.Model = c.snapshot(&err); err != nil {
		return err
	}
	c.state = digestOf(batch.Model)
	offers.into(&batch)
	c.inRound, c.progress.Rounds = false, n
	return c.commit(batch)
}

func (c *Crawl) folded(ctx context.Context, p step.Parcel) (err error) {
	defer c.broke(&err, "lesson of", p.URL)
	return c.sharer.Fold(ctx, p.URL, p.Lesson)
}

// digestOf is the digest of a snapshot of the focus.
func digestOf(snapshot []byte) string {
	sum := sha256.Sum256(snapshot)
	return hex.EncodeToString(sum[:16])
}
