// Package synth is a generated web of any size, for crawls that measure the crawler.
//
// Nothing of it is stored: what page p says, where it stands and where its links lead are functions of
// the seed and p, so that ten million pages take no more memory than ten. The whole of its knowledge
// is a few thousand words.
//
// Pages are numbered from 0. Hosts have runs of them, sizes after Zipf's law, and sections of the
// numbering have topics, so that a small host is about one thing and a large one about many. A tree
// within each host and one over the hosts' first pages make everything reachable from page 0; all
// other links are drawn by chance, with a will to stay on the host and on the topic. Topic 0 is the
// target: what is relevant is known of every page without looking at it.
//
// The web answers in two ways: as Page, for a simulation, and as HTML, for a server.
//
// This package is not part of the stable API.
package synth
