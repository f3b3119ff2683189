package edit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
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
	return len(left) == len(right) && slices.Equal(coloured(left), coloured(right))
}

// rounds is how far around a blank node is looked to tell it from others.
const rounds = 8

// coloured returns statements with digests for blank nodes, sorted.
func coloured(all []rdf.Triple) []string {
	colours := map[string]string{}
	of := func(t rdf.Term) string {
		if t.Kind == rdf.Blank {
			return "_:" + colours[t.Value]
		}
		return fmt.Sprintf("%d%q%q%q", t.Kind, t.Value, t.Datatype, t.Lang)
	}
	for range rounds {
		said := map[string][]string{}
		for _, t := range all {
			if t.S.Kind == rdf.Blank {
				said[t.S.Value] = append(said[t.S.Value], ">"+t.P.Value+" "+of(t.O))
			}
			if t.O.Kind == rdf.Blank {
				said[t.O.Value] = append(said[t.O.Value], "<"+t.P.Value+" "+of(t.S))
			}
		}
		next := make(map[string]string, len(said))
		for label, lines := range said {
			slices.Sort(lines)
			sum := sha256.Sum256([]byte(colours[label] + "\n" + strings.Join(lines, "\n")))
			next[label] = string(sum[:12])
		}
		colours = next
	}
	out := make([]string, 0, len(all))
	for _, t := range all {
		out = append(out, of(t.S)+" "+t.P.Value+" "+of(t.O))
	}
	slices.Sort(out)
	return out
}
