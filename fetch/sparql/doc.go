// Package sparql asks SPARQL endpoints as they really are: of version 1.0 and 1.1, that cut their
// answers without a word, call XML HTML, answer ASK with a table and errors with a page of status 200.
//
// It makes the requests, which others carry out (a Fetcher), reads the answers by their bytes rather
// than by what is said of them, and tells failures apart by the few ways in which they matter. What an
// endpoint is seen to do is kept in a Dialect, a small value that goes into the next request to it.
//
// A query is asked once. Whether it is worth being asked again is what Error.Again says; queries
// change nothing, so that it is always safe. When to ask, delays, redirects and robots.txt are the
// caller's business, and so is Update.
//
// This package is not part of the stable API.
package sparql
