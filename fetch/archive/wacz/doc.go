// Package wacz writes web archives as one file that browsers can replay: Web Archive Collection Zipped, version
// 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/).
//
// A WACZ is a ZIP file of a WARC file, an index of it, a list of pages and a package description with the
// SHA-256 of each. The WARC file and the index are stored without deflate, for random access. The index
// consists of gzip members of many lines each, and a second index of those members, so that a reader over HTTP
// fetches only what it needs.
//
// A Writer streams: the output need not be a file. Index lines and pages are kept in temporary files until the
// WARC file is complete; memory use is 150 bytes per thousand records. The same input gives the same bytes;
// times are those of the records.
//
// Package archive makes the WARC file.
//
// This package is not part of the stable API.
package wacz
