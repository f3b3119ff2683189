// Package examples holds the demo web and a crawl of it, so that the program can show itself where the project's files are not.
//
// This package is not part of the stable API.
package examples

import "embed"

// Demo has the files of the demo crawl: aircraft.yaml, a crawl file, and the files that it names.
//
//go:embed aircraft.yaml aircraft.ttl demo.warc.gz demo-truth.tsv
var Demo embed.FS
