package engine

import (
	"maps"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
)

// Parameters of the watch over the own network.
const (
	lastHosts   = 5                // hosts that answered last: those that probes ask
	suspicious  = 3                // hosts in a row that were not reached before one that answered last is probed
	sure        = 2                // probes without an answer that show an outage, each of another host where there is one
	firstRest   = time.Second      // between the first two probes of an outage; doubled after each
	longestRest = 30 * time.Second // between two probes
	maxLost     = 1000             // requests that an outage is recorded with
	probeBytes  = 4 << 10          // that are read of a probe's answer
)

// A network is what a session knows of its own connection. Where several hosts in a row cannot be reached, hosts that
// answered last are asked once more. If two of them do not answer either, the network is down: the failures since the last
// answer are nobody's, no request starts, and probes go on until one is answered.
type network struct {
	good    []string            // hosts that answered last, the latest first
	silent  map[string]struct{} // hosts that were not reached since the last answer
	strikes map[string]struct{} // those of them that speak for an outage
	first   time.Time           // of these failures
	failed  []uint64            // the requests among them
	probing bool
	probes  int // in a row without an answer
	next    time.Time
	outage  step.Outage // in progress if From is set
}

// down reports whether the network is down.
func (n *network) down() bool { return !n.outage.From.IsZero() }

// suspected reports whether the network may be down.
func (n *network) suspected() bool {
	return n.down() || len(n.good) > 0 && len(n.strikes) >= suspicious
}

// reached reports whether an exchange shows that the network is there.
func reached(r step.Reply) bool {
	switch r.Failure {
	case "", orbweaver.ErrStatus:
		return true
	}
	if pipeline.IsStandIn(r.Failure) {
		return true
	}
	return r.Fault == step.FaultNone && !r.Started.IsZero()
}

// missed reports whether an exchange failed as exchanges do when the network is down.
func missed(r step.Reply) bool {
	return r.Fault == step.FaultHost ||
		r.Fault == step.FaultAnswer && r.Failure != orbweaver.ErrStatus && !pipeline.IsStandIn(r.Failure)
}

// noteReply adds the end of an exchange, or of a look-up, to what is known of the network. failed is the request that
// waits for it; 0: none.
func (l *live) noteReply(host string, failed uint64, r step.Reply) error {
	n := &l.network
	switch {
	case l.ctx.Err() != nil:
	case reached(r):
		return l.heard(host)
	case missed(r) || r.Failure == orbweaver.ErrNoHost: // some resolvers deny all names when they are cut off
		if len(n.silent) == 0 {
			n.first = l.c.now()
			n.silent, n.strikes = map[string]struct{}{}, map[string]struct{}{}
		}
		n.silent[host] = struct{}{}
		if failed != 0 && len(n.failed) < maxLost {
			n.failed = append(n.failed, failed)
		}
		if missed(r) {
			n.strikes[host] = struct{}{}
		}
	}
	return nil
}

// heard notes that a host answered, which ends an outage.
func (l *live) heard(host string) error {
	n := &l.network
	if len(n.good) == 0 || n.good[0] != host {
		n.good = slices.DeleteFunc(n.good, func(g string) bool { return g == host })
		n.good = slices.Insert(n.good, 0, host)[:min(len(n.good)+1, lastHosts)]
	}
	if !n.down() {
		clear(n.silent)
		clear(n.strikes)
		n.probes, n.failed = 0, n.failed[:0]
		return nil
	}
	l.forgive()
	over := n.outage
	over.To, over.Hosts = l.c.now(), len(n.silent)
	good := n.good
	*n = network{good: good}
	if l.c.cfg.Live.Tell != nil {
		l.c.cfg.Live.Tell(over)
	}
	return l.c.commit(step.Batch{Outage: &over, Accounts: l.accounts()})
}

// noteOutage commits an outage that is not over.
func (l *live) noteOutage() error {
	lasting := l.network.outage
	lasting.Hosts = len(l.network.silent)
	return l.c.commit(step.Batch{Outage: &lasting, Accounts: l.accounts()})
}

// forgive ends the troubles of the hosts that were not reached.
func (l *live) forgive() {
	hosts := make([]string, 0, len(l.network.silent))
	for host := range l.network.silent {
		hosts = append(hosts, host)
		l.note(host)
	}
	slices.Sort(hosts)
	l.hosts.Forgive(hosts, l.c.now())
}

// watchNetwork starts a probe if one is due. out: the network is down; wait is the time until the next probe, negative
// while one is in flight.
func (l *live) watchNetwork() (wait time.Duration, out bool) {
	n := &l.network
	if !n.suspected() {
		return 0, false
	}
	now := l.c.now()
	if n.probing {
		return -1, n.down()
	}
	if !n.next.After(now) {
		n.next = now.Add(l.probe(now))
	}
	if n.probing {
		return -1, n.down()
	}
	return n.next.Sub(now), n.down()
}

// probe asks one of the hosts that answered last, each in its turn, and returns the time until that is possible.
func (l *live) probe(now time.Time) time.Duration {
	n := &l.network
	least := firstRest
	for i := range n.good {
		host := n.good[(n.probes+i)%len(n.good)]
		turn, wait, ok := l.hosts.Probe(host, now)
		if ok {
			n.probing = true
			l.begin(func() func() error { return l.probed(turn) })
			return 0
		}
		if wait > 0 {
			least = min(least, wait)
		}
	}
	return least
}

// probed makes the request of a probe. Whatever the answer is, the network is there.
func (l *live) probed(turn step.Turn) func() error {
	request := orbweaver.Request{URL: turn.URL, Purpose: orbweaver.ForRobots}
	response, payload, err := l.ask(l.ctx, turn, request, func(r *step.Response) ([]byte, error) { return readHead(r, probeBytes) })
	reply := l.c.replyTo(response, int64(len(payload)), err)
	return func() error {
		n := &l.network
		n.probing = false
		if err := l.done(turn, reply); err != nil || l.ctx.Err() != nil || reached(reply) {
			return err
		}
		rest := min(firstRest<<min(n.probes, 10), longestRest)
		n.probes++
		n.next = l.c.now().Add(rest)
		if !n.down() && n.suspected() && n.probes >= min(sure, len(n.good)) {
			return l.cutOff()
		}
		return nil
	}
}

// cutOff begins an outage.
func (l *live) cutOff() error {
	n := &l.network
	n.outage.From, n.outage.Hosts = n.first, len(n.silent)
	for _, id := range n.failed {
		l.lose(id)
	}
	for _, id := range slices.Sorted(maps.Keys(l.tries)) { // they failed since the last answer, or will be asked once more
		l.lose(id)
	}
	l.forgive()
	l.release("")
	if l.c.cfg.Live.Tell != nil {
		l.c.cfg.Live.Tell(n.outage)
	}
	return l.c.commit(step.Batch{Accounts: l.accounts()})
}

// lose notes a request that failed in an outage. It counts as not tried.
func (l *live) lose(id uint64) {
	delete(l.tries, id)
	o := &l.network.outage
	if len(o.Requests) < maxLost && !slices.Contains(o.Requests, id) {
		o.Requests = append(o.Requests, id)
	}
}

// outlasted reports whether an outage has lasted longer than the crawl waits.
func (l *live) outlasted() bool {
	n, limit := &l.network, l.c.cfg.Live.Outage
	return n.down() && limit > 0 && l.c.since(n.outage.From) >= limit
}
