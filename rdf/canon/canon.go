// Package canon gives datasets their canonical form: RDFC-1.0 with SHA-256 (RDF Dataset
// Canonicalization, W3C Recommendation of 21 May 2024). Two datasets have one canonical form if and
// only if they are the same but for the labels of their blank nodes. The Recommendation is of RDF 1.1: nodes within triple
// terms are hashed as nodes of the object, by the way to them.
//
// The work is bounded: datasets made to be hard ("poison graphs") end with ErrTooHard.
package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"orbweaver/rdf"
)

// ErrTooHard means that blank nodes of a dataset cannot be distinguished within the limits.
var ErrTooHard = errors.New("blank nodes are too hard to tell apart")

const (
	// maxSteps bounds the labels copied and the statements examined when first-degree hashes do not distinguish
	// nodes: two seconds of work. Datasets that are not hostile take thousands.
	maxSteps = 10_000_000
	// maxDepth bounds the recursion over indistinguishable nodes: each level costs a stack frame and a copy of
	// the labels issued so far.
	maxDepth = 500
)

// Canonical returns a dataset as canonical N-Quads: sorted lines, each once, with blank nodes named
// "c14n0", "c14n1" and so on. The error is ErrTooHard, or about a quad that is none.
func Canonical(quads []rdf.Quad) ([]byte, error) {
	c, err := newCanonizer(quads)
	if err != nil {
		return nil, err
	}
	if err := c.name(); err != nil {
		return nil, err
	}
	lines := make([]string, len(c.quads))
	for i, q := range c.quads {
		lines[i] = string(appendQuad(nil, q, c.issued.label))
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "")), nil
}

// Digest returns the SHA-256 of a dataset's canonical form, in hexadecimal.
func Digest(quads []rdf.Quad) (string, error) {
	canonical, err := Canonical(quads)
	if err != nil {
		return "", err
	}
	return hash(canonical), nil
}

// A canonizer is the canonicalization state of section 4.2.
type canonizer struct {
	quads  []rdf.Quad            // each once
	about  map[string][]rdf.Quad // by blank node
	first  map[string]string     // first degree hashes, by blank node
	issued *issuer
	steps  int // left
}

func newCanonizer(quads []rdf.Quad) (*canonizer, error) {
	c := &canonizer{
		about: map[string][]rdf.Quad{}, first: map[string]string{}, issued: newIssuer("c14n"), steps: maxSteps,
	}
	seen := make(map[rdf.Quad]bool, len(quads))
	for _, q := range quads {
		if q.S.Kind != rdf.IRI && q.S.Kind != rdf.Blank || q.P.Kind != rdf.IRI || q.O.IsZero() || q.G.Kind > rdf.Blank {
			return nil, fmt.Errorf("no quad of RDF: %v", q)
		}
		if seen[q] {
			continue
		}
		seen[q] = true
		c.quads = append(c.quads, q)
		for node := range blanks(q) {
			if of := c.about[node]; len(of) == 0 || of[len(of)-1] != q {
				c.about[node] = append(of, q)
			}
		}
	}
	return c, nil
}

// blanks ranges over the blank nodes of a quad and their positions, as often as they occur. A node within a triple term is one of the
// object: behind the object's letter stand the predicates and letters of the way to it.
func blanks(q rdf.Quad) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		_ = within(q.S, "s", yield) && within(q.O, "o", yield) && within(q.G, "g", yield)
	}
}

// within yields the blank nodes of a term at a position, and reports whether more are wanted.
func within(t rdf.Term, position string, yield func(string, string) bool) bool {
	for {
		if t.Kind == rdf.Blank {
			return yield(t.Value, position)
		}
		triple, is := t.Triple()
		if !is {
			return true
		}
		position += "<" + triple.P.Value + ">"
		if triple.S.Kind == rdf.Blank && !yield(triple.S.Value, position+"s") {
			return false
		}
		t, position = triple.O, position+"o"
	}
}

// name issues the canonical labels (section 4.4.3, steps 3 to 5).
func (c *canonizer) name() error {
	alike := map[string][]string{} // blank nodes by first hash
	for _, node := range slices.Sorted(maps.Keys(c.about)) {
		h := c.firstDegree(node)
		c.first[node] = h
		alike[h] = append(alike[h], node)
	}
	hashes := slices.Sorted(maps.Keys(alike))
	for _, h := range hashes {
		if len(alike[h]) == 1 {
			c.issued.issue(alike[h][0])
		}
	}
	for _, h := range hashes {
		if len(alike[h]) > 1 {
			if err := c.nameAlike(alike[h]); err != nil {
				return err
			}
		}
	}
	return nil
}

// nameAlike issues the labels of nodes with equal first-degree hashes.
func (c *canonizer) nameAlike(alike []string) error {
	var results []result
	for _, node := range alike {
		if c.issued.has(node) {
			continue
		}
		names := newIssuer("b")
		names.issue(node)
		r, err := c.nDegree(node, names, 0)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	slices.SortStableFunc(results, func(a, b result) int { return strings.Compare(a.hash, b.hash) })
	for _, r := range results {
		for _, node := range r.names.order {
			c.issued.issue(node)
		}
	}
	return nil
}

// firstDegree is Hash First Degree Quads (section 4.6.3).
func (c *canonizer) firstDegree(node string) string {
	lines := make([]string, len(c.about[node]))
	for i, q := range c.about[node] {
		lines[i] = string(appendQuad(nil, q, func(label string) string {
			if label == node {
				return "a"
			}
			return "z"
		}))
	}
	slices.Sort(lines)
	return hash([]byte(strings.Join(lines, "")))
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// An issuer names nodes in the order in which they come (section 4.5).
type issuer struct {
	prefix string
	labels map[string]string
	order  []string
}

func newIssuer(prefix string) *issuer { return &issuer{prefix: prefix, labels: map[string]string{}} }

func (i *issuer) copy() *issuer {
	return &issuer{i.prefix, maps.Clone(i.labels), slices.Clone(i.order)}
}

func (i *issuer) has(node string) bool {
	_, ok := i.labels[node]
	return ok
}

func (i *issuer) label(node string) string { return i.labels[node] }

// issue returns a node's label, a new one if it has none.
func (i *issuer) issue(node string) string {
	if label, ok := i.labels[node]; ok {
		return label
	}
	label := fmt.Sprintf("%s%d", i.prefix, len(i.order))
	i.labels[node] = label
	i.order = append(i.order, node)
	return label
}
