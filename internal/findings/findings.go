// Package findings stores the findings of a metadata crawl in its folder, in files for people and
// programs, and derives recommendations from them.
package findings

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/kb/catalog"
	"orbweaver/kb/relevance"
	"orbweaver/kb/terms"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// The files of a crawl folder.
const (
	TermsFile    = "terms.jsonl"    // a terms.Term a line, those given first, then in the order found
	DatasetsFile = "datasets.jsonl" // a terms.Term a line, given terms first, then found ones in order of discovery
	RejectedFile = "rejected.jsonl" // rejected candidates of a judged expansion, by IRI
	TimesFile    = "times.jsonl"    // a terms.Spent per processed term; the one file that differs from run to run
	RDFFile      = "findings.ttl"   // terms and datasets as written by terms.Describe
)

// Findings is the result of a metadata crawl.
type Findings struct {
	Terms    []terms.Term
	Rejected []terms.Term
	Datasets []terms.Dataset
	Spent    []terms.Spent // nil: not measured

	Question  *relevance.Question // to a person; nil: none. It is in no file
	Catalogue []catalog.Dataset   // the entries of the crawl's catalogues, for a ranking by links; read, and never written
}

// Write writes each file atomically. Without rejected candidates it writes no RejectedFile.
func (f Findings) Write(folder string) error {
	problems := []error{
		whole(folder, TermsFile, func(w io.Writer) error { return lines(w, f.Terms) }),
		whole(folder, DatasetsFile, func(w io.Writer) error { return lines(w, f.Datasets) }),
		whole(folder, RDFFile, f.rdf),
	}
	if len(f.Rejected) > 0 {
		problems = append(problems, whole(folder, RejectedFile, func(w io.Writer) error { return lines(w, f.Rejected) }))
	}
	if len(f.Spent) > 0 {
		problems = append(problems, WriteTimes(folder, f.Spent))
	}
	return errors.Join(problems...)
}

// lines writes one line of JSON per element.
func lines[T any](w io.Writer, all []T) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, one := range all {
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

// rdf writes terms and datasets as Turtle.
func (f Findings) rdf(out io.Writer) error {
	w := turtle.NewWriter(out, syntax.WriteOptions{Prefixes: map[string]string{
		"rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
		"owl": "http://www.w3.org/2002/07/owl#", "void": "http://rdfs.org/ns/void#", "prov": "http://www.w3.org/ns/prov#",
		"dcterms": "http://purl.org/dc/terms/", "xsd": "http://www.w3.org/2001/XMLSchema#", "ow": "http://orbweaver.example/terms#",
	}})
	for _, t := range terms.Describe(f.Terms, f.Datasets) {
		if err := w.Write(t); err != nil {
			return err
		}
	}
	return w.Close()
}

// whole writes a file, whole or not at all.
func whole(folder, name string, write func(io.Writer) error) error {
	path := filepath.Join(folder, name)
	if err := atomicfile.Write(path, 0o666, write); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// maxLine bounds a line, in bytes: a term with its paths.
const maxLine = 64 << 20

// Read reads the findings of a crawl folder. The error for the folder of another kind of crawl wraps
// orbweaver.ErrInput.
func Read(folder string) (f Findings, err error) {
	if f.Terms, err = read[terms.Term](folder, TermsFile); errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("%s: no %s: not the folder of a metadata crawl, or of one that found nothing yet (%w)", folder, TermsFile, orbweaver.ErrInput)
	}
	if err != nil {
		return f, err
	}
	if f.Datasets, err = read[terms.Dataset](folder, DatasetsFile); err != nil {
		return f, err
	}
	if f.Rejected, err = read[terms.Term](folder, RejectedFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f.Spent, err = Times(folder); err != nil {
		return f, err
	}
	f.Catalogue, err = Catalogue(folder)
	return f, err
}

// WriteTimes writes the times of a crawl folder, atomically.
func WriteTimes(folder string, spent []terms.Spent) error {
	return whole(folder, TimesFile, func(w io.Writer) error { return lines(w, spent) })
}

// Times reads the times of a crawl folder; nil if it has none.
func Times(folder string) ([]terms.Spent, error) {
	spent, err := read[terms.Spent](folder, TimesFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return spent, err
}

// read reads a file of JSON lines.
func read[T any](folder, name string) (all []T, err error) {
	path := filepath.Join(folder, name)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, maxLine)
	for n := 1; scanner.Scan(); n++ {
		var one T
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s:%d: %w (%w)", path, n, err, orbweaver.ErrInput)
		}
		all = append(all, one)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrInput)
	}
	return all, nil
}

// shownTerms bounds the terms of a summary.
const shownTerms = 12

// Summarize prints a short summary of the findings, and the command for more.
func (f Findings) Summarize(w io.Writer, folder string) {
	var found, silent int
	for _, t := range f.Terms {
		if t.Found {
			found++
		}
	}
	for _, d := range f.Datasets {
		if d.Reason != "" {
			silent++
		}
	}
	fmt.Fprintf(w, "\nTerms              %d, of which %d were found by relations\n", len(f.Terms), found)
	fmt.Fprintf(w, "Datasets           %d, of which %d gave no answer\n", len(f.Datasets), silent)
	n := 0
	for _, t := range f.Terms {
		if !t.Found || len(t.Paths) == 0 {
			continue
		}
		if n++; n > shownTerms {
			fmt.Fprintf(w, "  ... and %d more\n", found-shownTerms)
			break
		}
		fmt.Fprintf(w, "  %s\n", InWords(t.Paths[0]))
	}
	if q := f.Question; q != nil {
		fmt.Fprintf(w, "\n%s\nAnswer it: orbweaver ask %s --yes %s, or --no\n", InQuestion(*q), folder, ForShell(q.Class))
	}
	fmt.Fprintf(w, "\nWhich to use and link to: orbweaver recommend %s\n", folder)
	fmt.Fprintf(w, "Instances and time of each term: orbweaver recommend %s --tables\n", folder)
}
