package api

import (
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/crawl"
)

func (a *API) decide(w http.ResponseWriter, r *http.Request) error {
	var choice crawl.Choice
	if err := body(r, &choice); err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Decided, error) { return c.Decide(r.Context(), choice) })
}

func (a *API) verdicts(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Verdicts []crawl.Verdict `json:"verdicts"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	if len(in.Verdicts) == 0 || len(in.Verdicts) > mostRows {
		return fmt.Errorf("verdicts: from 1 to %d, not %d (%w)", mostRows, len(in.Verdicts), orbweaver.ErrInput)
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		taken, err := c.Verdicts(r.Context(), in.Verdicts...)
		return map[string]any{"taken": len(taken)}, err
	})
}

func (a *API) add(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		URLs []string `json:"urls"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	if len(in.URLs) == 0 || len(in.URLs) > mostRows {
		return fmt.Errorf("urls: from 1 to %d, not %d (%w)", mostRows, len(in.URLs), orbweaver.ErrInput)
	}
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		added, err := c.Add(r.Context(), in.URLs...)
		return map[string]any{"added": added}, err
	})
}

func (a *API) exclude(w http.ResponseWriter, r *http.Request) error {
	var e crawl.Exclusion
	if err := body(r, &e); err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Excluded, error) { return c.Exclude(r.Context(), e) })
}

// remove removes pages, and answers when that is done; a client that does not wait finds it among the removals.
func (a *API) remove(w http.ResponseWriter, r *http.Request) error {
	var q crawl.RemovalQuery
	if err := body(r, &q); err != nil {
		return err
	}
	if q.Preview {
		result, err := a.ws.PreviewRemoval(r.Context(), r.PathValue("crawl"), q)
		if err != nil {
			return err
		}
		return answer(w, http.StatusOK, result)
	}
	ended, err := a.ws.Remove(r.Context(), r.PathValue("crawl"), q)
	if err != nil {
		return err
	}
	select {
	case end := <-ended:
		if end.Err != nil {
			return end.Err
		}
		return answer(w, http.StatusOK, end.Removed)
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

func (a *API) removals(w http.ResponseWriter, r *http.Request) error {
	all, now, err := a.ws.Removals(r.PathValue("crawl"))
	if err != nil {
		return err
	}
	if all == nil {
		all = []crawl.Removal{}
	}
	return answer(w, http.StatusOK, map[string]any{"removals": all, "removing": now})
}

func (a *API) limits(w http.ResponseWriter, r *http.Request) error {
	var l crawl.Limits
	if err := body(r, &l); err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Limits, error) { return c.SetLimits(r.Context(), l) })
}

func (a *API) judge(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		URL    string `json:"url"`
		Forced bool   `json:"forced"` // without regard to scope and robots.txt
	}
	if err := body(r, &in); err != nil {
		return err
	}
	return found(a, w, r, func(c *crawl.Crawl) (*crawl.Judged, error) {
		if in.Forced {
			return c.JudgeForced(r.Context(), in.URL)
		}
		return c.Judge(r.Context(), in.URL)
	})
}
