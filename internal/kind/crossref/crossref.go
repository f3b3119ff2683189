// Package crossref is the kind of focus that finds other sources of the information of an item, and learns labels as it
// crawls (SemXDM).
package crossref

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	focus "orbweaver/focus/crossref"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/kb/labels"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// A section describes a search for pages similar to an item.
type section struct {
	Item         string   `yaml:"item" as:"source" type:"path or URL" doc:"The item: the URL of a page, or an HTML file. Required unless there is an entity, or each in a comparison file, where it is the drawn item. Without seeds the crawl starts from the item's links. The crawl folder keeps a copy, so that the item stays the same."`
	Entity       string   `yaml:"entity" type:"IRI or prefixed name" doc:"In place of item: an item of a knowledge base. Its text is what its label, title, description and other literals in entity_in say; its links are the Web addresses that it has as values."`
	EntityIn     string   `yaml:"entity_in" as:"archives" type:"path" doc:"The knowledge base of entity: an RDF file in any syntax, or the folder of a crawl, which must not be running: what its pages state counts."`
	Items        []string `yaml:"items" as:"source" type:"list of paths or URLs" doc:"Further items, at most 100: layer 0 begins with all of them, and relevance to the item is relevance to their mean."`
	Mode         string   `yaml:"mode" default:"default" oneof:"default|paper" doc:"Whose crawler it is. default: Orbweaver's. paper: the crawler of SemXDM and nothing else, to compare with: rounds: fixed, theta_of: layer, order: relevance (or layers, belonging), inlinks: best, without: link_text, feedback, extra_label, and a model that labels train --rules paper made. Keys that contradict it are errors (papers.md)."`
	Round        int      `yaml:"round" default:"2000" min:"1" max:"1000000" doc:"Number of requests between two rankings of the whole frontier."`
	Rounds       string   `yaml:"rounds" default:"growing" oneof:"growing|fixed" doc:"growing: a round has a tenth of the requests before it, 50 at least and round at most, so that the crawl soon uses what the first pages teach. fixed: all have the same number of requests, as in the paper."`
	Layers       int      `yaml:"layers" default:"2" min:"0" max:"4" doc:"Index of the outermost layer of the context graph: layer 0 is the item and similar pages, each further layer the pages that link to the one within."`
	Theta        float64  `yaml:"theta" default:"0.5" min:"0" max:"1" doc:"Relevance above which a page belongs to layer 0."`
	ThetaOf      string   `yaml:"theta_of" default:"item" oneof:"item|layer" doc:"What theta applies to. item: the relevance to the item. layer: the relevance to layer 0 as the last round left it, as in the paper, which may lead layer 0 away from the item."`
	Accept       float64  `yaml:"accept" default:"0.25" min:"0" max:"1" doc:"Cosine of the terms to layer 0 above which a page is accepted."`
	TermsPerItem int      `yaml:"terms_per_item" default:"25" min:"2" max:"100" doc:"Number of terms of a page, by weight, used to learn labels. The cost grows quadratically. With model: the model's value."`
	HalfLife     float64  `yaml:"half_life" default:"0" min:"0" max:"1e9" doc:"Number of pages after which a page counts half in the label model; 0: no decay. With model: the model's value."`
	Alpha        *float64 `yaml:"alpha" min:"0.01" max:"0.99" doc:"P(label|term) above which a term gives the label by itself. Default: 0.7. With model: the model's value."`
	Beta         *float64 `yaml:"beta" min:"0.01" max:"0.99" doc:"P(label|term) from which several terms give the label together, at most alpha. Default: 0.5. With model: the model's value."`
	Tau          *float64 `yaml:"tau" min:"0.01" max:"1" doc:"P(i|j) from which the label i is broader than the label j, unless P(j|i) is as high. Default: 0.4. With model: the model's value."`
	Delta        *int     `yaml:"delta" min:"1" max:"200" doc:"Number of a label's terms with P from beta to alpha that give it together. Default: two, and a tenth of them all. With model: the model's value."`
	Rules        string   `yaml:"rules" oneof:"certain|paper" doc:"What brings a rule or a broader label into force. certain: its threshold, six pages with both terms, the lower bound of Wilson's interval, and a margin, so that it does not come and go. paper: its threshold alone. Default: certain. With model: the model's value."`
	WordNet      string   `yaml:"wordnet" as:"folder" type:"path" doc:"WordNet folder, to merge synonyms into one term. With model: the present location of the WordNet that the model was trained with."`
	Order        string   `yaml:"order" default:"worth" oneof:"worth|layers|relevance|belonging" doc:"Order of the frontier. worth: by expected worth, where each layer counts a tenth of the one within. The others are readings of the paper, without feedback. layers: inner layers first, then by relevance to the layer. relevance: by relevance to layer 0. belonging: by relevance to the layer that the linking page belongs to, whichever that is."`
	Inlinks      string   `yaml:"inlinks" default:"mean" oneof:"mean|best" doc:"Relevance of several pages that link to one waiting URL. mean: their mean, shrunk towards that of all pages. best: that of the best of them, as in the paper."`
	Without      []string `yaml:"without" oneof:"labels|layers|rerank|link_text|feedback|extra_label" type:"list of: labels, layers, rerank, link_text, feedback, extra_label" doc:"Components to disable, for ablation. labels: relevance by terms only. layers: only layer 0. rerank: waiting URLs are ranked only when new links to them are found. link_text: the words of links. feedback: the outcome of pages whose links had the same words. extra_label: the additional label, in no layer, that every page counts as having, so that pages with one label in common are not taken for the same."`
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

// Check reports an item that is missing or given twice, thresholds that contradict each other, and with mode: paper keys
// that contradict the paper. It completes the section of that mode.
func (Kind) Check(s any, c *crawlfile.Check) {
	f := s.(*section)
	f.checkItem(c)
	if alpha := value(f.Alpha, labels.Default().Alpha); value(f.Beta, min(alpha, labels.Default().Beta)) > alpha {
		c.Problem("beta", fmt.Sprintf("%g is above alpha, %g", *f.Beta, alpha), "lower beta or raise alpha")
	}
	if f.Mode == paper {
		f.checkPaper(c)
	}
}

// Begins reports that the focus has seeds: the links of the item.
func (Kind) Begins(any) bool { return true }

// Abilities are those of a focus that scores pages and links in rounds.
func (Kind) Abilities(s any) kind.Abilities {
	f := s.(*section)
	return kind.Abilities{AloneIn: "rounds and labels of its crossref part follow from all pages that were read before", ByItem: f.Item == "" && f.Entity == "", Starts: true, Blended: true, Explored: f.Mode != paper, Paper: f.Mode == paper, Knows: kind.KnowsLabels}
}

// Line names the item and the options.
func (Kind) Line(s any) string {
	f := s.(*section)
	if f.Entity != "" {
		return line(f, f.Entity)
	}
	return line(f, console.Relative(f.Item))
}

// LineByItem says that the item is the one drawn.
func (Kind) LineByItem(s any) string { return line(s.(*section), "the item") }

// line names a focus on an item.
func line(f *section, item string) string {
	if n := len(f.Items); n > 0 {
		item += fmt.Sprintf(" and %d more", n)
	}
	line := fmt.Sprintf("crossref: %s, rounds of %d, layers %d, theta %g", item, f.Round, f.Layers, f.Theta)
	if f.Mode == paper {
		line += ", as the paper"
	}
	switch focus.Order(f.Order) {
	case focus.ByLayers:
		line += ", layers first"
	case focus.ByRelevance, focus.ByBelonging:
		line += ", by " + f.Order
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
	return orError(newFocus(*s.(*section), []*orbweaver.Page{item}, start, nil))
}

// New builds the focus at once if there is no crawl, as in a comparison: its item is then a file. In a crawl the item may
// be on the Web, and Look builds the focus.
func (Kind) New(ctx context.Context, s any, env *kind.Env) (kind.Instance, error) {
	in := &instance{section: s.(*section)}
	if env.File != nil {
		return in, nil
	}
	built, err := ofFileAlone(ctx, *in.section)
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

	items     []source // of a crawl that begins; none: the crawl's folder has them
	drift     driftBook
	languages languages // of the pages of this session
}

// Look loads the item and makes the focus.
func (c *instance) Look(ctx context.Context, env *kind.Env) error {
	c.env, c.languages = env, languages{}
	items, err := c.loadItems(ctx, *c.section)
	if err == nil {
		c.focus, err = newFocus(*c.section, items, len(env.File.Seeds.URLs) == 0, c.drift.add)
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
	if err := c.keepItems(); err != nil {
		return err
	}
	return c.drift.open(c.modelFolder(), c.section.Model, begun)
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
	err := c.drift.close()
	err = errors.Join(err, c.focus.Model().Write(c.modelFolder(), nil)) // each of the three is of use without the others
	rounds := filepath.Join(c.env.File.Output, roundsFile)
	err = errors.Join(err, atomicfile.Write(rounds, 0o666, func(w io.Writer) error { return console.WriteJSON(w, c.focus.Rounds()) }))
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

// View returns the figures of rounds, alarms and broad concepts.
func (c *instance) View(_ *kind.Env, _ *ledger.Ledger, _ bool) (v kind.View, err error) {
	v.Rounds = roundFacts(c.focus.Rounds())
	for _, a := range c.focus.Model().Alarms() {
		v.Warnings = append(v.Warnings, fmt.Sprintf("drift, item %d: %s", a.Item, c.focus.Model().ShowAlarm(a)))
	}
	if names := broad(c.focus.Model()); names != "" {
		v.Facts = func(f *eval.CrawlFacts) { f.More = append(f.More, eval.Fact{Name: "Broad concepts", Value: names}) }
	}
	if told := c.languages.foreign(c.focus.Lang()); told != "" {
		v.Warnings = append(v.Warnings, told)
	}
	return v, nil
}
