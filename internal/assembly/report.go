package assembly

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"

	"orbweaver/eval"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Remember copies from ledger and focus the data of report and summary other than pages. The copy does not change
// while the crawl runs on.
func (c *Crawl) Remember(l *ledger.Ledger) error {
	for account, err := range l.Accounts() {
		if err != nil {
			return err
		}
		c.hosts = append(c.hosts, account)
	}
	c.refused, c.gaps = l.Refused(), c.suggestions()
	c.waiting = max(0, int64(l.Known())-l.Progress().Requests)
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
	if c.stranded, err = c.isStranded(l); err != nil { // needs c.view
		return err
	}
	if !c.running { // of a running crawl, links are measured in small batches
		c.Links, err = MeasureLinks(c.File.Focus, c.File.Output, WebGraph{l})
	}
	return err
}

// lookAtFocus sets the view of results other than pages.
func (c *Crawl) lookAtFocus(l *ledger.Ledger) (err error) {
	if c.Focus == nil {
		c.view = kind.Of(c.File.Focus).Kept(c.File.Focus.Section(), c.File.Output)
		return nil
	}
	c.view, err = c.Focus.View(c.Env, l, c.running)
	return err
}

// Standing returns a frozen copy of a running crawl, from which other goroutines can write a report. It must be called
// between two steps. The copy lacks focus, ledger and endpoint knowledge, which the decider goroutine keeps changing.
func (c *Crawl) Standing() (*Crawl, error) {
	s := *c
	s.running, s.hosts = true, nil
	s.Changes, s.watch = c.Changes.clone(), c.watch.frozen()
	err := s.Remember(c.Ledger)
	s.Focus, s.Ledger, s.Book = nil, nil, nil
	return &s, err
}

// clone returns a copy of the changes noted so far.
func (c *changed) clone() *changed {
	if c == nil {
		return nil
	}
	return &changed{found: maps.Clone(c.found)} // lists only grow
}

// ReportFile is the report's name within the crawl folder.
const ReportFile = "report.html"

// writeReport writes the report of a crawl and adds each line of pages.jsonl to sum.
func (c *Crawl) writeReport(progress step.Progress, sum *summary) error {
	journal := filepath.Join(c.File.Output, ledger.JournalFile)
	facts := c.facts(progress)
	facts.Links = c.Links
	if !kind.AbilitiesOf(c.File.Focus).Pageless {
		facts.Left = func() eval.LeftFacts { return c.left(sum) }
	}
	err := atomicfile.Write(filepath.Join(c.File.Output, ReportFile), 0o666, func(f io.Writer) error {
		w, seal := crawlfolder.Sealed(f)
		if err := eval.WriteCrawlReport(w, facts, sum.collect(ledger.Committed(journal))); err != nil {
			return err
		}
		return seal()
	})
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// ShownTallies is the maximum number of rules or hosts on a line.
const ShownTallies = 3

// refusedWords formats the refusals of one reason on a line.
func refusedWords(r step.Refused) string {
	tallies, say := r.Rules, r.RuleWords
	if len(tallies) == 0 {
		tallies, say = r.Hosts, func(host string) string { return "to " + host }
	}
	if words := talliesOf(tallies, say); words != "" {
		return fmt.Sprintf("%d: %s", r.Links, words)
	}
	return fmt.Sprint(r.Links)
}

// talliesOf lists the first tallies by what their names say.
func talliesOf(tallies []step.Tally, words func(name string) string) string {
	var parts []string
	for _, t := range tallies[:min(len(tallies), ShownTallies)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", console.Visible(words(t.Name), 64), t.Links))
	}
	if len(tallies) > ShownTallies {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

// CutWords says what limits kept from a crawl, a line each: how much, the best prediction among it, and what would change that.
// threshold is the score of acceptance; 0: none.
func CutWords(refused []step.Refused, threshold float64) (lines []string) {
	for _, r := range refused {
		if !r.Cuts(threshold) && r.Reason != step.RefusedRobots {
			continue
		}
		line := console.Several(int(r.Links), "link") + " " + cutBy[r.Reason]
		if words := r.BestWords(); words != "" {
			line += "; " + console.Visible(words, 300)
		}
		lines = append(lines, line)
	}
	return lines
}

// cutBy says where the links are that a limit kept from the crawl.
var cutBy = map[string]string{
	step.RefusedDepth: "beyond limits.depth", step.RefusedTrap: "in what looks endless",
	step.RefusedScope: "out of scope", step.RefusedRobots: "forbidden by robots.txt",
}

// TellRefused prints the links that were not followed, by reason.
func TellRefused(w io.Writer, refused []step.Refused) {
	if len(refused) == 0 {
		return
	}
	console.Say(w, "\nLinks that were not followed:")
	for _, r := range refused {
		console.Say(w, "  %-13s %s", r.Reason, refusedWords(r))
	}
}
