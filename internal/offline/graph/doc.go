// Package graph makes one graph of what the pages of a crawl say: it maps their vocabularies by CONSTRUCT rules, merges entities
// by owl:sameAs and by keys, validates the result by SHACL, and knows for each statement the pages that say it.
//
// A Builder takes the statements page by page and keeps the results of the rules in a file; when all pages are there, it reads
// that file with the names of merged entities. Memory holds one page, the classes of equal entities and the shapes. What needs
// each statement once (formats of triples, shapes) is sorted on disk, in a quad store in a temporary folder.
//
// Blank nodes become IRIs (urn:uuid:…), the same in every export of the crawl, so that they can be merged and referred to.
package graph

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/rdf"
	"orbweaver/rdf/shacl"
	"orbweaver/rdf/syntax"
)

// Options say what a graph is made by. The zero value means the statements of the pages as they are, with owl:sameAs.
type Options struct {
	Rules  []string // names of Sets, or files with a CONSTRUCT query each; none: statements as they are
	Keys   []string // properties whose equal values mean the same entity, as IRIs or PREFIX:NAME; or a class and its properties
	Shapes []string // files of SHACL shapes; they may also state keys
	Report string   // file of the validation report: Turtle, or text if it ends with .txt
	Class  int      // IRIs and key values of one class of equal entities; above, none of it is merged; 0: DefaultClass

	// Sources says how formats of triples name the pages: Entities, Statements, or not at all.
	Sources string

	// Texts are the contents of files by their names, for callers without files: a name of Rules or Shapes that is here is not opened,
	// and no rule set. They are taken as they are, not decompressed.
	Texts map[string][]byte `json:"-"`
	// ReportTo gets the validation report instead of the file Report, whose name still says its syntax.
	ReportTo io.Writer `json:"-"`
	// Unvalidated takes from the shapes the keys that they state, and validates nothing.
	Unvalidated bool `json:"-"`
}

// DefaultClass is the default of Options.Class.
const DefaultClass = 100

// Values of Options.Sources.
const (
	Entities   = "entities"   // prov:wasDerivedFrom of each subject
	Statements = "statements" // an rdf:Statement for each statement, with prov:wasDerivedFrom
)

// Asked reports whether any option is set.
func (o *Options) Asked() bool {
	return len(o.Rules)+len(o.Keys)+len(o.Shapes) > 0 || o.Report != "" || o.Class != 0 || o.Sources != ""
}

// Check returns what is wrong with options before anything is read. The error wraps ErrInput.
func (o *Options) Check() error {
	switch {
	case !slices.Contains([]string{"", Entities, Statements}, o.Sources):
		return fmt.Errorf("--sources is %s or %s, not %q (%w)", Entities, Statements, o.Sources, orbweaver.ErrInput)
	case o.Report != "" && len(o.Shapes) == 0:
		return fmt.Errorf("--report needs --shapes (%w)", orbweaver.ErrInput)
	case o.Class < 0:
		return fmt.Errorf("--class-limit is at least 1, not %d (%w)", o.Class, orbweaver.ErrInput)
	}
	return nil
}

// ErrViolations means that the graph does not conform to the shapes: a result has the severity sh:Violation.
var ErrViolations = errors.New("the graph violates the shapes")

// A Namespace finds the namespace of a prefix.
type Namespace func(prefix string) (string, bool)

// New reads rules and shapes, and begins a graph. temp is the folder for temporary files, empty: the system's. The error wraps
// ErrInput for what the user can correct.
func New(ctx context.Context, con *console.Console, opts Options, temp string, prefixes Namespace) (*Builder, error) {
	b := &Builder{opts: opts, console: con, temp: temp, steps: maxSteps, classes: newClasses(opts.Class)}
	if err := opts.Check(); err != nil {
		return nil, err
	}
	for _, name := range opts.Rules {
		rules, err := opts.readRules(ctx, name)
		if err != nil {
			return nil, err
		}
		b.rules = append(b.rules, rules...)
	}
	for _, text := range opts.Keys {
		if err := b.keys.parse(text, prefixes); err != nil {
			return nil, err
		}
	}
	if err := b.readShapes(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

// readShapes reads the shapes, and the keys among them.
func (b *Builder) readShapes(ctx context.Context) error {
	if len(b.opts.Shapes) == 0 {
		return nil
	}
	var all []rdf.Triple
	for i, name := range b.opts.Shapes {
		triples, err := b.opts.readFile(ctx, name, rdffile.Scope(fmt.Sprintf("f%d_", i)))
		if err != nil {
			return err
		}
		all = append(all, triples...)
	}
	var err error
	b.shapes, err = shacl.Parse(func(yield func(rdf.Triple, error) bool) {
		for _, t := range all {
			if !yield(t, nil) {
				return
			}
		}
	})
	if err != nil {
		return fmt.Errorf("--shapes %s: %w (%w)", strings.Join(b.opts.Shapes, ", "), err, orbweaver.ErrInput)
	}
	b.keys.read(all)
	if _, targeted := b.shapes.Count(); targeted == 0 {
		return fmt.Errorf("--shapes %s: no shape has a target (%w)", strings.Join(b.opts.Shapes, ", "), orbweaver.ErrInput)
	}
	return nil
}

// maxFileTriples bounds a file of shapes.
const maxFileTriples = 1 << 20

// open opens a file, or what Texts has in its place.
func (o *Options) open(ctx context.Context, name string) (*rdffile.File, error) {
	if text, ok := o.Texts[name]; ok {
		return &rdffile.File{Name: name, Inner: name, Text: bufio.NewReader(bytes.NewReader(text))}, nil
	}
	return rdffile.Open(ctx, name, os.Stdin)
}

// readFile reads a file in any syntax of RDF.
func (o *Options) readFile(ctx context.Context, name string, scope rdffile.Scope) ([]rdf.Triple, error) {
	in, err := o.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	notation, err := in.Notation()
	if err != nil {
		return nil, err
	}
	var out []rdf.Triple
	for q, err := range notation.Quads(in.Text, syntax.Options{Name: in.Name, Base: in.Base}, nil) {
		if err != nil {
			return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
		if len(out) >= maxFileTriples {
			return nil, fmt.Errorf("%s: more than %d statements (%w)", name, maxFileTriples, orbweaver.ErrInput)
		}
		q = scope.Of(q)
		out = append(out, rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	return out, nil
}

// readText reads a file of text.
func (o *Options) readText(ctx context.Context, name string, most int64) (string, error) {
	in, err := o.open(ctx, name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(charset.NewReader(in.Text), most+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
	}
	return string(text), nil
}
