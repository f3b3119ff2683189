package proposals

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/kind"
	"orbweaver/kb/offer"
	"orbweaver/ledger"
)

// A Desk makes suggestions and takes decisions about them. Its crawl is at rest, with its focus restored, or between two steps.
type Desk struct {
	Crawl   *assembly.Crawl
	Session *engine.Crawl
}

// Suggestions returns the suggestions of the focus. The error wraps ErrInput if the focus makes none.
func (d *Desk) Suggestions(ctx context.Context) ([]orbweaver.Suggestion, error) {
	list, makes, err := d.Crawl.Suggestions(ctx)
	if !makes && err == nil {
		err = fmt.Errorf("%s: the %s focus makes no suggestions: only the ontology focus does; orbweaver init FOLDER writes an ontology to begin with (%w)", d.Crawl.File.Name(), d.Crawl.File.Focus.Key(), orbweaver.ErrInput)
	}
	return list, err
}

// Borrow makes suggestions from other knowledge, that of a folder, and keeps them. The error wraps ErrInput if the focus takes none.
func (d *Desk) Borrow(ctx context.Context, src *offer.Source, folder string) ([]orbweaver.Suggestion, error) {
	borrower, ok := d.Crawl.Focus.(kind.Borrower)
	if !ok {
		return nil, fmt.Errorf("%s: the %s focus takes nothing from other knowledge: only the ontology focus does (%w)", d.Crawl.File.Name(), d.Crawl.File.Focus.Key(), orbweaver.ErrInput)
	}
	list, err := borrower.Borrow(ctx, src)
	if err != nil {
		return nil, err
	}
	var kept []Kept
	for _, s := range list {
		kept = append(kept, Kept{Suggestion: s, From: folder})
	}
	return list, d.keep(kept)
}

// keep keeps suggestions in the crawl folder.
func (d *Desk) keep(list []Kept) error {
	held, err := d.held()
	if err != nil {
		return err
	}
	decided := map[string]bool{}
	for _, h := range held {
		decided[h.ID] = true
	}
	return Keep(d.Crawl.File.Output, list, decided)
}

// Queue returns the part of the queue that a query asks for, with the pages of the crawl that support each, and a finder of what
// each speaks of, by ID. Sentences are still to be found.
func (d *Desk) Queue(ctx context.Context, q Query) (list List, finders map[string]*Finder, err error) {
	own, err := d.Suggestions(ctx)
	if err != nil {
		return list, nil, err
	}
	kept, err := ReadKept(d.Crawl.File.Output)
	if err != nil {
		return list, nil, err
	}
	all, err := Queue(own, kept, d.Crawl.Ledger.Decisions())
	if err != nil {
		return list, nil, err
	}
	list, finders = q.Part(all), map[string]*Finder{}
	grower, grows := d.Crawl.Focus.(kind.Grower)
	for i := range list.Proposals {
		one := &list.Proposals[i]
		things := [][]string{{one.Text}}
		if grows {
			one.Name, one.OtherName, things = grower.Speaking(one.Suggestion)
		}
		finders[one.ID] = FinderOf(things)
		if err := d.support(one); err != nil {
			return list, nil, err
		}
	}
	return list, finders, nil
}

// support sets the pages of a proposal that are of this crawl.
func (d *Desk) support(one *Proposal) error {
	for _, url := range one.Examples {
		o, err := d.Crawl.Ledger.Outcome(url)
		if orbweaver.FailureOf(err) == orbweaver.ErrUnknown {
			continue // of another crawl
		}
		if err != nil {
			return err
		}
		line := ledger.LineOf(o)
		line.Reasons = nil
		one.Pages = append(one.Pages, line)
	}
	return nil
}

// Quote sets the sentences of a proposal, from its pages. read returns the page of a URL again; nil: it cannot be read.
func (p *Proposal) Quote(finder *Finder, read func(url string) (*orbweaver.Page, error)) error {
	var found [][]Passage
	for _, line := range p.Pages {
		page, err := read(line.URL)
		if err != nil {
			return err
		}
		if page != nil {
			found = append(found, finder.Find(page, MaxSentences))
		}
	}
	p.Sentences = Choose(found)
	return nil
}

// WouldDecide returns the decision that a choice would make; it changes nothing. The error wraps ErrInput if nothing would be accepted.
func (d *Desk) WouldDecide(ctx context.Context, v kind.Verdict) (*orbweaver.Decision, error) {
	grower, ok := d.Crawl.Focus.(kind.Grower)
	if !ok || !v.Accepted || v.Later || v.Withdrawn {
		return nil, fmt.Errorf("%s: only what is accepted has an effect on pages (%w)", v.ID, orbweaver.ErrInput)
	}
	s, err := d.suggested(ctx, v.ID)
	if err != nil {
		return nil, err
	}
	decision, err := grower.Accepting(v, s.Suggestion)
	return &decision, err
}
