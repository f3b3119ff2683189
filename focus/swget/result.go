package swget

import (
	"cmp"
	"fmt"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/kb/nautilod"
	"orbweaver/kb/terms"
)

// A Node is an IRI that the search reached.
type Node struct {
	IRI      string     `json:"node"`
	Level    int        `json:"level"`              // number of statements in the path
	Result   bool       `json:"result"`             // the expression ends here
	Path     terms.Path `json:"path,omitempty"`     // from a start; for a result, a path that the expression accepts
	Document string     `json:"document,omitempty"` // what its IRI dereferences to; empty where it was not dereferenced
	Why      string     `json:"why,omitempty"`      // why not dereferenced: NotNeeded and the like, or a failure
	Saved    bool       `json:"saved,omitempty"`    // an action keeps its document
}

// Nodes returns all nodes reached so far, by level and then by IRI. Steps name the document that states them.
func (f *Focus) Nodes() []Node {
	all := make([]Node, len(f.nodes))
	for i := range f.nodes {
		n := &f.nodes[i]
		best := f.best(n)
		all[i] = Node{
			IRI: n.iri, Level: int(best.level), Result: f.ends(best), Path: f.path(best), Document: n.document, Why: n.why,
			Saved: n.document != "" && (n.saved || f.opts.Save),
		}
		if n.document == "" && n.why == "" {
			all[i].Why = f.unasked(n)
		}
	}
	order.By(all, func(a, b Node) int { return cmp.Or(a.Level-b.Level, cmp.Compare(a.IRI, b.IRI)) })
	return all
}

// unasked returns why nothing is known of a node's document.
func (f *Focus) unasked(n *node) string {
	if n.asked {
		return Unanswered
	}
	for _, at := range n.visits {
		if f.tooFar(f.visits[at]) {
			return TooFar
		}
	}
	return NotNeeded
}

// best returns the state of a node to report: one where it is a result, else the nearest.
func (f *Focus) best(n *node) visit {
	best := f.visits[n.visits[0]]
	for _, at := range n.visits[1:] {
		v := f.visits[at]
		if ends := f.ends(v); ends == f.ends(best) && v.level < best.level || ends && !f.ends(best) {
			best = v
		}
	}
	return best
}

// path returns the path from a start to a search state.
func (f *Focus) path(v visit) terms.Path {
	var path terms.Path
	for ; v.parent >= 0; v = f.visits[v.parent] {
		if v.property < 0 {
			continue
		}
		from := &f.nodes[f.visits[v.parent].node]
		path = append(path, terms.Step{
			From: from.iri, Property: f.properties[v.property], Inverse: v.inverse, To: f.nodes[v.node].iri, Dataset: from.document,
		})
	}
	slices.Reverse(path)
	return path
}

// Saved returns the URLs of the documents to keep, sorted: those of an action, or all.
func (f *Focus) Saved() []string {
	var all []string
	for i := range f.nodes {
		if n := &f.nodes[i]; n.document != "" && (n.saved || f.opts.Save) {
			all = append(all, n.document)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A Summary is the progress of a search.
type Summary struct {
	Expression string   `json:"expression"`
	From       []string `json:"from"`
	Nodes      int      `json:"nodes"`
	Results    int      `json:"results"`
	Levels     int      `json:"levels"`              // of the farthest node
	Documents  int      `json:"documents"`           // distinct documents that nodes dereference to
	Blank      int64    `json:"blank,omitempty"`     // blank nodes met and left out, counted at each occurrence
	Literals   int64    `json:"literals,omitempty"`  // the same of literals
	Over       bool     `json:"over"`                // the search is complete, except for documents that may arrive late
	Late       int      `json:"late,omitempty"`      // search states of nodes whose documents did not arrive
	CutShort   []string `json:"cut_short,omitempty"` // the limits reached, in words
}

// Summary describes the progress of the search.
func (f *Focus) Summary() Summary {
	s := Summary{
		Expression: (&nautilod.Query{Path: f.query.Path, Command: f.query.Command}).String(), From: slices.Clone(f.from),
		Nodes: len(f.nodes), Blank: f.omitted[0], Literals: f.omitted[1],
		Over: len(f.current)+len(f.next) == 0, Late: len(f.late), CutShort: f.cutShort(),
	}
	documents := map[string]struct{}{}
	for i := range f.nodes {
		best := f.best(&f.nodes[i])
		if s.Levels = max(s.Levels, int(best.level)); f.ends(best) {
			s.Results++
		}
		if d := f.nodes[i].document; d != "" {
			documents[d] = struct{}{}
		}
	}
	s.Documents = len(documents)
	return s
}

// cutShort describes the limits that the search reached.
func (f *Focus) cutShort() (all []string) {
	for _, bound := range []struct{ what, says string }{
		{cutNodes, fmt.Sprintf("more than %d nodes", f.opts.MaxNodes)},
		{cutVisits, fmt.Sprintf("more than %d visits of nodes in states of the expression", f.opts.MaxVisits)},
		{cutLevels, fmt.Sprintf("what is more than %d statements from the start", f.opts.MaxLevels)},
		{cutQuads, fmt.Sprintf("documents with more than %d statements to look at", f.opts.MaxQuads)},
		{cutTests, "tests that could not be answered"},
	} {
		if n := f.cut[bound.what]; n > 0 {
			all = append(all, fmt.Sprintf("%s: %d times", bound.says, n))
		}
	}
	return all
}
