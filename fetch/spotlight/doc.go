// Package spotlight asks a server of DBpedia Spotlight what a text speaks of, by its REST interface as
// it really is: all numbers are strings, offsets count UTF-16 units, lists are absent when empty, and
// what goes wrong is said with status 400, a stack trace or a proxy's page.
//
// A text is asked about block by block, one call each and one call at a time, of blocks up to a number.
// What comes back stands in the text at the offsets that it is given: what does not is left out. A
// server that fails several times in a row is left alone for a while.
//
// Answers that could be read are kept by a hash of what was asked, so that whoever has the same text
// again need not ask, and a replay asks nobody: text and kept answers together give the same result.
// Addresses that must not be reached and timeouts are the business of the Poster that carries the
// calls out; what a resource is good for is the caller's.
//
// This package is not part of the stable API.
package spotlight
