package ontology

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"orbweaver"
)

// Learn counts the entities of a page, and the words it was asked for by, after it was judged. The
// keys of words whose lift has moved are stale.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Page == nil {
		return orbweaver.Lesson{}, nil
	}
	if f.idf.source == Learned {
		f.idf.learn(f.findings(o.Page).hits)
	}
	_, stems, _ := readNote(o.Request.Note)
	return orbweaver.Lesson{Stale: f.words.learn(stems, o.Actual.Score)}, nil
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 2

// A snapshot is what a focus learned, as written.
type snapshot struct {
	Version int              `json:"version"`
	Pages   int64            `json:"pages"`
	DF      map[string]int64 `json:"df"` // by IRI; entities on no page are left out
	Words   wordSnapshot     `json:"words"`
}

// A wordSnapshot is what a focus learned of words.
type wordSnapshot struct {
	Pages int64       `json:"pages"`
	Sum   float64     `json:"sum"`
	List  []wordState `json:"list,omitempty"` // as first met
}

type wordState struct {
	Stem  string  `json:"stem"`
	Pages int64   `json:"pages"`
	Sum   float64 `json:"sum"`
	Told  float64 `json:"told,omitempty"`
}

// Snapshot writes what was learned, as JSON: the same state gives the same bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	s := snapshot{Version: snapshotVersion, Pages: f.idf.pages, DF: map[string]int64{}, Words: f.words.snapshot()}
	for i, df := range f.idf.df {
		if df > 0 {
			s.DF[f.ontology.Entity(i).IRI] = df
		}
	}
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("ontology focus: snapshot: %w", err)
	}
	return nil
}

func (ws *words) snapshot() wordSnapshot {
	s := wordSnapshot{Pages: ws.pages, Sum: ws.sum, List: make([]wordState, len(ws.list))}
	for i := range ws.list {
		w := &ws.list[i]
		s.List[i] = wordState{Stem: w.stem(), Pages: w.pages, Sum: w.sum, Told: w.told}
	}
	return s
}

// Restore replaces what was learned by a snapshot. A snapshot that makes no sense leaves the focus as
// it was and gives an error: orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when
// it counts entities that the ontology lacks.
func (f *Focus) Restore(r io.Reader) error {
	var s snapshot
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return fmt.Errorf("ontology focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if s.Version != snapshotVersion || s.Pages < 0 {
		return fmt.Errorf("ontology focus: snapshot of version %d, %d pages: %w", s.Version, s.Pages, orbweaver.ErrDamaged)
	}
	df, err := f.restoreDF(s)
	if err != nil {
		return err
	}
	words, err := s.Words.restore()
	if err != nil {
		return err
	}
	f.words = words
	f.idf.pages, f.idf.df = s.Pages, df
	clear(f.idf.valid)
	return nil
}

func (f *Focus) restoreDF(s snapshot) ([]int64, error) {
	df := make([]int64, len(f.idf.df))
	for _, iri := range slices.Sorted(maps.Keys(s.DF)) {
		count := s.DF[iri]
		i, ok := f.ontology.Find(iri)
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

func (s wordSnapshot) restore() (*words, error) {
	if s.Pages < 0 || s.Sum < 0 || len(s.List) > maxWords {
		return nil, fmt.Errorf("ontology focus: snapshot: %d words of %d pages: %w", len(s.List), s.Pages, orbweaver.ErrDamaged)
	}
	ws := newWords()
	ws.pages, ws.sum = s.Pages, s.Sum
	for _, w := range s.List {
		sane := proper(len(w.Stem), len(w.Stem)) && 0 < w.Pages && w.Pages <= s.Pages && 0 <= w.Sum && w.Sum <= s.Sum
		if _, again := ws.index[w.Stem]; again || !sane {
			return nil, fmt.Errorf("ontology focus: snapshot: word %q on %d of %d pages: %w", w.Stem, w.Pages, s.Pages, orbweaver.ErrDamaged)
		}
		ws.add(word{key: keyPrefix + w.Stem, pages: w.Pages, sum: w.Sum, told: w.Told})
	}
	return ws, nil
}
