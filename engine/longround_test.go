package engine_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
)

// A turning focus waits for many requests, and after each round of one request turns their order round.
type turning struct {
	focus
	seeds  int // 0: manySeeds
	rounds uint64
	ranked func() // at each Rerank
}

// manySeeds is more than three slices of opinions.
const manySeeds = 26_000

func (f *turning) Seeds(context.Context, orbweaver.Known) ([]orbweaver.Proposal, error) {
	plan := make([]orbweaver.Proposal, cmp.Or(f.seeds, manySeeds))
	for i := range plan {
		plan[i].URL, plan[i].Score = fmt.Sprintf("http://a/%d", i), float64(i)/float64(len(plan))
	}
	return plan, nil
}

func (f *turning) RoundSize() int { return 1 }

func (f *turning) EndRound(context.Context, orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	f.rounds++
	return nil, orbweaver.Lesson{Stale: []string{"*"}}, nil
}

func (f *turning) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	if f.ranked != nil {
		f.ranked()
	}
	i, _ := strconv.ParseUint(strings.TrimPrefix(p.URL, "http://a/"), 10, 64) // the session's own seed is the first
	p.Score = float64((i*7919+f.rounds*104729)%manySeeds) / manySeeds
	return p.Judgement
}

func (f *turning) Learn(context.Context, orbweaver.Outcome) (orbweaver.Lesson, error) {
	return orbweaver.Lesson{}, nil
}
func (f *turning) Snapshot(w io.Writer) error { return binary.Write(w, binary.LittleEndian, f.rounds) }
func (f *turning) Restore(r io.Reader) error  { return binary.Read(r, binary.LittleEndian, &f.rounds) }

// everyPage is a web with a page for every seed.
func everyPage() web {
	w := web{}
	for i := range manySeeds {
		w[fmt.Sprintf("http://a/%d", i)] = ""
	}
	return w
}

// TestLongRoundsKilledAnywhere: the end of a round over many requests is committed in slices, and whichever of these
// commits is the last of a process, the crawl ends the same.
func TestLongRoundsKilledAnywhere(t *testing.T) {
	tier.Long(t, "kills a crawl in each of its rounds")
	run := func(dir string, commits int) (step.Progress, error) {
		return session{web: everyPage(), focus: &turning{}, limits: engine.Limits{Requests: 3}, commits: commits}.run(t, dir)
	}
	whole := t.TempDir()
	want, err := run(whole, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := 2; ; n++ {
		dir := t.TempDir()
		if _, err := run(dir, n); !errors.Is(err, errKilled) {
			if n < 12 || err != nil {
				t.Fatalf("%d commits, %v", n, err)
			}
			return
		}
		got, err := run(dir, 0)
		got.Active = want.Active
		if err != nil || got != want || !bytes.Equal(journalOf(t, dir), journalOf(t, whole)) {
			t.Errorf("killed at commit %d: %+v, want %+v; %v", n, got, want, err)
		}
	}
}

// TestLookWithinARound: who only looks is answered within the end of a long round, who wants a change after it.
func TestLookWithinARound(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		book, err := ledger.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		var c *engine.Crawl
		ranked, looked, called := 0, 0, 0
		f := &turning{}
		f.ranked = func() {
			if ranked++; ranked == 1000 {
				go func() { _ = c.Call(t.Context(), func() { called = ranked }) }()
				synctest.Wait()
			}
			if ranked == 5000 {
				go func() { _ = c.Look(t.Context(), func() { looked = ranked }) }()
				synctest.Wait()
			}
		}
		c = engine.New(engine.Config{
			Focus: f, Fetch: everyPage(), Read: reader{}, Ledger: book, Frontier: frontier.New(frontier.Options{}),
			Limits: engine.Limits{Requests: 2},
		}, book.Progress())
		if _, err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if looked < 5000 || looked > 6000 {
			t.Errorf("looked after %d opinions", looked)
		}
		if called < manySeeds-1 {
			t.Errorf("called after %d opinions", called)
		}
		synctest.Wait()
	})
}

// BenchmarkRoundEnd ends rounds over a million waiting requests, and reports the longest absence in milliseconds.
func BenchmarkRoundEnd(b *testing.B) {
	for b.Loop() {
		book, err := ledger.Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		c := engine.New(engine.Config{
			Focus: &turning{seeds: 1_000_000}, Fetch: everyPage(), Read: reader{}, Ledger: book, Frontier: frontier.New(frontier.Options{}),
			Limits: engine.Limits{Requests: 3}, Flush: book.Flush,
		}, book.Progress())
		if _, err := c.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
		all := c.Absences()
		b.ReportMetric(float64(all.Longest.Microseconds())/1000, "ms/longest")
		b.ReportMetric(float64(all.Count()), "absences")
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
