package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// Report writes a crawl's report.html anew, from what is committed, and prints the summary. A crawl
// that runs writes it itself. The error wraps ErrInput when the folder is none of a crawl.
func (a *App) Report(ctx context.Context, dir string) error {
	sum, err := a.Summary(ctx, dir)
	return a.printed(sum, err)
}

// Summary writes a crawl's report.html anew, from what is committed, and sums up. A crawl that runs writes it itself.
func (a *App) Summary(ctx context.Context, dir string) (*Summary, error) {
	c, err := reach(dir)
	if err == nil {
		defer c.Close()
		s := new(Summary)
		if err = askFor(ctx, c, "/report", nil, s); err == nil {
			return s, nil
		}
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return nil, err
	}
	return a.restingSummary(ctx, dir)
}

// restingSummary writes the report of a crawl that no process runs. Where what its file names is not there
// any more, it tells what the folder has.
func (a *App) restingSummary(ctx context.Context, dir string) (s *Summary, err error) {
	began := false
	err = a.atRest(ctx, dir, func(b *bench) (err error) {
		began = true
		if err = b.c.remember(b.c.ledger); err == nil {
			s, err = b.c.conclude(b.c.ledger.Progress())
		}
		return err
	})
	if began || err == nil || errors.Is(err, orbweaver.ErrBusy) || ctx.Err() != nil {
		return s, err
	}
	k, bad := openKnowledge(a.Schema(), dir)
	if bad != nil {
		return nil, bad
	}
	console.Say(a.Err, "warning: the report tells nothing of truth and suggestions: %v", err)
	c, progress := &crawl{path: filepath.Join(dir, crawlfolder.RunFile), file: k.file, gate: &gate.Gate{Scope: k.scope}}, k.ledger.Progress()
	if err := errors.Join(c.remember(k.ledger), k.close()); err != nil {
		return nil, err
	}
	return c.conclude(progress)
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

// reporting answers GET /report for a crawl that runs: between two steps it takes what
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
		answer, err := t.report(r.Context())
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Answer(w, answer)
	})}
}

func (t *control) report(ctx context.Context) (*Summary, error) {
	var c *crawl
	var progress step.Progress
	var failed error
	err := t.call(ctx, func() {
		progress = t.session.Progress()
		c, failed = t.c.standing()
	})
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	c.links, err = measureLinks(c.file.Focus, c.file.Output, movingGraph{webGraph{t.c.ledger}, func(f func()) error {
		return t.call(ctx, f)
	}})
	if err != nil {
		return nil, err
	}
	progress.Ended = "" // it runs
	return c.conclude(progress)
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
