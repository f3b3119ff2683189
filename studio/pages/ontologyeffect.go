package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/kb/editing"
	"orbweaver/studio/workspace"
)

// ontologyEffectView says what a draft, or other ways of counting, would change in a crawl.
type ontologyEffectView struct {
	Frame
	File, Of        string // Of is the id of the crawl
	Uses            []workspace.Use
	By              editing.Counting
	Sets, Discounts []string
	Asked           bool
	Effect          crawl.Effect
	In, Out         []movedRow
	Problem         string
	URL             string // of the page that is judged with both
	Sides           []trialSide
	Failed          string // why the page is not judged
	CSS             string
}

// A trialSide is a page as one of two bodies of knowledge judges it.
type trialSide struct {
	Label         string
	Accepted      bool
	Score         float64
	Class         string
	Reasons       []Reason
	Heading, Body []Segment
}

// Chosen reports whether a crawl is the one that is asked.
func (v ontologyEffectView) Chosen(id string) bool { return id == v.Of }

// ontologyEffect shows which pages of a crawl's archive the draft of an ontology would bring in or take out, and a page judged with and
// without it.
func (h *Handler) ontologyEffect(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := ontologyEffectView{
		Frame: h.frame(r, "What the draft changes"), File: q.Get("file"), Of: q.Get("of"), URL: q.Get("url"), CSS: h.Asset("ontology.css"),
		Sets: []string{"", "total", "relational", "taxonomic", "single"}, Discounts: []string{"", "exponential", "linear", "logarithmic"},
		By: editing.Counting{Set: q.Get("set"), Discount: q.Get("discount")}, Asked: q.Get("ask") != "",
	}
	f, err := h.Workspace.Ontology(v.File)
	if err != nil {
		return err
	}
	v.Uses = h.Workspace.Uses(v.File)
	if v.Of == "" && len(v.Uses) > 0 {
		v.Of = v.Uses[0].Crawl
	}
	if !slices.ContainsFunc(v.Uses, func(u workspace.Use) bool { return u.Crawl == v.Of }) {
		return h.show(w, http.StatusOK, "ontologyeffect", v)
	}
	keys := map[string]string{}
	for key, value := range map[string]string{"relevance": v.By.Set, "discount": v.By.Discount, "base": q.Get("base")} {
		if value != "" {
			keys["focus.ontology."+key] = value
		}
	}
	revision, err := h.Workspace.Revision(map[string]string{v.File: string(f.Text())}, keys)
	if err == nil && (v.Asked || v.URL != "") {
		err = h.Workspace.Use(r.Context(), v.Of, func(c *crawl.Crawl) error { return v.ask(r.Context(), c, revision) })
	}
	switch {
	case orbweaver.FailureOf(err) == orbweaver.ErrInput, errors.Is(err, orbweaver.ErrBusy):
		v.Problem = err.Error()
	case err != nil:
		return err
	}
	return h.show(w, http.StatusOK, "ontologyeffect", v)
}

// ask asks a crawl what a revision would change: for all pages of its archive, and for one.
func (v *ontologyEffectView) ask(ctx context.Context, c *crawl.Crawl, revision crawl.Revision) (err error) {
	if v.Asked {
		if v.Effect, err = c.Effect(ctx, revision); err != nil {
			return err
		}
		v.In, v.Out = movedRows(v.Of, v.Effect.In), movedRows(v.Of, v.Effect.Out)
	}
	if v.URL == "" {
		return nil
	}
	now, then, err := c.TryBoth(ctx, crawl.Sample{URL: v.URL}, revision)
	if err != nil {
		v.Failed = err.Error()
		return nil
	}
	v.Sides = []trialSide{sideOf("As the crawl judges now", now), sideOf("With the draft", then)}
	return nil
}

func sideOf(label string, t *crawl.Trial) trialSide {
	s := trialSide{Label: label}
	if t == nil {
		return s
	}
	s.Heading, s.Body = segments(t.Page.Title, orbweaver.InTitle, t.Page.Spans), segments(t.Page.Text, orbweaver.InText, t.Page.Spans)
	if t.Verdict != nil {
		s.Accepted, s.Score, s.Class, s.Reasons = t.Accepted, t.Score, t.Class, reasonsOf(t.Reasons)
	}
	return s
}

// Ask is the path of the question about all pages.
func (v ontologyEffectView) Ask() string {
	return "/ontology/effect?" + url.Values{"file": {v.File}, "of": {v.Of}, "ask": {"1"}}.Encode()
}
