package eval

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/ledger"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// Bounds of a DataTally.
const (
	maxDataDomains   = 10_000 // counted apart; pages of further ones count as of one
	shownDataDomains = 30
)

// A DataWay is the statements that pages found in one way have in one place.
type DataWay struct {
	Found     string `json:"found"`           // how the pages were found: one of the ways of package ledger
	Class     string `json:"class,omitempty"` // of a link: the class that was predicted, if one was
	In        string `json:"in"`              // where the statements stand: see rdf.Count
	Documents int64  `json:"documents"`       // documents of RDF, those within archives too, or pages with data in them
	Triples   int64  `json:"triples"`
}

// A DataDomain is the statements of the pages of a pay-level domain, or of several.
type DataDomain struct {
	Domain    string    `json:"domain,omitempty"`
	Documents int64     `json:"documents"` // with statements: pages, and instead of an archive the documents in it
	Triples   int64     `json:"triples"`
	Ways      []DataWay `json:"ways"` // by triples, the most first
}

// DataFigures are the statements that a crawl found, by how it found them.
//
// A statement counts once for each page and syntax that states it, as it was read: the store may have fewer, as it keeps equal ones
// of a page once. A page that was fetched again counts as it was the last time.
type DataFigures struct {
	DataDomain
	Domains int          `json:"domains"`          // with statements; beyond 10 000 all further ones count as one
	Top     []DataDomain `json:"by_domain"`        // at most 30, those with most triples
	Others  *DataDomain  `json:"others,omitempty"` // all other domains together
}

// A dataKey tells the ways of DataWay apart.
type dataKey struct{ found, class, in string }

// A dataSum sums up a way.
type dataSum struct{ documents, triples int64 }

// A dataPage is what a page adds to its domain.
type dataPage struct {
	domain string
	counts []DataWay
}

// A DataTally counts statements from lines of pages.jsonl, about 200 bytes a page that has some. The zero value has no lines.
type DataTally struct {
	seed    maphash.Seed
	pages   map[uint64]dataPage
	domains map[string]map[dataKey]dataSum // by name; empty: those beyond maxDataDomains
	whole   map[string]int64               // documents by domain
	named   map[dataKey]dataKey            // so that strings are kept once
}

// Add counts the next line. Of several lines of one request the last with an answer counts.
func (t *DataTally) Add(l *ledger.Line) {
	if len(l.Data) == 0 && len(t.pages) == 0 {
		return
	}
	if t.pages == nil {
		t.seed, t.pages, t.named = maphash.MakeSeed(), map[uint64]dataPage{}, map[dataKey]dataKey{}
		t.domains, t.whole = map[string]map[dataKey]dataSum{}, map[string]int64{}
	}
	page := maphash.Comparable(t.seed, [3]string{l.URL, l.Accept, l.Query})
	before, again := t.pages[page]
	if again {
		if l.Error != "" && l.Status != 404 && l.Status != 410 {
			return // the content of before stands
		}
		t.sum(before, -1)
		delete(t.pages, page)
	}
	if len(l.Data) == 0 {
		return
	}
	now := dataPage{domain: t.domainOf(l.URL)}
	for _, c := range l.Data {
		key := t.keyOf(l, c)
		now.counts = append(now.counts, DataWay{key.found, key.class, key.in, max(1, c.Documents), c.Triples})
	}
	t.pages[page] = now
	t.sum(now, 1)
}

// keyOf is the way of a count of a line.
func (t *DataTally) keyOf(l *ledger.Line, c rdf.Count) dataKey {
	key := dataKey{found: l.Found, in: c.In}
	if l.Found == ledger.ByLink && l.Predicted != nil {
		key.class = l.Predicted.Class
	}
	if kept, ok := t.named[key]; ok {
		return kept
	}
	key = dataKey{strings.Clone(key.found), strings.Clone(key.class), strings.Clone(key.in)}
	t.named[key] = key
	return key
}

// domainOf is the domain that a URL counts for; empty: the one for all others.
func (t *DataTally) domainOf(url string) string {
	name := weburl.PayLevelDomain(weburl.Hostname(url))
	if _, known := t.domains[name]; known {
		return name
	}
	if name = strings.Clone(name); len(t.domains) >= maxDataDomains {
		name = ""
	}
	if t.domains[name] == nil {
		t.domains[name] = map[dataKey]dataSum{}
	}
	return name
}

// sum adds a page, or takes it off.
func (t *DataTally) sum(p dataPage, sign int64) {
	documents := int64(1)
	for _, c := range p.counts {
		key := dataKey{c.Found, c.Class, c.In}
		was := t.domains[p.domain][key]
		t.domains[p.domain][key] = dataSum{was.documents + sign*c.Documents, was.triples + sign*c.Triples}
		documents = max(documents, c.Documents)
	}
	t.whole[p.domain] += sign * documents
}

// Figures returns the figures of all lines; nil if no page has statements.
func (t *DataTally) Figures() *DataFigures {
	all, others := map[dataKey]dataSum{}, map[dataKey]dataSum{}
	f := &DataFigures{Top: []DataDomain{}}
	for name, ways := range t.domains {
		d := DataDomain{Domain: name, Documents: t.whole[name], Ways: waysOf(ways)}
		if d.Documents == 0 {
			continue
		}
		f.Domains++
		pool(all, ways)
		f.Documents += d.Documents
		for _, w := range d.Ways {
			d.Triples += w.Triples
			f.Triples += w.Triples
		}
		if name != "" {
			f.Top = append(f.Top, d)
		}
	}
	if f.Documents == 0 {
		return nil
	}
	f.Ways = waysOf(all)
	order.By(f.Top, func(a, b DataDomain) int {
		return cmp.Or(cmp.Compare(b.Triples, a.Triples), strings.Compare(a.Domain, b.Domain))
	})
	shown := f.Top[:min(len(f.Top), shownDataDomains)]
	if len(shown) < f.Domains {
		rest := DataDomain{Documents: f.Documents, Triples: f.Triples}
		for _, d := range shown {
			rest.Documents, rest.Triples = rest.Documents-d.Documents, rest.Triples-d.Triples
		}
		for _, d := range f.Top[len(shown):] {
			pool(others, t.domains[d.Domain])
		}
		pool(others, t.domains[""])
		rest.Ways = waysOf(others)
		f.Others = &rest
	}
	f.Top = slices.Clone(shown)
	return f
}

// pool adds sums to others.
func pool(to, from map[dataKey]dataSum) {
	for key, s := range from {
		was := to[key]
		to[key] = dataSum{was.documents + s.documents, was.triples + s.triples}
	}
}

// waysOf lists sums, those with most triples first.
func waysOf(sums map[dataKey]dataSum) []DataWay {
	ways := []DataWay{}
	for key, s := range sums {
		if s.documents > 0 {
			ways = append(ways, DataWay{key.found, key.class, key.in, s.documents, s.triples})
		}
	}
	order.By(ways, func(a, b DataWay) int {
		return cmp.Or(cmp.Compare(b.Triples, a.Triples), strings.Compare(a.Found, b.Found), strings.Compare(a.Class, b.Class), strings.Compare(a.In, b.In))
	})
	return ways
}

// Words names how the pages of a way were found, and Place where their statements stand.
func (w DataWay) Words() string {
	words := map[string]string{
		ledger.BySeed: "seed", ledger.ByLink: "link of a page", ledger.ByHead: "link of a page's head", ledger.ByHeader: "Link header", ledger.ByFrame: "frame",
		ledger.ByIRI: "IRI of a triple", ledger.ByDump: "stated to be a dump", ledger.ByExample: "stated to be an example", ledger.ByNext: "next page of a list",
		ledger.BySitemap: "sitemap", ledger.ByWellKnown: "well-known description", ledger.ByEndpoint: "SPARQL endpoint", ledger.ByCatalogue: "catalogue", ledger.BySearch: "search",
	}
	word := cmp.Or(words[w.Found], "otherwise")
	if w.Class != "" {
		word += ", predicted " + printable(w.Class, 20)
	}
	return word
}

// Place names where the statements of a way stand.
func (w DataWay) Place() string {
	words := map[string]string{
		rdf.InDocument: "document", rdf.InArchive: "archive of documents", "jsonld": "JSON-LD in HTML", "rdfa": "RDFa in HTML",
		"microdata": "microdata in HTML", "microformats": "microformats in HTML", "opengraph": "Open Graph in HTML",
	}
	return cmp.Or(words[w.In], printable(w.In, 20))
}
