package pages

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// upkeepTabs are the parts of what a crawl that goes on for long needs.
var upkeepTabs = []struct{ path, label string }{{"/stopping", "Stopping"}, {"/schedule", "Schedule"}, {"/logins", "Logins"}}

// UpkeepTabs are links to the parts.
func (f Frame) UpkeepTabs() []Tab {
	var tabs []Tab
	for _, t := range upkeepTabs {
		path := f.Base() + t.path
		tabs = append(tabs, Tab{Path: path, Label: t.label, Here: f.Here == path})
	}
	return tabs
}

// loginsView is what a crawl shows of its logins.
type loginsView struct {
	Frame
	CSS    string
	State  workspace.State
	Runs   bool
	Logins []loginRow
}

// A loginRow is a login with words for its state.
type loginRow struct {
	crawl.LoginState
	Class, Word, Todo string
	Again             *Button
}

// logins shows the logins of a crawl.
func (h *Handler) logins(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("crawl")
	v := loginsView{Frame: h.frame(r, "Logins of "+id), CSS: h.Asset("models.css")}
	c, err := h.Workspace.Crawl(r.Context(), id)
	if err != nil {
		return err
	}
	v.State = c.State
	v.Runs = c.State == workspace.Running || c.State == workspace.Paused && c.Status != nil && c.Status.PID != 0
	var all []crawl.LoginState
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		all, err = c.Logins(ctx)
		return err
	})
	if err != nil && !errors.Is(err, orbweaver.ErrInput) {
		return err
	}
	for _, l := range all {
		v.Logins = append(v.Logins, v.row(l))
	}
	return h.show(w, http.StatusOK, "logins", v)
}

// row says in words how a login stands, and what to do.
func (v *loginsView) row(l crawl.LoginState) loginRow {
	row := loginRow{LoginState: l, Class: "waiting"}
	switch l.State {
	case crawl.LoginIn:
		row.Class, row.Word = "running", "logged in"
	case crawl.LoginEntering:
		row.Word = "logging in"
	case crawl.LoginLost:
		row.Class, row.Word = "broken", "not logged in"
		row.Todo = "Nothing has to be done if this passes: the crawl tries again by itself. " + mends[l.Way]
	case crawl.LoginStuck:
		row.Class, row.Word = "broken", "waits for you"
		row.Todo = mends[l.Way] + " Then have the crawl try again: its hosts wait until it is logged in, and no request of them has failed."
	default:
		if row.Word = "not needed yet"; !v.Runs {
			row.Word = "at rest"
		}
	}
	if v.MayWrite && (l.State == crawl.LoginLost || l.State == crawl.LoginStuck) {
		b := v.Button(v.Base()+"/resume", "Try again now", "primary")
		row.Again = &b
	}
	return row
}

// mends say what a person can do about a lost login, by its way.
var mends = map[string]string{
	crawl.LoginByForm:    "Log in there yourself, to see that the account still works; then mend the file or variable with the password that the crawl file names.",
	crawl.LoginBySteps:   "Log in there yourself, to see whether the account works and the page is as it was; then mend the files that the crawl file names, or its steps.",
	crawl.LoginByCookies: "Log in there with a browser, and export its cookies into the file that the crawl file names.",
}

// loginWays say how a crawl logs in.
var loginWays = map[string]string{crawl.LoginByForm: "by a form", crawl.LoginBySteps: "by steps in a browser", crawl.LoginByCookies: "by cookies that you provide"}

// WayOf says how a crawl logs in.
func (loginsView) WayOf(l loginRow) string { return loginWays[l.Way] }

// stoppingView is what a crawl shows of its end.
type stoppingView struct {
	Frame
	CSS        string
	Now        crawl.Stopping
	Runs, Over bool
	Rule, Says string // the rule in words, and what it says now
	Figures    []Figure
	Limits     []limitRow
}

// A limitRow is a limit with what counts against it.
type limitRow struct{ Name, Now, Most string }

// stopping shows what is left to accept, and when the crawl ends.
func (h *Handler) stopping(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("crawl")
	v := stoppingView{Frame: h.frame(r, "Stopping of "+id), CSS: h.Asset("models.css")}
	c, err := h.Workspace.Crawl(r.Context(), id)
	if err != nil {
		return err
	}
	v.Over = c.State == workspace.Ended
	v.Runs = c.State == workspace.Running || c.State == workspace.Paused
	err = h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		v.Now, err = c.Stopping(ctx)
		return err
	})
	if err != nil && !errors.Is(err, orbweaver.ErrInput) {
		return err
	}
	v.Rule, v.Says = ruleWords(v.Now.Saturation), v.says(c.End)
	if e := v.Now.Now; e != nil {
		v.Figures = []Figure{
			{"Accepted", count(e.Accepted), "Pages so far that would be accepted at the end: by the threshold that is foreseen for it."},
			{"Left", rangeWords(e.Left), "Pages that would still be accepted if all went on that waits, and what it leads to; in nine of ten cases as many as the numbers in parentheses."},
			{"Next 1 000", rangeWords(e.Next), "The same, of the next 1 000 requests."},
			{"Requests", count(e.Requests), "Made when this was estimated."},
		}
	}
	for _, l := range v.Now.Limits {
		row := limitRow{l.Name, count(l.Now), count(l.Most)}
		switch l.Name {
		case "bytes":
			row.Now, row.Most = size(l.Now), size(l.Most)
		case "time":
			row.Now, row.Most = span(l.Spent), span(l.Time)
		}
		v.Limits = append(v.Limits, row)
	}
	return h.show(w, http.StatusOK, "stopping", v)
}

// rangeWords are a number of pages with its interval.
func rangeWords(r crawl.LeftRange) string {
	return fmt.Sprintf("%s (%s–%s)", count(int64(math.Round(r.Mean))), count(int64(r.Low)), count(int64(r.High)))
}

// ruleWords says what stop.saturation means.
func ruleWords(saturation float64) string {
	switch {
	case saturation == 0:
		return ""
	case saturation < 1:
		return fmt.Sprintf("The crawl ends when another 1 000 requests, or as many as so far if these are more, are expected to bring fewer than %g %% of the pages accepted so far.", 100*saturation)
	}
	return fmt.Sprintf("The crawl ends when the next 1 000 requests are expected to bring fewer than %g accepted pages.", saturation)
}

// says says what the rule comes to now.
func (v *stoppingView) says(end string) string {
	t := v.Now.Test
	switch {
	case v.Over && end == "saturated":
		return "It has ended by this rule. To go on, lower the value or leave out the key, and start it again."
	case t == nil:
		return ""
	}
	compared := fmt.Sprintf("The next %s requests are expected to bring %.1f; the rule ends it below %.1f.", count(t.Ahead), t.Expected, t.Fewer)
	switch {
	case v.Now.Met && v.Runs:
		return compared + " It ends when it looks the next time: it does so each time a fortieth of the requests later."
	case v.Now.Met:
		return compared + " A session that goes on ends by it."
	case v.Now.Now.Left.Mean < t.Fewer:
		return compared + " It does not end yet."
	}
	return compared + " It goes on."
}

// inUpkeep reports whether the page is one of the parts.
func (f Frame) inUpkeep() bool {
	return slices.ContainsFunc(upkeepTabs, func(t struct{ path, label string }) bool { return f.Here == f.Base()+t.path })
}
