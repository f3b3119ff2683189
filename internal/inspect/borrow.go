package inspect

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/internal/knowledge"
	"orbweaver/internal/proposals"
	"orbweaver/kb/offer"
)

// SuggestionsFrom returns what the knowledge of the crawl's focus lacks and that of another folder has: a crawl, a label
// model or a KRS. The crawl folder keeps them for Decide. The error wraps ErrInput if the focus takes none, or if the folder
// has no such knowledge.
func (h *Handle) SuggestionsFrom(ctx context.Context, folder string) ([]orbweaver.Suggestion, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	return borrowCall.ask(ctx, h, folder)
}

var borrowCall = call[string, []orbweaver.Suggestion]{name: "borrow", focus: true, do: func(ctx context.Context, p *spot, folder string) (list []orbweaver.Suggestion, err error) {
	silent := &console.Console{Out: io.Discard, Err: io.Discard}
	src, err := knowledge.Read(ctx, silent, p.file.Schema, folder)
	if err != nil {
		return nil, err
	}
	ended := p.between(ctx, func() { list, err = p.bench.borrow(ctx, src, folder) })
	return list, cmp.Or(ended, err)
}}

// borrow makes suggestions from other knowledge, and keeps them.
func (b *Bench) borrow(ctx context.Context, src *offer.Source, folder string) ([]orbweaver.Suggestion, error) {
	borrower, ok := b.c.Focus.(kind.Borrower)
	if !ok {
		return nil, fmt.Errorf("%s: the %s focus takes nothing from other knowledge: only the ontology focus does (%w)", b.c.File.Name(), b.c.File.Focus.Key(), orbweaver.ErrInput)
	}
	list, err := borrower.Borrow(ctx, src)
	if err != nil {
		return nil, err
	}
	var kept []proposals.Kept
	for _, s := range list {
		kept = append(kept, proposals.Kept{Suggestion: s, From: folder})
	}
	return list, b.keep(kept)
}

// keep keeps suggestions in the crawl folder.
func (b *Bench) keep(list []proposals.Kept) error {
	held, err := b.held()
	if err != nil {
		return err
	}
	decided := map[string]bool{}
	for _, d := range held {
		decided[d.ID] = true
	}
	return proposals.Keep(b.c.File.Output, list, decided)
}
