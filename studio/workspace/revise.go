package workspace

import (
	"context"
	"fmt"
	"path/filepath"

	"orbweaver"
	"orbweaver/crawl"
)

// Revision returns a revision of files of the workspace, by name, and of keys of a crawl file. The error wraps orbweaver.ErrInput if a
// name leads elsewhere.
func (w *Workspace) Revision(files, keys map[string]string) (crawl.Revision, error) {
	r := crawl.Revision{Files: map[string][]byte{}, Keys: keys}
	for name, content := range files {
		path, err := w.inside(filepath.FromSlash(name))
		if err != nil {
			return r, err
		}
		r.Files[path] = []byte(content)
	}
	return r, nil
}

// Borrow has a crawl take suggestions from what another crawl of the workspace has learned, and returns how many there are. The error
// wraps ErrUnknown if there is no such crawl, and is otherwise as of crawl.Crawl.SuggestionsFrom.
func (w *Workspace) Borrow(ctx context.Context, id, from string) (n int, err error) {
	if id == from {
		return 0, fmt.Errorf("%s: a crawl's own suggestions are in the queue already (%w)", from, orbweaver.ErrInput)
	}
	folder := ""
	err = w.Use(ctx, from, func(c *crawl.Crawl) error {
		folder = c.Folder()
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = w.Use(ctx, id, func(c *crawl.Crawl) error {
		list, err := c.SuggestionsFrom(ctx, folder)
		n = len(list)
		return err
	})
	return n, err
}
