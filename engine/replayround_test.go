package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"orbweaver"
)

// A surveying focus works in rounds, and at the end of each counts what links to each URL that it has heard of. Its state is
// padded, so that snapshots are rare.
type surveying struct {
	*counting
	Linked map[string]int
	note   []byte
	padded int
	saved  *int // snapshots
}

func newSurveying(padded int, saved *int) *surveying {
	return &surveying{newCounting(), map[string]int{}, nil, padded, saved}
}

func (s *surveying) RoundSize() int { return 4 }

func (s *surveying) EndRound(_ context.Context, r orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	linked := map[string]int{}
	for url := range s.seen {
		for range r.Known.Inlinks(url) {
			linked[url]++
		}
	}
	s.note, _ = json.Marshal(linked)
	return nil, orbweaver.Lesson{Stale: []string{"*"}}, s.ReplayRound(r.N, s.note)
}

func (s *surveying) RoundNote() []byte { return s.note }

func (s *surveying) ReplayRound(n int, note []byte) error {
	var linked map[string]int
	err := json.Unmarshal(note, &linked)
	for url, links := range linked {
		s.Linked[url] = n + links*s.seen[url] // what was learned before the round counts
	}
	return err
}

func (s *surveying) Rerank(known orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	j := s.counting.Rerank(known, p)
	j.Score += float64(s.Linked[p.URL]%17) / 100
	return j
}

func (s *surveying) Snapshot(w io.Writer) error {
	*s.saved++
	return json.NewEncoder(w).Encode([]any{s.seen, s.Linked, bytes.Repeat([]byte{'x'}, s.padded)})
}

func (s *surveying) Restore(r io.Reader) error {
	return json.NewDecoder(r).Decode(&[]any{&s.seen, &s.Linked, &[]byte{}})
}

// TestRoundsReplayed: rounds that ended since the last snapshot are ended again when a crawl resumes, each after the outcomes
// that it came after, whichever commit the process was killed at. The larger the state, the rarer are snapshots.
func TestRoundsReplayed(t *testing.T) {
	w, whole, saved := randomWeb(60, 2), t.TempDir(), 0
	if _, err := (session{web: w, focus: newSurveying(0, &saved)}).run(t, whole); err != nil {
		t.Fatal(err)
	}
	want := lines(t, whole)
	often := saved
	saved = 0
	if _, err := (session{web: w, focus: newSurveying(1<<17, &saved)}).run(t, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if rounds := len(want) / 4; often >= rounds || saved >= often/2 || saved < 2 {
		t.Errorf("%d snapshots of a small state and %d of a large one, in %d rounds", often, saved, rounds)
	}
	for padded, commits := range map[int][]int{0: {3, 11}, 1 << 17: {4, 7, 19}} {
		for _, every := range commits {
			dir := t.TempDir()
			for {
				_, err := session{web: w, focus: newSurveying(padded, &saved), commits: every, workers: 3}.run(t, dir)
				if err == nil {
					break
				}
				if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
			}
			if got := lines(t, dir); !slices.Equal(got, want) {
				t.Fatalf("killed every %d commits: %s", every, firstDifference(got, want))
			}
		}
	}
}
