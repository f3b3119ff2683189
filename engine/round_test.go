package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/ledger"
)

// A plotted focus proposes a list at the end of each round, and nothing after the last. Its state is the
// number of rounds ended.
type plotted struct {
	focus
	rounds [][]string
	ended  int
	asked  int // calls of EndRound in this process
}

func (p *plotted) RoundSize() int { return 0 }

func (p *plotted) EndRound(context.Context, orbweaver.Round) (all []orbweaver.Proposal, lesson orbweaver.Lesson, err error) {
	p.asked++
	if p.ended < len(p.rounds) {
		for _, url := range p.rounds[p.ended] {
			all = append(all, orbweaver.Proposal{Request: orbweaver.Request{URL: url}})
		}
	}
	p.ended++
	return all, lesson, nil
}

func (p *plotted) Learn(context.Context, orbweaver.Outcome) (orbweaver.Lesson, error) {
	return orbweaver.Lesson{}, nil
}
func (p *plotted) Snapshot(w io.Writer) error { return json.NewEncoder(w).Encode(p.ended) }
func (p *plotted) Restore(r io.Reader) error  { return json.NewDecoder(r).Decode(&p.ended) }

// plotWeb is a web for plots: a round of known URLs, one of refused URLs, and one with a new page.
var (
	plotWeb = web{"http://a/": "http://a/x", "http://a/x": "", "http://a/y": "", "http://no/": ""}
	plot    = [][]string{{"http://a/", "http://a/x"}, {"http://no/"}, {"http://a/", "http://a/y"}}
)

func plotSession(f *plotted) session {
	return session{web: plotWeb, focus: f, scope: func(url string) (bool, string) { return url != "http://no/", "no" }}
}

// TestRoundsOfWhatIsKnown: a round that proposes nothing new does not end the crawl.
func TestRoundsOfWhatIsKnown(t *testing.T) {
	dir := t.TempDir()
	progress, err := plotSession(&plotted{rounds: plot}).run(t, dir)
	if got, want := lines(t, dir), []string{"a/", "a/x", "a/y"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("crawled %q in one session, want %q; %v", got, want, err)
	}
	if progress.Ended != engine.EndExhausted || progress.Rounds != 4 {
		t.Errorf("ended as %+v", progress)
	}
}

// TestOverStaysOver: resuming a finished crawl ends no round and writes nothing, not even the time spent.
func TestOverStaysOver(t *testing.T) {
	for name, limits := range map[string]engine.Limits{"exhausted": {}, "at a limit": {Requests: 2}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := plotSession(&plotted{rounds: plot})
			s.limits = limits
			before, err := s.run(t, dir)
			if err != nil || before.Ended == "" {
				t.Fatalf("%+v, %v", before, err)
			}
			journal := journalOf(t, dir)
			for range 3 {
				again := &plotted{rounds: plot}
				s.focus = again
				after, err := s.run(t, dir)
				if err != nil || after != before || again.asked != 0 {
					t.Errorf("%+v after %d rounds, want %+v; %v", after, again.asked, before, err)
				}
			}
			if !bytes.Equal(journal, journalOf(t, dir)) {
				t.Error("pages.jsonl changed")
			}
		})
	}
}

// TestRoundsKilledAnywhere: whichever commit is the last of a process, the crawl ends the same.
func TestRoundsKilledAnywhere(t *testing.T) {
	whole := t.TempDir()
	want, err := plotSession(&plotted{rounds: plot}).run(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		dir := t.TempDir()
		s := plotSession(&plotted{rounds: plot})
		s.commits = n
		if _, err := s.run(t, dir); !errors.Is(err, errKilled) {
			if n < 8 || err != nil {
				t.Fatalf("%d commits, %v", n, err)
			}
			return
		}
		got, err := plotSession(&plotted{rounds: plot}).run(t, dir)
		got.Active = want.Active
		if err != nil || got != want || !bytes.Equal(journalOf(t, dir), journalOf(t, whole)) {
			t.Errorf("killed at commit %d: %+v, want %+v; %v\n%s", n, got, want, err, journalOf(t, dir))
		}
	}
}

// journalOf returns the content of pages.jsonl.
func journalOf(t *testing.T, dir string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
