// Package recrawl decides when the pages of a crawl are visited again.
//
// Changes of a page are taken for a Poisson process (Cho and Garcia-Molina, "The Evolution of the Web and Implications for an
// Incremental Crawler", VLDB 2000). A visit sees whether a page changed since the last one, and not how often: the rate is estimated
// from such censored histories (estimate.go), drawn towards the rates of similar pages (prior.go). From rates and from what pages are
// worth follow the frequencies of visits that keep the largest share of worth up to date under a budget (allocate.go). A Schedule
// keeps all of this for one crawl, and says which page is due.
//
// The package reads no clock, makes no request and writes no file: times come in, requests go out as numbers. The same calls give
// the same schedule. Rates and frequencies are per day.
package recrawl
