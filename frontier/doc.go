// Package frontier says whose turn it is: hosts by readiness, and of the ready ones the request of
// best rank. It keeps a crawl polite (promise 6 of the architecture: slots and delays per host and
// per address, robots.txt first, back-off) for archives and the live Web alike.
//
// A host of the live Web is in one of these states; one of an archive is always open:
//
//	            Located                  RobotsKnown
//	unlocated ───────────────► closed ───────────────► open
//	    ▲     TakeAddress        │  ▲   TakeRobots       │   TakeRequest
//	    │                        │  └──── 24 hours ──────┤   TakeSubresource
//	    └───── no connection ────┴───────────────────────┘
//
// A hop, a robots.txt that a redirect has elsewhere, needs the address of the host it is asked of,
// not its rules. In each state a host that has something to do is
//
//	ready ──Next──► in use ──Done──► resting ──time──► ready
//	                   │ too many troubles in a row, or asked to stay away for more than an hour
//	                   └──────► down, for this session
//
// and one that has nothing to do stands in no queue. Hosts that share an address share its slots and
// its delay: the address keeps its hosts in two heaps, the ready ones by rank and the resting ones by
// time, and stands itself in two such heaps of all addresses; a host that shares none stands there for
// itself. A turn therefore costs the logarithm of what waits, however hosts and addresses are spread.
//
// A delay runs from start to start, and a start is what Started or Done says: when the host can be
// taken to have had the request. While that is not known, a host or address with a delay gives no
// other turn.
//
// # What it holds
//
// Of a request it holds its number and score, in the heap of its host, and its place there, in an index
// by number. Neither is ever copied as a whole to grow: what is long stands in chunks, of which an
// eighth at most is spare.
//
//	thing                           bytes
//	entry in a host's heap          12, at most 14 with what is spare: score 8, number 4
//	place in the index              8, and 0.4 of its page: host 4, position 4
//	request under a key             4, at most 6 with what is spare or has gone
//	host, idle                      128, and some 45 in tables, its name apart
//	host that is ready              another 16 to 20
//	host that was asked             another 192, and its failures
//	host with a round, redirect targets, asks or a share of the file    another 128
//	request in the file             8.4 in the index, 0.2 in fences; 12 in the file, at most 48
//
// Where memory has a bound (Options.Memory) the worse half of large hosts goes to a file, as sorted
// runs; runs of a size are merged when there are eight. A host reads the first block of a run as soon
// as its best in memory is not better than what that block begins with, so that its best is in memory
// whenever it is looked at; Head and Select read ahead without taking. A request that goes, or gets
// another score, outdates its slot, which the index knows. Blocks that were read are used again, and
// runs that are outdated for two thirds are written anew. So the crawl is the one without a bound.
//
// The package is pure: it reads no clock, its callers say what time it is; chance is drawn from a seed;
// and but for that file, which is worthless afterwards, it lives in memory, rebuilt from the ledger when
// a crawl goes on. Ranking is by score, highest first, and equal scores go in the order they were first
// proposed. Relevance is not its business, nor is storage, nor are the rules in a robots.txt.
//
// This package is not part of the stable API.
package frontier
