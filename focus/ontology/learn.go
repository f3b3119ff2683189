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
)

// Learn counts the entities of a page, what stands near them, and the words it was asked for by, after
// it was judged. The keys of words whose lift has moved are stale.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Page == nil {
		return orbweaver.Lesson{}, nil
	}
	if f.idf.source == Learned {
		f.idf.learn(f.findings(o.Page).hits)
	}
	f.gaps.learn(f.now.Load(), o.Page, f.findings(o.Page).near)
	_, stems, _ := readNote(o.Request.Note)
	return orbweaver.Lesson{Stale: f.words.learn(stems, o.Actual.Score)}, nil
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 3

// A snapshot is what a focus learned, as written; what may be missing in the ontology stands behind it,
// in its own words.
type snapshot struct {
	Version int              `json:"version"`
	Pages   int64            `json:"pages"`
	DF      map[string]int64 `json:"df"` // by IRI; entities on no page are left out
	Words   wordSnapshot     `json:"words"`
	Decided []string         `json:"decided,omitempty"` // ids, ascending
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

// Snapshot writes what was learned: the same state gives the same bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	o := f.now.Load().ontology
	s := snapshot{Version: snapshotVersion, Pages: f.idf.pages, DF: map[string]int64{}, Words: f.words.snapshot()}
	s.Decided = slices.Sorted(maps.Keys(f.decided))
	for i, df := range f.idf.df {
		if df > 0 {
			s.DF[o.Entity(i).IRI] = df
		}
	}
	err := json.NewEncoder(w).Encode(s)
	if err == nil {
		err = f.gaps.write(w, o)
	}
	if err != nil {
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
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(&s); err != nil {
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
	gaps, err := f.restoreGaps(io.MultiReader(decoder.Buffered(), r))
	if err != nil {
		return err
	}
	f.words, f.gaps = words, gaps
	f.idf.pages, f.idf.df = s.Pages, df
	clear(f.idf.valid)
	clear(f.decided)
	for _, id := range s.Decided {
		f.decided[id] = true
	}
	return nil
}

// restoreGaps reads what stands behind the JSON and the end of its line.
func (f *Focus) restoreGaps(r io.Reader) (*gaps, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxState))
	if err != nil {
		return nil, fmt.Errorf("ontology focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	g, err := readGaps(bytes.TrimPrefix(b, []byte("\n")), f.Ontology())
	if err != nil {
		return nil, fmt.Errorf("ontology focus: snapshot: %w", err)
	}
	return g, nil
}

func (f *Focus) restoreDF(s snapshot) ([]int64, error) {
	df := make([]int64, len(f.idf.df))
	for _, iri := range slices.Sorted(maps.Keys(s.DF)) {
		count := s.DF[iri]
		i, ok := f.now.Load().ontology.Find(iri)
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
