package crossref

import (
	"context"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/kb/stream"
)

// A Base is a focus that judges the pages of an Under and ranks its links by itself.
type Base interface {
	orbweaver.Focus
	orbweaver.Preparer
	orbweaver.DataReader
	orbweaver.Learner
	orbweaver.Merger
	orbweaver.Evidencer
	orbweaver.Suggester
	orbweaver.Decider
	orbweaver.Relearner
}

// UnderOptions configure the layers of an Under. DefaultUnder has values for all.
type UnderOptions struct {
	Layers   int // k, 1 to 4: there are layers 0 to k
	MaxItems int // maximum number of pages kept, at least 1
}

// DefaultUnder returns the layers and the number of pages of DefaultOptions.
func DefaultUnder() UnderOptions {
	opts := DefaultOptions()
	return UnderOptions{Layers: opts.Layers, MaxItems: opts.MaxItems}
}

// An Under is a context graph under another focus: layer 0 holds the pages that the base accepts, layer i+1 those
// that link to one of layer i and are in no inner layer (Ehrig and Maedche 2003, section 6: "A combination of
// context graphs and ontology-focused crawling might be future work"; layers, labels and terms are SemXDM's).
//
// The base judges pages. A page's relevance to layer 0 is its score by the base; its relevance to an outer layer is
// equation 3, by terms and labels. A waiting request is expected to have the relevance of the kept pages that had
// the same words near the links to them (feedback), a layer counting a tenth of the next inner one; its score is
// the mean of that and of the base's rank. Among the readings tried, the similarity of a link's words, or of the
// linking pages, to the layers made the base worse: docs/howto/crossref.md.
//
// Layers are computed again after 25 pages and each time the pages have grown by a quarter, at least 25 and at most
// 2 000; then all waiting requests are ranked anew. Links come from the requests' Notes and from the pages fetched
// later, so that a crawl needs no rounds. State is bounded like that of Focus, with 64 linking pages per page.
type Under struct {
	Base
	graph     *Focus // without an item
	page      viewed
	pages     int64   // learned from
	next      int64   // pages at which the layers are computed again
	threshold float64 // of the base's judgement learned last; 0: it had none
}

// viewed is the page that was looked at last.
type viewed struct {
	page *orbweaver.Page
	base *orbweaver.Page // the same, with the base's findings
}

// underFindings is the result of Prepare.
type underFindings struct {
	base  any
	graph *findings
}

// The pages after which layers are computed again.
const (
	leastLayers = 25   // at first, and at least
	mostLayers  = 2000 // at most
	partLayers  = 4    // one in partLayers of those learned from
)

// NewUnder returns a context graph under base. An error wraps orbweaver.ErrInput.
func NewUnder(base Base, opts UnderOptions) (*Under, error) {
	if opts.Layers < 1 || opts.Layers >= maxLayers || opts.MaxItems < 1 {
		return nil, fmt.Errorf("layers: %d is not within 1 and %d, or items kept, %d, is below 1: %w", opts.Layers, maxLayers-1, opts.MaxItems, orbweaver.ErrInput)
	}
	model, err := stream.New(stream.Options{})
	if err != nil {
		return nil, err
	}
	graph := &Focus{
		opts: Options{Layers: opts.Layers, MaxItems: opts.MaxItems}, model: model, known: newCollection(opts.MaxItems), layers: make([]layer, 1),
	}
	return &Under{Base: base, graph: graph, next: leastLayers}, nil
}

// Prepare prepares a page for the base and for the graph.
func (u *Under) Prepare(ctx context.Context, p *orbweaver.Page) (any, error) {
	base, err := u.Base.Prepare(ctx, p)
	if err != nil {
		return nil, err
	}
	return &underFindings{base, u.graph.prepare(p)}, nil
}

// look returns a page as the base sees it, and makes the graph's findings of it available.
func (u *Under) look(p *orbweaver.Page) *orbweaver.Page {
	if u.page.page == p {
		return u.page.base
	}
	base := *p
	found, ok := p.Findings.(*underFindings)
	if !ok {
		found = &underFindings{graph: u.graph.prepare(p)}
	}
	base.Findings = found.base
	u.page, u.graph.redone = viewed{p, &base}, redone{p, found.graph}
	return u.page.base
}

// Judge returns the base's judgement. The class is L0 of an accepted page, else the outer layer to which the page
// is most similar; empty while there is none.
func (u *Under) Judge(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	j, err := u.Base.Judge(ctx, u.look(p))
	switch {
	case err != nil:
		return j, err
	case j.Accepted:
		j.Class = className(0)
		return j, nil
	}
	here, best := u.graph.judge(p).standing, 0
	for i := 1; i < len(u.graph.layers); i++ {
		if here[i] > 0 && (best == 0 || here[i] > here[best]) {
			best = i
		}
	}
	if best > 0 {
		j.Class = className(best)
	}
	return j, nil
}

// Evidence returns that of the base.
func (u *Under) Evidence(ctx context.Context, p *orbweaver.Page) ([]orbweaver.Span, error) {
	return u.Base.Evidence(ctx, u.look(p))
}

// Plan returns the base's proposals, ranked by the layers too.
func (u *Under) Plan(ctx context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	j.Class = ""
	plan, err := u.Base.Plan(ctx, u.look(p), j)
	if err != nil || len(plan) == 0 {
		return plan, err
	}
	targets := u.graph.findings(p).targets
	at := make(map[string]*target, len(targets))
	for i := range targets {
		at[p.Links[targets[i].at].To] = &targets[i]
	}
	from := []parent{{page: keyOf(p.URL), relevance: j.Score}}
	for i := range plan {
		one, e := &plan[i], evidence{links: 1, parents: from}
		if t := at[one.URL]; t != nil {
			e.context = u.graph.words(t.context, maxContext)
		}
		one.Judgement = u.layered(one.Judgement, &e)
		one.Note = joinNotes(one.Note, &e)
	}
	return plan, nil
}

// Relearn teaches the base a person's verdict; the layers follow what the base accepts.
func (u *Under) Relearn(ctx context.Context, o orbweaver.Outcome, relevance float64) (orbweaver.Lesson, error) {
	if base, _, ok := splitNote(o.Request.Note); ok {
		o.Request.Note = base
	}
	if o.Page != nil {
		o.Page = u.look(o.Page)
	}
	return u.Base.Relearn(ctx, o, relevance)
}

// Untaught returns the base's judgement without verdicts, without a class.
func (u *Under) Untaught(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	return u.Base.Untaught(ctx, u.look(p))
}

// Learn teaches the base, and adds a page to the graph.
func (u *Under) Learn(ctx context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	p, teach := o.Page, o
	base, e, ok := splitNote(o.Request.Note)
	if ok {
		teach.Request.Note = base
	}
	if p != nil {
		teach.Page = u.look(p)
	}
	lesson, err := u.Base.Learn(ctx, teach)
	if err != nil || p == nil || o.Request.Purpose != orbweaver.ForPage {
		return lesson, err
	}
	if err := u.add(p, o.Actual, &e); err != nil || u.pages < u.next {
		return lesson, err
	}
	u.next = u.pages + min(mostLayers, max(leastLayers, u.pages/partLayers))
	u.relayer()
	lesson.Stale = append(slices.Clip(lesson.Stale), "*")
	return lesson, nil
}
