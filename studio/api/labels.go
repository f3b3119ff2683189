package api

import (
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/crawl"
)

func labelRoutes() []route {
	return []route{
		{"GET", "/models", (*API).models},
		{"GET", "/labels", (*API).labels},
		{"GET", "/labels/tree", (*API).labelTree},
		{"GET", "/labels/rules", (*API).labelRules},
		{"GET", "/labels/timeline", (*API).labelTimeline},
		{"GET", "/labels/changes", (*API).labelChanges},
		{"GET", "/labels/why", (*API).labelWhy},
		{"POST", "/labels/why", (*API).labelText},
	}
}

// labelled answers with what ask learns of the label model that a request names: of a crawl, or in a folder.
func labelled[T any](a *API, w http.ResponseWriter, r *http.Request, ask func(q *query, m *crawl.LabelModel) (T, error)) error {
	q := &query{r: r}
	id, folder := q.text("crawl"), q.text("model")
	var m *crawl.LabelModel
	var err error
	switch {
	case (id == "") == (folder == ""):
		err = fmt.Errorf("name a crawl, or the folder of a model (%w)", orbweaver.ErrInput)
	case id != "":
		m, err = a.ws.LabelModel(id)
	default:
		m, err = a.ws.LabelModelIn(folder)
	}
	if err != nil {
		return err
	}
	value, err := ask(q, m)
	if q.err != nil {
		return q.err
	}
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, value)
}

func (a *API) models(w http.ResponseWriter, _ *http.Request) error {
	all, err := a.ws.Models()
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"models": all})
}

func (a *API) labels(w http.ResponseWriter, r *http.Request) error {
	return labelled(a, w, r, func(_ *query, m *crawl.LabelModel) (crawl.LabelFigures, error) { return m.Figures(r.Context()) })
}

func (a *API) labelTree(w http.ResponseWriter, r *http.Request) error {
	return labelled(a, w, r, func(q *query, m *crawl.LabelModel) (p crawl.LabelPart, err error) {
		asked := crawl.LabelQuery{Under: q.text("under"), Words: q.text("words"), Skip: q.number("skip", 0, 0, 1<<30), Limit: q.number("limit", usualRows, 1, mostRows)}
		if q.err == nil {
			p, err = m.Labels(r.Context(), asked)
		}
		return p, err
	})
}

func (a *API) labelRules(w http.ResponseWriter, r *http.Request) error {
	return labelled(a, w, r, func(q *query, m *crawl.LabelModel) (p crawl.RulePart, err error) {
		asked := crawl.RuleQuery{
			Label: q.text("label"), Words: q.text("words"), Set: q.text("set"), Skip: q.number("skip", 0, 0, 1<<30), Limit: q.number("limit", usualRows, 1, mostRows),
		}
		if q.err == nil {
			p, err = m.Rules(r.Context(), asked)
		}
		return p, err
	})
}

// A labelTimeline is a timeline with a chart of it.
type labelTimeline struct {
	crawl.LabelTimeline
	Chart Chart `json:"chart"`
}

func (a *API) labelTimeline(w http.ResponseWriter, r *http.Request) error {
	return labelled(a, w, r, func(q *query, m *crawl.LabelModel) (t labelTimeline, err error) {
		if n := q.number("spans", 100, 1, 500); q.err == nil {
			t.LabelTimeline, err = m.Timeline(r.Context(), n)
		}
		t.Chart = driftOf(t.LabelTimeline)
		return t, err
	})
}

// driftOf draws a timeline.
func driftOf(t crawl.LabelTimeline) Chart {
	c := Chart{X: Axis{Label: "documents"}, Y: Axis{Label: "labels, rules"}}
	stand, labels, rules := Series{Label: "labels"}, Series{Label: "changed labels"}, Series{Label: "changed rules"}
	for _, s := range t.Spans {
		c.X.Values = append(c.X.Values, float64(s.To))
		stand.Values = append(stand.Values, float64(s.Stand))
		labels.Values = append(labels.Values, float64(s.Labels.Came+s.Labels.Went))
		rules.Values = append(rules.Values, float64(s.Rules.Came+s.Rules.Went))
	}
	c.Series = []Series{stand, labels, rules}
	return c
}

func (a *API) labelChanges(w http.ResponseWriter, r *http.Request) error {
	return labelled(a, w, r, func(q *query, m *crawl.LabelModel) (p crawl.ChangePart, err error) {
		asked := crawl.ChangeQuery{
			Kind: crawl.ChangeKind(q.text("kind")), Label: q.text("label"), From: int64(q.number("from", 0, 0, 1<<40)),
			After: int64(q.number("after", 0, 0, 1<<40)), Limit: q.number("limit", usualRows, 1, mostRows),
		}
		if q.err == nil {
			p, err = m.Changes(r.Context(), asked)
		}
		return p, err
	})
}

// labelWhy answers with the labels of a page of a crawl.
func (a *API) labelWhy(w http.ResponseWriter, r *http.Request) error {
	address, err := address(r)
	if err != nil {
		return err
	}
	return labelled(a, w, r, func(q *query, m *crawl.LabelModel) (x *crawl.Labelled, err error) {
		var d crawl.Document
		if q.text("crawl") == "" {
			return nil, fmt.Errorf("a model alone has no pages: send a text (%w)", orbweaver.ErrInput)
		}
		err = a.ws.Use(r.Context(), q.text("crawl"), func(c *crawl.Crawl) (err error) {
			d, err = c.Document(r.Context(), address)
			return err
		})
		if err == nil {
			x, err = m.Why(r.Context(), d)
		}
		return x, err
	})
}

// labelText answers with the labels of a text.
func (a *API) labelText(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Title    string `json:"title"`
		Text     string `json:"text"`
		Language string `json:"language"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	return labelled(a, w, r, func(_ *query, m *crawl.LabelModel) (*crawl.Labelled, error) {
		return m.Why(r.Context(), crawl.Document{ID: "the text", Title: in.Title, Text: in.Text, Lang: in.Language})
	})
}
