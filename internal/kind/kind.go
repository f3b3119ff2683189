// Package kind defines the interface between a kind of focus and the rest of the program: decoding its section of the
// crawl file, building the focus, the files it writes to the crawl folder, and its contributions to reports, summaries and
// judgements.
//
// Each kind is a package below this one. A Registry lists them; it is created in one place (kind/all) and passed as a
// value. Only a kind's own package names its section or its focus.
package kind

import (
	"context"
	"io"
	"slices"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/crawlfile"
	"orbweaver/rdf/syntax/embedded"
)

// A Kind is a kind of focus. Base has a default for every method but Traits, Section and New.
type Kind interface {
	crawlfile.Kind

	// New prepares a focus from its section. It reports, all at once, every error that can be found without network
	// access. Errors wrap orbweaver.ErrInput.
	New(ctx context.Context, section any, env *Env) (Instance, error)
	// Abilities returns what a focus with this section supports.
	Abilities(section any) Abilities
	// Line describes a focus on one line, for reports and help.
	Line(section any) string
	// Facts adds facts about the section to a report.
	Facts(section any, facts *eval.CrawlFacts)
	// Names returns what a reason of a judgement names; the zero value if the rule is not of this kind.
	Names(r orbweaver.Reason) Named
	// Kept returns the view that can be read from a crawl folder without rebuilding its focus.
	Kept(section any, folder string) View
	// Next returns commands to suggest after a crawl, each with its purpose; folder is the crawl folder as displayed.
	Next(section any, folder string) []string
}

// Abilities are what a focus supports.
type Abilities struct {
	Uncompared string // why it can be neither compared nor simulated; empty: it can
	Alone      string // why its crawl can't be shared by several workers; empty: it can
	AloneIn    string // why a blend with it can't be either; empty: it can
	Blended    bool   // its scores of pages and links can be combined with those of others
	Shared     bool   // what it learns are counts, which workers of one crawl may add up
	Explored   bool   // a share of its requests is drawn at random, unless the crawl file says otherwise
	Paper      bool   // it repeats a paper's crawl to the letter: mode: paper
	Learned    bool   // its scores depend on what a crawl has learned so far

	Revised bool // another focus, of a changed section, can be built beside one that runs, and take up what that has learned

	ByItem   bool // it goes by the item that a comparison draws: see ForItem
	Starts   bool // with a comparison's item and no seeds, it begins with the item's links by itself
	Knowing  bool // it needs the truth: Env.Guide
	Pageless bool // what it finds are no pages
	Linkless bool // it follows no links, and may end without a page

	Forms    string                         // media types that its pages are asked for in; empty: the usual ones
	Data     bool                           // it looks at data within pages, and what it means by remote contexts
	Dumps    bool                           // it wants data in bulk: limits.dump holds
	Syntaxes []embedded.Syntax              // of the data that it looks at; nil: all
	Class    string                         // of pages that it finds (truth: {class: …}); empty: none
	Leads    func(*orbweaver.Page) []string // of such a kind: what a page leads to beside its links; may be nil
	Links    *eval.LinkOptions              // it predicts classes of links: what the true class of a page is; nil: it does not
	Asks     bool                           // it asks SPARQL endpoints
	Store    string                         // folder for what becomes known of endpoints, shared by crawls; empty: the crawl folder
	Knows    string                         // what of its knowledge can be looked at: KnowsTopic and the like; empty: nothing
	Mend     string                         // what lets it follow links where it followed none of any seed
}

// What of a focus's knowledge can be looked at.
const (
	KnowsTopic           = "krs"             // a topic learned from documents
	KnowsLabels          = "labels"          // a label model
	KnowsRecommendations = "recommendations" // terms and datasets
	KnowsLinks           = "linked-data"     // classes of links, and endpoints
	KnowsEndpoints       = "endpoints"       // endpoints alone
)

// KnowledgeOf returns what of the knowledge of a focus, or of those that it joins, can be looked at, each once.
func KnowledgeOf(f crawlfile.Focus) (all []string) {
	asks := false
	for _, part := range Each(f) {
		a := AbilitiesOf(part)
		if asks = asks || a.Asks; a.Knows != "" && !slices.Contains(all, a.Knows) {
			all = append(all, a.Knows)
		}
	}
	if asks && !slices.Contains(all, KnowsLinks) {
		all = append(all, KnowsEndpoints)
	}
	return all
}

// A Named is what a reason names.
type Named struct {
	Names  []string // the main name first; none: the reason names nothing
	IRI    string   // may be empty
	Words  string   // the words of the page that name it, with counts; may be empty
	Entity bool     // it is an entity that the page is about, for exports and judge
}

// Base provides defaults for a kind whose section needs no check and that adds nothing.
type Base struct{}

// Check finds nothing wrong.
func (Base) Check(any, *crawlfile.Check) {}

// Begins reports that there are no first requests.
func (Base) Begins(any) bool { return false }

// Abilities returns those of a focus that scores pages and links.
func (Base) Abilities(any) Abilities { return Abilities{} }

// Facts adds nothing.
func (Base) Facts(any, *eval.CrawlFacts) {}

// Names has none.
func (Base) Names(orbweaver.Reason) Named { return Named{} }

// Kept has nothing.
func (Base) Kept(any, string) View { return View{} }

// Next advises nothing.
func (Base) Next(any, string) []string { return nil }

// A ByItem is a kind whose focus can be based on an item: a page drawn in a comparison.
type ByItem interface {
	// ForItem builds a focus for an item; with start, the crawl starts from the item's links.
	ForItem(section any, item *orbweaver.Page, start bool) (orbweaver.Focus, error)
	// LineByItem is Line for such a focus.
	LineByItem(section any) string
}

// A Joint is a kind whose focus joins others.
type Joint interface {
	// Parts returns the focuses that a section joins.
	Parts(section any) []crawlfile.Focus
}

// Each returns the focuses that a focus joins; the focus itself if it joins none.
func Each(f crawlfile.Focus) []crawlfile.Focus {
	if joint, ok := Of(f).(Joint); ok {
		return joint.Parts(f.Section())
	}
	return []crawlfile.Focus{f}
}

// A World is a generated web, as far as its user would know it.
type World interface {
	Ontology() string // Turtle that describes the target
	Terms() []string  // words for the target
}

// A Simulated is a kind that can be simulated: a target's words suffice to build it.
type Simulated interface {
	// Simulate returns the section for a generated web with a target IRI; it may write files to folder.
	Simulate(world World, target, folder string) (section any, err error)
}

// A Registry lists all kinds, in the order of the reference.
type Registry []Kind

// Schema returns the schema of crawl files that may name these kinds.
func (r Registry) Schema() crawlfile.Schema {
	schema := make(crawlfile.Schema, len(r))
	for i, kind := range r {
		schema[i] = kind
	}
	return schema
}

// Entity returns the entity that a reason names.
func (r Registry) Entity(reason orbweaver.Reason) (n Named, ok bool) {
	for _, kind := range r {
		if n := kind.Names(reason); n.Entity {
			return n, true
		}
	}
	return n, false
}

// Of returns the kind of a focus that was loaded with the schema of a registry.
func Of(f crawlfile.Focus) Kind {
	kind, _ := f.Kind().(Kind)
	return kind
}

// New prepares a focus of a crawl file. Errors wrap orbweaver.ErrInput.
func New(ctx context.Context, f crawlfile.Focus, env *Env) (Instance, error) {
	return Of(f).New(ctx, f.Section(), env)
}

// AbilitiesOf returns the abilities of a focus in a crawl file; none if the file names no focus.
func AbilitiesOf(f crawlfile.Focus) Abilities {
	if kind := Of(f); kind != nil {
		return kind.Abilities(f.Section())
	}
	return Abilities{}
}

// Line describes a focus in a crawl file on one line.
func Line(f crawlfile.Focus) string {
	if kind := Of(f); kind != nil {
		return kind.Line(f.Section())
	}
	return ""
}

// A Topic is what a focus knows about a page in addition to its judgement: it encodes as JSON and prints as text.
type Topic interface{ Print(io.Writer) }

// DumpOf returns the limit of data in bulk of a crawl file, in bytes; 0: the focus does not want such.
func DumpOf(f *crawlfile.Crawl) int64 {
	if AbilitiesOf(f.Focus).Dumps {
		return f.Limits.Dump
	}
	return 0
}
