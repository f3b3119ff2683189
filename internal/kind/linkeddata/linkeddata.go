// Package linkeddata is the kind of focus that finds RDF documents, and the pages that lead to them.
package linkeddata

import (
	"context"
	"fmt"

	"orbweaver/eval"
	"orbweaver/focus/linkeddata"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/rdf/syntax/embedded"
)

// Kind finds linked data.
type Kind struct{ kind.Base }

// A section configures the search for linked data.
type section struct {
	Mode       string `yaml:"mode" default:"default" oneof:"default|paper" doc:"Whose crawler it is. default: Orbweaver's. paper: that of Emamdadi, Kahani and Zarrinkalam, and nothing else: sets the keys below to what the paper has (papers.md), sitemaps to off, and rejects other values. vocabularies, rdf_links and match are readings of the paper: they may be set with it. With method: non_focused it is the crawler that the paper compares with, which follows every link."`
	Method     string `yaml:"method" default:"focused" oneof:"focused|non_focused|pld|dynamic_depth" doc:"Order of links. focused: links that look like RDF, then those similar to links that led to RDF, then other pages; links of no such class are not followed. The others are for comparison: non_focused treats all links alike, pld ranks by the share of RDF in the link's domain so far, dynamic_depth follows a path while it has links left, and RDF on the path adds some."`
	Classifier string `yaml:"classifier" default:"online" oneof:"rules|online" doc:"With method: focused, how a link is classified before it is followed. rules: by the rules of reasons.md; the default with other methods, rerank: false and learn_terms: true. online: by a classifier that starts from these rules and learns from all responses, by words, addresses, attributes and hosts of links."`
	Seed       int64  `yaml:"seed" default:"1" doc:"With classifier: online, the random seed: the same seed gives the same crawl."`
	HR         string `yaml:"hr" default:"embedded" oneof:"embedded|paper" doc:"Which pages count as leading to RDF, so that links to similar pages rank higher. embedded: pages with a link to RDF, and pages with embedded data (RDFa, JSON-LD, microdata, microformats) that does not describe layout. paper: only pages with a link."`
	Hosts      string `yaml:"hosts" default:"found" oneof:"found|greedy|bandit" doc:"With method: focused, the order of hosts among links of one class; the default is bandit with classifier: online, else found. found: discovery order. greedy: hosts with the larger share of RDF so far first. bandit: by upper confidence bound (UCB1), so that a host hardly tried ranks above a good one."`
	Learned    string `yaml:"learned" default:"linked" oneof:"linked|arrived" doc:"Which pages links are similar to. linked: every page that counts as leading to RDF by hr. arrived: the page with the link, when what it leads to arrives and is RDF; not a page found later with a link to known RDF, nor one with embedded data."`
	Rerank     bool   `yaml:"rerank" default:"true" doc:"Whether links that wait are ranked anew when the crawl learns which pages lead to RDF. false: a link keeps the rank that it had when it was found. Not with method: pld, hosts: greedy or bandit, or classifier: online."`
	KeepN      bool   `yaml:"keep_n" default:"false" doc:"Whether links that look like neither RDF nor HTML are followed too; not with method: focused."`

	PatternRecord bool   `yaml:"pattern_record" default:"true" doc:"With method: focused, whether links that look like RDF go last once eight links of their pattern failed."`
	Graded        bool   `yaml:"graded" default:"true" doc:"Whether links that look like RDF go in the order of what says so: statements, file extensions and media types before words of texts and file names, and these before words of directories and of what stands around a link. false: all alike."`
	Directories   bool   `yaml:"directories" default:"true" doc:"Whether links to directories in which RDF was found go before other pages, and /.well-known/void of a host as early as those of other hosts led to RDF."`
	Described     bool   `yaml:"described" default:"true" doc:"Whether a vocabulary term's own address is left out where the document of its namespace defines the term."`
	WellKnown     bool   `yaml:"well_known" default:"true" doc:"Whether /.well-known/void of each host is requested, where a host may describe its datasets."`
	Stated        bool   `yaml:"stated" default:"true" doc:"Whether what a dataset's description or a sitemap states of an address (a dump, a sample, an endpoint) overrules what the address looks like."`
	Harvest       bool   `yaml:"harvest" default:"true" doc:"Whether data behind interfaces is fetched too: SPARQL endpoints are asked for their statements page by page, CKAN catalogues for their resources, archives of RDF are unpacked, and limits.dump holds (docs/howto/data-webs.md). false: what is stated to be an endpoint is not requested."`
	HarvestMost   int64  `yaml:"harvest_statements" default:"1000000" min:"1" max:"1000000000" doc:"With harvest: statements asked of one graph of an endpoint, at most."`
	LinkHeaders   bool   `yaml:"link_headers" default:"true" doc:"Whether links in HTTP headers (Link, Refresh) are followed."`
	LearnTerms    bool   `yaml:"learn_terms" default:"false" doc:"With method: focused, whether words are learned beside the listed ones. Words of links' texts, in the language of their page, and of addresses that led to RDF at least twice, and more often than not, indicate RDF; a listed word that hardly ever did indicates nothing more (reasons.md)."`
	Frames        bool   `yaml:"frames" default:"true" doc:"Whether the pages in frames are followed."`
	Suffix        string `yaml:"suffix" default:"plausible" oneof:"plausible|any" doc:"What a file extension is. plausible: a listed one; /v1.2, /vnd.dwf and /owl.Thing have none and may be HTML. any: whatever follows the last dot of a file name; an unlisted one is that of neither RDF nor HTML, and the link is not followed."`
	Vocabularies  string `yaml:"vocabularies" default:"documents" oneof:"documents|terms|off" doc:"What is requested of the predicates and classes of triples. documents: the document of each namespace, once. terms: each of them, like the other IRIs of triples. off: nothing."`
	RDFLinks      string `yaml:"rdf_links" default:"triples" oneof:"triples|documents" doc:"Which links are expected to lead to RDF because of where they stand. triples: IRIs of triples. documents: IRIs of RDF documents; those of triples within HTML pages are links of HTML."`
	Data          string `yaml:"data" default:"all" oneof:"all|rdfa" doc:"Which data within HTML pages is read. all: RDFa, JSON-LD, microdata and microformats. rdfa: only RDFa."`
	Match         string `yaml:"match" default:"words" oneof:"words|letters" doc:"When a link names a term or media type of RDF. words: as whole words. letters: as any part of the text, such as n3 in n300."`

	Terms           []string `yaml:"terms" type:"list of words or phrases" doc:"Additional words that indicate RDF in a link's address, text or attributes."`
	ContentTypes    []string `yaml:"content_types" type:"list of media types" doc:"Additional media types that are RDF when a link names them."`
	Extensions      []string `yaml:"extensions" type:"list of extensions" doc:"Additional file extensions of RDF, as in .rj."`
	HTMLExtensions  []string `yaml:"html_extensions" type:"list of extensions" doc:"Additional file extensions of HTML pages."`
	OtherExtensions []string `yaml:"other_extensions" type:"list of extensions" doc:"Additional file extensions of neither RDF nor HTML: such links are not followed."`
	Layout          []string `yaml:"layout" type:"list of beginnings of IRIs" doc:"Additional vocabularies that describe the presentation of a page, as Open Graph does: a page with only such data counts as having none."`
}

// Traits are those of linked_data.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "linked_data", Doc: "RDF documents, and the pages that lead to them. With the defaults: linked_data: {}.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Abilities returns those of a focus that predicts classes of links, and has embedded data extracted.
func (Kind) Abilities(s any) kind.Abilities {
	a := kind.Abilities{
		Paper: s.(*section).Mode == modePaper, Blended: true, Shared: true, Explored: s.(*section).Mode != modePaper && s.(*section).Method == "focused",
		Forms: linkeddata.Accept, Data: true, Dumps: s.(*section).Harvest, Class: "R",
		Asks: s.(*section).Harvest, Knows: kind.KnowsLinks,
		Links: &eval.LinkOptions{Embedded: s.(*section).HR == "embedded", Features: []string{"failing", "discover"}}, // why the engine asked when it did
		Mend:  "They look like neither RDF nor HTML. Write focus.linked_data.html_extensions for the pages of these sites, or method: non_focused with keep_n: true.",
	}
	if s.(*section).Classifier == "online" {
		a.Links.Features = append(a.Links.Features, linkeddata.Features()...)
	}
	if s.(*section).Data == "rdfa" {
		a.Syntaxes = []embedded.Syntax{embedded.RDFa}
	}
	if f, err := linkeddata.New(linkeddata.DefaultOptions()); err == nil {
		a.Leads = f.Leads
	}
	return a
}

// Line names the method.
func (Kind) Line(s any) string {
	l := s.(*section)
	if l.Mode == modePaper {
		return "linked_data: mode paper, " + l.Method
	}
	what := fmt.Sprintf("linked_data: %s, by %s, hr %s", l.Method, l.Classifier, l.HR)
	if l.Method == "focused" {
		what += ", hosts " + l.Hosts
	}
	return what
}

// New makes the focus.
func (Kind) New(_ context.Context, s any, _ *kind.Env) (kind.Instance, error) {
	f := s.(*section)
	opts := linkeddata.DefaultOptions()
	opts.Method, _ = linkeddata.ParseMethod(f.Method) // the crawl file was checked
	opts.HR, _ = linkeddata.ParseLead(f.HR)
	opts.Classifier, _ = linkeddata.ParseClassifier(f.Classifier)
	opts.Seed, opts.KeepN, opts.HarvestMost = uint64(f.Seed), f.KeepN, f.HarvestMost
	opts.Beyond, opts.Readings = f.beyond()
	opts.Hosts, _ = linkeddata.ParseHostOrder(f.Hosts)
	opts.Config = opts.Config.Extend(linkeddata.Config{
		Terms: f.Terms, ContentTypes: f.ContentTypes, Extensions: f.Extensions,
		HTMLExtensions: f.HTMLExtensions, OtherExtensions: f.OtherExtensions, Layout: f.Layout,
	})
	focus, err := linkeddata.New(opts)
	if err != nil {
		return nil, kind.Below("focus.linked_data.", err)
	}
	return kind.Built(focus, nil)
}
