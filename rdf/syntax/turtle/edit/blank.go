package edit

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// name gives labels to new blank nodes.
func (e *editor) name() error {
	e.labels = map[string]string{}
	n := 0
	for _, s := range e.order {
		for _, t := range e.adds[s] {
			for _, term := range []rdf.Term{t.S, t.O} {
				if term.Kind != rdf.Blank || e.labels[term.Value] != "" || e.known(term) {
					continue
				}
				for label := ""; e.labels[term.Value] == ""; {
					n++
					if label = "b" + strconv.Itoa(n); !bytes.Contains(e.content, []byte("_:"+label)) {
						e.labels[term.Value] = label
					}
				}
			}
		}
	}
	return nil
}

// known reports whether a blank node is one of the content.
func (e *editor) known(term rdf.Term) bool {
	if e.nodes == nil {
		e.nodes = map[string]bool{}
		for _, t := range e.all {
			for _, term := range []rdf.Term{t.S, t.O} {
				if term.Kind == rdf.Blank {
					e.nodes[term.Value] = true
				}
			}
		}
	}
	return e.nodes[term.Value]
}

// text writes an object.
func (e *editor) text(w *writer, o rdf.Term) (string, error) {
	if o.Kind != rdf.Blank {
		one := writer{end: w.end, scope: w.scope}
		one.term(o)
		return string(one.b), nil
	}
	if e.known(o) {
		if !e.labelled(o) {
			return "", fmt.Errorf("%w: it has no label in the file", ErrBlank)
		}
		return "_:" + o.Value, nil
	}
	own := e.adds[o]
	if e.format == syntax.NTriples || e.uses[o] != 1 || len(own) == 0 {
		return "_:" + e.labels[o.Value], nil
	}
	if text, ok, err := e.collection(w, o); ok {
		return text, err
	}
	delete(e.adds, o) // it is written here
	text, err := e.predicates(w, own, " ; ")
	return "[ " + text + " ]", err
}

// labelled reports whether the content names a blank node by its label.
func (e *editor) labelled(node rdf.Term) bool {
	if e.written == nil {
		e.written = map[string]bool{}
		for _, part := range strings.Split(string(e.content), "_:")[1:] {
			end := strings.IndexAny(part, " \t\r\n;,.)]<\"'#")
			if end < 0 {
				end = len(part)
			}
			e.written[part[:end]] = true
		}
	}
	return e.written[node.Value]
}

// rest writes what has no description in the content at the end.
func (e *editor) rest() error {
	w := &writer{end: lineEnd(e.content), scope: &e.scope}
	text := ""
	for pass := range 2 { // blank nodes that nothing refers to come last
		for _, s := range e.order {
			adds := e.adds[s]
			if len(adds) == 0 || pass == 0 && s.Kind == rdf.Blank {
				continue
			}
			delete(e.adds, s)
			sentence, err := e.sentence(w, s, adds)
			if err != nil {
				return err
			}
			text += sentence
		}
	}
	if text == "" {
		return nil
	}
	before := ""
	at := len(e.content)
	if at > 0 && e.content[at-1] != '\n' {
		before = w.end
	}
	if e.format != syntax.NTriples && at > 0 && !bytes.HasSuffix(e.content, []byte("\n\n")) && !bytes.HasSuffix(e.content, []byte("\n\r\n")) {
		before += w.end
	}
	e.cut(at, at, before+text)
	return nil
}

// sentence writes a subject with its predicates.
func (e *editor) sentence(w *writer, s rdf.Term, adds []rdf.Triple) (string, error) {
	name := "_:" + e.labels[s.Value]
	if s.Kind == rdf.Blank && e.known(s) {
		if !e.labelled(s) {
			return "", fmt.Errorf("%w: it has no label in the file", ErrBlank)
		}
		name = "_:" + s.Value
	}
	if e.format == syntax.NTriples {
		return e.lines(s, name, adds)
	}
	if s.Kind != rdf.Blank {
		one := writer{end: w.end, scope: w.scope}
		one.term(s)
		name = string(one.b)
	}
	text, err := e.predicates(w, adds, " ;"+w.end+"    ")
	return name + " " + text + " ." + w.end, err
}

// same reports whether two graphs are the same but for the labels of blank nodes. It tells blank nodes apart by what is said of them and of
// those around them, as far as that goes: graphs that it takes for the same may differ only where such nodes are alike all around.
func same(a, b map[rdf.Triple]bool) bool {
	if len(a) != len(b) {
		return false
	}
	var left, right []rdf.Triple
	for t := range a {
		if t.S.Kind == rdf.Blank || t.O.Kind == rdf.Blank {
			left = append(left, t)
		} else if !b[t] {
			return false
		}
	}
	for t := range b {
		if t.S.Kind == rdf.Blank || t.O.Kind == rdf.Blank {
			right = append(right, t)
		}
	}
	seed := maphash.MakeSeed()
	return len(left) == len(right) && slices.Equal(coloured(left, seed), coloured(right, seed))
}

// rounds is how far around a blank node is looked to tell it from others.
const rounds = 8

// coloured returns digests of statements in which blank nodes have those of what is said around them, sorted. Digests are of one seed, and
// are added where the order does not count.
func coloured(all []rdf.Triple, seed maphash.Seed) []uint64 {
	type said struct {
		s, o           int // numbers of blank nodes; -1: the term is none
		subject, p, to uint64
	}
	numbers := map[string]int{}
	term := func(t rdf.Term) (int, uint64) {
		if t.Kind != rdf.Blank {
			return -1, maphash.Comparable(seed, t)
		}
		n, ok := numbers[t.Value]
		if !ok {
			n = len(numbers)
			numbers[t.Value] = n
		}
		return n, 0
	}
	sayings := make([]said, len(all))
	for i, t := range all {
		sayings[i].s, sayings[i].subject = term(t.S)
		sayings[i].o, sayings[i].to = term(t.O)
		sayings[i].p = maphash.Comparable(seed, t.P)
	}
	colours, next := make([]uint64, len(numbers)), make([]uint64, len(numbers))
	for range rounds {
		for i := range sayings {
			w := &sayings[i]
			if w.s >= 0 {
				w.subject = colours[w.s]
			}
			if w.o >= 0 {
				w.to = colours[w.o]
			}
		}
		for i, colour := range colours {
			next[i] = maphash.Comparable(seed, colour)
		}
		for _, w := range sayings {
			if w.s >= 0 {
				next[w.s] += maphash.Comparable(seed, [3]uint64{1, w.p, w.to})
			}
			if w.o >= 0 {
				next[w.o] += maphash.Comparable(seed, [3]uint64{2, w.p, w.subject})
			}
		}
		colours, next = next, colours
	}
	out := make([]uint64, len(all))
	for i, w := range sayings {
		if w.s >= 0 {
			w.subject = colours[w.s]
		}
		if w.o >= 0 {
			w.to = colours[w.o]
		}
		out[i] = maphash.Comparable(seed, [3]uint64{w.subject, w.p, w.to})
	}
	slices.Sort(out)
	return out
}
