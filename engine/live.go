package engine

import (
	"context"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// Live configures a crawl of the live Web. Requests start when their hosts' turns come, many at a time, and
// are decided in the order in which their readings end.
type Live struct {
	Hosts   Hosts                                                  // the frontier
	Locate  func(ctx context.Context, host string) (string, error) // looks up the address of a host
	Robots  Robots                                                 // nil: robots.txt is not fetched
	Retries int                                                    // of a request after a transient failure
	Overlap bool                                                   // a host may get a request while another is in flight
	Since   func(orbweaver.Outcome) *orbweaver.Version             // the version for a conditional request of a refresh; may be nil
	Refresh time.Duration                                          // above 0: requests only the accepted pages that are older
	Watch   Watcher                                                // the session is a watch; nil: it is none
	// Patience is how long, at its end, the crawl waits for hosts that answered before and are down.
	Patience time.Duration
	// Outage is the longest outage of the own network that the crawl waits for; 0: no limit.
	Outage time.Duration
	// Requisites are what accepted pages need to be shown; nil: they are not fetched.
	Requisites *Requisites
	// Logins are those that hosts want; nil: none.
	Logins Logins
	// LogsOut tells, by the URL and the text of a link, and by which word, that the link ends a session that the crawl needs. Such links are not
	// followed. Nil: none is told.
	LogsOut func(url, text string) (word string, is bool)
	// Tell is called with each outage when it begins, and again when it is over. May be nil.
	Tell func(step.Outage)
}

// Hosts is what a frontier knows about the hosts of the live Web.
type Hosts interface {
	Turns
	RobotsTurns
	Rounds
	Subresources
	RequisiteTurns
	Probes
	Account(host string) (step.Account, bool)
}

// Turns end the turns that a Leaser hands out.
type Turns interface {
	Started(id uint64, at time.Time)
	Done(id uint64, r step.Reply)
	Located(turn step.Turn, address string, why orbweaver.Failure, now time.Time)
}

// Probes tell hosts that are down from a network that is.
type Probes interface {
	Probe(host string, now time.Time) (turn step.Turn, wait time.Duration, ok bool)
	Forgive(hosts []string, now time.Time)
	Prospect(patience time.Duration) (alive bool, next time.Time, down int)
	Down() []string
	Hold(host string, is bool)
	Know(host string)
	Recent(n int) []string
	More(host string) bool
}

// RobotsTurns schedules the requests for robots.txt, and holds a host's requests until its rules are known.
type RobotsTurns interface {
	Hop(turn step.Turn, url string)
	RobotsKnown(host string, delay time.Duration, robots string, now time.Time)
	RobotsUnavailable(host, robots string, now time.Time)
	Waits(host string) []uint64
	Drop(ids ...uint64)
}

// Rounds set the best waiting requests apart.
type Rounds interface {
	Select(n int) []uint64
	Choose(ids []uint64)
	Unselect()
}

// Subresources schedules requests outside the ranked queue: what a page's scripts and data need.
type Subresources interface {
	Subresource(url string) uint64
	Failed() []step.Turn
}

// Robots decides by robots.txt files. Only the goroutine that decides calls it.
type Robots interface {
	// Answer takes the response to the request for a host's robots.txt with its payload, or the error; hops
	// is the number of redirects that led there.
	Answer(host string, hops int, response *step.Response, payload []byte, err error) RobotsDecision
	// Allows reports whether robots.txt allows a URL, and the rule that decided.
	Allows(url string) (ok bool, rule string)
}

// A RobotsDecision is what follows from the answer to a robots.txt request.
type RobotsDecision struct {
	Next  string        // URL to request next, a redirect; all else is empty then
	Delay time.Duration // Crawl-delay
	Later bool          // it is unavailable for now
	Why   string        // the state of the robots.txt, to print
}
