package pages

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// maxDraft is the size of the editor's form: a crawl file has a megabyte at most, and is in it as it is and as it was.
const maxDraft = 9 << 20

// A draft is a crawl file that is being written: in the browser, and nowhere else.
type draft struct {
	Name string
	Text string // YAML
	Was  string // the YAML of which the form was filled
	Of   string // id of the crawl whose crawl file it is; empty: of none yet

	typed  map[string]string // values of the form that differ from Was
	shown  map[string]string // all values of the form, as posted
	Failed []string          // what could not be done

	Sample crawl.Sample
	Trial  *trialView
	URLs   string // whose scope is asked
	Scoped []crawl.Scoped
}

// editView is the editor of a crawl file.
type editView struct {
	Frame
	draft
	Action, CSS, JS string
	Groups          []keyGroup
	Problems        []crawl.Problem
	Files           []workspace.File
	Begun           bool // the crawl has: not all of its file may change
	Unreadable      bool // the form shows older values: the YAML cannot be read
}

// A trialView is what the draft makes of a page.
type trialView struct {
	*crawl.Trial
	Failed        string
	Reasons       []Reason
	Heading, Body []Segment
	Links         []trialLink
}

// A trialLink is a link of the page that was tried.
type trialLink struct {
	URL, Anchor, Refused string
	Score                float64
	Reasons              []Reason
}

// draftOf reads a posted draft.
func draftOf(form url.Values, of string) draft {
	plain := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	d := draft{
		Name: strings.TrimSpace(form.Get("name")), Text: plain(form.Get("yaml")), Was: plain(form.Get("was")), Of: of, URLs: form.Get("urls"),
		Sample: crawl.Sample{URL: strings.TrimSpace(form.Get("url")), Text: form.Get("text"), Forced: form.Get("forced") != ""},
		typed:  map[string]string{}, shown: map[string]string{},
	}
	if of != "" {
		d.Name = of
	}
	was, err := crawl.FileValues([]byte(d.Was))
	for field := range form {
		key, ok := strings.CutPrefix(field, "k.")
		if !ok {
			continue
		}
		value := plain(form.Get(field))
		if d.shown[key] = value; err == nil && strings.TrimSpace(value) != strings.TrimSpace(was[key]) {
			d.typed[key] = value
		}
	}
	maps.DeleteFunc(d.shown, func(_, value string) bool { return value == "" })
	return d
}

// settle writes what was typed into the form into the YAML.
func (d *draft) settle() {
	if len(d.typed) == 0 {
		return
	}
	text, err := crawl.SetFileValues([]byte(d.Text), d.typed)
	if err == nil {
		d.Text = string(text)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(d.typed)) { // those that can be written are
		text, err := crawl.SetFileValues([]byte(d.Text), map[string]string{key: d.typed[key]})
		if err != nil {
			d.Failed = append(d.Failed, err.Error())
			continue
		}
		d.Text = string(text)
	}
}

// view is the editor with a draft: its values, and all its problems.
func (h *Handler) view(r *http.Request, d draft) editView {
	title, action := "New crawl", "/new/edit"
	if d.Of != "" {
		title, action = d.Of, crawlPath(d.Of)+"/edit"
	}
	v := editView{Frame: h.frame(r, title), draft: d, Action: action, CSS: h.Asset("new.css"), JS: h.Asset("new.js")}
	v.Here = action
	values, err := crawl.FileValues([]byte(d.Text))
	if v.Unreadable = err != nil; v.Unreadable {
		values = d.shown
	} else {
		v.Was = d.Text
	}
	if err := h.Workspace.Validate(nameOr(d.Name), []byte(d.Text)); err != nil {
		if v.Problems = crawl.Problems(err); len(v.Problems) == 0 {
			v.Failed = append(v.Failed, err.Error())
		}
	}
	v.Groups = groupsOf(values, v.Problems)
	v.Files, _ = h.Workspace.Files() // a help alone
	if d.Of != "" {
		c, err := h.Workspace.Crawl(r.Context(), d.Of)
		v.Begun = err == nil && c.Status != nil && !fetchedNothing(c)
	}
	return v
}

// nameOr is the name of a draft in its problems.
func nameOr(name string) string {
	if name == "" {
		return "crawl"
	}
	return name
}

// showDraft shows the editor.
func (h *Handler) showDraft(w http.ResponseWriter, r *http.Request, status int, d draft) error {
	return h.show(w, status, "newedit", h.view(r, d))
}

// edit shows the editor of a crawl's file.
func (h *Handler) edit(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("crawl")
	text, err := h.Workspace.Text(id)
	if err != nil {
		return err
	}
	return h.showDraft(w, r, http.StatusOK, draft{Name: id, Of: id, Text: string(text)})
}

// edited does with a posted draft what its button says. Nothing is stored but by create, start and save.
func (h *Handler) edited(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("the form: %w (%w)", err, orbweaver.ErrInput)
	}
	d := draftOf(r.PostForm, r.PathValue("crawl"))
	d.settle()
	do := r.PostForm.Get("do")
	switch do {
	case "try":
		d.try(r.Context(), h.Workspace)
	case "scope":
		d.preview(h.Workspace)
	case "check":
		d.probe(r.Context(), h.Workspace)
	case "create", "start", "save":
		if len(d.Failed) > 0 || d.probe(r.Context(), h.Workspace) {
			return h.showDraft(w, r, http.StatusUnprocessableEntity, d)
		}
		if err := h.store(r.Context(), d, do == "start"); err != nil {
			if len(crawl.Problems(err)) == 0 {
				d.Failed = append(d.Failed, err.Error())
			}
			return h.showDraft(w, r, http.StatusUnprocessableEntity, d)
		}
		said := map[string]string{"create": "It is there. Start it when you like.", "start": "It starts. Its pages come in below.", "save": "The crawl file is saved. The next session reads it."}
		leave(w, r, crawlPath(d.Name), Flash{Text: said[do]})
		return nil
	}
	return h.showDraft(w, r, http.StatusOK, d)
}

// store creates the crawl of a draft, or saves its file.
func (h *Handler) store(ctx context.Context, d draft, start bool) error {
	if d.Of != "" {
		return h.Workspace.Save(d.Of, []byte(d.Text))
	}
	if d.Name == "" {
		return fmt.Errorf("give the crawl a name (%w)", orbweaver.ErrInput)
	}
	if _, err := h.Workspace.Create(ctx, d.Name, []byte(d.Text)); err != nil {
		return err
	}
	if start {
		return h.Workspace.Start(ctx, d.Name)
	}
	return nil
}

// probeTime bounds a look into the files that a draft names.
const probeTime = 15 * time.Second

// probe looks into the files that a draft names, such as its ontology, and reports whether something is wrong with them. It does not wait
// for long: a crawl says what is wrong when it begins.
func (d *draft) probe(ctx context.Context, ws *workspace.Workspace) bool {
	ctx, stop := context.WithTimeout(ctx, probeTime)
	defer stop()
	_, err := ws.Try(ctx, nameOr(d.Name), []byte(d.Text), crawl.Sample{Text: "nothing"})
	if err == nil || len(crawl.Problems(err)) > 0 || ctx.Err() != nil || errors.Is(err, crawl.ErrPageless) || !errors.Is(err, orbweaver.ErrInput) {
		return false // problems are shown at their lines
	}
	d.Failed = append(d.Failed, err.Error())
	return true
}

// try judges a page by the draft as it is.
func (d *draft) try(ctx context.Context, ws *workspace.Workspace) {
	if d.Sample.URL == "" && strings.TrimSpace(d.Sample.Text) == "" {
		d.Trial = &trialView{Failed: "Give the URL of a page, or paste a text."}
		return
	}
	trial, err := ws.Try(ctx, nameOr(d.Name), []byte(d.Text), d.Sample)
	d.Trial = &trialView{Trial: trial}
	switch {
	case len(crawl.Problems(err)) > 0:
		d.Trial.Failed = "Correct the problems of the crawl file first."
	case err != nil:
		d.Trial.Failed = strings.ReplaceAll(err.Error(), "--force requests it anyway", "tick the box to try it anyway")
	}
	if err != nil || trial == nil || trial.Opinion == nil {
		return
	}
	d.Trial.Reasons = reasonsOf(trial.Reasons)
	d.Trial.Heading = segments(trial.Page.Title, orbweaver.InTitle, trial.Page.Spans)
	d.Trial.Body = segments(trial.Page.Text, orbweaver.InText, trial.Page.Spans)
	for _, l := range trial.Best {
		link := trialLink{URL: l.URL, Anchor: l.Anchor, Score: l.Score, Reasons: reasonsOf(l.Reasons)}
		switch {
		case l.Dropped:
			link.Refused = "the focus does not follow it"
		case l.Refused != nil:
			link.Refused = string(l.Refused.By) + ": " + l.Refused.Rule
		}
		d.Trial.Links = append(d.Trial.Links, link)
	}
}

// preview says which URLs are in the scope of the draft.
func (d *draft) preview(ws *workspace.Workspace) {
	all, err := ws.Scope(nameOr(d.Name), []byte(d.Text), strings.Fields(d.URLs))
	switch {
	case len(crawl.Problems(err)) > 0:
		d.Failed = append(d.Failed, "Correct the problems of the crawl file first: then the scope can be previewed.")
	case err != nil:
		d.Failed = append(d.Failed, err.Error())
	}
	d.Scoped = all
}
