package api

import (
	"context"
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/crawl"
)

// proposalRoutes are the routes of suggestions, decisions, and what would change.
func proposalRoutes() []route {
	return []route{
		{"GET", "/crawls/{crawl}/proposals", (*API).proposals},
		{"POST", "/crawls/{crawl}/proposals", (*API).borrow},
		{"GET", "/crawls/{crawl}/proposals/{id}", (*API).proposal},
		{"POST", "/crawls/{crawl}/proposals/{id}/effect", (*API).proposalEffect},
		{"GET", "/crawls/{crawl}/decisions", (*API).decisions},
		{"POST", "/crawls/{crawl}/effect", (*API).effect},
		{"POST", "/crawls/{crawl}/try-both", (*API).tryBoth},
	}
}

func (a *API) proposals(w http.ResponseWriter, r *http.Request) error {
	q := &query{r: r}
	p := crawl.ProposalQuery{State: q.text("state"), Kind: q.text("kind"), After: q.text("after"), Limit: q.number("limit", usualRows, 1, 200)}
	if q.err != nil {
		return q.err
	}
	return found(a, w, r, func(c *crawl.Crawl) (crawl.ProposalList, error) { return c.Proposals(r.Context(), p) })
}

// borrow takes suggestions from another crawl into the queue.
func (a *API) borrow(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		From string `json:"from"` // id of a crawl
	}
	if err := body(r, &in); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), usualTime)
	defer cancel()
	n, err := a.ws.Borrow(ctx, r.PathValue("crawl"), in.From)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"suggestions": n})
}

func (a *API) proposal(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Proposal, error) { return c.Proposal(r.Context(), r.PathValue("id")) })
}

func (a *API) proposalEffect(w http.ResponseWriter, r *http.Request) error {
	choice := crawl.Choice{Accepted: true}
	if err := body(r, &choice); err != nil {
		return err
	}
	if choice.ID != "" && choice.ID != r.PathValue("id") {
		return fmt.Errorf("id: %q is another suggestion than that of the path (%w)", choice.ID, orbweaver.ErrInput)
	}
	choice.ID = r.PathValue("id")
	ctx, cancel := context.WithTimeout(r.Context(), usualTime)
	defer cancel()
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Effect, error) { return c.ProposalEffect(ctx, choice) })
}

func (a *API) decisions(w http.ResponseWriter, r *http.Request) error {
	return found(a, w, r, func(c *crawl.Crawl) (map[string]any, error) {
		all, err := c.Decisions(r.Context())
		told := make([]Decision, 0, len(all))
		for _, d := range all {
			told = append(told, Decision{d, len(d.Added), len(d.Removed)})
		}
		return map[string]any{"decisions": told}, err
	})
}

// A Decision is one with the numbers of its statements in place of them.
type Decision struct {
	orbweaver.Decision
	Added   int `json:"added,omitempty"`
	Removed int `json:"removed,omitempty"`
}

// revised are the files and keys of a revision.
type revised struct {
	Files map[string]string `json:"files"` // contents by name in the workspace
	Keys  map[string]string `json:"keys"`  // values by path, as of GET /keys
}

func (a *API) effect(w http.ResponseWriter, r *http.Request) error {
	var in revised
	if err := body(r, &in); err != nil {
		return err
	}
	revision, err := a.ws.Revision(in.Files, in.Keys)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), usualTime)
	defer cancel()
	return found(a, w, r, func(c *crawl.Crawl) (crawl.Effect, error) { return c.Effect(ctx, revision) })
}

// tryBoth judges a page or a text with and without a revision.
func (a *API) tryBoth(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		revised
		crawl.Sample
	}
	if err := body(r, &in); err != nil {
		return err
	}
	revision, err := a.ws.Revision(in.Files, in.Keys)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), usualTime)
	defer cancel()
	return found(a, w, r, func(c *crawl.Crawl) (map[string]*crawl.Trial, error) {
		now, then, err := c.TryBoth(ctx, in.Sample, revision)
		return map[string]*crawl.Trial{"now": now, "then": then}, err
	})
}
