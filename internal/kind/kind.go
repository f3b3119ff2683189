// Package kind says what a kind of focus is to the rest of the house: how its section of the crawl file reads, how a focus
// is built of it, what that leaves in the crawl folder, and what it adds to reports, summaries and judgements.
//
// Each kind is a package below this one. A Registry lists them; it is made in one place (kind/all) and handed on as a
// value. Nobody but a kind's own package names its section or its focus.
package kind

import (
	"context"
	"io"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/crawlfile"
)

// A Kind is a kind of focus. Base has a default for every method but Traits, Section and New.
type Kind interface {
	crawlfile.Kind

	// New prepares a focus by its section: all that can be found wrong without asking the Web is found here, all of it
	// at once. Errors wrap orbweaver.ErrInput.
	New(ctx context.Context, section any, env *Env) (Instance, error)
	// Abilities tells what can be done with a focus of a section.
	Abilities(section any) Abilities
	// Line names a focus on one line, for reports and help.
	Line(section any) string
	// Facts adds to a report what the section says.
	Facts(section any, facts *eval.CrawlFacts)
	// Names are the entities that a reason of a judgement names, in words and by IRI; none where the rule is not of this kind.
	Names(r orbweaver.Reason) (names []string, iri string)
	// Kept is what the folder of a crawl alone tells, where its focus cannot be made again.
	Kept(section any, folder string) View
	// Next are commands that a person may run after a crawl, each with its purpose; folder is the crawl's, as shown.
	Next(section any, folder string) []string
}

// Abilities are what can be done with a focus.
type Abilities struct {
	Uncompared string // why it can be neither compared nor simulated; empty: it can
	Blended    bool   // its scores of pages and links can be combined with those of others
	Shared     bool   // what it learns are counts, which workers of one crawl may add up
	Learned    bool   // its scores depend on what a crawl has learned so far

	ByItem   bool // it goes by the item that a comparison draws: see ForItem
	Starts   bool // with a comparison's item and no seeds, it begins with the item's links by itself
	Knowing  bool // it needs the truth: Env.Guide
	Pageless bool // what it finds are no pages
	Linkless bool // it follows no links, and may end without a page

	Forms string                         // media types that its pages are asked for in; empty: the usual ones
	Data  bool                           // it looks at data within pages, and what it means by remote contexts
	Class string                         // of pages that it finds (truth: {class: …}); empty: none
	Leads func(*orbweaver.Page) []string // of such a kind: what a page leads to beside its links; may be nil
	Links *eval.LinkOptions              // it predicts classes of links: what the true class of a page is; nil: it does not
	Mend  string                         // what lets it follow links where it followed none of any seed
}

// Base has defaults for a kind whose section needs no check and that adds nothing.
type Base struct{}

// Check finds nothing wrong.
func (Base) Check(any, *crawlfile.Check) {}

// Begins reports that there are no first requests.
func (Base) Begins(any) bool { return false }

// Abilities are those of a focus that scores pages and links.
func (Base) Abilities(any) Abilities { return Abilities{} }

// Facts adds nothing.
func (Base) Facts(any, *eval.CrawlFacts) {}

// Names has none.
func (Base) Names(orbweaver.Reason) (names []string, iri string) { return nil, "" }

// Kept has nothing.
func (Base) Kept(any, string) View { return View{} }

// Next advises nothing.
func (Base) Next(any, string) []string { return nil }

// A ByItem is a kind that goes by an item: a page drawn in a comparison.
type ByItem interface {
	// ForItem makes a focus of a section for an item; start: it begins with the item's links.
	ForItem(section any, item *orbweaver.Page, start bool) (orbweaver.Focus, error)
	// LineByItem is Line for such a focus.
	LineByItem(section any) string
}

// A World is a generated web, as far as a user of it would know it.
type World interface {
	Ontology() string // Turtle that describes the target
	Terms() []string  // words for the target
}

// A Simulated is a kind that can be simulated: it needs no more than a target's words.
type Simulated interface {
	// Simulate makes the section for a generated web whose target has an IRI; folder takes files.
	Simulate(world World, target, folder string) (section any, err error)
}

// A Registry is the kinds that there are, in the order of the reference.
type Registry []Kind

// Schema is what crawl files may name.
func (r Registry) Schema() crawlfile.Schema {
	schema := make(crawlfile.Schema, len(r))
	for i, kind := range r {
		schema[i] = kind
	}
	return schema
}

// Of is the kind of a focus that was loaded by the schema of a registry.
func Of(f crawlfile.Focus) Kind {
	kind, _ := f.Kind().(Kind)
	return kind
}

// New prepares a focus of a crawl file. Errors wrap orbweaver.ErrInput.
func New(ctx context.Context, f crawlfile.Focus, env *Env) (Instance, error) {
	return Of(f).New(ctx, f.Section(), env)
}

// AbilitiesOf are those of a focus of a crawl file; of none, none.
func AbilitiesOf(f crawlfile.Focus) Abilities {
	if kind := Of(f); kind != nil {
		return kind.Abilities(f.Section())
	}
	return Abilities{}
}

// Line names a focus of a crawl file on one line.
func Line(f crawlfile.Focus) string {
	if kind := Of(f); kind != nil {
		return kind.Line(f.Section())
	}
	return ""
}

// A Topic is what a focus says of a page beside its judgement: a value that JSON can have, and that tells people.
type Topic interface{ Print(io.Writer) }
