// Package linkeddata is the kind of focus that finds RDF documents, and the pages that lead to them.
package linkeddata

import (
	"context"
	"fmt"

	"orbweaver/eval"
	"orbweaver/focus/linkeddata"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// Kind finds linked data.
type Kind struct{ kind.Base }

// A section configures the search for linked data.
type section struct {
	Method     string `yaml:"method" default:"focused" oneof:"focused|non_focused|pld|dynamic_depth" doc:"Order of links. focused: links that look like RDF, then those similar to links that led to RDF, then other pages; links of no such class are not followed. The others are for comparison: non_focused treats all links alike, pld ranks by the share of RDF in the link's domain so far, dynamic_depth follows a path while it has links left, and RDF on the path adds some."`
	Classifier string `yaml:"classifier" default:"rules" oneof:"rules|online" doc:"With method: focused, how a link is classified before it is followed. rules: by the rules of reasons.md. online: by a classifier that starts from these rules and learns from all responses, by words, addresses, attributes and hosts of links."`
	Seed       int64  `yaml:"seed" default:"1" doc:"With classifier: online, the random seed: the same seed gives the same crawl."`
	HR         string `yaml:"hr" default:"embedded" oneof:"embedded|paper" doc:"Which pages count as leading to RDF, so that links to similar pages rank higher. embedded: pages with a link to RDF, and pages with embedded data (RDFa, JSON-LD, microdata, microformats) that does not describe layout. paper: only pages with a link."`
	Hosts      string `yaml:"hosts" default:"found" oneof:"found|greedy|bandit" doc:"With method: focused, the order of hosts among links of one class. found: discovery order. greedy: hosts with the larger share of RDF so far first. bandit: by upper confidence bound (UCB1), so that a host hardly tried ranks above a good one."`
	KeepN      bool   `yaml:"keep_n" default:"false" doc:"Whether links that look like neither RDF nor HTML are followed too; not with method: focused."`

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
		Blended: true, Shared: true,
		Forms: linkeddata.Accept, Data: true, Class: "R",
		Links: &eval.LinkOptions{Embedded: s.(*section).HR == "embedded"},
		Mend:  "They look like neither RDF nor HTML. Write focus.linked_data.html_extensions for the pages of these sites, or method: non_focused with keep_n: true.",
	}
	if f, err := linkeddata.New(linkeddata.DefaultOptions()); err == nil {
		a.Leads = f.Leads
	}
	return a
}

// Line names the method.
func (Kind) Line(s any) string {
	l := s.(*section)
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
	opts.Seed, opts.KeepN = uint64(f.Seed), f.KeepN
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
