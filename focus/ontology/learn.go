package ontology

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
	"orbweaver/focus/accept"
	"orbweaver/focus/urlwords"
)

// Learn counts the entities of a judged page, what is near them, and the words by which the page was
// requested. It returns the keys of words whose lift has changed.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Page == nil {
		return orbweaver.Lesson{}, nil
	}
	f.tell(f.findings(o.Page))
	if f.idf.source == Learned {
		f.idf.learn(f.findings(o.Page).hits)
	}
	f.accept.Add(o.Actual.Score)
	f.gaps.learn(f.now.Load(), o.Page, f.findings(o.Page).near, f.lends(o.Actual.Score))
	if f.opts.Paper.Unlearned {
		return orbweaver.Lesson{}, nil
	}
	stale := f.learnURLs(o)
	n, _ := parseNote(o.Request.Note)
	lesson := orbweaver.Lesson{Stale: f.words.learn(n.stems, f.lends(o.Actual.Score))}
	if stale {
		lesson.Stale = append(lesson.Stale, urlwords.Key)
	}
	return lesson, nil
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 3

// A snapshot is the learned state: JSON on one line, followed by the words and the gap statistics in a binary
// encoding: see state.go.
type snapshot struct {
	Version int               `json:"version"`
	Pages   int64             `json:"pages"`
	DF      map[string]int64  `json:"df"`                // by IRI; entities on no page are left out
	Decided []string          `json:"decided,omitempty"` // IDs, ascending
	Accept  []byte            `json:"accept,omitempty"`  // see accept.Read; without Paper.Satisfied
	URLs    []byte            `json:"urls,omitempty"`    // see urlwords.Restore
	Telling *toldState        `json:"telling,omitempty"`
	Retold  map[string]retold `json:"retold,omitempty"` // verdicts on pages, by URL
	Gaps    int               `json:"gaps,omitempty"`   // version of the gap statistics: see gapstate.go
	Others  []byte            `json:"others,omitempty"` // what other workers shared of the above: see counts
}

// Snapshot writes the learned state: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	o := f.now.Load().ontology
	s := snapshot{Version: snapshotVersion, Pages: f.idf.pages, DF: map[string]int64{}, Telling: f.telling.state(o), Retold: f.retold, Gaps: gapForm}
	s.Decided = slices.Sorted(maps.Keys(f.decided))
	if !f.opts.Paper.Satisfied {
		s.Accept = f.accept.Append(nil)
	}
	s.URLs = f.urls.Append(nil)
	for i, df := range f.idf.df {
		if df > 0 {
			s.DF[o.Entity(i).IRI] = df
		}
	}
	var err error
	if f.others != nil {
		s.Others, err = f.others.encoded()
	}
	if err == nil {
		err = json.NewEncoder(w).Encode(s)
	}
	if err == nil {
		out := stateWriter{b: f.scratch[:0]}
		out.words(f.words)
		out.gaps(f.gaps, o)
		_, err = w.Write(out.b)
		f.scratch = out.b
	}
	if err != nil {
		return fmt.Errorf("ontology focus: snapshot: %w", err)
	}
	return nil
}

// A state is what a snapshot holds, decoded for the current ontology.
type state struct {
	pages   int64
	df      []int64 // by entity
	words   *words
	urls    *urlwords.Model
	accept  *accept.Calibration
	telling *telling // nil without Options.Telling
	gaps    *gaps
	retold  map[string]retold
	others  *counts // part of pages, df, words, accept and telling; nil: nothing
	decided map[string]bool
}

// Restore replaces the learned state by a snapshot. An invalid snapshot leaves the focus unchanged and
// returns an error: orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when it counts entities
// that the ontology lacks, and does not with Options.Forget.
func (f *Focus) Restore(r io.Reader) error {
	s, err := f.read(r)
	if err == nil {
		f.use(s)
	}
	return err
}

// use replaces the learned state.
func (f *Focus) use(s *state) {
	f.idf.pages, f.idf.df = s.pages, s.df
	clear(f.idf.valid)
	f.words, f.urls, f.accept, f.telling, f.gaps = s.words, s.urls, s.accept, s.telling, s.gaps
	f.retold, f.others, f.decided = s.retold, s.others, s.decided
}

// read decodes a snapshot; errors are those of Restore.
func (f *Focus) read(r io.Reader) (*state, error) {
	var s snapshot
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(&s); err != nil {
		return nil, fmt.Errorf("ontology focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if s.Version != snapshotVersion || s.Pages < 0 || s.Gaps < 0 || s.Gaps > gapForm {
		return nil, fmt.Errorf("ontology focus: snapshot of version %d.%d, %d pages: %w", s.Version, s.Gaps, s.Pages, orbweaver.ErrDamaged)
	}
	to := &state{pages: s.Pages, accept: new(accept.Calibration), retold: s.Retold, decided: map[string]bool{}}
	var err error
	if to.df, err = f.restoreDF(s); err != nil {
		return nil, err
	}
	if len(s.Accept) > 0 {
		if to.accept, err = accept.Read(s.Accept); err != nil {
			return nil, fmt.Errorf("ontology focus: snapshot: %w", err)
		}
	}
	if to.urls, err = urlwords.Restore(s.URLs); err != nil {
		return nil, fmt.Errorf("ontology focus: snapshot: %w", err)
	}
	if to.telling, err = f.restoreTelling(s.Telling); err != nil {
		return nil, err
	}
	for url, one := range s.Retold {
		if !stems(one.Stems).valid() {
			return nil, fmt.Errorf("ontology focus: snapshot: verdict on %s: %w", url, orbweaver.ErrDamaged)
		}
	}
	if to.retold == nil {
		to.retold = map[string]retold{}
	}
	if len(s.Others) > 0 {
		if to.others, err = decoded(s.Others); err != nil {
			return nil, err
		}
	}
	for _, id := range s.Decided {
		to.decided[id] = true
	}
	to.words, to.gaps, err = f.restoreState(io.MultiReader(decoder.Buffered(), r), s.Gaps)
	return to, err
}

// restoreState decodes what follows the line of JSON.
func (f *Focus) restoreState(r io.Reader, form int) (*words, *gaps, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxState))
	if err != nil {
		return nil, nil, fmt.Errorf("ontology focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	in := stateReader{b: bytes.TrimPrefix(b, []byte("\n"))}
	words := in.words()
	if f.opts.Forget {
		return words, newGaps(), nil
	}
	gaps := in.gaps(f.Ontology(), form)
	if err := in.end(); err != nil {
		return nil, nil, fmt.Errorf("ontology focus: snapshot: %w", err)
	}
	return words, gaps, nil
}

func (f *Focus) restoreDF(s snapshot) ([]int64, error) {
	df := make([]int64, len(f.idf.df))
	for _, iri := range slices.Sorted(maps.Keys(s.DF)) {
		count := s.DF[iri]
		i, ok := f.now.Load().ontology.Find(iri)
		if !ok && f.opts.Forget {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("ontology focus: snapshot: %s is not in the ontology: %w", iri, orbweaver.ErrForeign)
		}
		if count < 0 || count > s.Pages {
			return nil, fmt.Errorf("ontology focus: snapshot: %s on %d of %d pages: %w", iri, count, s.Pages, orbweaver.ErrDamaged)
		}
		df[i] = count
	}
	return df, nil
}
