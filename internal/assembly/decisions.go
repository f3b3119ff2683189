package assembly

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/weburl"
)

// decisionsFile lists a crawl's decisions in its folder, so that another crawl can replay them. The first decision
// creates it.
const decisionsFile = "decisions.jsonl"

// WriteDecisions writes the decisions so far to decisions.jsonl.
func (c *Crawl) WriteDecisions() error {
	return atomicfile.Write(filepath.Join(c.File.Output, decisionsFile), 0o666, func(f io.Writer) error {
		encoder := json.NewEncoder(f)
		encoder.SetEscapeHTML(false) // keep IRIs readable
		for d, err := range c.Ledger.Decisions() {
			if err == nil {
				err = encoder.Encode(lineOf(d))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// catchUp rewrites decisions.jsonl if there are decisions: the process may have been killed between a decision and
// its writing.
func (c *Crawl) catchUp() error {
	for range c.Ledger.Decisions() {
		return c.WriteDecisions()
	}
	return nil
}

// Repeated writes decisions.jsonl at the end of a session that had decisions of an earlier crawl to repeat.
func (c *Crawl) Repeated() error {
	if len(c.decisions) == 0 {
		return nil
	}
	return c.catchUp()
}

// A decisionLine is a line of decisions.jsonl: a decision with its statements as N-Triples.
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

// Statement formats a statement as N-Triples without the newline.
func Statement(q rdf.Quad) string {
	return strings.TrimRight(string(ntriples.AppendTriple(nil, rdf.Triple{S: q.S, P: q.P, O: q.O})), "\n")
}

// read is the inverse of lineOf. It fails if a crawl cannot replay the decision.
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

// checkKind checks that a decision is of exactly one kind, with the fields of that kind.
func checkKind(d orbweaver.Decision) error {
	kinds := 0
	for _, is := range []bool{d.ID != "", d.Page != "", len(d.Removed) > 0 && !(d.ID != "" && d.Withdrawn)} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds == 0:
		return errors.New("a decision needs an id, a page or removed statements")
	case kinds > 1:
		return errors.New("a decision has only one of id, page and removed: write one line for each")
	case d.ID == "" && (len(d.Added) > 0 || d.As+d.Text+d.Entity+d.Range != ""):
		return errors.New("added, as, text, entity and range need the id of a suggestion")
	case d.Withdrawn && (d.Page+d.ID == "" || d.Accepted):
		return errors.New("withdrawn is for a page or a suggestion, and not together with accepted")
	case d.Later && (d.ID == "" || d.Accepted || d.Withdrawn):
		return errors.New("later is for a suggestion, and neither together with accepted nor with withdrawn")
	case d.Part && (d.Page == "" || !d.Accepted):
		return errors.New("part is for a page, and together with accepted")
	case d.Page != "":
		if canonical, err := weburl.Canonical(d.Page); err != nil || canonical != d.Page {
			return fmt.Errorf("page %q is not a canonical URL, as in pages.jsonl", d.Page)
		}
	case slices.ContainsFunc(d.Removed, func(q rdf.Quad) bool { return q.S.Kind == rdf.Blank || q.O.HasBlank() }):
		return errors.New("removed: blank nodes cannot be removed: they have no name outside their document")
	case len(d.Removed) > 0 && !d.Accepted && d.ID == "":
		return errors.New("a decision that removes statements must be accepted")
	case d.ID != "" && d.Accepted && d.As != orbweaver.AsTopic && len(d.Added) == 0:
		return errors.New("an accepted suggestion must add statements")
	case d.ID != "" && !d.Accepted && len(d.Added) > 0:
		return errors.New("a rejected suggestion must not add statements")
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

// The bounds of a decisions file.
const (
	maxDecisions    = 100_000
	maxDecisionLine = 1 << 20 // bytes
)

// DecisionsOf returns the decisions of a crawl folder, in the order in which they were made.
func DecisionsOf(folder string) ([]orbweaver.Decision, error) {
	path := filepath.Join(folder, decisionsFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return readDecisions(path)
}

// readDecisions reads the decisions of an earlier crawl, one a line, in the order in which they were made. A suggestion
// may be decided again only after its decision was withdrawn, or postponed it. Empty lines are skipped. An error names file
// and line.
func readDecisions(path string) ([]orbweaver.Decision, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("decisions: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	r := decisionReader{last: map[string]orbweaver.Decision{}}
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
	all  []orbweaver.Decision
	last map[string]orbweaver.Decision // by id of a suggestion, the one that holds
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
	case d.ID != "" && !d.Withdrawn && r.holds(d.ID) && !r.last[d.ID].Later:
		return fmt.Errorf("suggestion %s is decided twice", d.ID)
	case d.ID != "" && d.Withdrawn && !r.holds(d.ID):
		return fmt.Errorf("suggestion %s is withdrawn and was not decided", d.ID)
	case len(r.all) > 0 && d.After < r.all[len(r.all)-1].After:
		return fmt.Errorf("out of order: after %d requests, but the decision before it is after %d", d.After, r.all[len(r.all)-1].After)
	case len(r.all) >= maxDecisions:
		return fmt.Errorf("more than %d decisions", maxDecisions)
	}
	r.last[d.ID] = d
	r.all = append(r.all, d)
	return nil
}

// holds reports whether a decision about a suggestion holds.
func (r *decisionReader) holds(id string) bool {
	d, ok := r.last[id]
	return ok && !d.Withdrawn
}
