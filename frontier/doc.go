// Package frontier says whose turn it is: hosts by readiness, and of the ready ones the request of
// best rank. It keeps a crawl polite (promise 6 of the architecture: slots and delays per host and
// per address, robots.txt first, back-off) for archives and the live Web alike.
//
// A host of the live Web is in one of these states; one of an archive is always open:
//
//	            Located                  Opened
//	unlocated ───────────────► closed ───────────────► open
//	    ▲     TakeAddress        │  ▲   TakeRobots       │   TakeRequest
//	    │                        │  └──── 24 hours ──────┤   TakeErrand
//	    └───── no connection ────┴───────────────────────┘
//
// A hop, a robots.txt that a redirect has elsewhere, needs the address of the host it is asked of,
// not its rules. In each state a host that has something to do is
//
//	ready ──Next──► in use ──Done──► resting ──time──► ready
//	                   │ too many troubles in a row, or asked to stay away for more than an hour
//	                   └──────► down, for this sitting
//
// and one that has nothing to do stands in no queue. Hosts that share an address share its slots and
// its delay: the address keeps its hosts in two heaps, the ready ones by rank and the resting ones by
// time, and stands itself in two such heaps of all addresses. A turn therefore costs the logarithm of
// what waits, however hosts and addresses are spread.
//
// A delay runs from start to start, and a start is what Started or Done says: when the host can be
// taken to have had the request. While that is not known, a host or address with a delay gives no
// other turn.
//
// The package is pure: it holds of a request its number and rank; it reads no clock, its callers say
// what time it is; chance is drawn from a seed; and it lives in memory, rebuilt from the ledger when a
// crawl goes on. Ranking is by score, highest first, and equal scores go in the order they were first
// proposed. Relevance is not its business, nor is storage, nor are the rules in a robots.txt.
package frontier
