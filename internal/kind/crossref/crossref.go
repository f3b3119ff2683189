// Package crossref is the kind of focus that finds pages with the same information as an item, and learns labels on the way
// (SemXDM).
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

// A section looks for pages like an item.
type section struct {
	Item         string   `yaml:"item" as:"source" need:"unless each" type:"path or URL" doc:"The item: the URL of a page, or a file of HTML. In a comparison file with each it may be left out: then it is the item drawn. Without seeds the crawl begins with the item's links. It is kept in the crawl folder, so that it stays what it was."`
	Round        int      `yaml:"round" default:"2000" min:"1" max:"1000000" doc:"How many requests are taken from the frontier at a time, after which all that waits is ranked again. The first rounds are shorter: 100, 200, 400 and so on, so that what the first pages teach is soon of use."`
	Layers       int      `yaml:"layers" default:"2" min:"0" max:"4" doc:"The outermost layer of the context graph: layer 0 is the item and what is like it, each other what links to the one within."`
	Theta        float64  `yaml:"theta" default:"0.5" min:"0" max:"1" doc:"The relevance to the item above which a page is part of layer 0."`
	Accept       float64  `yaml:"accept" default:"0.25" min:"0" max:"1" doc:"The cosine of terms to layer 0 above which a page is accepted."`
	TermsPerItem int      `yaml:"terms_per_item" default:"25" min:"2" max:"100" doc:"How many terms of a page labels are learned from, the heaviest. What they cost grows with the square. With model it is the model's."`
	HalfLife     float64  `yaml:"half_life" default:"0" min:"0" max:"1e9" doc:"After how many pages a page counts half in what is learned of labels; 0: it counts for ever. With model it is the model's."`
	WordNet      string   `yaml:"wordnet" as:"folder" type:"path" doc:"The folder of a WordNet, whose synonyms are one term. With model it is where the WordNet that the model was learned with is now."`
	Order        string   `yaml:"order" default:"worth" oneof:"worth|layers" doc:"What goes first. worth: what is worth most, each layer counting a tenth of the one within. layers: what is expected in an inner layer, whatever its relevance; the paper's way, which finds less."`
	Without      []string `yaml:"without" oneof:"labels|layers|rerank|link_text|feedback" type:"list of: labels, layers, rerank, link_text, feedback" doc:"What is left out, to see what it is good for. labels: relevance is by terms alone. layers: there is layer 0 alone. rerank: what waits is ranked by new links to it alone. link_text: the words of links. feedback: what pages turned out to be that were linked to beside the same words."`
	Model        string   `yaml:"model" as:"folder" type:"path" doc:"The folder of a model of terms and labels to begin with: one that labels train made, or that of an earlier crawl. It stays as it is: what is learned goes into model in the crawl folder."`
}

// Kind looks for pages like an item.
type Kind struct{ kind.Base }

// Traits are those of crossref.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "crossref", Seedless: true, Searches: true,
		Doc: "Pages with the same information as an item, a page of which there may be other sources (SemXDM).",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Begins reports that the links of the item are what it begins with.
func (Kind) Begins(any) bool { return true }

// Abilities are those of a focus that scores pages and links in rounds.
func (Kind) Abilities(s any) kind.Abilities {
	return kind.Abilities{ByItem: s.(*section).Item == "", Starts: true, Blended: true}
}

// Line tells the item, and how it is looked for.
func (Kind) Line(s any) string { return line(s.(*section), console.Relative(s.(*section).Item)) }

// LineByItem tells that it goes by the item drawn.
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

// New makes the focus where no crawl is at hand, as in a comparison: its item is a file. In a crawl the item may be on
// the Web, and the focus is built when that is at hand.
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

// orError keeps an interface from holding no focus.
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

// Query is the heaviest terms of the item: engines look for pages that have all, or most.
func (c *instance) Query() string {
	const terms = 5
	return c.focus.Query(terms)
}

// Begin keeps the item, and opens the log of what changes in the model.
func (c *instance) Begin(_ *kind.Env, begun bool) error {
	return errors.Join(c.keepItem(), c.drift.open(c.modelFolder(), c.section.Model, begun))
}

// modelFolder is where the model of the crawl is.
func (c *instance) modelFolder() string { return filepath.Join(c.env.File.Output, labelmodel.Folder) }

// Observe counts languages.
func (c *instance) Observe(o orbweaver.Outcome) { c.languages.add(o.Page) }

// learnedScope is that of the blank nodes of what was learned.
const learnedScope = "learned"

// End writes what was learned: the model, for other crawls to begin with and for people, and into the quad store, in
// place of what was there, unless the session failed.
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

// Kept has the figures of rounds that the folder has.
func (Kind) Kept(_ any, folder string) kind.View {
	return kind.View{Rounds: roundFacts(keptRounds(filepath.Join(folder, roundsFile)))}
}

// View has the figures of rounds.
func (c *instance) View(_ *kind.Env, _ *ledger.Ledger, _ bool) (v kind.View, err error) {
	v.Rounds = roundFacts(c.focus.Rounds())
	if told := c.languages.foreign(c.focus.Lang()); told != "" {
		v.Warnings = []string{told}
	}
	return v, nil
}
