// Package linkeddata is the kind of focus that finds documents of RDF, and the pages that lead to them.
package linkeddata

import (
	"context"
	"fmt"

	"orbweaver/eval"
	"orbweaver/focus/linkeddata"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// Kind looks for linked data.
type Kind struct{ kind.Base }

// A section says how linked data is looked for.
type section struct {
	Method     string `yaml:"method" default:"focused" oneof:"focused|non_focused|pld|dynamic_depth" doc:"In which order links are followed. focused: those that are RDF by their look, then those like links that led to RDF, then other pages; links of no such class are not followed. The others are what that is compared with: all alike, by what share of its domain was RDF so far, as far as the path has links left, of which RDF adds some."`
	Classifier string `yaml:"classifier" default:"rules" oneof:"rules|online" doc:"What tells the class of a link before it is followed, for method: focused. rules: those of reasons.md. online: a classifier that begins as these rules and learns from all that is fetched, by the words, addresses, attributes and hosts of links."`
	Seed       int64  `yaml:"seed" default:"1" doc:"For classifier: online. The same seed gives the same crawl."`
	HR         string `yaml:"hr" default:"embedded" oneof:"embedded|paper" doc:"Which pages count as leading to RDF, so that pages like them go before others. embedded: those with a link to RDF, and those with data in them (RDFa, JSON-LD, microdata, microformats) that is not of their layout. paper: with a link alone."`
	Hosts      string `yaml:"hosts" default:"found" oneof:"found|greedy|bandit" doc:"Among links of one class, which hosts go first, for method: focused. found: none, links go in the order found. greedy: those of which the larger share was RDF so far. bandit: those of which it may well be, so that a host hardly tried goes before a good one (UCB1)."`
	KeepN      bool   `yaml:"keep_n" default:"false" doc:"Links that look like neither RDF nor HTML are followed too; not with method: focused."`

	Terms           []string `yaml:"terms" type:"list of words or phrases" doc:"More that speak of RDF, in a link's address, text or attributes."`
	ContentTypes    []string `yaml:"content_types" type:"list of media types" doc:"More that are RDF where a link names them."`
	Extensions      []string `yaml:"extensions" type:"list of extensions" doc:"More that files of RDF have, as in .rj."`
	HTMLExtensions  []string `yaml:"html_extensions" type:"list of extensions" doc:"More that pages of HTML have."`
	OtherExtensions []string `yaml:"other_extensions" type:"list of extensions" doc:"More that are neither: such links are not followed."`
	Layout          []string `yaml:"layout" type:"list of beginnings of IRIs" doc:"More vocabularies that say how a page is shown, as Open Graph does: data of these alone is none."`
}

// Traits are those of linked_data.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "linked_data", Doc: "Documents of RDF, and the pages that lead to them. With the defaults: linked_data: {}.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Abilities are those of a focus that predicts the class of links, and has data read.
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

// Line tells its method.
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
