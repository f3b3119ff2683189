// Package archive writes a crawl's responses as WARC 1.1 (ISO 28500:2017), and answers requests from any WARC.
//
// A Web answers requests from WARC files as if they were the World Wide Web. Archived HTTP heads are often untrue (a
// Content-Length of -1, "chunked" over bytes that are not), so they are read as text and lengths come from the WARC
// record; what a Response says of its body is true.
//
// A Writer appends a request and a response record for each answer, each its own gzip member, so that a record can be
// read from its Ref alone. A payload the archive has already, byte for byte by its SHA-1, is not written again: a
// revisit record with the answer's own head takes its place, and names the response that has the payload. Payloads of
// no bytes are no duplicates.
//
// # Commit protocol
//
// The archive itself commits nothing. Append buffers, Mark returns the lengths reached, Flush writes the buffer to
// the operating system, and the crawl's ledger commits that Mark in the same batch as the outcome. Everything behind
// a committed Mark may be garbage, for a crawl may be killed in the middle of a write: OpenWriter cuts the WARC file
// and the index back to the Mark and removes later files. A Mark lies between records always, so what remains is a
// valid WARC. Kill -9 loses nothing that was flushed; power failure loses nothing that was synced. See Writer.
//
// index.cdxj.part holds a line a response in the order of writing and belongs to the protocol (it is kept beside a
// finished archive, for a crawl that continues later); index.cdxj is made from it by Close, sorted, for other
// people's tools.
//
// Reading content codings, redirects and politeness are not its business.
//
// This package is not part of the stable API.
package archive
