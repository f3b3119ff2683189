package inspect

import (
	"cmp"
	"context"
	"io"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/knowledge"
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
	ended := p.between(ctx, func() { list, err = p.bench.desk().Borrow(ctx, src, folder) })
	return list, cmp.Or(ended, err)
}}
