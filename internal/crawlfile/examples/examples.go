// Package examples has the example files of the documentation of crawl files, and the text around them.
package examples

// Head begins the documentation of crawl files.
const Head = "# The crawl file and the comparison file\n\n" +
	"<!-- Generated from the schema in internal/crawlfile; after changing it run:\n" +
	"     go test ./internal/crawlfile -run Reference -update -->\n\n" +
	`For authors of crawl and comparison files: every key with its type, default and meaning. One YAML file configures a crawl
completely. This one looks for pages about aircraft in an archived web and fetches at most 2 000 pages:

` + "```yaml\n" + Crawl + "```\n" + `
Most keys are optional; these two lines are a complete crawl file:

` + "```yaml\n" + Short + "```\n" + `
How values are written:

- **Paths** are relative to the folder of the file; ` + "`~/`" + ` is the home folder, and variables such
  as ` + "`${HOME}`" + ` are refused. A single value may replace a list of one.
- **Durations** have a unit: ` + "`250ms`, `30s`, `2h`, `1h30m`" + `.
- **Sizes** are bytes, with or without a unit: ` + "`500kB`, `10MB`, `2GB` (powers of 1000), `64KiB`, `10MiB`, `1GiB`" + ` (powers of 1024).
- **Prefixed names** such as ` + "`ex:Plane`" + ` are expanded by ` + "`prefixes`" + `; an IRI that contains ` + "`://`" + `, or in angle brackets, is absolute.
- Anchors, aliases and merge keys (` + "`<<`" + `) of YAML are allowed; tags are not. A file has at most 1 MB and 5 000 keys; put long lists of seeds into a seed file.

An editor that knows JSON Schema completes and checks keys: the first line ` + "`# yaml-language-server: $schema=crawl-file.schema.json`" + `
names the schema, by path or URL: [crawl-file.schema.json](crawl-file.schema.json) of this file, [comparison-file.schema.json](comparison-file.schema.json) of the comparison file.

All problems of a file are reported at once, one per line, as ` + "`file:line: key: message (hint)`" + `: unknown keys, values of the
wrong type, invalid combinations, undefined names, and missing files. List items are numbered from 1.

The crawl folder keeps the effective crawl file in ` + "`crawl.yaml`" + `: with defaults, expanded names, paths relative to the folder,
and the digest of a seed file. Only an equivalent file resumes a crawl. You may change ` + "`limits`, `workers`, `output`, `prefixes`, `http`" + `, the pace
in ` + "`politeness` (`delay`, `connections`, `timeout`, `retries`, `failures`)" + ` and, except for the oracle, ` + "`truth`" + ` between sessions.

`

// ComparisonHead begins that of comparison files.
const ComparisonHead = `## The comparison file

A comparison runs many focuses over the same archived web, from the same seeds and within the same limits, and evaluates
them against one ground truth:

` + "```yaml\n" + Comparison + "```\n\n" +
	`With ` + "`each`" + ` relevance is a cosine to an item, and all runs are repeated for every drawn item:

` + "```yaml\n" + Each + "```\n\n" +
	"`web`, `limits`, `scope`, `truth` and `focus` have the same keys as in a crawl file.\n\n"

// Crawl is the crawl file at the top of the documentation.
const Crawl = `seeds: [https://skylines.example/, https://travel.example/links.html]
web: {archive: demo.warc.gz}        # default: the live Web
prefixes: {ex: "http://example.org/"}
focus:                              # exactly one
  ontology:
    files: aircraft.ttl
    target: [ex:Airplane]
    relevance: total                # single | taxonomic | relational | total
truth: {file: truth.tsv, topics: [aircraft]}   # optional: ground truth, for evaluation
limits: {pages: 2000, time: 2h, body: 10MB}
scope: {exclude: [shop.example, "/\\.pdf$/"]}
output: crawls/aircraft
`

// Short is a minimal crawl file.
const Short = `seeds: https://skylines.example/
focus: {keyword: {terms: [airplane, aircraft]}}
`

// Comparison is the comparison file of the documentation.
const Comparison = `web: {archive: demo.warc.gz}
seeds: {file: seeds.txt}            # one URL per line
prefixes: {ex: "http://example.org/"}
truth: {file: truth.tsv, topics: [aircraft]}
limits: {requests: 460}
checkpoints: [0.05, 0.1, 0.2]       # shares of the web
runs:
  - {name: total, focus: {ontology: {files: aircraft.ttl, target: ex:Airplane}}}
  - {name: single, focus: {ontology: {files: aircraft.ttl, target: ex:Airplane, relevance: single}}}
  - {name: keyword, focus: {keyword: {terms: [airplane, aircraft]}}}
  - {name: best-first, focus: {best_first: {terms: [airplane, aircraft]}}}
output: comparisons/aircraft
`

// Each is the documentation's comparison file with each.
const Each = `web: {archive: demo.warc.gz}
truth: {cosine: 0.25}               # relevant: pages similar to the item
each: {items: 60, seed: 1}          # each item: a page drawn from the web
limits: {requests: 460}             # of each run; without seeds it starts from the item's links
runs:
  - {name: best-first, focus: {best_first: {}}}            # default terms: the item's words
  - {name: best-50-first, focus: {best_first: {n: 50}}}
output: comparisons/items
`
