package pages

import (
	"net/http"

	"orbweaver/studio/workspace"
)

// trashView is what was deleted.
type trashView struct {
	Frame
	Thrown []thrownRow
}

type thrownRow struct {
	workspace.Thrown
	Restore, Forget Button
}

// trash shows what was deleted, the latest first.
func (h *Handler) trash(w http.ResponseWriter, r *http.Request) error {
	all, err := h.Workspace.Trash()
	if err != nil {
		return err
	}
	v := trashView{Frame: h.frame(r, "Trash")}
	for _, t := range all {
		path := "/trash/" + t.ID
		v.Thrown = append(v.Thrown, thrownRow{t, v.Button(path+"/restore", "Restore", "primary"), v.Button(path+"/forget", "Yes, delete it for good", "danger")})
	}
	return h.show(w, http.StatusOK, "trash", v)
}

func (h *Handler) restore(r *http.Request) (string, Flash, error) {
	c, err := h.Workspace.Restore(r.Context(), r.PathValue("thrown"))
	if err != nil {
		return "/trash", Flash{}, err
	}
	return "/", Flash{Text: c.ID + " is back."}, nil
}

func (h *Handler) forget(r *http.Request) (string, Flash, error) {
	return "/trash", Flash{Text: "It is deleted for good."}, h.Workspace.Forget(r.PathValue("thrown"))
}
