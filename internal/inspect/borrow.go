package inspect

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/knowledge"
	"orbweaver/kb/offer"
)

// borrowedFile has, in a crawl folder, the suggestions that were made from other knowledge, one a line, so that they can be
// decided by their IDs. Of those with one ID it has the latest.
const borrowedFile = "borrowed.jsonl"

// The bounds of a borrowedFile: beyond maxBorrowed the oldest lines go.
const (
	maxBorrowed = 10_000
	maxKept     = 1 << 20 // bytes of a line
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
	ended := p.between(ctx, func() { list, err = p.bench.borrow(ctx, src) })
	return list, cmp.Or(ended, err)
}}

// borrow makes suggestions from other knowledge, and keeps them.
func (b *Bench) borrow(ctx context.Context, src *offer.Source) ([]orbweaver.Suggestion, error) {
	borrower, ok := b.c.Focus.(kind.Borrower)
	if !ok {
		return nil, fmt.Errorf("%s: the %s focus takes nothing from other knowledge: only the ontology focus does (%w)", b.c.File.Name(), b.c.File.Focus.Key(), orbweaver.ErrInput)
	}
	list, err := borrower.Borrow(ctx, src)
	if err != nil {
		return nil, err
	}
	kept, err := readBorrowed(b.c.File.Output)
	if err != nil {
		return nil, err
	}
	return list, writeBorrowed(b.c.File.Output, kept, list)
}

// readBorrowed reads the suggestions from other knowledge that a crawl folder keeps.
func readBorrowed(folder string) (all []orbweaver.Suggestion, err error) {
	path := filepath.Join(folder, borrowedFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxKept)
	for n := 1; in.Scan(); n++ {
		var s orbweaver.Suggestion
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: remove the file, and ask for suggestions again (%w)", path, n, err, orbweaver.ErrInput)
		}
		all = append(all, s)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// writeBorrowed keeps suggestions behind those of other IDs that are kept already.
func writeBorrowed(folder string, kept, list []orbweaver.Suggestion) error {
	again := make(map[string]bool, len(list))
	for _, s := range list {
		again[s.ID] = true
	}
	var all []orbweaver.Suggestion
	for _, s := range kept {
		if !again[s.ID] {
			all = append(all, s)
		}
	}
	all = append(all, list...)
	if len(all) == 0 {
		return nil
	}
	return crawlfolder.ReplaceWith(filepath.Join(folder, borrowedFile), func(f *os.File) error {
		encoder := json.NewEncoder(f)
		encoder.SetEscapeHTML(false) // keep IRIs readable
		for _, s := range all[max(0, len(all)-maxBorrowed):] {
			if err := encoder.Encode(s); err != nil {
				return err
			}
		}
		return nil
	})
}
