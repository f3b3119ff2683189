package graph

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"orbweaver/internal/console"
	"orbweaver/rdf"
	"orbweaver/rdf/shacl"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// A Page is what one page says.
type Page struct {
	Graph      rdf.Term // the page
	Crawl      string   // node of the crawl, for the names of blank nodes
	Fetched    time.Time
	Statements iter.Seq[rdf.Triple]
}

// A Builder makes a graph. It is for one goroutine, and must be closed.
type Builder struct {
	opts    Options
	console *console.Console
	temp    string
	rules   []rule
	keys    keys
	shapes  *shacl.Shapes
	steps   int64 // of one rule on one page
	classes *classes

	spool  *os.File
	out    *bufio.Writer
	line   []byte
	store  *store
	large  int // pages too large for rules
	faults int // rules that failed on a page
	shown  int
}

// Close removes the temporary files.
func (b *Builder) Close() error {
	var errs []error
	if b.store != nil {
		errs = append(errs, b.store.close())
	}
	if b.spool != nil {
		errs = append(errs, b.spool.Close(), os.Remove(b.spool.Name()))
	}
	return errors.Join(errs...)
}

// maxShown bounds the pages whose problems are shown one by one.
const maxShown = 10

// Page takes what a page says, and returns the number of statements that rules made of it; without rules they are its own. The error
// wraps ErrInput if a rule cannot be applied to any page.
func (b *Builder) Page(ctx context.Context, p Page) (kept int, err error) {
	said := &keyed{keys: &b.keys, entities: map[rdf.Term]map[string][]string{}}
	write := func(t rdf.Triple) error {
		b.note(said, t, p)
		kept++
		return b.write(rdf.Quad{S: b.named(t.S, p), P: t.P, O: b.named(t.O, p), G: p.Graph})
	}
	if len(b.rules) == 0 {
		for t := range p.Statements {
			if err := errors.Join(write(t), ctx.Err()); err != nil {
				return kept, err
			}
		}
		said.unite(b.classes)
		return kept, nil
	}
	var statements []rdf.Triple
	for t := range p.Statements {
		if statements = append(statements, t); len(statements) > maxRuled {
			b.large++
			b.show(p, fmt.Errorf("more than %d statements: too many for rules", maxRuled))
			return 0, nil
		}
	}
	made, problems, err := b.apply(ctx, p, statements, func(t rdf.Triple) { b.note(said, t, p) })
	if err != nil {
		return 0, err
	}
	for _, problem := range problems {
		b.faults++
		b.show(p, problem)
	}
	for _, t := range made {
		if err := write(t); err != nil {
			return kept, err
		}
	}
	said.unite(b.classes)
	return kept, ctx.Err()
}

// show reports a problem of a page.
func (b *Builder) show(p Page, err error) {
	if b.shown++; b.shown <= maxShown {
		console.Say(b.console.Err, "%s: %s", console.Visible(p.Graph.Value, 200), console.Visible(err.Error(), 300))
	}
}

// note takes from a statement what makes entities equal.
func (b *Builder) note(said *keyed, t rdf.Triple, p Page) {
	t.S, t.O = b.named(t.S, p), b.named(t.O, p)
	if t.P == sameAs && t.S != t.O && t.S.Kind != rdf.Literal && t.O.Kind != rdf.Literal {
		if left := b.classes.entity(t.S, true); left >= 0 {
			b.classes.unite(left, b.classes.entity(t.O, true))
		}
		return
	}
	said.note(t)
}

// named returns a term with a label of its own for a blank node, which is that of the page and the node.
func (b *Builder) named(t rdf.Term, p Page) rdf.Term {
	if t.Kind == rdf.Blank {
		t.Value = uuid(p.Crawl, p.Graph.Value, t.Value)
	}
	return t
}

// Aside takes a statement of the default graph, which stays as it is.
func (b *Builder) Aside(q rdf.Quad) error { return b.write(q) }

// write adds a statement to the spool.
func (b *Builder) write(q rdf.Quad) error {
	if b.spool == nil {
		file, err := os.CreateTemp(b.temp, ".orbweaver-graph-*.nq")
		if err != nil {
			return err
		}
		b.spool, b.out = file, bufio.NewWriterSize(file, 64<<10)
	}
	b.line = nquads.AppendQuad(b.line[:0], q)
	_, err := b.out.Write(b.line)
	return err
}

// Statements calls yield for what was taken, page by page, with the names of merged entities: each statement of a page once, then
// its asides. It ends when yield returns false, and after an error.
func (b *Builder) Statements(ctx context.Context, yield func(rdf.Quad, error) bool) {
	if b.spool == nil {
		return
	}
	err := b.out.Flush()
	if err == nil {
		_, err = b.spool.Seek(0, io.SeekStart)
	}
	if err != nil {
		yield(rdf.Quad{}, err)
		return
	}
	m := merging{classes: b.classes, seen: map[rdf.Triple]struct{}{}}
	for q, err := range nquads.Read(bufio.NewReaderSize(b.spool, 64<<10), syntax.Options{Name: "statements", MaxToken: 1 << 30}) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			yield(rdf.Quad{}, err)
			return
		}
		if q.G.IsZero() {
			if !yield(q, nil) {
				return
			}
			continue
		}
		for _, q := range m.of(q) {
			if !yield(q, nil) {
				return
			}
		}
	}
}

// merging gives statements the names of merged entities.
type merging struct {
	classes *classes
	graph   rdf.Term
	seen    map[rdf.Triple]struct{}
}

// maxSeen bounds the statements of a page that are remembered to drop repetitions.
const maxSeen = 1 << 20

// of returns what a statement becomes. One that says owl:sameAs within a class says it of the class's name.
func (m *merging) of(q rdf.Quad) []rdf.Quad {
	if q.G != m.graph {
		m.graph = q.G
		clear(m.seen)
	}
	s, _ := m.classes.of(q.S)
	o, _ := m.classes.of(q.O)
	quads := []rdf.Quad{{S: s, P: q.P, O: o, G: q.G}}
	if q.P == sameAs && s == o {
		quads = nil
		for _, other := range []rdf.Term{q.S, q.O} {
			if other != s && other.Kind == rdf.IRI {
				quads = append(quads, rdf.Quad{S: s, P: sameAs, O: other, G: q.G})
			}
		}
	}
	kept := quads[:0]
	for _, q := range quads {
		q.S, q.O = skolem(q.S), skolem(q.O)
		t := rdf.Triple{S: q.S, P: q.P, O: q.O}
		if _, again := m.seen[t]; again {
			continue
		}
		if len(m.seen) < maxSeen {
			m.seen[t] = struct{}{}
		}
		kept = append(kept, q)
	}
	return kept
}

// skolem returns an IRI for a blank node.
func skolem(t rdf.Term) rdf.Term {
	if t.Kind == rdf.Blank {
		return rdf.NewIRI("urn:uuid:" + t.Value)
	}
	return t
}

// Aliases returns the IRIs that became those of other entities, each as a statement owl:sameAs of that one.
func (b *Builder) Aliases() []rdf.Triple { return b.classes.aliases() }

// Problems returns lines about what the graph lacks, and what was merged.
func (b *Builder) Problems() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	n := b.classes.counts()
	if n.merged > 0 {
		say("equal entities merged: %d into %d", n.entities, n.merged)
	}
	if n.apart > 0 {
		say("classes of equal entities left apart, since they have more than %d IRIs and key values: %d, one of them with %s; --class-limit sets the limit",
			b.classes.limit, n.apart, console.Visible(n.example.Value, 200))
	}
	if b.classes.refused > 0 {
		say("entities and key values beyond the first %d are not merged: %d statements", maxMembers, b.classes.refused)
	}
	if b.large > 0 {
		say("pages left out, since they have more than %d statements: %d", maxRuled, b.large)
	}
	if b.faults > 0 {
		say("rules that failed on a page: %d", b.faults)
	}
	return lines
}
