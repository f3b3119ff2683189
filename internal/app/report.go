package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfolder"
	"orbweaver/internal/app/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// Report writes a crawl's report.html anew, from what is committed, and prints the summary. A crawl
// that runs writes it itself. The error wraps ErrInput when the folder is none of a crawl.
func (a *App) Report(ctx context.Context, dir string) error {
	c, err := reach(dir)
	if err == nil {
		defer c.Close()
		var r reported
		query := url.Values{"width": {strconv.Itoa(a.Columns())}}
		if err = askFor(ctx, c, "/report", query, &r); err == nil {
			_, err = a.Out.Write([]byte(r.Summary))
			return err
		}
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return err
	}
	return a.reportOf(ctx, dir)
}

// reportOf writes the report of a crawl that no process runs. Where what its file names is not there
// any more, it tells what the folder has.
func (a *App) reportOf(ctx context.Context, dir string) error {
	began := false
	err := a.atRest(ctx, dir, func(b *bench) error {
		began = true
		if err := b.c.remember(b.c.ledger); err != nil {
			return err
		}
		return a.conclude(b.c, b.c.ledger.Progress())
	})
	if began || err == nil || errors.Is(err, orbweaver.ErrBusy) || ctx.Err() != nil {
		return err
	}
	k, bad := openKnowledge(a.Schema(), dir)
	if bad != nil {
		return bad
	}
	console.Say(a.Err, "warning: the report tells nothing of truth and suggestions: %v", err)
	c, progress := &crawl{path: filepath.Join(dir, crawlfolder.RunFile), file: k.file, gate: &gate.Gate{Scope: k.scope}}, k.ledger.Progress()
	if err := errors.Join(c.remember(k.ledger), k.close()); err != nil {
		return err
	}
	return a.conclude(c, progress)
}

// remember takes from ledger and focus what a report and a summary tell beside the pages. Nothing in it
// changes with the crawl.
func (c *crawl) remember(l *ledger.Ledger) error {
	for account, err := range l.Accounts() {
		if err != nil {
			return err
		}
		c.hosts = append(c.hosts, account)
	}
	c.refused, c.gaps = l.Refused(), c.suggestions()
	var err error
	if c.barren, err = c.fates(l); err != nil {
		return err
	}
	if !c.running {
		if err = l.Flush(); err != nil {
			return err
		}
	}
	if err = c.lookAtFocus(l); err != nil {
		return err
	}
	if c.stranded, err = c.isStranded(l); err != nil { // by what the focus found
		return err
	}
	if !c.running { // else links are looked at a few at a time
		c.links, err = measureLinks(c.file.Focus, c.file.Output, webGraph{l})
	}
	return err
}

// lookAtFocus takes what the focus found beside pages.
func (c *crawl) lookAtFocus(l *ledger.Ledger) (err error) {
	if c.focus == nil {
		c.view = kind.Of(c.file.Focus).Kept(c.file.Focus.Section(), c.file.Output)
		return nil
	}
	c.view, err = c.focus.View(c.env, l, c.running)
	return err
}

// reported is the answer to GET /report.
type reported struct {
	Path    string `json:"path"`
	Summary string `json:"summary"`
}

// reporting answers GET /report?width=COLUMNS for a crawl that runs: between two steps it takes what
// the ledger has, then it writes beside the crawl.
func (t *control) reporting() server.Route {
	one := make(chan struct{}, 1) // reports are written one after the other
	return server.Route{Pattern: "GET /report", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case one <- struct{}{}:
			defer func() { <-one }()
		case <-r.Context().Done():
			server.Fail(w, r.Context().Err())
			return
		}
		answer, err := t.report(r)
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Answer(w, answer)
	})}
}

func (t *control) report(r *http.Request) (reported, error) {
	var c *crawl
	var progress step.Progress
	var failed error
	err := t.call(r.Context(), func() {
		progress = t.sitting.Progress()
		c, failed = t.c.standing()
	})
	if err := errors.Join(err, failed); err != nil {
		return reported{}, err
	}
	c.links, err = measureLinks(c.file.Focus, c.file.Output, movingGraph{webGraph{t.c.ledger}, func(f func()) error {
		return t.call(r.Context(), f)
	}})
	if err != nil {
		return reported{}, err
	}
	progress.Ended = "" // it runs
	var out bytes.Buffer
	width, _ := strconv.Atoi(r.URL.Query().Get("width"))
	err = (&App{Console: console.Console{Out: &out, Err: &out, Width: min(max(width, 0), 1000)}}).conclude(c, progress)
	return reported{Path: filepath.Join(c.file.Output, reportFile), Summary: out.String()}, err
}

// standing is a running crawl as it is now, for who tells of it beside the crawl; to be called between two
// steps. Nothing in it changes any more: what the deciding goroutine goes on with, it lacks.
func (c *crawl) standing() (*crawl, error) {
	s := *c
	s.running, s.hosts = true, nil
	s.changes = c.changes.clone()
	err := s.remember(c.ledger)
	s.focus, s.ledger, s.book = nil, nil, nil
	return &s, err
}

// clone returns what was noted so far.
func (c *changes) clone() *changes {
	if c == nil {
		return nil
	}
	return &changes{found: maps.Clone(c.found)} // lists only grow
}

// reportFile is the report's name within the crawl folder.
const reportFile = "report.html"

// writeReport writes the report of a crawl; sum hears of each line.
func (c *crawl) writeReport(progress step.Progress, sum *summary) error {
	journal := filepath.Join(c.file.Output, ledger.JournalFile)
	facts := c.facts(progress)
	facts.Links = c.links
	err := crawlfolder.ReplaceWith(filepath.Join(c.file.Output, reportFile), func(f *os.File) error {
		return eval.WriteCrawlReport(f, facts, sum.heard(ledger.Committed(journal)))
	})
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// shownTallies is how many rules, or hosts, a line tells of.
const shownTallies = 3

// refusedWords tells of one reason on one line.
func refusedWords(r step.Refused) string {
	tallies, of := r.Rules, ""
	if len(tallies) == 0 {
		tallies, of = r.Hosts, "to "
	}
	if words := talliesOf(tallies, of); words != "" {
		return fmt.Sprintf("%d: %s", r.Links, words)
	}
	return fmt.Sprint(r.Links)
}

// talliesOf lists the first tallies, each name after a word.
func talliesOf(tallies []step.Tally, word string) string {
	var parts []string
	for _, t := range tallies[:min(len(tallies), shownTallies)] {
		name := cmp.Or(t.Name, "no rule")
		parts = append(parts, fmt.Sprintf("%s%s (%d)", word, console.Visible(name, 60), t.Links))
	}
	if len(tallies) > shownTallies {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

// tellRefused prints which links were not followed.
func (a *App) tellRefused(refused []step.Refused) {
	if len(refused) == 0 {
		return
	}
	console.Say(a.Out, "\nLinks that were not followed:")
	for _, r := range refused {
		console.Say(a.Out, "  %-13s %s", r.Reason, refusedWords(r))
	}
}
