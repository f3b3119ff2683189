package editing

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/turtle/edit"
)

// merge takes up a content that somebody else wrote to the file. The steps stay, and stand on the new content. The error wraps ErrConflict,
// or is a *syntax.Error; then nothing changes.
func (f *File) merge(theirs []byte) error {
	base, err := edit.Read(f.path, f.texts[f.saved])
	if err != nil {
		return err
	}
	now, err := edit.Read(f.path, theirs)
	if err != nil {
		return err
	}
	names := matched(base, now)
	here, there := map[rdf.Triple]bool{}, map[rdf.Triple]bool{}
	for _, t := range base {
		here[names.of(t)] = true
	}
	for _, t := range now {
		there[t] = true
	}
	other := Step{Says: "a change of the file by somebody else"}
	for t := range here {
		if !there[t] {
			other.Remove = append(other.Remove, t)
		}
	}
	for _, t := range now {
		if !here[t] {
			other.Add = append(other.Add, t)
		}
	}
	remove, add := f.change()
	mine := Step{Remove: names.all(remove), Add: names.all(add)}
	if both := conflicts(mine, other, here, there); len(both) > 0 {
		return fmt.Errorf("%s: %w: %s", f.path, ErrConflict, strings.Join(both[:min(len(both), 5)], "; "))
	}
	steps, at := f.d.steps, f.d.at
	for i := range steps {
		steps[i].Remove, steps[i].Add = names.all(steps[i].Remove), names.all(steps[i].Add)
	}
	f.d = New(now)
	f.d.steps, f.d.at = steps, f.saved
	f.d.goTo(at)
	f.texts = map[int][]byte{f.saved: theirs}
	if len(steps) == 0 {
		return nil
	}
	return f.journal.rewrite(memory{steps: steps, at: at, saved: f.saved, texts: f.texts})
}

// conflicts says what two changes of one content do not agree about.
func conflicts(mine, theirs Step, before, after map[rdf.Triple]bool) (all []string) {
	type place struct{ s, p rdf.Term }
	replaced := map[place]rdf.Term{}
	gone := map[rdf.Triple]bool{}
	for _, t := range theirs.Remove {
		gone[t] = true
	}
	for _, t := range theirs.Add {
		replaced[place{t.S, t.P}] = t.O
	}
	instead := map[place]rdf.Term{}
	for _, t := range mine.Add {
		instead[place{t.S, t.P}] = t.O
	}
	for _, t := range mine.Remove {
		ours, theirs := instead[place{t.S, t.P}], replaced[place{t.S, t.P}]
		if gone[t] && !ours.IsZero() && !theirs.IsZero() && ours != theirs {
			all = append(all, fmt.Sprintf("%s of %s is “%s” there, and “%s” in the draft", t.P.Value, t.S.Value, short(theirs.Value), short(ours.Value)))
		}
	}
	subjects := func(of map[rdf.Triple]bool, but map[rdf.Triple]bool) map[rdf.Term]bool {
		found := map[rdf.Term]bool{}
		for t := range of {
			if !but[t] {
				found[t.S] = true
			}
		}
		return found
	}
	removed := map[rdf.Triple]bool{}
	for _, t := range mine.Remove {
		removed[t] = true
	}
	was, stays, left := subjects(before, nil), subjects(after, nil), subjects(before, removed)
	lost := func(added []rdf.Triple, there map[rdf.Term]bool, says string) {
		for _, t := range added {
			for _, term := range []rdf.Term{t.S, t.O} {
				if was[term] && !there[term] && term.Kind == rdf.IRI {
					all = append(all, fmt.Sprintf(says, term.Value))
				}
			}
		}
	}
	lost(mine.Add, stays, "%s is deleted there, and changed in the draft")
	lost(theirs.Add, left, "%s is changed there, and deleted in the draft")
	slices.Sort(all)
	return slices.Compact(all)
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

// matched finds blank nodes of an old content in a new one, by what is said of them. One that is in both with another label than before must
// not take the label of one that is not.
func matched(old, now []rdf.Triple) blanks {
	was, is := described(old), described(now)
	names, taken := blanks{}, map[string]bool{}
	for hash, labels := range was {
		for i, label := range labels {
			if there := is[hash]; i < len(there) {
				names[label] = there[i]
				taken[there[i]] = true
			}
		}
	}
	for _, labels := range was {
		for _, label := range labels {
			if _, found := names[label]; !found && (taken[label] || len(is) > 0) {
				names[label] = label + "-before"
			}
		}
	}
	return names
}

// described returns the labels of blank nodes, in the order of the text, by a digest of what is said of them.
func described(all []rdf.Triple) map[string][]string {
	g := newGraph()
	var order []rdf.Term
	for _, t := range all {
		g.add(t)
		for _, term := range []rdf.Term{t.S, t.O} {
			if term.Kind == rdf.Blank && !slices.Contains(order[max(0, len(order)-4):], term) {
				order = append(order, term)
			}
		}
	}
	digests, seen := map[string][]string{}, map[rdf.Term]bool{}
	for _, term := range order {
		if !seen[term] {
			seen[term] = true
			d := g.digest(term, maxDepth+2) + g.context(term)
			digests[d] = append(digests[d], term.Value)
		}
	}
	return digests
}

// context is what leads to a blank node.
func (g *graph) context(node rdf.Term) string {
	var lines []string
	for _, l := range g.in[node] {
		if l.to.Kind == rdf.IRI {
			lines = append(lines, l.predicate+" "+l.to.Value)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// digest is a digest of what is said of a blank node, to a depth.
func (g *graph) digest(node rdf.Term, depth int) string {
	if node.Kind == rdf.Blank && depth == 0 {
		return "…"
	}
	if node.Kind != rdf.Blank {
		return fmt.Sprintf("%d %q %q %q", node.Kind, node.Value, node.Datatype, node.Lang)
	}
	var lines []string
	for _, l := range g.out[node] {
		lines = append(lines, l.predicate+" "+g.digest(l.to, depth-1))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}
