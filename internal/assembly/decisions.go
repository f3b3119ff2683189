package assembly

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/crawlfolder"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/weburl"
)

// decisionsFile comes into a crawl folder with the first decision: what was decided, so that it can be crawled again.
const decisionsFile = "decisions.jsonl"

// WriteDecisions writes what was decided so far, for a crawl that is to decide the same.
func (c *Crawl) WriteDecisions() error {
	return crawlfolder.ReplaceWith(filepath.Join(c.File.Output, decisionsFile), func(f *os.File) error {
		encoder := json.NewEncoder(f)
		encoder.SetEscapeHTML(false) // IRIs are to be read
		for d, err := range c.Ledger.Decisions() {
			if err = errors.Join(err, encoder.Encode(lineOf(d))); err != nil {
				return err
			}
		}
		return nil
	})
}

// catchUp writes the file of decisions anew where the crawl was killed between a decision and that.
func (c *Crawl) catchUp() error {
	for range c.Ledger.Decisions() {
		return c.WriteDecisions()
	}
	return nil
}

// A decisionLine is a line of decisions.jsonl: a decision whose statements are N-Triples.
type decisionLine struct {
	orbweaver.Decision
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
}

func lineOf(d orbweaver.Decision) decisionLine {
	line := decisionLine{Decision: d}
	for _, q := range d.Added {
		line.Added = append(line.Added, Statement(q))
	}
	for _, q := range d.Removed {
		line.Removed = append(line.Removed, Statement(q))
	}
	return line
}

// Statement writes a statement as a line of N-Triples, without its end.
func Statement(q rdf.Quad) string {
	return strings.TrimRight(string(ntriples.AppendTriple(nil, rdf.Triple{S: q.S, P: q.P, O: q.O})), "\n")
}

// read reads what lineOf wrote, and makes sure that a crawl can take it up.
func (l decisionLine) read() (d orbweaver.Decision, err error) {
	d = l.Decision
	if d.Added, err = statements("added", l.Added); err != nil {
		return d, err
	}
	if d.Removed, err = statements("removed", l.Removed); err != nil {
		return d, err
	}
	if d.After < 0 {
		return d, fmt.Errorf("after %d requests", d.After)
	}
	return d, checkKind(d)
}

// checkKind makes sure that a decision is of one kind, and has what that needs.
func checkKind(d orbweaver.Decision) error {
	kinds := 0
	for _, is := range []bool{d.ID != "", d.Page != "", len(d.Removed) > 0} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds == 0:
		return errors.New("no id of a suggestion, no page and nothing removed")
	case kinds > 1:
		return errors.New("more than one of id, page and removed: these are decisions of their own")
	case d.ID == "" && (len(d.Added) > 0 || d.As+d.Text+d.Entity+d.Range != ""):
		return errors.New("added, as, text, entity and range go with the id of a suggestion alone")
	case d.Page != "":
		if canonical, err := weburl.Canonical(d.Page); err != nil || canonical != d.Page {
			return fmt.Errorf("page %q is no URL as pages.jsonl has it", d.Page)
		}
	case slices.ContainsFunc(d.Removed, func(q rdf.Quad) bool { return q.S.Kind == rdf.Blank || q.O.Kind == rdf.Blank }):
		return errors.New("removed: a blank node has no name outside its document")
	case len(d.Removed) > 0 && !d.Accepted:
		return errors.New("not accepted, and removes something")
	case d.ID != "" && d.Accepted && len(d.Added) == 0:
		return errors.New("accepted, and adds nothing")
	case d.ID != "" && !d.Accepted && len(d.Added) > 0:
		return errors.New("not accepted, and adds something")
	}
	return nil
}

// statements reads lines of N-Triples.
func statements(name string, lines []string) (all []rdf.Quad, err error) {
	for t, err := range ntriples.Read(strings.NewReader(strings.Join(lines, "\n")+"\n"), syntax.Options{Name: name}) {
		if err != nil {
			return nil, err
		}
		all = append(all, rdf.Quad{S: t.S, P: t.P, O: t.O})
	}
	return all, nil
}

// The bounds of a file of decisions.
const (
	maxDecisions    = 100_000
	maxDecisionLine = 1 << 20 // bytes
)

// readDecisions reads what an earlier crawl decided: a line each, those of the same suggestion once, in
// the order in which they were made. Empty lines are skipped. An error names file and line.
func readDecisions(path string) ([]orbweaver.Decision, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("decisions: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	r := decisionReader{ids: map[string]bool{}}
	lines, number := bufio.NewScanner(file), 1
	lines.Buffer(nil, maxDecisionLine)
	for ; err == nil && lines.Scan(); number++ {
		if err = r.read(lines.Bytes()); err != nil {
			number--
		}
	}
	if err = errors.Join(err, lines.Err()); err != nil {
		return nil, fmt.Errorf("decisions: %s:%d: %w (%w)", path, number, err, orbweaver.ErrInput)
	}
	return r.all, nil
}

// A decisionReader reads decisions, line by line.
type decisionReader struct {
	all []orbweaver.Decision
	ids map[string]bool
}

func (r *decisionReader) read(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil
	}
	var line decisionLine
	if err := json.Unmarshal(text, &line); err != nil {
		return fmt.Errorf("not a decision: %w", err)
	}
	d, err := line.read()
	switch {
	case err != nil:
		return err
	case d.ID != "" && r.ids[d.ID]:
		return fmt.Errorf("%s was decided before", d.ID)
	case len(r.all) > 0 && d.After < r.all[len(r.all)-1].After:
		return fmt.Errorf("after %d requests, and the one before after %d: not in order", d.After, r.all[len(r.all)-1].After)
	case len(r.all) >= maxDecisions:
		return fmt.Errorf("more than %d decisions", maxDecisions)
	}
	r.ids[d.ID] = true
	r.all = append(r.all, d)
	return nil
}
