// Package crawlfile reads the two files a user writes: the crawl file, which configures a crawl
// completely, and the comparison file, which runs many focuses on one archived web.
//
// The struct tree is the schema. Tags at each field give the key, how its value is written, its
// default and its meaning; the decoder, the printer and docs/crawl-file.md all read them, so they
// cannot disagree. Files are YAML.
//
// Every problem of a file is reported at once, with file, line and key. What Load returns is
// complete: defaults filled in, paths absolute, URLs canonical, prefixed names spelled out, and the
// files it names were there and readable. What is in those files is not its business, but for a
// list of seeds.
package crawlfile
