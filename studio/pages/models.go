package pages

import (
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
}

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
	return h.show(w, http.StatusOK, "models", v)
}
