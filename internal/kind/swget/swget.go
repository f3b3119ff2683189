// Package swget is the kind of focus that follows a path expression through linked data, from document to document (NautiLOD).
package swget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"orbweaver/focus/linkeddata"
	focus "orbweaver/focus/swget"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/ledger"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// Files of a traversal in the crawl folder.
const (
	NodesFile = "nodes.jsonl" // a focus.Node a line, by level and IRI
	GraphFile = "graph.nq"    // what the documents say that were to be kept
)

// A section configures the expression and the bounds of the traversal.
type section struct {
	Expression string   `yaml:"expression" need:"yes" doc:"The NautiLOD expression to follow: predicates, ^ for the inverse direction, / | * ? + and <m-n>, and tests [ASK {...}]; see swget.md."`
	From       []string `yaml:"from" type:"list of IRIs or prefixed names" doc:"Start nodes. Optional if the expression begins with an IRI."`
	Domains    []string `yaml:"domains" type:"list of hosts" doc:"Nodes on hosts outside these, and their subdomains, are reported and not fetched. Default: all hosts."`
	Save       bool     `yaml:"save" default:"false" doc:"Whether the documents of result nodes are fetched and kept too; the crawl does not continue from them."`
	MaxNodes   int      `yaml:"max_nodes" default:"10000" min:"1" max:"10000000" doc:"Maximum number of nodes reached."`
	Depth      int      `yaml:"depth" default:"32" min:"1" max:"100000" doc:"Maximum number of steps from a start node."`

	Prefixes map[string]string `yaml:"-"` // those of the crawl file
}

// Kind follows an expression.
type Kind struct{ kind.Base }

// Traits are those of swget.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{Key: "swget", Seedless: true, Doc: "Nodes reached by a path expression through linked data, from document to document (NautiLOD)."}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Begins reports that the focus has first requests: the start nodes.
func (Kind) Begins(any) bool { return true }

// Check expands names.
func (Kind) Check(s any, c *crawlfile.Check) {
	f := s.(*section)
	f.Prefixes = c.Prefixes
	for i := range f.From {
		c.Spell(&f.From[i], c.Item("from", i), "", true)
	}
}

// Abilities returns those of a focus whose results are not pages.
func (Kind) Abilities(any) kind.Abilities {
	return kind.Abilities{
		Alone:    "it walks the paths of one expression, which few hosts answer, and their delays are what it takes",
		Pageless: true, Forms: linkeddata.Accept, Data: true,
		Mend: "No link matches the first step of focus.swget.expression.",
	}
}

// Line is the expression.
func (Kind) Line(s any) string { return "swget: " + s.(*section).Expression }

// New makes the focus.
func (Kind) New(_ context.Context, s any, _ *kind.Env) (kind.Instance, error) {
	f := s.(*section)
	built, err := focus.New(focus.Options{
		Expression: f.Expression, From: f.From, Domains: f.Domains, MaxNodes: f.MaxNodes, MaxLevels: f.Depth,
		Prefixes: f.Prefixes, Save: f.Save,
	})
	if err != nil {
		return nil, kind.Below("focus.swget.", err)
	}
	return &instance{kind.Plain{F: built}, built}, nil
}

// An instance is the focus of one crawl.
type instance struct {
	kind.Plain
	focus *focus.Focus
}

// View summarizes the traversal so far. Unless the crawl runs, it writes the nodes and the saved graph to the folder.
func (in *instance) View(env *kind.Env, l *ledger.Ledger, running bool) (kind.View, error) {
	s := in.focus.Summary()
	v := kind.View{Results: s.Results, Print: func(w io.Writer, folder string) { print(w, folder, s) }}
	if running {
		return v, nil
	}
	return v, keep(env.File.Output, in.focus, l)
}

// print prints the summary of a traversal.
func print(w io.Writer, folder string, s focus.Summary) {
	console.Say(w, "\nNodes              %d, of which %d are results", s.Nodes, s.Results)
	console.Say(w, "Documents          %d", s.Documents)
	if s.Late > 0 {
		console.Say(w, "Without an answer  %d", s.Late)
	}
	for _, bound := range s.CutShort {
		console.Say(w, "Cut short          %s", bound)
	}
	console.Say(w, "\nEach node with its path: %s", filepath.Join(folder, NodesFile))
}

// keep writes the nodes and the saved graph of a traversal, from the ledger of the crawl.
func keep(folder string, f *focus.Focus, l *ledger.Ledger) error {
	nodes := atomicfile.Write(filepath.Join(folder, NodesFile), 0o666, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		for _, n := range f.Nodes() {
			if err := encoder.Encode(n); err != nil {
				return err
			}
		}
		return nil
	})
	if len(f.Saved()) == 0 {
		return nodes
	}
	return errors.Join(nodes, atomicfile.Write(filepath.Join(folder, GraphFile), 0o666, func(file io.Writer) error {
		return writeGraphs(file, l, f.Saved())
	}))
}

// writeGraphs writes what documents say.
func writeGraphs(out io.Writer, l *ledger.Ledger, documents []string) error {
	w := nquads.NewWriter(out)
	for _, url := range documents {
		for q, err := range l.Quads(rdf.Term{}, rdf.Term{}, rdf.Term{}, rdf.NewIRI(iri.Encode(url))) {
			if err == nil {
				err = w.Write(q)
			}
			if err != nil {
				return err
			}
		}
	}
	return w.Close()
}

// A Node is a node that a traversal reached.
type Node = focus.Node

// Check reports what is wrong with an expression and its start nodes. The error points at the place in the expression, and
// wraps orbweaver.ErrInput.
func Check(expression string, prefixes map[string]string, from, domains []string) error {
	_, err := focus.New(focus.Options{Expression: expression, Prefixes: prefixes, From: from, Domains: domains})
	var at *syntax.Error
	if errors.As(err, &at) && at.Column > 0 && !strings.Contains(expression, "\n") {
		return fmt.Errorf("%w\n  %s\n  %s^", err, expression, strings.Repeat(" ", at.Column-1))
	}
	return err
}

// Results calls do for each result of a traversal, from the nodes file in a folder.
func Results(folder string, do func(Node) error) error {
	path := filepath.Join(folder, NodesFile)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for d := json.NewDecoder(file); ; {
		var n Node
		switch err := d.Decode(&n); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		case n.Result:
			if err := do(n); err != nil {
				return err
			}
		}
	}
}
