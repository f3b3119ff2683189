package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/focus/chance"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/ledger"
)

// asAtFirst is Opinion.AsOf of a page judged without the state of a crawl.
const asAtFirst = "judged as the first page of a crawl: how rare words are, and the threshold, is learned from pages"

// recall restores the focus's state from the folder of the crawl of the same file, if there is one and it does not run.
// It writes nothing. It returns a description of the state for Opinion.AsOf, or "" if the focus does not learn, and the
// crawl's evidence for chances, nil if there is none.
func recall(ctx context.Context, c *assembly.Crawl) (when string, evidence *chance.Both, err error) {
	_, learns := kind.Learner(c.Focus.Focus())
	learns = learns && kind.AbilitiesOf(c.File.Focus).Learned
	asOf := func(s string) string {
		if !learns {
			return ""
		}
		return asAtFirst + s
	}
	folder := console.Relative(c.File.Output)
	switch {
	case crawlfolder.IsFresh(c.File.Output):
		return asOf(""), nil, nil
	case crawlfolder.Check(c.File) != nil:
		return asOf("; the crawl in " + folder + " has another crawl file"), nil, nil
	case !c.Focus.AsBegun(c.File.Output):
		return asOf("; the crawl in " + folder + " began with another ontology"), nil, nil
	}
	l, err := ledger.Open(c.File.Output)
	if errors.Is(err, orbweaver.ErrBusy) {
		return asOf("; the crawl in " + folder + " runs: orbweaver explain tells its judgements"), nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if learns {
		if when, err = recallFocus(ctx, c, l); err != nil {
			return "", nil, err
		}
	}
	evidence, err = Evidence(l)
	return when, evidence, err
}

// Evidence returns the evidence for chances in a ledger. It must be called where the ledger may be read.
func Evidence(l *ledger.Ledger) (*chance.Both, error) {
	b, err := l.Chances()
	if err != nil {
		return nil, err
	}
	return chance.ReadBoth(b)
}

// recallFocus restores a focus that learns from the ledger of its crawl.
func recallFocus(ctx context.Context, c *assembly.Crawl, l *ledger.Ledger) (when string, err error) {
	learner, _ := kind.Learner(c.Focus.Focus())
	folder := console.Relative(c.File.Output)
	snapshot, after, err := l.Model()
	if err != nil || snapshot == nil {
		return asAtFirst, err
	}
	if decider, ok := kind.Decider(c.Focus.Focus()); ok {
		for d, err := range l.Decisions() {
			if err == nil && d.Page == "" {
				_, err = decider.Decide(ctx, d)
			}
			if err != nil {
				return "", err
			}
		}
	}
	switch err := learner.Restore(bytes.NewReader(snapshot)); {
	case errors.Is(err, orbweaver.ErrForeign): // nothing was restored
		return asAtFirst + "; the crawl in " + folder + " began with another ontology", nil
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("judged by what %s had learned after %d requests", folder, after), nil
}
