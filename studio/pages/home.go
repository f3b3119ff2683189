package pages

import (
	"errors"
	"net/http"

	"orbweaver"
	"orbweaver/studio/workspace"
)

// homeView is the list of crawls.
type homeView struct {
	Frame
	Crawls  []crawlRow
	Full    string // why no crawl may go on
	Demo    bool
	Trashed int
}

// crawlRow is a crawl in a list.
type crawlRow struct {
	workspace.Crawl
	Actions         []Button
	Delete          *Button
	Spark           *spark
	Pages, Accepted int64
	HasCounts       bool
	Why             string
}

// home shows the crawls of the workspace.
func (h *Handler) home(w http.ResponseWriter, r *http.Request) error {
	crawls, err := h.Workspace.Crawls(r.Context())
	if err != nil {
		return err
	}
	thrown, err := h.Workspace.Trash()
	if err != nil {
		return err
	}
	v := homeView{Frame: h.frame(r, "Crawls"), Full: h.Workspace.Full(), Demo: h.Demo != nil, Trashed: len(thrown)}
	for _, c := range crawls {
		v.Crawls = append(v.Crawls, h.row(v.Frame, c))
	}
	return h.show(w, http.StatusOK, "home", v)
}

// row is a crawl with what may be done about it.
func (h *Handler) row(f Frame, c workspace.Crawl) crawlRow {
	row := crawlRow{Crawl: c}
	row.Why, _ = situation(c)
	if c.Status != nil {
		row.HasCounts, row.Pages, row.Accepted = true, c.Status.Progress.Pages, c.Status.Progress.Accepted
		row.Spark = h.spark(c)
	}
	if !f.MayWrite {
		return row
	}
	for _, a := range actionsOf(c.State) {
		row.Actions = append(row.Actions, f.Button(crawlPath(c.ID)+"/"+a.Verb, a.Label, a.Class).With("to", "/"))
	}
	if deletable(c.State) {
		b := f.Button(crawlPath(c.ID)+"/delete", "Yes, move it to the trash", "danger")
		row.Delete = &b
	}
	return row
}

// action is something that may be done about a crawl.
type action struct{ Verb, Label, Class string }

// actionsOf are the actions that a state allows.
func actionsOf(s workspace.State) []action {
	start := action{"start", "Start", "primary"}
	pause, resume, stop := action{"pause", "Pause", ""}, action{"resume", "Resume", "primary"}, action{"stop", "Stop", ""}
	switch s {
	case workspace.New:
		return []action{start}
	case workspace.Stopped:
		start.Label = "Go on"
		return []action{start}
	case workspace.Ended:
		start.Label, start.Class = "Start again", ""
		return []action{start}
	case workspace.Queued, workspace.Running:
		return []action{pause, stop}
	case workspace.Paused:
		return []action{resume, stop}
	}
	return nil
}

func deletable(s workspace.State) bool {
	return s != workspace.Running && s != workspace.Queued && s != workspace.Paused
}

// startDemo makes and starts a first crawl.
func (h *Handler) startDemo(r *http.Request) (string, Flash, error) {
	if h.Demo == nil {
		return "/", Flash{}, errors.New("this studio has no demo web")
	}
	id, err := h.Demo(r.Context())
	if err != nil {
		return "/", Flash{}, err
	}
	return crawlPath(id), Flash{Text: "Your first crawl runs. Its pages come in below."}, nil
}

// back is the page from which a form of a crawl was sent.
func back(r *http.Request) string {
	if r.PostForm.Get("to") == "/" {
		return "/"
	}
	return crawlPath(r.PathValue("crawl"))
}

func (h *Handler) start(r *http.Request) (string, Flash, error) {
	id := r.PathValue("crawl")
	return back(r), Flash{Text: id + ": it starts, or waits for others to end.", Undo: crawlPath(id) + "/stop"}, h.Workspace.Start(r.Context(), id)
}

func (h *Handler) pause(r *http.Request) (string, Flash, error) {
	id := r.PathValue("crawl")
	return back(r), Flash{Text: id + " is paused.", Undo: crawlPath(id) + "/resume"}, h.Workspace.Pause(r.Context(), id)
}

func (h *Handler) resume(r *http.Request) (string, Flash, error) {
	id := r.PathValue("crawl")
	return back(r), Flash{Text: id + " goes on.", Undo: crawlPath(id) + "/pause"}, h.Workspace.Resume(r.Context(), id)
}

func (h *Handler) stop(r *http.Request) (string, Flash, error) {
	id := r.PathValue("crawl")
	return back(r), Flash{Text: id + " stops after the requests in flight.", Undo: crawlPath(id) + "/start"}, h.Workspace.Stop(r.Context(), id)
}

func (h *Handler) remove(r *http.Request) (string, Flash, error) {
	id := r.PathValue("crawl")
	thrown, err := h.Workspace.Delete(r.Context(), id)
	if errors.Is(err, orbweaver.ErrBusy) {
		err = errors.New(id + " runs: stop it first, then delete it")
	}
	return "/", Flash{Text: id + " is in the trash.", Undo: "/trash/" + thrown.ID + "/restore"}, err
}
