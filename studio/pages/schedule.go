package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// scheduleView is what a crawl shows of its watch.
type scheduleView struct {
	Frame
	CSS      string
	Watch    *crawl.Watching
	Figures  []Figure
	Upcoming []crawl.Upcoming
	Changes  []crawl.PageChange
}

// shownVisits and shownChanges are how many are shown.
const (
	shownVisits  = 50
	shownChanges = 50
)

// schedule shows how up to date a crawl is, what changed, and the next visits.
func (h *Handler) schedule(w http.ResponseWriter, r *http.Request) error {
	v := scheduleView{Frame: h.frame(r, "Schedule of "+r.PathValue("crawl")), CSS: h.Asset("models.css")}
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) error {
		visits, err := c.Visits(ctx, shownVisits)
		if err == nil {
			v.Watch, v.Upcoming = visits.Watch, visits.Upcoming
			v.Changes, err = c.Changed(shownChanges)
		}
		return err
	})
	if err != nil && (errors.Is(err, workspace.ErrUnknown) || !errors.Is(err, orbweaver.ErrInput)) {
		return err
	}
	if s := v.Watch; s != nil {
		spent := count(s.Spent)
		if s.Requests > 0 {
			spent += " of " + count(s.Requests)
		}
		v.Figures = []Figure{
			{"Pages", count(s.Pages), "Pages that are visited again: accepted ones, sitemaps, feeds, and pages whose links led to accepted ones."},
			{"Up to date", percentWord(s.Fresh), "The expected share of pages whose copy is what the Web has now, by their estimated rates of change."},
			{"By worth", percentWord(s.Weighted), "The same weighted by what the pages are worth to the focus."},
			{"Mean age", inDays(s.Age), "The expected time since the first change that a copy lacks; 0 for copies that are up to date."},
			{"Gone", count(s.Gone), "Pages that were not there at the last visit."},
			{"Requests in 24 h", spent, "Visits and requests for new pages in the last 24 hours, and the limit of the crawl file."},
		}
	}
	return h.show(w, http.StatusOK, "schedule", v)
}

// inDays writes a number of days.
func inDays(d float64) string {
	if t := time.Duration(d * 24 * float64(time.Hour)); t < 48*time.Hour {
		return span(t)
	}
	return fmt.Sprintf("%.1f days", d)
}

// EveryOf is the time between two visits of a page, in words.
func (scheduleView) EveryOf(u crawl.Upcoming) string {
	if u.Every == 0 {
		return "by rounds"
	}
	return inDays(u.Every.Hours() / 24)
}

// A DiffLine is a line of a difference of texts.
type DiffLine struct{ Class, Sign, Text string }

// Lines are the lines of a change's difference.
func (scheduleView) Lines(c crawl.PageChange) (lines []DiffLine) {
	for line := range strings.Lines(c.Diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
		case line[0] == '-':
			lines = append(lines, DiffLine{"gone", "Gone:", line[1:]})
		case line[0] == '+':
			lines = append(lines, DiffLine{"come", "New:", line[1:]})
		case line == "@@":
			lines = append(lines, DiffLine{"apart", "", "…"})
		default:
			lines = append(lines, DiffLine{"same", "", line[1:]})
		}
	}
	return lines
}
