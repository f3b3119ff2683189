package editing

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax/turtle/edit"
)

// The reasons for which a file is not written, beside those of package edit.
var (
	ErrSyntax   = errors.New("only Turtle and N-Triples can be edited: convert the file")
	ErrConflict = errors.New("somebody else changed the same in the file")
)

// A File is an ontology file with the draft of what people change in it. Every step is kept in a folder at once, so that a draft outlives the
// process; the ontology file changes when the draft is saved. Its methods may be called from any goroutine.
type File struct {
	mu      sync.Mutex
	path    string
	journal *journal
	d       *Draft
	texts   map[int][]byte // contents of the file by the number of steps done, as far as they were on the disk
	saved   int            // the number of steps of the content that was read or written last
	seen    seen           // the file as it was then
	refused seen           // as somebody else wrote it, where that contradicts the draft as it is
}

// A seen file is what tells a file from one that was written again.
type seen struct {
	size int64
	at   time.Time
}

func look(path string) seen {
	info, err := os.Stat(path)
	if err != nil {
		return seen{size: -1}
	}
	return seen{info.Size(), info.ModTime()}
}

// catchUp takes up what somebody else wrote to the file, if that is possible; else saving tells.
func (f *File) catchUp() {
	now := look(f.path)
	if now == f.seen || now == f.refused || now.size < 0 {
		return
	}
	if text, err := os.ReadFile(f.path); err == nil {
		if f.refused = now; bytes.Equal(text, f.texts[f.saved]) || f.merge(text) == nil {
			f.seen, f.refused = now, seen{}
		}
	}
}

// OpenFile opens an ontology file, and its draft in a folder, which need not exist. The error names the file, and wraps a *syntax.Error if it
// is malformed.
func OpenFile(path, folder string) (*File, error) {
	f := &File{path: path, texts: map[int][]byte{}}
	var err error
	if f.journal, err = openJournal(folder); err != nil {
		return nil, err
	}
	kept, err := f.journal.read()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ontology: %w", err)
	}
	if len(kept.texts) == 0 || len(kept.steps) == 0 || kept.at == kept.saved && !bytes.Equal(kept.texts[kept.saved], text) {
		kept = memory{texts: map[int][]byte{0: text}} // there is nothing to lose
	}
	all, err := read(path, kept.texts[kept.saved])
	if err != nil {
		return nil, err
	}
	f.d, f.texts, f.saved = New(all), kept.texts, kept.saved
	f.d.steps, f.d.at = kept.steps, kept.saved
	f.d.goTo(kept.at)
	f.catchUp()
	return f, nil
}

// read returns the statements of a content of any syntax.
func read(path string, text []byte) ([]rdf.Triple, error) {
	if edit.Editable(path, text) {
		return edit.Read(path, text)
	}
	turtle, err := edit.Convert(path, text)
	if err != nil {
		return nil, err
	}
	return edit.Read(path, turtle)
}

// goTo undoes and does again until so many steps are done.
func (d *Draft) goTo(at int) {
	for d.at > at {
		d.Undo()
	}
	for d.at < at {
		d.Redo()
	}
}

// Look calls do with the draft, which it must not change or keep.
func (f *File) Look(do func(*Draft)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.catchUp()
	do(f.d)
}

// Do does an edit in somebody's name, and keeps the step. Errors are those of Draft.Do, and ErrSyntax.
func (f *File) Do(e Edit, by string, at time.Time) (Step, error) {
	steps, err := f.DoAll(by, at, nil, e)
	if err != nil {
		return Step{}, err
	}
	return steps[0], nil
}

// DoAll does edits in somebody's name, all or none, with nothing else between. check is asked before each, unless it is nil: with an error of
// it nothing is done.
func (f *File) DoAll(by string, at time.Time, check func(Edit) error, edits ...Edit) (steps []Step, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.editable(); err != nil {
		return nil, err
	}
	f.catchUp()
	f.refused = seen{} // the draft is to be another
	if err := f.begin(); err != nil {
		return nil, err
	}
	before, undone := f.d.at, slices.Clone(f.d.steps[f.d.at:])
	for _, e := range edits {
		if check != nil {
			err = check(e)
		}
		var s Step
		if err == nil {
			s, err = f.d.Do(e, by, at)
		}
		if err != nil {
			f.d.goTo(before)
			f.d.steps = append(f.d.steps[:before:before], undone...)
			return nil, err
		}
		steps = append(steps, s)
	}
	err = f.drop(before)
	for i := range steps {
		if err == nil {
			err = f.journal.add(line{Step: &steps[i], At: before + i})
		}
	}
	if err != nil {
		f.d.goTo(before)
		f.d.steps = f.d.steps[:before]
		return nil, errors.Join(err, f.journal.add(line{At: before}))
	}
	return steps, nil
}

// begin makes the journal ready for a step. Where steps were undone that the content on the disk has, they stay, and what undid them become
// steps of their own.
func (f *File) begin() error {
	if len(f.d.steps) == 0 {
		if err := f.journal.base(f.saved, f.texts[f.saved]); err != nil {
			return err
		}
	}
	if f.saved <= f.d.at {
		return nil
	}
	at := f.d.at
	f.d.goTo(f.saved)
	if err := f.drop(f.saved); err != nil {
		return err
	}
	if err := f.journal.add(line{At: f.saved}); err != nil {
		return err
	}
	for i := f.saved - 1; i >= at; i-- {
		s := f.d.steps[i]
		back := Step{Says: "undone: " + s.Says, By: s.By, At: s.At, Remove: s.Add, Add: s.Remove}
		text, known := f.texts[i]
		f.d.apply(back.Remove, back.Add)
		f.d.steps = append(f.d.steps[:f.d.at:f.d.at], back)
		f.d.at++
		if err := f.journal.add(line{Step: &back, At: f.d.at - 1}); err != nil {
			return err
		}
		if known {
			f.texts[f.d.at] = text
			if err := f.journal.keep(f.d.at, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// drop forgets the contents of more steps than so many: these were undone, and others are to have their numbers.
func (f *File) drop(steps int) error {
	var all []int
	for n := range f.texts {
		if n > steps {
			delete(f.texts, n)
			all = append(all, n)
		}
	}
	return f.journal.forget(all)
}

// editable returns an error if the file cannot be edited.
func (f *File) editable() error {
	if !edit.Editable(f.path, f.texts[f.saved]) {
		return fmt.Errorf("%s: %w", f.path, ErrSyntax)
	}
	return nil
}

// Editable reports whether the file can be edited as it is: it is Turtle or N-Triples.
func (f *File) Editable() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.editable() == nil
}

// Undo undoes the last step; ok is false if there is none.
func (f *File) Undo() (Step, bool, error) { return f.turn((*Draft).Undo) }

// Redo does again the step that was undone last; ok is false if there is none.
func (f *File) Redo() (Step, bool, error) { return f.turn((*Draft).Redo) }

func (f *File) turn(do func(*Draft) (Step, bool)) (Step, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := do(f.d)
	f.refused = seen{}
	if !ok {
		return s, false, nil
	}
	return s, true, f.journal.add(line{At: f.d.at})
}

// A Standing is where the draft stands beside the file.
type Standing struct {
	Unsaved  int  `json:"unsaved"`  // statements that saving adds or removes
	Undo     int  `json:"undo"`     // steps that can be undone
	Redo     int  `json:"redo"`     // steps that can be done again
	Changed  bool `json:"changed"`  // somebody else changed the file since it was read
	Editable bool `json:"editable"` // it is Turtle or N-Triples
	Last     Step `json:"-"`        // done last
}

// Standing says where the draft stands.
func (f *File) Standing() Standing {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.catchUp()
	remove, add := f.change()
	done, undone := f.d.Steps()
	s := Standing{Unsaved: len(remove) + len(add), Undo: len(done), Redo: len(undone), Editable: f.editable() == nil}
	if len(done) > 0 {
		s.Last = done[len(done)-1]
	}
	text, err := os.ReadFile(f.path)
	s.Changed = err != nil || !bytes.Equal(text, f.texts[f.saved])
	return s
}

// change returns the statements that the steps since the content on the disk removed and added.
func (f *File) change() (remove, add []rdf.Triple) {
	net, order := map[rdf.Triple]int{}, []rdf.Triple{}
	note := func(all []rdf.Triple, by int) {
		for _, t := range all {
			if _, seen := net[t]; !seen {
				order = append(order, t)
			}
			net[t] += by
		}
	}
	for i := f.saved; i < f.d.at; i++ {
		note(f.d.steps[i].Remove, -1)
		note(f.d.steps[i].Add, 1)
	}
	for i := f.saved - 1; i >= f.d.at; i-- {
		note(f.d.steps[i].Add, -1)
		note(f.d.steps[i].Remove, 1)
	}
	for _, t := range order {
		switch n := net[t]; {
		case n > 0:
			add = append(add, t)
		case n < 0:
			remove = append(remove, t)
		}
	}
	return remove, add
}

// Next returns the content of the file now and as saving would make it. If somebody else changed it, next has their changes too; the error
// wraps ErrConflict if both changed the same.
func (f *File) Next() (was, next []byte, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next()
}

func (f *File) next() (was, next []byte, err error) {
	if was, err = os.ReadFile(f.path); err != nil {
		return nil, nil, fmt.Errorf("ontology: %w", err)
	}
	if !bytes.Equal(was, f.texts[f.saved]) {
		if err := f.merge(was); err != nil {
			return was, nil, err
		}
	}
	if text, ok := f.texts[f.d.at]; ok && (f.d.at == f.saved || f.means(text)) {
		return was, slices.Clone(text), nil
	}
	remove, add := f.change()
	next, err = edit.Apply(f.path, was, edit.Change{Remove: remove, Add: add})
	return was, next, err
}

// means reports whether a content says what the draft says, but for the labels of blank nodes.
func (f *File) means(text []byte) bool {
	all, err := edit.Read(f.path, text)
	if err != nil || len(all) != f.d.Len() {
		return false
	}
	return !slices.ContainsFunc(all, func(t rdf.Triple) bool { return t.S.Kind != rdf.Blank && t.O.Kind != rdf.Blank && !f.d.Has(t) })
}

// Text returns the content of the file as saving would make it, or as it is where that fails.
func (f *File) Text() []byte {
	was, next, err := f.Next()
	if err != nil {
		return was
	}
	return next
}

// Save writes the draft to the file, which must still be was. Errors wrap ErrConflict, edit.ErrChanged or those of edit.Apply, and change
// nothing.
func (f *File) Save(was []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, next, err := f.next()
	if err != nil {
		return err
	}
	if was != nil && !bytes.Equal(now, was) {
		return fmt.Errorf("%s: %w", f.path, edit.ErrChanged)
	}
	if err := edit.Save(f.path, now, next); err != nil {
		return err
	}
	f.texts[f.d.at], f.saved, f.seen = next, f.d.at, look(f.path)
	other, err := f.settle()
	if err != nil {
		return err
	}
	forgotten := f.prune()
	if other {
		return f.journal.rewrite(memory{steps: f.d.steps, at: f.d.at, saved: f.saved, texts: f.texts})
	}
	if err := f.journal.base(f.d.at, next); err != nil {
		return err
	}
	return f.journal.forget(forgotten)
}

// prune forgets contents beyond those that are kept: the first, the last ones, and that on the disk. It returns their numbers of steps.
func (f *File) prune() (forgotten []int) {
	all := slices.Sorted(maps.Keys(f.texts))
	for i := 1; i < len(all) && len(f.texts) > maxTexts; i++ {
		if all[i] != f.saved {
			delete(f.texts, all[i])
			forgotten = append(forgotten, all[i])
		}
	}
	return forgotten
}

// Discard forgets all steps: the draft is the file.
func (f *File) Discard() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	text, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("ontology: %w", err)
	}
	all, err := read(f.path, text)
	if err != nil {
		return err
	}
	if err := f.journal.clear(); err != nil {
		return err
	}
	f.d, f.texts, f.saved, f.seen = New(all), map[int][]byte{0: text}, 0, look(f.path)
	return nil
}

// IsUnknown reports whether an error says that an entity is not in a file.
func IsUnknown(err error) bool { return errors.Is(err, ontology.ErrUnknownEntity) }

// IsForeign reports whether an error says that somebody else changed a file.
func IsForeign(err error) bool { return errors.Is(err, ErrConflict) || errors.Is(err, edit.ErrChanged) }

// Convert returns the content of a file of any RDF syntax as Turtle.
func Convert(name string, content []byte) ([]byte, error) { return edit.Convert(name, content) }

// Diff returns the lines that differ between two contents of a file, for people.
func Diff(name string, was, next []byte) string { return edit.Diff(name, was, next) }
