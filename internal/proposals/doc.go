// Package proposals is the queue of suggestions that wait for a person, or that a person has decided: which there are, how each
// stands by the decisions of a crawl, and the sentences of pages that speak of it.
//
// A focus makes its own suggestions anew whenever it is asked. Those from other knowledge, and those that were decided, are
// kept in the crawl folder (Kept), so that they can be decided by their IDs, and looked at afterwards.
package proposals
