package app

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
)

// The files of a crawl folder that come with the first decision: what the crawl knew at its start, and
// what was decided since, so that it can be crawled again.
const (
	decisionsFile  = "decisions.jsonl"
	ontologyFolder = "ontology"
)

// keepOntology copies the ontology as it was at the crawl's start, before it is first written to.
func keepOntology(output string, files []string) error {
	folder := filepath.Join(output, ontologyFolder)
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.RemoveAll(folder + partial); err != nil {
		return err
	}
	if err := os.MkdirAll(folder+partial, 0o777); err != nil {
		return err
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = replaceFile(filepath.Join(folder+partial, keptName(i, file)), text)
		}
		if err != nil {
			return fmt.Errorf("keep the ontology as it was: %w", err)
		}
	}
	return os.Rename(folder+partial, folder)
}

// keptName is the name of the copy of the i-th ontology file.
func keptName(i int, file string) string { return fmt.Sprintf("%02d-%s", i+1, filepath.Base(file)) }

// ontologyFiles are the files of a focus as a crawl began with them: the copies, where there are some.
func ontologyFiles(output string, files []string) []string {
	if _, err := os.Stat(filepath.Join(output, ontologyFolder)); err != nil {
		return files
	}
	kept := make([]string, len(files))
	for i, file := range files {
		kept[i] = filepath.Join(output, ontologyFolder, keptName(i, file))
	}
	return kept
}

// asBegun is the focus of a crawl file with the ontology that its crawl began with.
func asBegun(c *crawlfile.Crawl) crawlfile.Focus {
	f := c.Focus
	if f.Ontology != nil {
		own := *f.Ontology
		own.Files = ontologyFiles(c.Output, own.Files)
		f.Ontology = &own
	}
	return f
}

// writeDecisions writes what was decided so far, for a crawl that is to decide the same.
func (c *crawl) writeDecisions() error {
	return replaceWith(filepath.Join(c.file.Output, decisionsFile), func(f *os.File) error {
		encoder := json.NewEncoder(f)
		encoder.SetEscapeHTML(false) // IRIs are to be read
		for d, err := range c.ledger.Decisions() {
			if err = errors.Join(err, encoder.Encode(lineOf(d))); err != nil {
				return err
			}
		}
		return nil
	})
}

// A decisionLine is a line of decisions.jsonl: a decision whose statements are N-Triples.
type decisionLine struct {
	orbweaver.Decision
	Added []string `json:"added,omitempty"`
}

func lineOf(d orbweaver.Decision) decisionLine {
	line := decisionLine{Decision: d}
	for _, q := range d.Added {
		line.Added = append(line.Added, statement(q))
	}
	return line
}

// statement writes a statement as a line of N-Triples, without its end.
func statement(q rdf.Quad) string {
	return strings.TrimRight(string(ntriples.AppendTriple(nil, rdf.Triple{S: q.S, P: q.P, O: q.O})), "\n")
}

// decision reads what lineOf wrote.
func (l decisionLine) decision() (orbweaver.Decision, error) {
	d := l.Decision
	d.Added = nil
	for t, err := range ntriples.Read(strings.NewReader(strings.Join(l.Added, "\n")+"\n"), syntax.Options{}) {
		if err != nil {
			return d, err
		}
		d.Added = append(d.Added, rdf.Quad{S: t.S, P: t.P, O: t.O})
	}
	return d, nil
}

// maxDecisions bounds a file of decisions.
const maxDecisions = 100_000

// readDecisions reads what an earlier crawl decided.
func readDecisions(path string) ([]orbweaver.Decision, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("decisions: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	var all []orbweaver.Decision
	for decoder := json.NewDecoder(bufio.NewReader(file)); ; {
		var line decisionLine
		var d orbweaver.Decision
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err == nil {
			d, err = line.decision()
		}
		switch {
		case err == nil && len(all) > 0 && d.After < all[len(all)-1].After:
			err = errors.New("decisions are not in order")
		case err == nil && len(all) >= maxDecisions:
			err = fmt.Errorf("more than %d decisions", maxDecisions)
		}
		if err != nil {
			return nil, fmt.Errorf("decisions: %s: decision %d: %w (%w)", path, len(all)+1, err, orbweaver.ErrInput)
		}
		all = append(all, d)
	}
}
