// Package sparql queries SPARQL endpoints as they really are: of version 1.0 and 1.1, which truncate answers
// silently, call XML HTML, answer ASK with a table and errors with a page of status 200.
//
// It builds the requests, which a Fetcher sends, parses answers by their bytes rather than their declared type, and
// classifies failures by consequence. A Dialect, a small value that shapes the next request, records an endpoint's
// observed behaviour.
//
// A query is asked once. Whether it is worth being asked again is what Error.Again says; queries change nothing, so
// that it is always safe. When to ask, delays, redirects and robots.txt are the caller's business, and so is Update.
//
// This package is not part of the stable API.
package sparql
