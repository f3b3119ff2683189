package kind

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/wire"
	"orbweaver/kb/offer"
	"orbweaver/kb/stream"
	"orbweaver/ledger"
)

// Plain is an instance of a focus without hooks into its crawl.
type Plain struct{ F orbweaver.Focus }

// Focus is the focus.
func (p *Plain) Focus() orbweaver.Focus { return p.F }

// Look builds nothing.
func (p *Plain) Look(context.Context, *Env) error { return nil }

// Reach connects nothing.
func (p *Plain) Reach(wire.Wire, crawlfile.Private) error { return nil }

// Settle builds nothing.
func (p *Plain) Settle(context.Context, *Env) error { return nil }

// Open keeps nothing.
func (p *Plain) Open(*Env) error { return nil }

// Web is the web.
func (p *Plain) Web(web pipeline.Fetcher) pipeline.Fetcher { return web }

// Begin keeps nothing.
func (p *Plain) Begin(*Env, bool) error { return nil }

// Observe notes nothing.
func (p *Plain) Observe(orbweaver.Outcome) {}

// End keeps nothing.
func (p *Plain) End(context.Context, *Env, *ledger.Ledger, error) error { return nil }

// View has nothing.
func (p *Plain) View(*Env, *ledger.Ledger, bool) (View, error) { return View{}, nil }

// Drawn has no seeds.
func (p *Plain) Drawn() (from string, urls []string) { return "", nil }

// Query has no words.
func (p *Plain) Query() string { return "" }

// AsBegun reports that the focus has no input that could differ.
func (p *Plain) AsBegun(string) bool { return true }

// AcceptFrom returns nil.
func (p *Plain) AcceptFrom() *float64 { return nil }

// Topic returns nothing.
func (p *Plain) Topic(context.Context, *orbweaver.Page) (Topic, error) { return nil, nil }

// Accept rejects all suggestions.
func (p *Plain) Accept(*Env, Verdict, orbweaver.Suggestion) (Decided, error) {
	return Decided{}, fmt.Errorf("the focus takes no suggestions (%w)", orbweaver.ErrInput)
}

// Close has nothing to close.
func (p *Plain) Close() error { return nil }

// Built returns a plain instance of a focus, or the error of building it, marked as an error of the user's input.
func Built(f orbweaver.Focus, err error) (Instance, error) {
	if err != nil {
		return nil, Input(err)
	}
	return &Plain{f}, nil
}

// Input marks an error as an error of the user's input.
func Input(err error) error {
	if err != nil && !errors.Is(err, orbweaver.ErrInput) {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return err
}

// Below prefixes the key at the start of each of several problems with its section.
func Below(section string, err error) error {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	problems := slices.Clone(all.Unwrap())
	for i, problem := range problems {
		problems[i] = fmt.Errorf("%s%w", section, problem)
	}
	return errors.Join(problems...)
}

// Suggester returns the optional Suggester interface of a focus.
func Suggester(f orbweaver.Focus) (orbweaver.Suggester, bool) {
	s, ok := f.(orbweaver.Suggester)
	return s, ok
}

// Evidencer returns the optional Evidencer interface of a focus.
func Evidencer(f orbweaver.Focus) (orbweaver.Evidencer, bool) {
	e, ok := f.(orbweaver.Evidencer)
	return e, ok
}

// A Reclassifier is a focus that judges the pages that it keeps by what it knows now. like, if not nil, takes the place
// of its item, and theta of its threshold.
type Reclassifier interface {
	Reclassify(ctx context.Context, like *orbweaver.Page, theta *float64) (iter.Seq2[string, orbweaver.Judgement], error)
}

// part returns a focus, or the first of those that it joins, that has an interface.
func part[T any](f orbweaver.Focus) (t T, ok bool) {
	if t, ok = f.(T); ok {
		return t, true
	}
	if joint, joins := f.(interface {
		Parts() iter.Seq[orbweaver.Focus]
	}); joins {
		for one := range joint.Parts() {
			if t, ok = one.(T); ok {
				return t, true
			}
		}
	}
	return t, false
}

// A Borrower is an instance whose knowledge may lack what another body of knowledge has.
type Borrower interface {
	// Borrow returns what the knowledge lacks and a source has, as suggestions, best first. It changes nothing.
	Borrow(ctx context.Context, src *offer.Source) ([]orbweaver.Suggestion, error)
}

// KRS returns the folder of the KRS by which a focus of a crawl file judges; false if it judges by none.
func KRS(f crawlfile.Focus) (folder string, ok bool) {
	by, ok := f.Kind().(interface{ KRS(section any) string })
	if !ok {
		return "", false
	}
	return by.KRS(f.Section()), true
}

// Reclassifies returns the optional Reclassifier interface of a focus or of one that it joins.
func Reclassifies(f orbweaver.Focus) (Reclassifier, bool) { return part[Reclassifier](f) }

// LabelModel returns the label model that a focus, or one that it joins, learns; false if it learns none.
func LabelModel(f orbweaver.Focus) (*stream.Model, bool) {
	m, ok := part[interface{ Model() *stream.Model }](f)
	if !ok {
		return nil, false
	}
	return m.Model(), true
}

// Decider returns the optional Decider interface of a focus.
func Decider(f orbweaver.Focus) (orbweaver.Decider, bool) {
	d, ok := f.(orbweaver.Decider)
	return d, ok
}

// Learner returns the optional Learner interface of a focus.
func Learner(f orbweaver.Focus) (orbweaver.Learner, bool) {
	l, ok := f.(orbweaver.Learner)
	return l, ok
}

// Merger returns the optional Merger interface of a focus.
func Merger(f orbweaver.Focus) (orbweaver.Merger, bool) {
	m, ok := f.(orbweaver.Merger)
	return m, ok
}

// Reranker returns the optional Reranker interface of a focus.
func Reranker(f orbweaver.Focus) (orbweaver.Reranker, bool) {
	r, ok := f.(orbweaver.Reranker)
	return r, ok
}

// RoundSize returns the number of requests in a round of a focus; 0: it does not work in rounds.
func RoundSize(f orbweaver.Focus) int {
	if r, ok := f.(orbweaver.Rounder); ok {
		return r.RoundSize()
	}
	return 0
}
