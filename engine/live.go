package engine

import (
	"context"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// Live is what a crawl of the live Web needs beside. There, requests start when the turns of their
// hosts come, many at a time, and are decided in the order in which their answers arrive.
type Live struct {
	Hosts   Hosts                                                  // the frontier
	Locate  func(ctx context.Context, host string) (string, error) // looks up the address of a host
	Robots  Robots                                                 // nil: not asked for
	Retries int                                                    // of a request that failed for a passing reason
	Overlap bool                                                   // a host may be asked again before it answered
	Since   func(orbweaver.Outcome) *orbweaver.Version             // what a refresh asks a page again by; may be nil
	Refresh time.Duration                                          // above 0: accepted pages older than this are asked again, and nothing else
}

// Hosts is what a frontier knows of the hosts of the live Web.
type Hosts interface {
	Turns
	RobotsTurns
	Rounds
	Subresources
	Account(host string) (step.Account, bool)
}

// Turns are given by Leaser and ended here.
type Turns interface {
	Started(id uint64, at time.Time)
	Done(id uint64, r step.Reply)
	Located(turn step.Turn, address string, why orbweaver.Failure, now time.Time)
}

// RobotsTurns are hosts whose robots.txt is known, or not yet.
type RobotsTurns interface {
	Hop(turn step.Turn, url string)
	RobotsKnown(host string, delay time.Duration, robots string, now time.Time)
	RobotsUnavailable(host, robots string, now time.Time)
	Waits(host string) []uint64
	Drop(ids ...uint64)
}

// Rounds set the best of all that waits apart.
type Rounds interface {
	Select(n int) []uint64
	Choose(ids []uint64)
	Unselect()
}

// Subresources are requests that wait for their turn outside the ranked queue.
type Subresources interface {
	Subresource(url string) uint64
	Failed() []step.Turn
}

// Robots reads robots.txt files. It is for the goroutine that decides.
type Robots interface {
	// Answer takes what came of asking for the robots.txt of a host: the answer, with its payload, or
	// why there is none; hops is how many redirects led there.
	Answer(host string, hops int, response *step.Response, payload []byte, err error) RobotsDecision
	// Allows reports whether a URL, scope aside, may be asked for.
	Allows(url string) (ok bool, rule string)
}

// RobotsDecision are what a robots.txt asks for.
type RobotsDecision struct {
	Next  string        // it is to be asked for there; all else is empty then
	Delay time.Duration // Crawl-delay
	Later bool          // it could not be had for now
	Why   string        // a phrase for people
}
