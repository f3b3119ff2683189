// Package whatif judges the pages of a crawl as the crawl does now and as it would with other knowledge: with an ontology edited,
// keys of its focus changed, or a suggestion accepted.
//
// Both are focuses of their own, made beside that of the crawl from what it has learned: a crawl that runs goes on meanwhile, and
// nothing is written but copies of edited files in a temporary folder. Pages come from the archive. Each is read once for both focuses, on
// as many goroutines as there are processors; judging takes turns. What a page is judged depends neither on the order nor on
// the time, only which pages are judged does if the time is not enough for all.
package whatif
