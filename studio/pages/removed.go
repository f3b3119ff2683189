package pages

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// removedView is what was removed from a crawl, and what an order would remove.
type removedView struct {
	Frame
	Patterns, Reason string
	Preview          *crawl.Removed  // nil: nothing is ordered
	Problem          string          // why there is no preview
	Removals         []crawl.Removal // the latest first
	Removing         *workspace.Removing
}

// removed shows what was removed from a crawl, and, for patterns, what their removal would remove. It changes nothing.
func (h *Handler) removed(w http.ResponseWriter, r *http.Request) (err error) {
	v := removedView{Frame: h.frame(r, "Removed pages"), Patterns: r.URL.Query().Get("patterns"), Reason: r.URL.Query().Get("reason")}
	if v.Removals, v.Removing, err = h.Workspace.Removals(v.Crawl); err != nil {
		return err
	}
	slices.Reverse(v.Removals)
	if all := strings.Fields(v.Patterns); len(all) > 0 && v.MayWrite {
		preview, err := h.Workspace.PreviewRemoval(r.Context(), v.Crawl, orderOf(all, v.Reason))
		if v.Preview = &preview; err != nil {
			v.Preview, v.Problem = nil, err.Error()
		}
	}
	return h.show(w, http.StatusOK, "removed", v)
}

func orderOf(patterns []string, reason string) (q crawl.RemovalQuery) {
	q.Patterns, q.Reason = patterns, strings.TrimSpace(reason)
	return q
}

// shortly is how long the answer to an order waits for its end: most are done by then.
const shortly = 2 * time.Second

// takeOut removes pages from a crawl for good.
func (h *Handler) takeOut(r *http.Request) (string, Flash, error) {
	id, all := r.PathValue("crawl"), strings.Fields(r.PostForm.Get("patterns"))
	to := crawlPath(id) + "/removed"
	if len(all) == 0 {
		return to, Flash{}, errors.New("write at least one pattern, such as http://example.org/private/*")
	}
	ended, err := h.Workspace.Remove(r.Context(), id, orderOf(all, r.PostForm.Get("reason")))
	if err != nil {
		return to, Flash{}, err
	}
	select {
	case end := <-ended:
		return to, Flash{Text: fmt.Sprintf("Removed: %d pages and all that the crawl had of them.", end.Removed.Pages)}, end.Err
	case <-time.After(shortly):
		return to, Flash{Text: "The pages are being removed. This page says when it is done."}, nil
	case <-r.Context().Done():
		return to, Flash{}, r.Context().Err()
	}
}
