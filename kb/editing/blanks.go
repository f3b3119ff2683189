package editing

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/turtle/edit"
)

// settle gives the blank nodes of the draft the labels that they have in the content on the disk: labels follow from the content, and the next
// change is told by them. It reports whether any has another label than before.
func (f *File) settle() (bool, error) {
	if !f.d.g.blank() {
		return false, nil
	}
	now, err := edit.Read(f.path, f.texts[f.saved])
	if err != nil {
		return false, err
	}
	same := len(now) == f.d.Len()
	for _, t := range now {
		same = same && f.d.Has(t)
	}
	if same {
		return false, nil
	}
	was := slices.Collect(f.d.Statements())
	names := matched(was, now)
	names.others(f.d.steps, now)
	next := New(now)
	if next.steps, next.at = names.steps(f.d.steps), f.d.at; !slices.ContainsFunc(was, func(t rdf.Triple) bool { return !next.Has(names.of(t)) }) {
		f.d = next
		return true, nil
	}
	f.d = New(now) // blank nodes that cannot be told apart: the file is what was meant, but steps cannot be told by it
	f.texts, f.saved = map[int][]byte{0: f.texts[f.saved]}, 0
	return true, nil
}

// blank reports whether there are blank nodes.
func (g *graph) blank() bool {
	for s := range g.out {
		if s.Kind == rdf.Blank {
			return true
		}
	}
	for o := range g.in {
		if o.Kind == rdf.Blank {
			return true
		}
	}
	return false
}

// blanks are the labels of blank nodes in a new content by those in an old one.
type blanks map[string]string

func (b blanks) term(t rdf.Term) rdf.Term {
	if to, ok := b[t.Value]; ok && t.Kind == rdf.Blank {
		t.Value = to
	}
	return t
}

func (b blanks) of(t rdf.Triple) rdf.Triple {
	t.S, t.O = b.term(t.S), b.term(t.O)
	return t
}

func (b blanks) all(of []rdf.Triple) []rdf.Triple {
	out := make([]rdf.Triple, len(of))
	for i, t := range of {
		out[i] = b.of(t)
	}
	return out
}

// steps returns steps with the new labels.
func (b blanks) steps(of []Step) []Step {
	out := slices.Clone(of)
	for i, s := range of {
		out[i].Remove, out[i].Add = b.all(s.Remove), b.all(s.Add)
	}
	return out
}

// others gives labels of their own to blank nodes of steps that are in neither content: they must not take that of one that is.
func (b blanks) others(steps []Step, now []rdf.Triple) {
	taken := map[string]bool{}
	for _, to := range b {
		taken[to] = true
	}
	labels(now, func(label string) { taken[label] = true })
	for _, s := range steps {
		for _, all := range [][]rdf.Triple{s.Remove, s.Add} {
			labels(all, func(label string) {
				if _, named := b[label]; !named {
					b[label] = free(label, taken)
				}
			})
		}
	}
}

// labels calls f with the labels of the blank nodes of statements.
func labels(all []rdf.Triple, f func(string)) {
	for _, t := range all {
		for _, term := range []rdf.Term{t.S, t.O} {
			if term.Kind == rdf.Blank {
				f(term.Value)
			}
		}
	}
}

// free is a label that is not taken, the given one if that is free. It is taken then.
func free(label string, taken map[string]bool) string {
	name := label
	for n := 2; taken[name]; n++ {
		name = label + "-" + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

// matched finds blank nodes of an old content in a new one, by what is said of them and by what leads to them. One that is not found gets a
// label that no other has.
func matched(old, now []rdf.Triple) blanks {
	m := matcher{was: described(old), is: described(now), names: blanks{}, taken: map[string]bool{}}
	for _, t := range m.was.roots {
		m.among(m.was.of(t.S, t.P.Value, m.was.digest(t.O)), m.is.of(t.S, t.P.Value, m.was.digest(t.O)))
	}
	for _, node := range m.was.order { // what no IRI leads to, the top first
		if len(m.was.g.in[node]) == 0 {
			m.among([]rdf.Term{node}, m.is.top[m.was.digest(node)])
		}
	}
	for _, node := range m.was.order {
		if _, found := m.names[node.Value]; !found {
			m.among([]rdf.Term{node}, m.is.all[m.was.digest(node)])
		}
	}
	for _, node := range m.is.order {
		m.taken[node.Value] = true
	}
	for _, node := range m.was.order {
		if _, found := m.names[node.Value]; !found {
			m.names[node.Value] = free(node.Value, m.taken)
		}
	}
	return m.names
}

// A matcher pairs blank nodes of two contents.
type matcher struct {
	was, is *description
	names   blanks
	taken   map[string]bool // labels of the new content that are paired
}

// among pairs blank nodes with those of the new content of which the same is said, and what these lead to. Lists may be as long as a file, so
// it does not call itself.
func (m *matcher) among(nodes, candidates []rdf.Term) {
	waiting := [][2][]rdf.Term{{nodes, candidates}}
	for len(waiting) > 0 {
		last := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, node := range last[0] {
			if _, found := m.names[node.Value]; found {
				continue
			}
			i := slices.IndexFunc(last[1], func(c rdf.Term) bool { return !m.taken[c.Value] })
			if i < 0 {
				break
			}
			there := last[1][i]
			m.names[node.Value], m.taken[there.Value] = there.Value, true
			for _, l := range m.was.g.out[node] {
				if l.to.Kind == rdf.Blank {
					d := m.was.digest(l.to)
					waiting = append(waiting, [2][]rdf.Term{m.was.of(node, l.predicate, d), m.is.of(there, l.predicate, d)})
				}
			}
		}
	}
}

// A description is the blank nodes of a content.
type description struct {
	g        *graph
	order    []rdf.Term            // as they come
	roots    []rdf.Triple          // statements of IRIs that lead to them
	all, top map[string][]rdf.Term // by digest; top: those that nothing leads to
	digests  map[rdf.Term]string   // of what is said of each
	leads    map[lead][]rdf.Term   // what a node leads to
}

// A lead is a node, a property, and the digest of what it leads to.
type lead struct {
	from              rdf.Term
	predicate, digest string
}

// described looks at the blank nodes of statements.
func described(all []rdf.Triple) *description {
	d := &description{g: newGraph(), all: map[string][]rdf.Term{}, top: map[string][]rdf.Term{}, digests: map[rdf.Term]string{}, leads: map[lead][]rdf.Term{}}
	seen := map[rdf.Term]bool{}
	for _, t := range all {
		if t.S.Kind != rdf.Blank && t.O.Kind != rdf.Blank {
			continue
		}
		d.g.add(t)
		if t.S.Kind != rdf.Blank {
			d.roots = append(d.roots, t)
		}
		for _, term := range []rdf.Term{t.S, t.O} {
			if term.Kind == rdf.Blank && !seen[term] {
				seen[term] = true
				d.order = append(d.order, term)
			}
		}
	}
	for _, node := range d.order {
		digest := d.digest(node)
		d.all[digest] = append(d.all[digest], node)
		if len(d.g.in[node]) == 0 {
			d.top[digest] = append(d.top[digest], node)
		}
		for _, l := range d.g.in[node] {
			at := lead{l.to, l.predicate, digest}
			d.leads[at] = append(d.leads[at], node)
		}
	}
	return d
}

// of returns the blank nodes of a digest that a property of a node leads to.
func (d *description) of(from rdf.Term, predicate, digest string) []rdf.Term {
	return d.leads[lead{from, predicate, digest}]
}

// digest is a digest of what is said of a node, and of the blank nodes that it leads to, at any distance.
func (d *description) digest(node rdf.Term) string {
	if node.Kind != rdf.Blank {
		return fmt.Sprintf("%d %q %q %q%s", node.Kind, node.Value, node.Datatype, node.Lang, node.Dir)
	}
	for way := []rdf.Term{node}; len(way) > 0; { // what is told of the last needs what it leads to; a list may be as long as a file
		last := way[len(way)-1]
		if known := d.digests[last]; known != "" && known != open {
			way = way[:len(way)-1]
			continue
		}
		ready := true
		for _, l := range d.g.out[last] {
			if l.to.Kind == rdf.Blank && d.digests[l.to] == "" && l.to != last {
				ready, way = false, append(way, l.to)
			}
		}
		if ready {
			d.digests[last] = d.said(last)
			way = way[:len(way)-1]
			continue
		}
		d.digests[last] = open // if something leads back to it
	}
	return d.digests[node]
}

// open is the digest of a node while that of what it leads to is made.
const open = "…"

// said is the digest of what is said of a node, if those of what it leads to are known.
func (d *description) said(node rdf.Term) string {
	var lines []string
	for _, l := range d.g.out[node] {
		of := open // itself
		if l.to.Kind != rdf.Blank {
			of = d.digest(l.to)
		} else if l.to != node {
			of = d.digests[l.to]
		}
		lines = append(lines, l.predicate+" "+of)
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}
