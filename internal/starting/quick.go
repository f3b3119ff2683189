package starting

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver/internal/crawlfile"
)

// A Quick is a crawl of the live Web that is told on the command line.
type Quick struct {
	Seeds    []string // canonical
	File     string   // that has them, within the crawl's folder; empty: they stand in the crawl file
	Terms    []string
	Requests int64
	Contact  string // may be empty
}

// CrawlFile is the crawl file that says the same, for the crawl's own folder.
func (q Quick) CrawlFile() string {
	var b strings.Builder
	if q.File != "" {
		fmt.Fprintf(&b, "seeds: {file: %s}\n", strconv.Quote(q.File))
	} else {
		b.WriteString("seeds:\n")
		for _, seed := range q.Seeds {
			fmt.Fprintf(&b, "  - %s\n", strconv.Quote(seed))
		}
	}
	b.WriteString("focus:\n  keyword:\n    terms:\n")
	for _, term := range q.Terms {
		fmt.Fprintf(&b, "      - %s\n", strconv.Quote(term))
	}
	fmt.Fprintf(&b, "limits:\n  requests: %d\n", q.Requests)
	if q.Contact != "" {
		fmt.Fprintf(&b, "politeness:\n  contact: %s\n", strconv.Quote(q.Contact))
	}
	b.WriteString("output: \".\"\n")
	return b.String()
}

// Terms are the words and phrases of a text with commas between, each once.
func Terms(text []string) (terms []string) {
	known := map[string]bool{}
	for _, some := range text {
		for term := range strings.SplitSeq(some, ",") {
			if term = strings.Join(strings.Fields(term), " "); term != "" && !known[term] {
				known[term] = true
				terms = append(terms, term)
			}
		}
	}
	return terms
}

// Load checks what the command line says, as the crawl file of a folder.
func (q Quick) Load(schema crawlfile.Schema, folder string) (*crawlfile.Crawl, error) {
	in := q
	in.File = "" // which is not written yet
	return schema.Read("command line", folder, []byte(in.CrawlFile()))
}
