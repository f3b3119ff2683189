package pages

import (
	"cmp"
	"net/http"
	"net/url"

	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// modelsView lists what was learned from documents in the workspace.
type modelsView struct {
	Frame
	CSS    string
	Models []modelRow

	Learnings []learningRow // that are under way, or did not end well
}

// A learningRow is a topic that is learned.
type learningRow struct{ Name, State, Says, Path string }

// A modelRow is a model with the path of its page.
type modelRow struct {
	workspace.Model
	Path, Says string
}

// models lists the models of the workspace.
func (h *Handler) models(w http.ResponseWriter, r *http.Request) error {
	v := modelsView{Frame: h.frame(r, "Models"), CSS: h.Asset("models.css")}
	all, err := h.Workspace.Models()
	if err != nil {
		return err
	}
	for _, m := range all {
		row := modelRow{m, "/topic?", "a topic learned from documents"}
		if m.Kind == crawl.KnowsLabels {
			row.Path, row.Says = "/labels?", "labels and the rules that give them"
		}
		row.Path += url.Values{"model": {m.Name}}.Encode()
		v.Models = append(v.Models, row)
	}
	for _, l := range h.Workspace.Learnings() {
		if row := (learningRow{cmp.Or(l.Order.Topic, l.Order.Add), l.State, cmp.Or(saysOf(l), l.Error), learningPath(l.ID)}); l.State != workspace.LearningDone {
			v.Learnings = append(v.Learnings, row)
		}
	}
	return h.show(w, http.StatusOK, "models", v)
}
