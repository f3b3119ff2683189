package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"orbweaver/crawl"
)

// excludeView is what an exclusion would do.
type excludeView struct {
	Frame
	Patterns string
	Result   crawl.Excluded
}

// previewExclusion shows which waiting requests patterns would remove. It changes nothing.
func (h *Handler) previewExclusion(w http.ResponseWriter, r *http.Request) error {
	patterns := r.URL.Query().Get("patterns")
	result, err := h.exclusion(r, patterns, true)
	if err != nil {
		leave(w, r, crawlPath(r.PathValue("crawl")), Flash{Text: err.Error(), Bad: true})
		return nil
	}
	return h.show(w, http.StatusOK, "exclude", excludeView{h.frame(r, "What the exclusion removes"), patterns, result})
}

// exclude narrows the scope of a crawl for good.
func (h *Handler) exclude(r *http.Request) (string, Flash, error) {
	result, err := h.exclusion(r, r.PostForm.Get("patterns"), false)
	return back(r), Flash{Text: fmt.Sprintf("Excluded: %d waiting requests are removed, and no such link is followed later.", result.Waiting)}, err
}

func (h *Handler) exclusion(r *http.Request, patterns string, preview bool) (result crawl.Excluded, err error) {
	all := strings.Fields(patterns)
	if len(all) == 0 {
		return result, errors.New("write at least one pattern, such as http://example.org/private/*")
	}
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		result, err = c.Exclude(ctx, crawl.Exclusion{Patterns: all, Preview: preview})
		return err
	})
	return result, err
}
