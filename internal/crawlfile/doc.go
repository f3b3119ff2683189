// Package crawlfile reads the two files that a user writes, both in YAML: the crawl file, which configures a crawl
// completely, and the comparison file, which runs several focuses on one archived web.
//
// The struct tree is the schema. The tags of each field give the key, the notation of its value, its default and its
// meaning. Decoder, printer, JSON Schema and docs/reference/crawl-file.md all use the same tags, so they cannot disagree.
//
// All problems of a file are reported at once, with file, line and key. A loaded file is complete: defaults are set,
// paths absolute, URLs canonical and prefixed names expanded, and the files that it names exist and are readable. Of
// these files, the package reads only lists of seeds.
package crawlfile
