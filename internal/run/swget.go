package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"orbweaver/focus/swget"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/findings"
	"orbweaver/internal/job"
	swgetkind "orbweaver/internal/kind/swget"
	"orbweaver/rdf/syntax"
)

// A SwgetJob is a walk given on the command line without a crawl file.
type SwgetJob struct {
	Expression string
	From       []string
	Domains    []string
	Prefixes   map[string]string
	Documents  map[string]string // URL prefix to file
	Archive    []string          // none: the live Web
	Private    bool
	Contact    string
	Delay      time.Duration
	MaxNodes   int
	Depth      int
	Save       string // file for the graph; empty: discard it
	Output     string // crawl folder; empty: a temporary one
	Paths      bool   // print the path to each node too
	JSON       bool
}

// Swget evaluates a NautiLOD expression over the Web and prints the nodes that it reaches. An error in the expression
// wraps ErrInput and shows the column.
func Swget(ctx context.Context, a *job.Job, job SwgetJob) (err error) {
	if _, err := swget.New(swget.Options{Expression: job.Expression, Prefixes: job.Prefixes, From: job.From, Domains: job.Domains}); err != nil {
		return pointedAt(job.Expression, err)
	}
	scratch, err := os.MkdirTemp("", "orbweaver-swget-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	text, output, err := job.file(scratch)
	if err != nil {
		return err
	}
	load := func() (*crawlfile.Crawl, error) { return a.Schema().Read("swget", scratch, text) }
	s, err := Run(ctx, a, assembly.Source{Path: "swget", Load: load}, 0)
	if s != nil {
		for _, w := range s.Warnings {
			console.Say(a.Err, "warning: %s", w)
		}
	}
	if err != nil {
		return err
	}
	if job.Save != "" {
		if err := copyGraph(filepath.Join(output, swgetkind.GraphFile), job.Save); err != nil {
			return err
		}
	}
	return printNodes(a, output, job)
}

// pointedAt appends the expression, with a caret under the column, to a syntax error.
func pointedAt(text string, err error) error {
	var at *syntax.Error
	if errors.As(err, &at) && at.Column > 0 && !strings.Contains(text, "\n") {
		return fmt.Errorf("%w\n  %s\n  %s^", err, text, strings.Repeat(" ", at.Column-1))
	}
	return err
}

// file returns the crawl file of a job, as JSON, which is also YAML, and its crawl folder.
func (job SwgetJob) file(scratch string) (text []byte, output string, err error) {
	walk := map[string]any{"expression": job.Expression, "save": job.Save != "", "max_nodes": job.MaxNodes, "depth": job.Depth}
	if len(job.From) > 0 {
		walk["from"] = job.From
	}
	if len(job.Domains) > 0 {
		walk["domains"] = job.Domains
	}
	if output = job.Output; output == "" {
		output = filepath.Join(scratch, "crawl")
	}
	politeness := map[string]any{"delay": job.Delay.String()}
	if job.Contact != "" {
		politeness["contact"] = job.Contact
	}
	all := map[string]any{"focus": map[string]any{"swget": walk}, "politeness": politeness, "allow_private": job.Private}
	if len(job.Prefixes) > 0 {
		all["prefixes"] = job.Prefixes
	}
	paths := []*string{&output}
	for i := range job.Archive {
		paths = append(paths, &job.Archive[i])
	}
	for _, p := range paths {
		if *p, err = filepath.Abs(*p); err != nil {
			return nil, "", err
		}
	}
	documents := map[string]string{}
	for prefix, path := range job.Documents {
		if documents[prefix], err = filepath.Abs(path); err != nil {
			return nil, "", err
		}
	}
	if all["output"] = output; len(documents) > 0 {
		all["documents"] = documents
	}
	if len(job.Archive) > 0 {
		all["web"] = map[string]any{"archive": job.Archive}
	}
	text, err = json.Marshal(all)
	return text, output, err
}

// copyGraph copies the graph file. If there is none, it writes an empty file.
func copyGraph(from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		return os.WriteFile(to, nil, 0o644)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	return crawlfolder.ReplaceWith(to, func(out *os.File) error {
		_, err := io.Copy(out, in)
		return err
	})
}

// printNodes prints the nodes that a walk reached.
func printNodes(a *job.Job, folder string, job SwgetJob) error {
	return swgetkind.Results(folder, func(n swget.Node) error {
		switch {
		case job.JSON:
			return console.WriteJSON(a.Out, n)
		case job.Paths:
			console.Say(a.Out, "%s\t%s\t%s", n.IRI, strconv.Itoa(n.Level), findings.InWords(n.Path))
		default:
			console.Say(a.Out, "%s", n.IRI)
		}
		return nil
	})
}
