// Package wacz writes web archives as one file that browsers can replay: Web Archive Collection Zipped,
// version 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/).
//
// A WACZ is a ZIP file of a WARC file, an index of it, a list of pages and a package description with
// the SHA-256 of each. What must be read at places (the WARC file, the index) is stored, not deflated.
// The index is in blocks of lines, each a gzip member, with an index of the blocks beside it, so that a
// reader over HTTP takes what it needs and no more.
//
// A Writer streams: the output need not be a file. Index lines and pages wait in temporary files until
// the WARC file is complete; memory holds 150 bytes for each thousand records. The same input gives the
// same bytes, and times in it are those of the records.
//
// Making the WARC file is the business of fetch/archive.
//
// This package is not part of the stable API.
package wacz
