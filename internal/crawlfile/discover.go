package crawlfile

import (
	"strings"

	"orbweaver/weburl"
)

// Discover names sources of pages beside links. Nothing is discovered by the zero value.
type Discover struct {
	By        []string       `yaml:"by" oneof:"sitemaps|index|search" doc:"sitemaps: as sitemaps: all. index: pages that are lists (indexes, categories, tags, the next page of a list) are probed, by how many accepted pages such pages led to. search: the search of a host with accepted pages is asked for what these name: a GET form, or an OpenSearch description."`
	Share     *float64       `yaml:"share" as:"share" min:"0.001" max:"0.5" type:"percentage or number from 0.1% to 50%" doc:"Share of the requests that may be probes: index pages, queries and pages that link to accepted ones. Default: 5%."`
	Queries   int            `yaml:"queries" default:"5" min:"1" max:"1000" doc:"Queries to the search of one host, and to the search engine and the endpoint each, at most. A search is asked no more after two queries that led to no accepted page."`
	Terms     []string       `yaml:"terms" type:"list of words or phrases" doc:"What is asked for first. Then follows what the reasons of accepted pages name, and words of their titles."`
	Engine    string         `yaml:"engine" type:"URL" doc:"A search engine: the URL of its results, with {query} in it. The answer is HTML, JSON, RSS or Atom. Scope and robots.txt hold for it as for any host."`
	Sparql    DiscoverSparql `yaml:"sparql" type:"section" doc:"A SPARQL endpoint that is asked for pages about what the accepted pages name."`
	Backlinks []string       `yaml:"backlinks" as:"files" type:"path, or list of paths" doc:"Link graphs: text files with a line for each link, the URL of the page, a tab, and the URL that it links to. Pages that link to accepted ones are probed."`
}

// A DiscoverSparql is a SPARQL endpoint that is asked for pages.
type DiscoverSparql struct {
	Endpoint string `yaml:"endpoint" type:"URL" doc:"URL of the endpoint."`
	Query    string `yaml:"query" type:"SPARQL" doc:"SELECT query with {label} in place of a literal; each IRI of its answer that is a URL is a link. Default: what schema:url, foaf:homepage and Wikidata's P856 say of things with the label, in any language, and of things that refer to them."`
}

// UsualShare is the share of requests that are probes if a file does not say.
const UsualShare = 0.05

// On reports whether anything is discovered that is not in sitemaps.
func (c Discover) On() bool {
	return len(c.By) > 0 || c.Engine != "" || c.Sparql.Endpoint != "" || len(c.Backlinks) > 0
}

// Part returns the share of requests that are probes.
func (c Discover) Part() float64 {
	if c.Share == nil {
		return UsualShare
	}
	return *c.Share
}

// checkDiscover reports services that cannot be asked.
func (d *decoding) checkDiscover(c *Discover, key string) {
	if c.Engine != "" {
		at := join(key, "engine")
		if !strings.Contains(c.Engine, "{query}") {
			d.problem(at, "holds no {query}", "which stands for what is searched")
		} else if _, err := weburl.Canonical(strings.ReplaceAll(c.Engine, "{query}", "x")); err != nil {
			msg, hint := badURL(c.Engine, err)
			d.problem(at, msg, hint)
		}
	}
	switch at := join(key, "sparql"); {
	case c.Sparql.Endpoint == "" && c.Sparql.Query != "":
		d.problem(join(at, "query"), "has no endpoint to go to", "")
	case c.Sparql.Endpoint != "":
		if _, err := weburl.Canonical(c.Sparql.Endpoint); err != nil {
			msg, hint := badURL(c.Sparql.Endpoint, err)
			d.problem(join(at, "endpoint"), msg, hint)
		}
		if c.Sparql.Query != "" && !strings.Contains(c.Sparql.Query, "{label}") {
			d.problem(join(at, "query"), "holds no {label}", "which stands for what is asked for")
		}
	}
}
