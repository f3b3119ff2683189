// Package frontier schedules the requests of a crawl: it chooses a ready host, and of the ready hosts the one
// with the best-ranked request. It enforces politeness (promise 6 of the architecture: slots and delays per
// host and per address, robots.txt first, back-off), for archives and the live Web alike.
//
// A host of the live Web is in one of these states; a host of an archive is always open:
//
//	            Located                  RobotsKnown
//	unlocated ───────────────► closed ───────────────► open
//	    ▲     TakeAddress        │  ▲   TakeRobots       │   TakeRequest
//	    │                        │  └──── 24 hours ──────┤   TakeSubresource, TakeRequisite
//	    └───── no connection ────┴───────────────────────┘
//
// A hop, a robots.txt redirected to another host, needs that host's address but not its rules. In each state
// a host with waiting work is
//
//	ready ──Next──► in use ──Done──► resting ──time──► ready
//	                   │ too many troubles in a row, or asked to stay away for more than an hour
//	                   └──────► down, for this session
//
// and a host without work is in no queue. Hosts that share an address share its slots and its delay. An
// address keeps its hosts in two heaps, the ready ones by rank and the resting ones by time; two heaps of the
// same kind hold all addresses. A host without a shared address takes the place of one. A turn therefore
// costs the logarithm of the number of waiting hosts, however hosts and addresses are distributed.
//
// A delay runs from start to start. Started or Done reports a start: the time at which the host can be taken
// to have received the request. Until the start is known, a host or address with a delay gives no other turn.
//
// # Memory
//
// Per request the frontier holds its number and score, in the heap of its host, and its place there, in an
// index by number. Neither is ever copied as a whole to grow: both are stored in chunks, with at most an
// eighth spare.
//
//	thing                           bytes
//	entry in a host's heap          12, at most 14 with spare capacity: score 8, number 4
//	place in the index              8, and 0.4 of its page: host 4, position 4
//	request under a key             4, at most 6 with spare capacity and departed requests
//	host, idle                      128, and some 45 in tables, without its name
//	host that is ready              another 16 to 20
//	host that received a request    another 192, and its failures
//	host with a round, redirect targets, asks, requisites or requests in the file    another 168
//	requisite                       4, at most 10 with spare capacity and departed ones
//	request in the file             8.4 in the index, 0.2 in fences; 12 in the file, at most 48
//
// With a memory bound (Options.Memory) the worse half of large hosts is written to a file, as sorted runs;
// eight runs of a size are merged. A host reads the first block of a run as soon as its best request in
// memory is not better than the first of that block: its best request is always in memory when needed. Head
// and Select read ahead without taking. A request that leaves, or gets another score, invalidates its slot,
// which the index records. Blocks are reused after reading, and runs are rewritten when two thirds of them
// are invalid. The crawl is the same as without a bound.
//
// The package is deterministic: it reads no clock, callers pass the time; random numbers come from a seed.
// Except for the file, which is worthless after the session, the frontier lives in memory and is rebuilt from
// the ledger on a resume. It ranks by score, highest first; equal scores rank in the order in which they were
// first proposed. It does not know relevance, storage, or the rules of a robots.txt.
//
// This package is not part of the stable API.
package frontier
