package graph

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	sparql "orbweaver/rdf/sparql/syntax"
)

//go:embed rules/*.rq
var shipped embed.FS

// Standard is the name of all sets of Sets that map a vocabulary.
const Standard = "standard"

// A Set is a rule set that ships with the program.
type Set struct {
	Name string
	Text string // the CONSTRUCT query
}

// About returns what a set is for: the comment at its head.
func (s Set) About() string {
	var lines []string
	for line := range strings.Lines(s.Text) {
		comment, is := strings.CutPrefix(line, "#")
		if !is {
			break
		}
		lines = append(lines, strings.TrimSpace(comment))
	}
	return strings.Join(lines, " ")
}

// Sets returns the rule sets that ship with the program, those of Standard first.
func Sets() []Set {
	names := []string{"schema.org", "dcat", "foaf", "dublin-core", "rdfs", "as-is"}
	sets := make([]Set, len(names))
	for i, name := range names {
		text, err := shipped.ReadFile("rules/" + name + ".rq")
		if err != nil {
			panic(err) // the list and the folder differ
		}
		sets[i] = Set{name, string(text)}
	}
	return sets
}

// rule is a CONSTRUCT query that reads the graph of one page.
type rule struct {
	name  string
	query *algebra.Query
}

// readRules returns the rules of a name: of a set, of Standard, or of a file.
func (o *Options) readRules(ctx context.Context, name string) (rules []rule, err error) {
	_, own := o.Texts[name]
	for _, set := range Sets() {
		if !own && (set.Name == name || name == Standard && set.Name != "as-is") {
			r, err := parseRule(set.Name, set.Text)
			if err != nil {
				return nil, err
			}
			rules = append(rules, r)
		}
	}
	if len(rules) > 0 {
		return rules, nil
	}
	text, err := o.readText(ctx, name, sparql.DefaultMaxBytes)
	if err != nil {
		return nil, fmt.Errorf("--construct: %w; the rule sets that need no file are %s", err, strings.Join(names(), ", "))
	}
	r, err := parseRule(name, text)
	return []rule{r}, err
}

// names returns the names of rule sets.
func names() []string {
	all := []string{Standard}
	for _, s := range Sets() {
		all = append(all, s.Name)
	}
	return all
}

// parseRule parses a CONSTRUCT query.
func parseRule(name, text string) (rule, error) {
	tree, err := sparql.ParseQuery(text, sparql.Options{Name: name})
	if err != nil {
		return rule{}, fmt.Errorf("--construct: %w (%w)", err, orbweaver.ErrInput)
	}
	q, err := algebra.TranslateQuery(tree)
	switch {
	case err != nil:
		return rule{}, fmt.Errorf("--construct %s: %w (%w)", name, err, orbweaver.ErrInput)
	case q.Form != algebra.ConstructForm:
		return rule{}, fmt.Errorf("--construct %s: a rule is a CONSTRUCT query (%w)", name, orbweaver.ErrInput)
	case len(q.Dataset.Default)+len(q.Dataset.Named) > 0:
		return rule{}, fmt.Errorf("--construct %s: a rule reads the graph of one page: leave FROM out (%w)", name, orbweaver.ErrInput)
	}
	return rule{name, q}, nil
}

// Limits of the rules on one page.
const (
	maxRuled = 500_000    // statements of a page; above, rules are not applied
	maxSteps = 50_000_000 // of one rule
	maxMade  = 1_000_000  // statements that one rule makes
	maxBytes = 512 << 20  // memory of one rule
)

// apply returns what the rules make of a page, sorted, each statement once. Blank nodes have labels that are the page's own, the
// same in every export; note gets the page's own statements with these labels. Rules that exceed a limit or fail are left out, and
// their errors returned.
func (b *Builder) apply(ctx context.Context, p Page, statements []rdf.Triple, note func(rdf.Triple)) (out []rdf.Triple, problems []error, err error) {
	store := quads.NewMemory()
	_, err = store.Load(func(yield func(rdf.Quad, error) bool) {
		for _, t := range statements {
			if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O, G: p.Graph}, nil) {
				return
			}
		}
	}, "page")
	if err != nil {
		return nil, nil, err
	}
	reader := store.Snapshot()
	if err := all(reader, note); err != nil {
		return nil, nil, err
	}
	for i, r := range b.rules {
		made, err := r.apply(ctx, reader, p, i, b.steps)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if errors.Is(err, eval.ErrService) {
			return nil, nil, fmt.Errorf("--construct %s: a rule reads one page: leave SERVICE out (%w)", r.name, orbweaver.ErrInput)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("rule %s: %w", r.name, err))
			continue
		}
		out = append(out, made...)
	}
	order.By(out, compareTriples)
	return slices.Compact(out), problems, nil
}

// all calls f for the statements of a store.
func all(reader quads.Reader, f func(rdf.Triple)) error {
	c := reader.Cursor()
	c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Named})
	for c.Next() {
		var terms [3]rdf.Term
		for i, id := range []quads.ID{c.Quad().S, c.Quad().P, c.Quad().O} {
			var err error
			if terms[i], err = c.Term(id); err != nil {
				return errors.Join(err, c.Close())
			}
		}
		f(rdf.Triple{S: terms[0], P: terms[1], O: terms[2]})
	}
	return c.Close()
}

func (r rule) apply(ctx context.Context, reader quads.Reader, p Page, number int, steps int64) (out []rdf.Triple, err error) {
	last, ids := 0, 0
	now := time.Unix(0, 0).UTC()
	if !p.Fetched.IsZero() {
		now = p.Fetched.UTC().Truncate(time.Millisecond)
	}
	seed := sha256.Sum256([]byte(p.Graph.Value + "\x00" + r.name))
	result, err := eval.Query(ctx, reader, r.query, eval.Options{
		MaxSteps: steps, MaxRows: maxMade, MaxBytes: maxBytes, Union: true,
		Now: now, Random: rand.New(rand.NewChaCha8(seed)).Float64, // the same in every export
		NewBlank: func() string {
			last++
			return fmt.Sprintf("rule%d_%d", number, last)
		},
		NewUUID: func() string {
			ids++
			return uuid(p.Graph.Value, r.name, strconv.Itoa(ids))
		},
	})
	if err != nil {
		return nil, err
	}
	for t, err := range result.Triples() {
		if err != nil {
			return nil, errors.Join(err, result.Close())
		}
		out = append(out, t)
	}
	return out, result.Close()
}

// uuid returns a UUID made of texts: of version 8, vendor-specific (RFC 9562).
func uuid(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	sum := h.Sum(nil)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
