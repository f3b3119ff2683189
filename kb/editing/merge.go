package editing

import (
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
	names.others(f.d.steps, now)
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
	steps, at := names.steps(f.d.steps), f.d.at
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
