// Package archive writes a crawl's responses as WARC 1.1 (ISO 28500:2017), and answers requests from any WARC.
//
// A Web answers requests from WARC files as if they were the World Wide Web. Archived HTTP heads are often
// wrong (a Content-Length of -1, "chunked" over bytes that are not), so lengths come from the WARC record. The
// header of a returned Response always agrees with its body.
//
// A Writer appends a request and a response record for each answer, each its own gzip member, so that a record
// can be read from its Ref alone. A payload that the archive already has (same SHA-1) is not written again: a
// revisit record with the answer's own head refers to the response that has the payload. Empty payloads are no
// duplicates.
//
// # Commit protocol
//
// The archive itself commits nothing. Append buffers, Mark returns the lengths reached, Flush writes the buffer
// to the operating system, and the crawl's ledger commits that Mark in the same batch as the outcome. Bytes
// behind a committed Mark may be garbage, since a crawl may be killed in the middle of a write: OpenWriter
// truncates the WARC file and the index to the Mark and removes later files. A Mark always lies between
// records, so the result is a valid WARC. Kill -9 loses nothing that was flushed; power failure loses nothing
// that was synced. See Writer.
//
// index.cdxj.part holds one line per response in the order of writing and is part of the protocol. It is kept
// beside a finished archive, for a crawl that continues later. Close makes index.cdxj from it, sorted, for
// other tools.
//
// # Removal
//
// Remove takes answers out of an archive that rests. Blanks, records of spaces, take the place of their records, so
// that the other records stay where they are.
//
// The package does not decode content codings, follow redirects or enforce politeness.
//
// This package is not part of the stable API.
package archive
