package eval

import (
	"fmt"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// fates are the outcomes of requests, as in the tables of a topical crawl: of its seeds, and of link targets
// (Hernandez, Marin-Castro and Morales-Sandoval, 2020, Tables 4 to 7). Redirects count by their targets.
type fates struct {
	source  func(url string) string // of a seed; nil: one for all
	sources []string                // in the order of first occurrence
	seeds   map[string]*fate        // by source
	links   fate
	domains map[uint64]struct{} // hashes of the pay-level domains of pages, the first maxDomains
}

// maxDomains is how many domains are distinguished.
const maxDomains = 1 << 20

type fate struct{ accepted, rejected, failed int }

// add counts a line.
func (f *fates) add(l ledger.Line) {
	if l.Redirect != "" && l.Error == "" || l.Error == step.ErrSource {
		return
	}
	of := &f.links
	if l.Depth == 0 && l.Parent == "" {
		of = f.seed(l.URL)
	}
	switch {
	case l.Error != "":
		of.failed++
		return
	case l.Accepted:
		of.accepted++
	default:
		of.rejected++
	}
	if f.domains == nil {
		f.domains = map[uint64]struct{}{}
	}
	if len(f.domains) < maxDomains {
		f.domains[xxhash.Sum64String(weburl.PayLevelDomain(weburl.Hostname(l.URL)))] = struct{}{}
	}
}

// seed is the outcome of the seeds with the source of a seed.
func (f *fates) seed(url string) *fate {
	source := ""
	if f.source != nil {
		source = f.source(url)
	}
	if f.seeds[source] == nil {
		if f.seeds == nil {
			f.seeds = map[string]*fate{}
		}
		f.seeds[source] = new(fate)
		f.sources = append(f.sources, source)
	}
	return f.seeds[source]
}

// list formats the outcomes as facts.
func (f *fates) list() (all []Fact) {
	for _, source := range f.sources {
		name := "what seeds were"
		if source != "" {
			name = "what seeds of " + source + " were"
		}
		all = append(all, Fact{name, f.seeds[source].String()})
	}
	return append(all, Fact{"what links led to", f.links.String()}, Fact{"domain names of pages", strconv.Itoa(len(f.domains))})
}

// String formats the outcomes as shares of all; empty: none.
func (f fate) String() string {
	all := f.accepted + f.rejected + f.failed
	if all == 0 {
		return ""
	}
	share := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(all)) }
	return fmt.Sprintf("accepted %s, rejected %s, failed %s", share(f.accepted), share(f.rejected), share(f.failed))
}
