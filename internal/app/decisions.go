package app

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/crawlfolder"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/weburl"
)

// The files of a crawl folder that come with the first decision: what the crawl knew at its start, and
// what was decided since, so that it can be crawled again.
const (
	decisionsFile  = "decisions.jsonl"
	ontologyFolder = "ontology"
)

// keepOntology copies the ontology as it was at the crawl's start, before it is first written to. All
// files are kept or none.
func keepOntology(output string, files []string) error {
	folder := filepath.Join(output, ontologyFolder)
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.RemoveAll(folder + crawlfolder.Partial); err != nil {
		return err
	}
	if err := os.MkdirAll(folder+crawlfolder.Partial, 0o777); err != nil {
		return err
	}
	for i, file := range files {
		if err := keepFile(filepath.Join(folder+crawlfolder.Partial, keptName(i, file)), file); err != nil {
			return fmt.Errorf("keep the ontology as it was: %w", err)
		}
	}
	return os.Rename(folder+crawlfolder.Partial, folder)
}

// keptName is the name of the copy of the i-th ontology file.
func keptName(i int, file string) string { return fmt.Sprintf("%02d-%s", i+1, filepath.Base(file)) }

// spelledOut ends the name of a copy that is not to the byte: a file whose IRIs are relative to where it
// lies would say something else in another place, and is kept as N-Triples.
const spelledOut = ".nt"

// keepFile copies an ontology file to the byte, or what it says.
func keepFile(to, file string) error {
	said, err := saidHere(file)
	if err != nil {
		return err
	}
	if said != nil {
		return crawlfolder.ReplaceFile(to+spelledOut, said)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return crawlfolder.ReplaceFile(to, text)
}

// saidHere returns the triples of a file, as N-Triples, if they depend on where it lies, else nil.
func saidHere(file string) (said []byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	inner, content := strings.TrimSuffix(file, ".gz"), io.Reader(f)
	if inner != file {
		if content, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	buffered := bufio.NewReader(content)
	head, _ := buffered.Peek(buffered.Size()) // an error comes again when reading
	here := (&url.URL{Scheme: "file", Path: filepath.ToSlash(inner)}).String()
	depends := false
	for t, err := range document.Read(buffered, syntax.Detect(inner, "", head), syntax.Options{Name: file, Base: here}) {
		if err != nil {
			return nil, err
		}
		depends = depends || isLocal(t.S) || isLocal(t.P) || isLocal(t.O)
		said = ntriples.AppendTriple(said, t)
	}
	if !depends {
		return nil, nil
	}
	return said, nil
}

// isLocal reports whether a term names a file, as relative IRIs come to do.
func isLocal(t rdf.Term) bool {
	return t.Kind == rdf.IRI && strings.HasPrefix(t.Value, "file:") || strings.HasPrefix(t.Datatype, "file:")
}

// ontologyFiles are the files of a focus as a crawl began with them: the copies, where there are some.
func ontologyFiles(output string, files []string) []string {
	if _, err := os.Stat(filepath.Join(output, ontologyFolder)); err != nil {
		return files
	}
	kept := make([]string, len(files))
	for i, file := range files {
		kept[i] = filepath.Join(output, ontologyFolder, keptName(i, file))
		if _, err := os.Stat(kept[i] + spelledOut); err == nil {
			kept[i] += spelledOut
		}
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
	return crawlfolder.ReplaceWith(filepath.Join(c.file.Output, decisionsFile), func(f *os.File) error {
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

// catchUp writes the file of decisions anew where the crawl was killed between a decision and that.
func (c *crawl) catchUp() error {
	for range c.ledger.Decisions() {
		return c.writeDecisions()
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
		line.Added = append(line.Added, statement(q))
	}
	for _, q := range d.Removed {
		line.Removed = append(line.Removed, statement(q))
	}
	return line
}

// statement writes a statement as a line of N-Triples, without its end.
func statement(q rdf.Quad) string {
	return strings.TrimRight(string(ntriples.AppendTriple(nil, rdf.Triple{S: q.S, P: q.P, O: q.O})), "\n")
}

// decision reads what lineOf wrote, and makes sure that a crawl can take it up.
func (l decisionLine) decision() (d orbweaver.Decision, err error) {
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
	d, err := line.decision()
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
