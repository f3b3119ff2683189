// Package crossref is the focus on cross-references: given one item, a document, it finds other sources of the same
// information, and learns during the crawl (SemXDM: Hassan, Cruz and Bertaux, "Ontology-based approach for
// unsupervised and adaptive focused crawling", SBD 2017).
//
// Pages become items by their terms (text/item), and get labels by what was learned of all items (kb/labels). A
// context graph has layers: L0 is the item that is looked for, with every item whose relevance to it is above Theta;
// L(i+1) are the items that link to one of L(i) and are in none before. A layer has a mean vector of terms and one of
// labels, and the relevance of a page to it is max(c, (c + l)/2), c and l being the cosines to these (equations 1 to
// 3). What waits is described by the pages that link to it and by the words of these links, and ranked by the layers
// likewise. After each round layers are made anew and all that waits is ranked again.
//
// What waits is also ranked by what was found (feedback): a word near a link is worth the mean relevance of the
// fetched pages that had it near a link to them, shrunk towards the global mean (pseudo-count 3). So a crawl learns
// which words lead to pages similar to the item from that similarity alone; words near links seldom occur in the item
// itself. The paper has the likeness of link words alone.
//
// Where the paper leaves room, or we leave the paper:
//   - Relevance above Theta is to the item that is looked for, not to what L0 has become: an L0 that takes what is
//     like itself wanders off.
//   - Pages are compared by up to 400 terms. The 25 that labels are learned from, which bounds their cost, say too little:
//     the average precision of a ranking by their cosine was 0.13, by 100 terms 0.32, by all 0.37.
//   - Of labels, a page is taken to have one more that no layer has: one label in common, and no other, is a cosine
//     of 0.7 and not of 1, by which all that is of a century would be like all else that is.
//   - Rounds grow: 100 requests, then 200, 400, up to Options.Round.
//   - Means are of vectors of length 1. Weights are by the idf of when an item was met; those of the item that is
//     looked for are made anew at the end of a round and when twice as many items were seen.
//   - What waits belongs to the layer to which its own evidence is worth most, each layer counting a
//     tenth of the one within. Going through the layers strictly, the paper's way and without feedback, is
//     Options.Strict.
//
// The focus is a fold over outcomes and rounds, and bounded: 20 000 items with their vectors, the least relevant
// evicted, and 24 words near the links to each, besides the model (kb/stream).
//
// This package is not part of the stable API.
package crossref

import (
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// maxLayers is how many layers there are at most, layer 0 included.
const maxLayers = 5

// Options say what is looked for and how. Item is needed; see DefaultOptions for the others.
type Options struct {
	Item     *orbweaver.Page // uses Title, Text, Lang, URL and, with Start, Links
	Start    bool            // the crawl begins with the item's links
	Round    int             // requests of a round, at least 1; of the first ones fewer, see RoundSize
	Layers   int             // k, 0 to 4: there are layers 0 to k
	Theta    float64         // relevance to the item above which a page is part of layer 0, 0..1
	Accept   float64         // cosine of terms to layer 0 above which a page is accepted, 0..1
	MaxItems int             // that are kept, at least 1
	Model    *stream.Model   // what was learned before, and becomes the focus's own; nil: nothing, with its defaults

	Changed func([]labels.Change) error // receives what an item changed in labels; may be nil

	Strict     bool // what waits goes by layer first, and by relevance within
	NoLabels   bool // relevance is by terms alone, and no labels are learned
	NoLayers   bool // there is layer 0 alone
	NoRerank   bool // what waits is ranked again by new links alone
	NoLinkText bool // links have no words
	NoFeedback bool // links are not ranked by what pages linked to in like words turned out to be
}

// DefaultOptions are the paper's where it has some; the item is missing.
func DefaultOptions() Options {
	return Options{Round: 2000, Layers: 2, Theta: 0.5, Accept: 0.25, MaxItems: 20_000}
}

// check reports all that is wrong with options.
func (o *Options) check() error {
	var problems []error
	within := func(name string, x, least, most float64) {
		if !(least <= x && x <= most) {
			problems = append(problems, fmt.Errorf("%s: %v is not from %v to %v: %w", name, x, least, most, orbweaver.ErrInput))
		}
	}
	if o.Item == nil {
		problems = append(problems, fmt.Errorf("item: there is none: %w", orbweaver.ErrInput))
	}
	within("round", float64(o.Round), 1, 1e9)
	within("layers", float64(o.Layers), 0, maxLayers-1)
	within("theta", o.Theta, 0, 1)
	within("accept", o.Accept, 0, 1)
	within("items kept", float64(o.MaxItems), 1, 10_000_000)
	return errors.Join(problems...)
}

// learns says whether links are ranked by what was learned of the words near them; the paper's order is not.
func (o *Options) learns() bool { return !o.NoFeedback && !o.Strict }

// A Focus looks for pages like an item. Prepare may run on any number of goroutines; all else on one.
type Focus struct {
	opts   Options
	reader item.Reader
	redone redone
	judged judged

	model  *stream.Model
	query  query
	known  *collection
	layers []layer // at least one
	taught feedback
	round  tally // of the round under way
	rounds []Figures
}

// New checks options and makes a focus of them, which has learned from the item. Every problem is reported;
// all wrap orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	f := &Focus{opts: opts, model: opts.Model, known: newCollection(opts.MaxItems)}
	if f.model == nil {
		var err error
		if f.model, err = stream.New(stream.Options{}); err != nil {
			return nil, err
		}
	}
	f.query.draft = f.reader.Read(opts.Item.Text, opts.Item.Title, opts.Item.Lang)
	it, err := f.take(f.query.draft, opts.Item.URL, opts.Item.Fetched)
	if err != nil {
		return nil, err
	}
	if len(it.Terms) == 0 {
		return nil, lacking(it.Lack)
	}
	f.weighQuery()
	f.layers = []layer{f.query.alone()}
	return f, nil
}

// A query is the item that is looked for, weighed by the idf of a moment.
type query struct {
	draft  item.Draft
	terms  vector
	labels vector
	held   []labels.Held
	items  int // that had been seen at that moment
}

// alone is a layer of nothing else.
func (q *query) alone() layer { return layerOf([]vector{q.terms}, []vector{q.labels}) }

// lacking says why an item cannot be looked for.
func lacking(why item.Lack) error {
	words := map[item.Lack]string{
		item.NoText: "it has no text", item.NoLetters: "it has numbers and single letters alone", item.StopWords: "it has stop words alone",
	}
	return fmt.Errorf("there is no word in it to go by: %s: %w", words[why], orbweaver.ErrInput)
}

// weighQuery weighs the item by the idf of now.
func (f *Focus) weighQuery() {
	q := &f.query
	it := f.model.Terms.Weigh(q.draft)
	has := f.classify(it.Terms)
	q.terms, q.labels, q.held = compact(it.Vector), has.vector, has.held
	q.items = f.model.Terms.N()
}

// Lang is the language of the item, empty where it is not known.
func (f *Focus) Lang() string { return f.opts.Item.Lang }

// Model is what was learned of terms and labels so far.
func (f *Focus) Model() *stream.Model { return f.model }
