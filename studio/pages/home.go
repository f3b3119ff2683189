package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"

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
	Live    string // path of the stream of what changes
}

// crawlRow is a crawl in a list.
type crawlRow struct {
	workspace.Crawl
	Actions         []action
	Delete          bool
	Spark           *spark
	Pages, Accepted int64
	HasCounts       bool
	Key             string // of the ids of its elements: the name of a crawl file may be anything
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
		v.Crawls = append(v.Crawls, h.row(v.MayWrite, c))
	}
	v.Live = "/view?list=" + listed(crawls)
	return h.show(w, http.StatusOK, "home", v)
}

// listed stands for which crawls a list has, in whatever order.
func listed(crawls []workspace.Crawl) string {
	var ids []string
	for _, c := range crawls {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return keyOf(strings.Join(ids, "\n"))
}

// keyOf stands for a text in ids and addresses.
func keyOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// HomeParts returns the parts of the home page that change, as LiveParts does. A crawl that came or went since the page was made is not
// among its elements: the page is told that its list is another one.
func (h *Handler) HomeParts(r *http.Request) (map[string]string, error) {
	crawls, err := h.Workspace.Crawls(r.Context())
	if err != nil {
		return nil, err
	}
	parts := map[string]string{"part-list": ""}
	if listed(crawls) != r.URL.Query().Get("list") {
		parts["part-list"] = `<p class="flash">The list of crawls has changed. <a href="/">Show it</a></p>`
	}
	for _, c := range crawls {
		row := h.row(h.MayWrite(r), c)
		for id, name := range map[string]string{"crawl-": "part-crawl", "act-": "part-crawl-actions"} {
			var out bytes.Buffer
			if err := templates()["home"].ExecuteTemplate(&out, name, row); err != nil {
				return nil, err
			}
			parts[id+row.Key] = out.String()
		}
	}
	return parts, nil
}

// row is a crawl with what may be done about it.
func (h *Handler) row(mayWrite bool, c workspace.Crawl) crawlRow {
	row := crawlRow{Crawl: c, Key: keyOf(c.ID)}
	row.Why, _ = situation(c)
	if c.Status != nil {
		row.HasCounts, row.Pages, row.Accepted = true, c.Status.Progress.Pages, c.Status.Progress.Accepted
		row.Spark = h.spark(c)
	}
	if mayWrite {
		row.Actions, row.Delete = actionsOf(c.State), deletable(c.State)
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
