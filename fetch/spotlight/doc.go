// Package spotlight annotates text by a DBpedia Spotlight server through its REST interface as it really is: all
// numbers are strings, offsets count UTF-16 units, lists are absent when empty, and errors come as status 400, a
// stack trace or a proxy's page.
//
// A text is asked about block by block, one call each and one call at a time, of blocks up to a number. What comes
// back stands in the text at the offsets that it is given: what does not is left out. A server that fails several
// times in a row is left alone for a while.
//
// Valid answers are kept by a hash of the request, so that a repeated text needs no request and a replay runs
// offline: the same text and kept answers give the same result. The Poster that sends the calls handles forbidden
// addresses and timeouts; interpreting resources is the caller's business.
//
// This package is not part of the stable API.
package spotlight
