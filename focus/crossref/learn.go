package crossref

import (
	"context"
	"fmt"
	"time"

	"orbweaver"
	"orbweaver/text/item"
)

// Learn adds a page as an item: it updates the labels by the page's terms and stores its standing.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Page == nil || o.Request.Purpose != orbweaver.ForPage {
		return orbweaver.Lesson{}, nil
	}
	found := f.findings(o.Page)
	linked, _ := readNote(o.Request.Note)
	learned, err := f.learn(found.draft, kept{url: o.Page.URL, near: linked.context}, o.Page.Fetched, o.Actual.Accepted)
	if f.judged.page == o.Page { // the state it was judged by has changed
		f.judged = judged{}
	}
	if learned {
		f.addNear(o.Page, found.targets)
		f.weighAgain()
	}
	return orbweaver.Lesson{}, err
}

// learn adds an item, of which URL and words near links are given; false if it has no terms.
func (f *Focus) learn(d item.Draft, k kept, at time.Time, accepted bool) (bool, error) {
	own := f.alone()
	it, err := f.take(d, k.url, at)
	if err != nil {
		return false, err
	}
	f.round.Pages++
	if accepted {
		f.round.Accepted++
	}
	if len(it.Terms) == 0 {
		return false, nil
	}
	terms, has := compact(it.Vector), f.classify(it.Terms)
	f.round.cosL0 += f.layers[0].terms.cosine(terms, 0)
	f.round.cosItem += own.terms.cosine(terms, 0)
	k.terms, k.main, k.labels, k.standing, k.member = terms, it.Terms, has.vector, f.stand(terms, 0, has.vector), outside
	f.known.add(k)
	return true, nil
}

// weighAgain weighs the target items again when the number of items has doubled.
func (f *Focus) weighAgain() {
	if f.model.Terms.N() < 2*f.query[0].items {
		return
	}
	f.weighQuery()
	if f.layers[0].members == len(f.query) {
		f.layers[0] = f.alone()
	}
}

// addNear adds the words near a page's links to the evidence about pages fetched before.
func (f *Focus) addNear(p *orbweaver.Page, targets []target) {
	if !f.opts.learns() || f.opts.NoLinkText {
		return
	}
	for i := range targets {
		if k := f.known.find(keyOf(p.Links[targets[i].at].To)); k != nil {
			k.near = k.near.plus(f.words(targets[i].context, maxContext)).heaviest(maxContext)
		}
	}
}

// A round has a tenth of the requests before it, but leastRound at least and Options.Round at most: what the pages teach is
// used soon, and ranking the whole frontier again costs a fixed share of the crawl. With FixedRounds, as in the paper, all rounds
// have Options.Round.
const leastRound = 50

// RoundSize returns the number of requests in the next round.
func (f *Focus) RoundSize() int {
	if f.opts.FixedRounds {
		return f.opts.Round
	}
	size, before := 0, 0
	for range len(f.rounds) + 1 {
		before += size
		if size = min(max(leastRound, before/10), f.opts.Round); size == f.opts.Round {
			break
		}
	}
	return size
}

// EndRound recomputes the layers and declares all waiting requests stale.
func (f *Focus) EndRound(_ context.Context, r orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	var outer encoder
	inlinks := r.Known.Inlinks
	if f.shared {
		f.addFolded()
		inlinks = f.folded()
	}
	f.endRound(r.N, func(targets []string, layer int8) []*kept {
		items := f.linking(inlinks, targets, layer)
		outer.places(f.known, items)
		return items
	})
	f.outer = outer.b
	if f.opts.NoRerank {
		return nil, orbweaver.Lesson{}, nil
	}
	return nil, orbweaver.Lesson{Stale: []string{"*"}}, nil
}

// endRound recomputes the layers and completes the figures of a round.
func (f *Focus) endRound(n int, linking func(targets []string, layer int8) []*kept) {
	f.judged = judged{}
	f.note(n, f.relayer(linking))
}

// RoundNote returns the items of the outer layers as of the last round: which pages link to an item is known then alone. See
// engine.RoundReplayer.
func (f *Focus) RoundNote() []byte { return f.outer }

// ReplayRound does what EndRound did, with the items of outer layers that it noted.
func (f *Focus) ReplayRound(n int, note []byte) error {
	d := decoder{b: note}
	var outer [][]*kept
	for len(d.b) > 0 {
		outer = append(outer, d.places(f.known))
	}
	layers := f.opts.Layers
	if f.opts.NoLayers {
		layers = 0
	}
	if d.failed || len(outer) != layers {
		return fmt.Errorf("crossref focus: round %d: %w", n, orbweaver.ErrDamaged)
	}
	f.endRound(n, func(_ []string, layer int8) []*kept {
		items := outer[layer-1]
		for _, k := range items {
			k.member = layer
		}
		return items
	})
	return nil
}

// places writes where items are in a collection.
func (e *encoder) places(in *collection, items []*kept) {
	e.uint(uint64(len(items)))
	for _, k := range items {
		e.uint(uint64(in.at[keyOf(k.url)]))
	}
}

func (d *decoder) places(in *collection) []*kept {
	items := make([]*kept, 0, d.count(1))
	for range cap(items) {
		at := d.uint()
		if at >= uint64(len(in.items)) {
			d.failed, d.b = true, nil
			return nil
		}
		items = append(items, &in.items[at])
	}
	return items
}
