package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// A judged focus scores by the verdicts and removals applied so far.
type judged struct {
	*counting
	score float64
}

func (j *judged) Decide(_ context.Context, d orbweaver.Decision) (orbweaver.Lesson, error) {
	switch {
	case d.ID != "":
		return orbweaver.Lesson{}, fmt.Errorf("%s: it makes no suggestions: %w", d.Name(), orbweaver.ErrInput)
	case len(d.Removed) > 0:
		j.score /= 3
	case d.Withdrawn:
		j.score = 0.4
	case d.Accepted:
		j.score = (j.score + 1) / 2
	default:
		j.score /= 2
	}
	return orbweaver.Lesson{Stale: []string{"*"}}, nil
}

func (j *judged) Judge(context.Context, *orbweaver.Page) (orbweaver.Judgement, error) {
	return orbweaver.Judgement{Score: j.score}, nil
}

// verdicts are decisions of all kinds that judged applies; one is withdrawn and given again.
func verdicts() []orbweaver.Decision {
	return []orbweaver.Decision{
		{Page: "http://a/", After: 3, Accepted: true}, {Page: "http://a/", After: 3}, {Page: "http://a/", After: 9, Accepted: true},
		{After: 12, Accepted: true, Removed: []rdf.Quad{{S: rdf.NewIRI("urn:s"), P: rdf.NewIRI("urn:p"), O: rdf.NewLang("word", "en")}}},
		{Page: "http://b/1", After: 30}, {Page: "http://b/1", After: 30, Withdrawn: true},
	}
}

// crawlDeciding crawls with decisions until the n-th commit fails; 0: to the end.
func crawlDeciding(t *testing.T, dir string, decisions []orbweaver.Decision, n int) ([]orbweaver.Decision, error) {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, failed := engine.New(engine.Config{
		Focus: &judged{newCounting(), 0.5}, Fetch: randomWeb(60, 4), Read: reader{}, Ledger: &mortal{Ledger: book, left: n},
		Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/"}, Workers: 2, Snapshot: 7, Decisions: decisions,
	}, book.Progress()).Run(t.Context())
	var taken []orbweaver.Decision
	for d, err := range book.Decisions() {
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, d)
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	return taken, failed
}

// TestVerdictsAndRemovals: decisions are kept in order and applied once each, whichever commit the crawl is
// killed at. Replaying the ledger's decisions gives the same crawl.
func TestVerdictsAndRemovals(t *testing.T) {
	whole := t.TempDir()
	taken, err := crawlDeciding(t, whole, verdicts(), 0)
	if err != nil || !reflect.DeepEqual(taken, verdicts()) {
		t.Fatalf("%+v, %v", taken, err)
	}
	want, err := os.ReadFile(filepath.Join(whole, ledger.JournalFile))
	if err != nil || !strings.Contains(string(want), `"score":0.375`) {
		t.Fatalf("no verdict counted: %v", err)
	}
	for n := 1; n < 60; n += 3 {
		dir := t.TempDir()
		for left := n; ; left = 0 {
			again, err := crawlDeciding(t, dir, taken, left)
			if errors.Is(err, errKilled) {
				continue
			}
			if err != nil || !reflect.DeepEqual(again, taken) {
				t.Fatalf("killed at commit %d: %+v, %v", n, again, err)
			}
			break
		}
		if got, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile)); err != nil || string(got) != string(want) {
			t.Fatalf("killed at commit %d it is another crawl; %v", n, err)
		}
	}
}

// TestDecisionRefused: a decision of an unsupported kind is not committed, and the error names it.
func TestDecisionRefused(t *testing.T) {
	taken, err := crawlDeciding(t, t.TempDir(), []orbweaver.Decision{{ID: "0a", After: 2}}, 0)
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "0a: it makes no suggestions") || len(taken) > 0 {
		t.Errorf("%+v, %v", taken, err)
	}
}
