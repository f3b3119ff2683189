package krs

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"orbweaver"
	kb "orbweaver/kb/krs"
)

// The limits of learning; later pages are ignored.
const (
	maxLearned   = 512 // pages, accepted and rejected each
	maxNouns     = 256 // distinct nouns per page: the first
	firstCompile = 32  // pages after which the KRS is recompiled for the first time
)

// learned is the set of learned pages, and how many of them the current snapshot includes.
type learned struct {
	accepted, rejected [][]kb.Mention
	inUse              [2]int // number of pages in use: accepted, rejected

	lent [2][][]kb.Mention // pages that other workers learned: accepted, rejected; at most maxLearned each
	used [2][][]kb.Mention // those of them in use
}

// grown reports whether the number of learned pages has reached a power of two, from 32 on, since pages were last put in use; then all are.
func (l *learned) grown() bool {
	own := [2][][]kb.Mention{l.accepted, l.rejected}
	all, before := 0, 0
	var lent [2][][]kb.Mention
	for i := range own {
		lent[i] = l.lent[i][:min(len(l.lent[i]), maxLearned-len(own[i]))]
		all += len(own[i]) + len(lent[i])
		before += l.inUse[i] + len(l.used[i])
	}
	if all < firstCompile || bits.Len(uint(all)) <= bits.Len(uint(before)) {
		return false
	}
	l.inUse, l.used = [2]int{len(l.accepted), len(l.rejected)}, lent
	return true
}

// Learn counts the likeness of a page, from which the threshold of acceptance follows, and records its nouns: those of an accepted
// page if Options.Learn is set, of a rejected one if the KRS has no background. The KRS changes when the number of
// recorded pages is a power of two, from 32 on, and pages are then counted anew.
func (f *Focus) Learn(ctx context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if err := f.meet(ctx, o.Page); err != nil {
		return orbweaver.Lesson{}, err
	}
	into := f.lessons(o)
	if into == nil || len(*into) == maxLearned {
		return orbweaver.Lesson{}, nil
	}
	found, err := f.findings(ctx, o.Page)
	if err != nil || len(found.mentions) == 0 {
		return orbweaver.Lesson{}, err
	}
	*into = append(*into, nounsOf(found.mentions))
	if f.learned.grown() {
		f.compile()
	}
	return orbweaver.Lesson{}, nil
}

// meet counts the likeness of a page. The threshold follows whenever the pages have become a sixteenth more.
func (f *Focus) meet(ctx context.Context, p *orbweaver.Page) error {
	if p == nil || !f.moves() {
		return nil
	}
	found, err := f.findings(ctx, p)
	if err != nil || len(found.mentions) == 0 {
		return err
	}
	f.met.Add(f.now.Judge(found.mentions).Likeness)
	if f.met.Pages() >= f.edge.Pages+max(1, f.edge.Pages/16) {
		f.edge = f.now.Boundary(f.met)
	}
	return nil
}

// lessons returns the list to which an outcome's page belongs; nil if none.
func (f *Focus) lessons(o orbweaver.Outcome) *[][]kb.Mention {
	switch {
	case o.Page == nil:
		return nil
	case o.Actual.Accepted && f.opts.Learn:
		return &f.learned.accepted
	case !o.Actual.Accepted && f.opts.Rule == Calibrated && f.opts.Snapshot.Background() == 0:
		return &f.learned.rejected
	}
	return nil
}

// compile rebuilds the judging KRS from the original one, the pages in use and those with a verdict.
func (f *Focus) compile() {
	f.untaught = nil
	f.use(f.schema(f.told))
}

// schema compiles the original KRS with the pages in use and some that have a verdict.
func (f *Focus) schema(said []told) *kb.Snapshot {
	l, s := &f.learned, f.opts.Snapshot
	if l.inUse != [2]int{} || len(l.used[0])+len(l.used[1]) > 0 {
		s = s.With(slices.Concat(l.accepted[:l.inUse[0]], l.used[0]), slices.Concat(l.rejected[:l.inUse[1]], l.used[1]))
	}
	own := f.opts.Snapshot.Background() == 0 // the background is of the crawl's own pages
	var corpus, background [][]kb.Mention
	for _, t := range said {
		switch {
		case t.relevant:
			corpus = append(corpus, t.nouns)
		case own && s.Background() > 0: // a few pages alone are none
			background = append(background, t.nouns)
		}
	}
	if len(corpus)+len(background) == 0 {
		return s
	}
	return s.Told(corpus, background)
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

// A snapshot is the learned state: nouns, and pages as pairs of a noun's position and its count.
type snapshot struct {
	Version  int         `json:"version"`
	KRS      string      `json:"krs"` // digest
	Nouns    [][2]string `json:"nouns,omitempty"`
	Accepted [][]int     `json:"accepted,omitempty"`
	Rejected [][]int     `json:"rejected,omitempty"`
	InUse    [2]int      `json:"in_use"`
	Lent     *[2][][]int `json:"lent,omitempty"` // by other workers: accepted, rejected
	Used     *[2][][]int `json:"used,omitempty"` // those of them in use
	Met      []byte      `json:"met,omitempty"`  // see kb.ReadLikenesses; without, no page is counted

	Edge *kb.Boundary `json:"edge,omitempty"` // with Met: what the threshold was when it last moved
	Told []toldPage   `json:"told,omitempty"` // pages with a verdict, in order
}

// A toldPage is a page with a verdict in a snapshot.
type toldPage struct {
	URL      string `json:"url"`
	Relevant bool   `json:"relevant,omitempty"`
	Nouns    []int  `json:"nouns"` // as of other pages
}

// Snapshot writes the learned state: equal states give equal bytes.
func (f *Focus) Snapshot(w io.Writer) error {
	s := snapshot{Version: snapshotVersion, KRS: f.opts.Snapshot.Digest(), InUse: f.learned.inUse}
	pairs := s.pairs()
	s.Accepted, s.Rejected = pairs(f.learned.accepted), pairs(f.learned.rejected)
	if l := &f.learned; len(l.lent[0])+len(l.lent[1])+len(l.used[0])+len(l.used[1]) > 0 {
		s.Lent, s.Used = &[2][][]int{pairs(l.lent[0]), pairs(l.lent[1])}, &[2][][]int{pairs(l.used[0]), pairs(l.used[1])}
	}
	for _, t := range f.told {
		s.Told = append(s.Told, toldPage{t.url, t.relevant, pairs([][]kb.Mention{t.nouns})[0]})
	}
	if f.met.Pages() > 0 {
		s.Met, s.Edge = f.met.Append(nil), &f.edge
	}
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("KRS focus: snapshot: %w", err)
	}
	return nil
}

// pairs returns a function that encodes pages, and adds their nouns to those of the snapshot.
func (s *snapshot) pairs() func(pages [][]kb.Mention) [][]int {
	places := map[kb.Key]int{}
	return func(pages [][]kb.Mention) (all [][]int) {
		for _, page := range pages {
			var one []int
			for _, m := range page {
				place, known := places[m.Key]
				if !known {
					place = len(s.Nouns)
					places[m.Key] = place
					s.Nouns = append(s.Nouns, [2]string{m.Lemma, m.IRI})
				}
				one = append(one, place, m.Times)
			}
			all = append(all, one)
		}
		return all
	}
}

// maxSnapshot bounds the size of a snapshot, in bytes.
const maxSnapshot = 1 << 30

// Restore replaces the learned state by a snapshot. An invalid snapshot leaves the focus unchanged and
// returns an error: orbweaver.ErrDamaged when it cannot be read, orbweaver.ErrForeign when it was made with
// another KRS, or with this one before it was changed.
func (f *Focus) Restore(r io.Reader) error {
	s, err := f.read(r)
	if err != nil {
		return err
	}
	f.learned, f.told = s.learned, s.told
	f.compile()
	if f.met = s.met; s.edge != nil {
		f.edge = *s.edge
	}
	return nil
}

// A state is what a snapshot holds.
type state struct {
	learned learned
	told    []told
	met     *kb.Likenesses
	edge    *kb.Boundary // nil: it follows from met
}

// read decodes a snapshot; errors are those of Restore.
func (f *Focus) read(r io.Reader) (*state, error) {
	var s snapshot
	if err := json.NewDecoder(io.LimitReader(r, maxSnapshot)).Decode(&s); err != nil {
		return nil, fmt.Errorf("KRS focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
	}
	if s.Version == snapshotVersion && s.KRS != f.opts.Snapshot.Digest() {
		return nil, fmt.Errorf("KRS focus: the KRS of %s is not the one that the crawl began with: %w",
			f.opts.Snapshot.Topic(), orbweaver.ErrForeign)
	}
	accepted, fine := s.pages(s.Accepted)
	rejected, too := s.pages(s.Rejected)
	met := new(kb.Likenesses)
	if len(s.Met) > 0 {
		var err error
		if met, err = kb.ReadLikenesses(s.Met); err != nil {
			return nil, fmt.Errorf("KRS focus: snapshot: %w: %w", orbweaver.ErrDamaged, err)
		}
	}
	if s.Edge != nil && !(s.Edge.Likeness > 0 && 0 <= s.Edge.Pages && s.Edge.Pages <= met.Pages()) {
		return nil, fmt.Errorf("KRS focus: snapshot: a threshold of %v after %d pages: %w", s.Edge.Likeness, s.Edge.Pages, orbweaver.ErrDamaged)
	}
	within := 0 <= s.InUse[0] && s.InUse[0] <= len(accepted) && 0 <= s.InUse[1] && s.InUse[1] <= len(rejected)
	said, known := s.told()
	lent, lentToo := s.both(s.Lent)
	used, usedToo := s.both(s.Used)
	known = known && lentToo && usedToo
	if s.Version != snapshotVersion || !fine || !too || !within || !known {
		return nil, fmt.Errorf("KRS focus: snapshot of version %d: %w", s.Version, orbweaver.ErrDamaged)
	}
	return &state{learned{accepted, rejected, s.InUse, lent, used}, said, met, s.Edge}, nil
}

// told decodes the pages with a verdict; false if they are inconsistent.
func (s *snapshot) told() (all []told, ok bool) {
	var nouns [][]int
	for _, t := range s.Told {
		nouns = append(nouns, t.Nouns)
	}
	pages, ok := s.pages(nouns)
	for i := range pages {
		all = append(all, told{s.Told[i].URL, s.Told[i].Relevant, pages[i]})
	}
	return all, ok
}

// both decodes accepted and rejected pages.
func (s *snapshot) both(all *[2][][]int) (pages [2][][]kb.Mention, ok bool) {
	if all == nil {
		return pages, true
	}
	accepted, fine := s.pages(all[0])
	rejected, too := s.pages(all[1])
	return [2][][]kb.Mention{accepted, rejected}, fine && too
}

// pages decodes the nouns of pages; false if they are inconsistent.
func (s *snapshot) pages(all [][]int) (pages [][]kb.Mention, ok bool) {
	if len(all) > maxLearned {
		return nil, false
	}
	for _, pairs := range all {
		if len(pairs) == 0 || len(pairs)%2 != 0 || len(pairs) > 2*maxNouns {
			return nil, false
		}
		page, met := make([]kb.Mention, 0, len(pairs)/2), map[int]bool{}
		for i := 0; i < len(pairs); i += 2 {
			place, times := pairs[i], pairs[i+1]
			if place < 0 || place >= len(s.Nouns) || times < 1 || met[place] {
				return nil, false
			}
			met[place] = true
			page = append(page, kb.Mention{Key: kb.Key{Lemma: s.Nouns[place][0], IRI: s.Nouns[place][1]}, Times: times})
		}
		pages = append(pages, page)
	}
	return pages, true
}
