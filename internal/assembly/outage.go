package assembly

import (
	"fmt"
	"io"
	"time"

	"orbweaver/internal/console"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// tellOutage tells that this machine's network is down, or up again. It runs on the decider goroutine.
func (c *Crawl) tellOutage(o step.Outage) {
	if !o.To.IsZero() {
		c.outage = step.Outage{}
		c.Env.Say("the network is up again after %s: the crawl goes on", shortly(o.To.Sub(o.From)))
		return
	}
	c.outage = o
	ends := "until it is up again"
	if limit := c.File.Limits.Outage; limit > 0 {
		ends = fmt.Sprintf("and ends if none has answered after %s (limits.outage)", shortly(limit))
	}
	c.Env.Say("warning: this machine's network is down: no host has answered since %s. The crawl pauses, asks hosts that answered before, %s; what failed since then is asked again",
		o.From.Local().Format(time.TimeOnly), ends)
}

// Outage returns the outage of this machine's network that lasts; false if it is up. It runs on the decider goroutine.
func (c *Crawl) Outage() (step.Outage, bool) { return c.outage, !c.outage.From.IsZero() }

// OutagesOf returns the outages of the machine's network in which a request failed, without the numbers of requests.
func OutagesOf(l *ledger.Ledger, id uint64) (all []step.Outage, err error) {
	for o, err := range l.Outages() {
		if err != nil {
			return nil, err
		}
		for _, lost := range o.Requests {
			if lost == id {
				o.Requests = nil
				all = append(all, o)
				break
			}
		}
	}
	return all, nil
}

// shortly rounds a duration for people.
func shortly(d time.Duration) time.Duration {
	if d < time.Minute {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// TellOutage prints an outage of the network that lasts.
func TellOutage(w io.Writer, o *step.Outage) {
	if o != nil {
		console.Say(w, "  network     down since %s: %d hosts do not answer", o.From.Local().Format(time.DateTime), o.Hosts)
	}
}
