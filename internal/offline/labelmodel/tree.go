package labelmodel

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"orbweaver/internal/console"
	"orbweaver/internal/order"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// TreeFormats returns the formats of Tree: text for people, the hierarchy as SKOS in Turtle, and the whole
// model with its rules as SWRL in Turtle.
func TreeFormats() []string { return []string{"text", "skos", "swrl"} }

// Tree writes the label hierarchy, of one label or all. In text the most frequent label comes first, and
// each label stands below its nearest broader ones. The subtree of a label with two broader labels appears
// only below the first. Formats other than text take no label.
func Tree(ctx context.Context, con *console.Console, dir, wordNet, label, format string) error {
	m, _, err := Open(dir, wordNet)
	if err != nil {
		return err
	}
	if format != "text" {
		return writeQuads(ctx, con.Out, m, format)
	}
	t := newTree(m)
	roots := t.roots
	if label != "" {
		key, err := Find(m, label)
		if err != nil {
			return err
		}
		roots = []string{key}
	}
	out := bufio.NewWriter(con.Out)
	if label != "" {
		for _, chain := range t.above(roots[0]) {
			fmt.Fprintf(out, "%s\n", strings.Join(chain, " > "))
		}
		writeHome(out, m, roots[0])
	}
	if label == "" {
		conceptTree(out, m)
	}
	for _, root := range roots {
		t.write(out, root, 0)
	}
	if label == "" && len(t.single) > 0 {
		fmt.Fprintf(out, "%d labels have neither broader nor narrower labels\n", len(t.single))
	}
	return out.Flush()
}

// tree is the label hierarchy, from the roots down.
type tree struct {
	model  *stream.Model
	items  map[string]float64
	below  map[string][]string
	roots  []string // labels with narrower but without broader ones
	single []string // labels without either
	shown  map[string]bool
}

func newTree(m *stream.Model) *tree {
	t := &tree{model: m, items: map[string]float64{}, below: map[string][]string{}, shown: map[string]bool{}}
	all := m.Labels.Labels()
	order.Stably(all, func(a, b labels.Label) int { return cmp.Compare(b.Items, a.Items) })
	var tops []string
	for _, l := range all {
		t.items[l.Text] = l.Items
		up := m.Labels.Broader(l.Text)
		for _, b := range up {
			t.below[b] = append(t.below[b], l.Text)
		}
		if len(up) == 0 {
			tops = append(tops, l.Text)
		}
	}
	for _, l := range tops {
		if len(t.below[l]) > 0 {
			t.roots = append(t.roots, l)
		} else {
			t.single = append(t.single, l)
		}
	}
	return t
}

// write writes a label and its subtree.
func (t *tree) write(w io.Writer, label string, depth int) {
	mark := ""
	again := t.shown[label] && len(t.below[label]) > 0
	if again {
		mark = " …"
	}
	fmt.Fprintf(w, "%s%s (%.0f)%s\n", strings.Repeat("  ", depth), console.Visible(t.model.Show(label), 80), t.items[label], mark)
	if t.shown[label] = true; again {
		return
	}
	for _, l := range t.below[label] {
		t.write(w, l, depth+1)
	}
}

// maxAbove bounds the paths to the roots that are shown.
const maxAbove = 10

// above returns paths from a root to a label, without the label.
func (t *tree) above(label string) (chains [][]string) {
	var climb func(label string, chain []string)
	climb = func(label string, chain []string) {
		up := t.model.Labels.Broader(label)
		if len(up) == 0 && len(chain) > 0 && len(chains) < maxAbove {
			chain = slices.Clone(chain)
			slices.Reverse(chain)
			chains = append(chains, chain)
		}
		for _, b := range up {
			if len(chains) < maxAbove {
				climb(b, append(chain, console.Visible(t.model.Show(b), 80)))
			}
		}
	}
	climb(label, nil)
	return chains
}

// writeQuads writes the model as Turtle: the hierarchy or the whole model.
func writeQuads(ctx context.Context, w io.Writer, m *stream.Model, format string) error {
	out := bufio.NewWriterSize(w, 64<<10)
	t := turtle.NewWriter(out, syntax.WriteOptions{Prefixes: map[string]string{
		"skos": skosNS, "swrl": "http://www.w3.org/2003/11/swrl#", "owl": "http://www.w3.org/2002/07/owl#",
		"rdfs": "http://www.w3.org/2000/01/rdf-schema#", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
		"semxdm": strings.TrimSuffix(labels.ClassItem, "Item"),
	}})
	n := 0
	for q := range m.Quads() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return console.ErrInterrupted
		}
		if format == "skos" && !isSKOS(q) {
			continue
		}
		if err := t.Write(rdf.Triple{S: q.S, P: q.P, O: q.O}); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return out.Flush()
}

const skosNS = "http://www.w3.org/2004/02/skos/core#"

// isSKOS reports whether a statement belongs to the hierarchy.
func isSKOS(q rdf.Quad) bool {
	return strings.HasPrefix(q.P.Value, skosNS) || q.P.Value == "http://www.w3.org/1999/02/22-rdf-syntax-ns#type" && strings.HasPrefix(q.O.Value, skosNS)
}
