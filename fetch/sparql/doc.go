// Package sparql queries SPARQL endpoints as deployed: of version 1.0 and 1.1, with silent truncation, XML
// labelled as HTML, ASK answered by a table and errors as a page of status 200.
//
// It builds the requests, which a Fetcher sends, parses answers by their bytes rather than their declared type,
// and classifies failures by consequence. A Dialect, a small value that shapes the next request, records an
// endpoint's observed behaviour.
//
// Each query is sent once. Error.Again says whether a retry may help; it is always safe, since queries change
// nothing. The caller handles timing, delays, redirects and robots.txt. The package has no Update.
//
// This package is not part of the stable API.
package sparql
