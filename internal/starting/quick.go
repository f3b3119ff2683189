package starting

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver/internal/crawlfile"
)

// QuickRequests is the maximum of requests of a crawl for which nobody says another.
const QuickRequests = 1000

// A Quick is a crawl of the live Web given on the command line.
type Quick struct {
	Seeds    []string // canonical
	File     string   // file in the crawl folder that lists the seeds; empty: they are in the crawl file
	Terms    []string
	Requests int64  // maximum; 0: none
	Pages    int64  // maximum; 0: none
	Private  bool   // permit addresses of private networks and of this machine
	Contact  string // may be empty
}

// CrawlFile returns the equivalent crawl file, with the folder of the file as output.
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
	b.WriteString("limits:\n")
	if q.Requests > 0 {
		fmt.Fprintf(&b, "  requests: %d\n", q.Requests)
	}
	if q.Pages > 0 {
		fmt.Fprintf(&b, "  pages: %d\n", q.Pages)
	}
	if q.Private {
		b.WriteString("allow_private: true\n")
	}
	if q.Contact != "" {
		fmt.Fprintf(&b, "politeness:\n  contact: %s\n", strconv.Quote(q.Contact))
	}
	b.WriteString("output: \".\"\n")
	return b.String()
}

// Terms splits texts at commas into words and phrases, without repetitions.
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

// Load loads the crawl file of q as if it lay in folder, and reports its problems.
func (q Quick) Load(schema crawlfile.Schema, folder string) (*crawlfile.Crawl, error) {
	in := q
	in.File = "" // the file does not exist yet
	return schema.Read("command line", folder, []byte(in.CrawlFile()))
}
