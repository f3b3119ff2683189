// Package crossref is the cross-reference focus: given one item (a document), it finds other sources of the
// same information and learns during the crawl (SemXDM: Hassan, Cruz and Bertaux, "Ontology-based approach
// for unsupervised and adaptive focused crawling", SBD 2017).
//
// Pages become items by their terms (text/item) and get labels from what was learned about all items
// (kb/labels). A context graph has layers: L0 holds the target item and every item whose relevance to it is
// above Theta; L(i+1) holds the items that link to one of L(i) and are in no inner layer. A layer has a mean
// vector of terms and one of labels. The relevance of a page to it is max(c, (c + l)/2), where c and l are
// the cosines to these (equations 1 to 3). Waiting requests are described by the pages that link to them and
// by the words of these links, and ranked by the layers in the same way. After each round layers are
// recomputed and all waiting requests reranked.
//
// Waiting requests are also ranked by feedback: a word near a link is worth the mean relevance of the fetched
// pages that had it near a link to them, shrunk towards the global mean (pseudo-count 3). The crawl thus
// learns which words lead to pages similar to the item from that similarity alone; words near links seldom
// occur in the item itself. The paper uses only the similarity of link words.
//
// Deviations from the paper, and choices it leaves open:
//   - Relevance above Theta is relevance to the target items, not to L0 as it has become: an L0 that admits what
//     is similar to itself drifts off the topic. Options.ThetaLayer takes L0 as it has become, as in the paper.
//   - Pages are compared by up to 400 terms. Labels are learned from 25, which bounds their cost, but those
//     rank poorly: the average precision of a ranking by their cosine was 0.13, by 100 terms 0.32, by all 0.37.
//   - Every page counts as having one additional label that no layer has: one label in common and no other
//     gives a cosine of 0.7 instead of 1. Otherwise all pages with the same single label, such as a century,
//     would count as identical. Options.NoExtraLabel compares labels as equation 1 has them.
//   - Rounds grow: 100 requests, then 200, 400, up to Options.Round. With Options.FixedRounds all have Round.
//   - Means are of vectors of length 1. An item's weights use the idf at the time it was learned; those of the
//     target item are recomputed at the end of a round and when the number of items has doubled.
//   - A waiting request belongs to the layer to which its own evidence is worth most, each layer counting a
//     tenth of the next inner one, and several linking pages count by their mean. The paper prioritizes "the
//     outlinks extracted from the most similar items" and leaves open what similar refers to: Options.Order has
//     three readings, all without feedback, and Options.BestInlink ranks by the best linking page alone.
//
// The focus is a fold over outcomes and rounds, and bounded: 20 000 items with their vectors, the least
// relevant evicted, and 24 words near the links to each, besides the model (kb/stream).
//
// This package is not part of the stable API.
package crossref

import (
	"errors"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// maxLayers is the maximum number of layers, layer 0 included.
const maxLayers = 5

// Options configure a crawl. Item is required; DefaultOptions has values for the others.
type Options struct {
	Item     *orbweaver.Page   // uses Title, Text, Lang, URL and, with Start, Links
	More     []*orbweaver.Page // further items that layer 0 begins with, at most 100
	Start    bool              // the crawl begins with the items' links
	Round    int               // requests in a round, at least 1; the first rounds are smaller, see RoundSize
	Layers   int               // k, 0 to 4: there are layers 0 to k
	Theta    float64           // relevance to the items above which a page is part of layer 0, 0..1
	Accept   float64           // cosine of terms to layer 0 above which a page is accepted, 0..1
	MaxItems int               // maximum number of items kept, at least 1
	Model    *stream.Model     // a model learned earlier, which the focus takes over; nil: an empty one with default parameters

	Changed func([]labels.Change) error // receives the label changes of an item; may be nil

	Order        Order // of waiting requests
	BestInlink   bool  // a waiting request has the relevance of the best linking page, not the mean
	FixedRounds  bool  // the first rounds are no smaller
	ThetaLayer   bool  // Theta applies to the relevance to layer 0, not to the items alone
	NoExtraLabel bool  // pages have no additional label

	NoLabels   bool // relevance uses terms only, and no labels are learned
	NoLayers   bool // layer 0 only
	NoRerank   bool // new links alone rerank a waiting request
	NoLinkText bool // the words of links are ignored
	NoFeedback bool // no feedback
}

// An Order is the order of waiting requests.
type Order string

// The orders. In all but ByWorth, feedback ranks nothing.
const (
	ByWorth     Order = ""          // by expected worth, a layer counting a tenth of the next inner one
	ByLayers    Order = "layers"    // by layer, the inner first, then by relevance to it
	ByRelevance Order = "relevance" // by relevance to layer 0 (equation 3 with i = 0)
	ByBelonging Order = "belonging" // by relevance to the layer they belong to, whichever it is (equation 3)
)

// maxItems is the maximum number of items to look for.
const maxItems = 101

// DefaultOptions returns the paper's values where it states them, without an item.
func DefaultOptions() Options {
	return Options{Round: 2000, Layers: 2, Theta: 0.5, Accept: 0.25, MaxItems: 20_000}
}

// check reports every problem of the options.
func (o *Options) check() error {
	var problems []error
	within := func(name string, x, least, most float64) {
		if !(least <= x && x <= most) {
			problems = append(problems, fmt.Errorf("%s: %v is not within %v and %v: %w", name, x, least, most, orbweaver.ErrInput))
		}
	}
	if o.Item == nil {
		problems = append(problems, fmt.Errorf("item: missing: %w", orbweaver.ErrInput))
	}
	within("items", float64(1+len(o.More)), 1, maxItems)
	if !slices.Contains([]Order{ByWorth, ByLayers, ByRelevance, ByBelonging}, o.Order) {
		problems = append(problems, fmt.Errorf("order: %q is unknown: %w", o.Order, orbweaver.ErrInput))
	}
	within("round", float64(o.Round), 1, 1e9)
	within("layers", float64(o.Layers), 0, maxLayers-1)
	within("theta", o.Theta, 0, 1)
	within("accept", o.Accept, 0, 1)
	within("items kept", float64(o.MaxItems), 1, 10_000_000)
	return errors.Join(problems...)
}

// learns reports whether feedback ranks links; in the paper's orders it does not.
func (o *Options) learns() bool { return !o.NoFeedback && o.Order == ByWorth }

// items returns the items to look for.
func (o *Options) items() []*orbweaver.Page { return append([]*orbweaver.Page{o.Item}, o.More...) }

// isItem reports whether a URL is that of an item to look for.
func (o *Options) isItem(url string) bool {
	return url == o.Item.URL || slices.ContainsFunc(o.More, func(p *orbweaver.Page) bool { return p.URL == url })
}

// A Focus finds pages similar to an item. Prepare is safe for concurrent use; all other methods are not.
type Focus struct {
	opts   Options
	reader item.Reader
	redone redone
	judged judged

	model  *stream.Model
	query  []query // at least one: the items to look for
	known  *collection
	layers []layer // at least one
	taught feedback
	told   map[string]float64 // relevance by verdicts, by URL
	untold *layer             // layer 0 without them; nil: not computed
	outer  []byte             // items of the outer layers, for RoundNote
	round  tally              // of the current round
	rounds []Figures
	shared bool       // rounds are shared with other workers
	beside []nearLink // words near links, of the lessons since the last round
}

// New checks options and returns a focus that has learned from the item. It reports every problem; each wraps
// orbweaver.ErrInput.
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
	for _, p := range opts.items() {
		q := query{url: p.URL, draft: f.reader.Read(p.Text, p.Title, p.Lang)}
		it, err := f.take(q.draft, p.URL, p.Fetched)
		if err != nil {
			return nil, err
		}
		if len(it.Terms) == 0 {
			return nil, &ItemError{URL: p.URL, Err: lacking(it.Lack)}
		}
		f.query = append(f.query, q)
	}
	f.weighQuery()
	f.layers = []layer{f.alone()}
	return f, nil
}

// An ItemError is the error of one of the items to look for.
type ItemError struct {
	URL string
	Err error
}

// Error says what is wrong with the item, without its URL.
func (e *ItemError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *ItemError) Unwrap() error { return e.Err }

// A query is a target item, weighted by the idf at one moment.
type query struct {
	url    string
	draft  item.Draft
	terms  vector
	labels vector
	held   []labels.Held
	items  int // seen at that moment
}

// alone returns a layer of the target items only.
func (f *Focus) alone() layer { return f.layerWith(f.query, nil) }

// lacking returns the error for an item without terms.
func lacking(why item.Lack) error {
	words := map[item.Lack]string{
		item.NoText: "it has no text", item.NoLetters: "it has numbers and single letters alone", item.StopWords: "it has stop words alone",
	}
	return fmt.Errorf("it has no usable word: %s: %w", words[why], orbweaver.ErrInput)
}

// weighQuery weights the target items by the current idf.
func (f *Focus) weighQuery() {
	for i := range f.query {
		f.weigh(&f.query[i])
	}
}

func (f *Focus) weigh(q *query) {
	it := f.model.Terms.Weigh(q.draft)
	has := f.classify(it.Terms)
	q.terms, q.labels, q.held = compact(it.Vector), has.vector, has.held
	q.items = f.model.Terms.N()
}

// Lang returns the language of the item; empty if unknown.
func (f *Focus) Lang() string { return f.opts.Item.Lang }

// Model returns the current model of terms and labels.
func (f *Focus) Model() *stream.Model { return f.model }
