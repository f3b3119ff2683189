// Package crossref is the kind of focus that finds other sources of the information of an item, and learns labels as it
// crawls (SemXDM).
package crossref

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	focus "orbweaver/focus/crossref"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// A section describes a search for pages similar to an item.
type section struct {
	Item         string   `yaml:"item" as:"source" need:"unless each" type:"path or URL" doc:"The item: the URL of a page, or an HTML file. Optional in a comparison file with each, where it is the drawn item. Without seeds the crawl starts from the item's links. The crawl folder keeps a copy, so that the item stays the same."`
	Round        int      `yaml:"round" default:"2000" min:"1" max:"1000000" doc:"Number of requests between two rankings of the whole frontier. The first rounds are shorter, 100, 200, 400 and so on, so that the crawl soon uses what the first pages teach."`
	Layers       int      `yaml:"layers" default:"2" min:"0" max:"4" doc:"Index of the outermost layer of the context graph: layer 0 is the item and similar pages, each further layer the pages that link to the one within."`
	Theta        float64  `yaml:"theta" default:"0.5" min:"0" max:"1" doc:"Relevance to the item above which a page belongs to layer 0."`
	Accept       float64  `yaml:"accept" default:"0.25" min:"0" max:"1" doc:"Cosine of the terms to layer 0 above which a page is accepted."`
	TermsPerItem int      `yaml:"terms_per_item" default:"25" min:"2" max:"100" doc:"Number of terms of a page, by weight, used to learn labels. The cost grows quadratically. With model: the model's value."`
	HalfLife     float64  `yaml:"half_life" default:"0" min:"0" max:"1e9" doc:"Number of pages after which a page counts half in the label model; 0: no decay. With model: the model's value."`
	WordNet      string   `yaml:"wordnet" as:"folder" type:"path" doc:"WordNet folder, to merge synonyms into one term. With model: the present location of the WordNet that the model was trained with."`
	Order        string   `yaml:"order" default:"worth" oneof:"worth|layers" doc:"Order of the frontier. worth: by expected worth, where each layer counts a tenth of the one within. layers: inner layers first, whatever the relevance; the paper's order, which finds less."`
	Without      []string `yaml:"without" oneof:"labels|layers|rerank|link_text|feedback" type:"list of: labels, layers, rerank, link_text, feedback" doc:"Components to disable, for ablation. labels: relevance by terms only. layers: only layer 0. rerank: waiting URLs are ranked only when new links to them are found. link_text: the words of links. feedback: the outcome of pages whose links had the same words."`
	Model        string   `yaml:"model" as:"folder" type:"path" doc:"Folder of an initial model of terms and labels: made by labels train, or from an earlier crawl. It is not modified: the crawl writes its own to model in the crawl folder."`
}

// Kind finds pages similar to an item.
type Kind struct{ kind.Base }

// Traits are those of crossref.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "crossref", Seedless: true, Searches: true,
		Doc: "Other sources for the information of one page, the item (SemXDM).",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Begins reports that the focus has seeds: the links of the item.
func (Kind) Begins(any) bool { return true }

// Abilities are those of a focus that scores pages and links in rounds.
func (Kind) Abilities(s any) kind.Abilities {
	return kind.Abilities{ByItem: s.(*section).Item == "", Starts: true, Blended: true}
}

// Line names the item and the options.
func (Kind) Line(s any) string { return line(s.(*section), console.Relative(s.(*section).Item)) }

// LineByItem says that the item is the one drawn.
func (Kind) LineByItem(s any) string { return line(s.(*section), "the item") }

// line names a focus on an item.
func line(f *section, item string) string {
	line := fmt.Sprintf("crossref: %s, rounds of %d, layers %d, theta %g", item, f.Round, f.Layers, f.Theta)
	if f.Order == "layers" {
		line += ", layers first"
	}
	if len(f.Without) > 0 {
		line += ", without " + strings.Join(f.Without, ", ")
	}
	return line
}

// Next is the command that lists the sources.
func (Kind) Next(_ any, folder string) []string {
	return []string{fmt.Sprintf("orbweaver crossref %s   the sources found, ranked, those that say the same together", folder)}
}

// ForItem makes the focus for an item drawn.
func (Kind) ForItem(s any, item *orbweaver.Page, start bool) (orbweaver.Focus, error) {
	return orError(newFocus(*s.(*section), item, start, nil))
}

// New builds the focus at once if there is no crawl, as in a comparison: its item is then a file. In a crawl the item may
// be on the Web, and Look builds the focus.
func (Kind) New(_ context.Context, s any, env *kind.Env) (kind.Instance, error) {
	in := &instance{section: s.(*section)}
	if env.File != nil {
		return in, nil
	}
	built, err := ofFileAlone(*in.section)
	if err != nil {
		return nil, err
	}
	in.focus, in.F = built, built
	return in, nil
}

// orError returns a nil interface, not one holding a nil focus, with an error.
func orError(f *focus.Focus, err error) (orbweaver.Focus, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// An instance is the focus of one crawl.
type instance struct {
	kind.Plain
	section *section
	env     *kind.Env
	focus   *focus.Focus // nil: it is not built

	itemURL   string // of the item that a crawl which begins looks for
	item      []byte // its HTML; nil: there is none, or the crawl's folder has it
	drift     driftBook
	languages languages // of the pages of this session
}

// Look loads the item and makes the focus.
func (c *instance) Look(ctx context.Context, env *kind.Env) error {
	c.env, c.languages = env, languages{}
	item, err := c.loadItem(ctx, *c.section)
	if err == nil {
		c.focus, err = newFocus(*c.section, item, len(env.File.Seeds.URLs) == 0, c.drift.add)
	}
	if err == nil {
		c.F = c.focus
	}
	return err
}

// Query returns the heaviest terms of the item, few because search engines return pages with all or most terms.
func (c *instance) Query() string {
	const terms = 5
	return c.focus.Query(terms)
}

// Begin saves the item, and opens the log of model changes.
func (c *instance) Begin(_ *kind.Env, begun bool) error {
	return errors.Join(c.keepItem(), c.drift.open(c.modelFolder(), c.section.Model, begun))
}

// modelFolder is where the model of the crawl is.
func (c *instance) modelFolder() string { return filepath.Join(c.env.File.Output, labelmodel.Folder) }

// Observe counts languages.
func (c *instance) Observe(o orbweaver.Outcome) { c.languages.add(o.Page) }

// learnedScope is the scope of blank nodes in the learned graph.
const learnedScope = "learned"

// End saves the model, for inspection and for other crawls to start with. Unless the session failed, it also replaces the
// learned graph in the quad store.
func (c *instance) End(ctx context.Context, env *kind.Env, l *ledger.Ledger, failed error) error {
	err := errors.Join(
		c.drift.close(),
		c.focus.Model().Write(c.modelFolder(), nil),
		crawlfolder.ReplaceWith(filepath.Join(c.env.File.Output, roundsFile), func(f *os.File) error { return console.WriteJSON(f, c.focus.Rounds()) }),
	)
	if failed != nil || err != nil {
		return err
	}
	if env.Console != nil {
		stop := env.Console.AfterAWhile("writing what was learned into the quad store ...")
		defer stop()
	}
	if _, err := l.Replace(context.WithoutCancel(ctx), rdf.NewIRI(focus.Learned), c.focus.Quads(), learnedScope); err != nil {
		return fmt.Errorf("what was learned, in the quad store: %w", err)
	}
	return nil
}

// Kept returns the figures of rounds saved in the folder.
func (Kind) Kept(_ any, folder string) kind.View {
	return kind.View{Rounds: roundFacts(keptRounds(filepath.Join(folder, roundsFile)))}
}

// View returns the figures of rounds.
func (c *instance) View(_ *kind.Env, _ *ledger.Ledger, _ bool) (v kind.View, err error) {
	v.Rounds = roundFacts(c.focus.Rounds())
	if told := c.languages.foreign(c.focus.Lang()); told != "" {
		v.Warnings = []string{told}
	}
	return v, nil
}
