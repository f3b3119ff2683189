//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
)

// proposed returns the suggestion of a text from the queue.
func proposed(t *testing.T, c *crawl.Crawl, text string) crawl.Proposal {
	t.Helper()
	list, err := c.Proposals(t.Context(), crawl.ProposalQuery{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list.Proposals, func(p crawl.Proposal) bool { return p.Text == text })
	if i < 0 {
		t.Fatalf("%q is not in the queue of %d", text, len(list.Proposals))
	}
	return list.Proposals[i]
}

func decided(t *testing.T, c *crawl.Crawl, choice crawl.Choice) crawl.Decided {
	t.Helper()
	d, err := c.Decide(t.Context(), choice)
	if err != nil {
		t.Fatalf("%+v: %v", choice, err)
	}
	return d
}

// stands checks how a suggestion stands.
func stands(t *testing.T, c *crawl.Crawl, text, state, by string) {
	t.Helper()
	p := proposed(t, c, text)
	if p.State != state || by != "" && (p.Decision == nil || p.Decision.By != by || p.Decision.At.IsZero()) {
		t.Errorf("%s is %s, %+v; want %s by %s", text, p.State, p.Decision, state, by)
	}
}

// TestProposals: suggestions come with sentences in which their words stand, with pages and the name of their entity; they are
// postponed, rejected, accepted and all of this is undone, at rest; the ontology file is then byte for byte as it was.
func TestProposals(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	c := planes(t, folder, 120)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(folder), "aircraft.ttl")
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Proposals(t.Context(), crawl.ProposalQuery{State: crawl.ProposalOpen})
	if err != nil || len(list.Proposals) < 5 {
		t.Fatalf("%d proposals, %v", len(list.Proposals), err)
	}
	for _, p := range list.Proposals {
		if p.Name == "" || len(p.Pages) == 0 || len(p.Sentences) == 0 || len(p.Sentences) > 3 {
			t.Errorf("%s %q: of %q, %d pages, %d sentences", p.Kind, p.Text, p.Name, len(p.Pages), len(p.Sentences))
		}
		for _, s := range p.Sentences {
			for _, span := range s.Spans {
				if word := s.Text[span[0]:span[1]]; p.Kind == orbweaver.SuggestWord && !strings.EqualFold(word[:2], p.Text[:2]) {
					t.Errorf("%q is marked for %q in %q", word, p.Text, s.Text)
				}
			}
		}
	}
	one, two, three := list.Proposals[0], list.Proposals[1], list.Proposals[2]
	before := scoresNow(t, c)
	decided(t, c, crawl.Choice{ID: one.ID, Later: true, By: "Ada"})
	stands(t, c, one.Text, crawl.ProposalLater, "Ada")
	decided(t, c, crawl.Choice{ID: two.ID, By: "Ada"})
	stands(t, c, two.Text, crawl.ProposalRejected, "Ada")
	if got := decided(t, c, crawl.Choice{ID: one.ID, Accepted: true, As: orbweaver.AsInstance, Entity: "Airplane", By: "Bo"}); got.Written < 2 {
		t.Errorf("%+v", got)
	}
	stands(t, c, one.Text, crawl.ProposalAccepted, "Bo")
	decided(t, c, crawl.Choice{ID: three.ID, Accepted: true, As: orbweaver.AsEntry, Entity: "Airplane"})
	if after := scoresNow(t, c); reflect.DeepEqual(before, after) {
		t.Error("what was accepted changes no score")
	}
	decided(t, c, crawl.Choice{ID: one.ID, Withdrawn: true, By: "Bo"}) // the first addition, before the last
	stands(t, c, one.Text, crawl.ProposalOpen, "Bo")
	decided(t, c, crawl.Choice{ID: three.ID, Withdrawn: true})
	decided(t, c, crawl.Choice{ID: two.ID, Withdrawn: true})
	stands(t, c, two.Text, crawl.ProposalOpen, "")
	if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, was) {
		t.Errorf("the file is %d bytes, was %d: %v\n%s", len(now), len(was), err, now[min(len(now), len(was)-50):])
	}
	if after := scoresNow(t, c); !reflect.DeepEqual(before, after) {
		t.Error("what was undone changes scores")
	}
	all, err := c.Decisions(t.Context())
	if err != nil || len(all) != 7 || all[0].Later != true || all[6].Withdrawn != true {
		t.Errorf("%+v, %v", all, err)
	}
}

// scoresNow returns scores by URL.
func scoresNow(t *testing.T, c *crawl.Crawl) map[string]float64 {
	t.Helper()
	scores := map[string]float64{}
	for p, err := range c.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		scores[p.URL] = p.Score
	}
	return scores
}

// TestRefusedChoices: what cannot be decided changes nothing, and says why.
func TestRefusedChoices(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	c := planes(t, folder, 100)
	if _, err := c.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := c.Proposals(t.Context(), crawl.ProposalQuery{Limit: 3})
	if err != nil || len(list.Proposals) != 3 || list.Next == "" {
		t.Fatalf("%+v, %v", list, err)
	}
	more, err := c.Proposals(t.Context(), crawl.ProposalQuery{Limit: 3, After: list.Next})
	if err != nil || len(more.Proposals) == 0 || more.Proposals[0].ID == list.Proposals[2].ID {
		t.Errorf("%+v, %v", more, err)
	}
	base, leaf := list.Proposals[0].ID, list.Proposals[1].ID
	made := decided(t, c, crawl.Choice{ID: base, Accepted: true, As: orbweaver.AsSubclass, Entity: "Airplane"}).Decision.Added[0].S.Value
	decided(t, c, crawl.Choice{ID: leaf, Accepted: true, As: orbweaver.AsSubclass, Entity: made})
	for name, choice := range map[string]crawl.Choice{
		"is one of":      {ID: list.Proposals[2].ID, Accepted: true, Later: true},
		"no decision":    {ID: list.Proposals[2].ID, Withdrawn: true},
		"withdraw that":  {ID: base, Withdrawn: true},
		"decided before": {ID: leaf, Accepted: true},
		"no suggestion":  {ID: "ffffffff", Later: true},
		"one line":       {ID: list.Proposals[2].ID, By: "a\nb"},
	} {
		if _, err := c.Decide(t.Context(), choice); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, q := range []crawl.ProposalQuery{{State: "new"}, {Limit: 201}, {Limit: -1}} {
		if _, err := c.Proposals(t.Context(), q); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := c.Proposal(t.Context(), "ffffffff"); !errors.Is(err, orbweaver.ErrUnknown) {
		t.Error(err)
	}
	decided(t, c, crawl.Choice{ID: leaf, Withdrawn: true})
	decided(t, c, crawl.Choice{ID: base, Withdrawn: true})
	was, err := os.ReadFile("../../examples/aircraft.ttl")
	now, problem := os.ReadFile(filepath.Join(filepath.Dir(folder), "aircraft.ttl"))
	if err = errors.Join(err, problem); err != nil || !bytes.Equal(now, was) {
		t.Errorf("the file differs: %v", err)
	}
}

// TestDecidedWhileItRuns: a running crawl takes decisions and their withdrawal up at once, and repeated with them and the ontology
// as it was it is the same crawl, byte for byte.
func TestDecidedWhileItRuns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	if _, err := planes(t, folder, 60).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := planes(t, folder, 200)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events, over := c.Events(ctx), make(chan error, 1)
	go func() {
		_, err := c.Run(ctx)
		over <- err
	}()
	other, err := crawl.Open(folder) // reaches it over the socket
	if err != nil {
		t.Fatal(err)
	}
	var id string
	outcomes := 0
	for e := range events {
		switch e.Kind {
		case crawl.Begin:
			list, err := other.Proposals(ctx, crawl.ProposalQuery{Limit: 1})
			if err != nil || len(list.Proposals) != 1 || len(list.Proposals[0].Sentences) == 0 {
				t.Fatalf("%+v, %v", list, err)
			}
			id = list.Proposals[0].ID
			decided(t, other, crawl.Choice{ID: id, Accepted: true, As: orbweaver.AsSubclass, Entity: "Airplane", By: "Ada"})
		case crawl.Outcome:
			switch outcomes++; outcomes {
			case 30:
				decided(t, c, crawl.Choice{ID: id, Withdrawn: true})
			case 60:
				decided(t, c, crawl.Choice{ID: id, Later: true})
			}
		}
		if e.Kind == crawl.End {
			break
		}
	}
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	all, err := c.Decisions(ctx)
	if err != nil || len(all) != 3 || all[0].After < 60 || all[1].After <= all[0].After || !all[1].Withdrawn || len(all[1].Removed) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	again := filepath.Join(t.TempDir(), "again")
	replay, err := crawl.New(
		crawl.Seeds("http://tidings.example/"), crawl.Archive("../../examples/demo.warc.gz"), crawl.Requests(200), crawl.Folder(again),
		crawl.Set("focus.ontology.files", filepath.Join(folder, "ontology", "01-aircraft.ttl")), crawl.Set("focus.ontology.target", "Airplane"), crawl.Set("archive", "on"),
		crawl.Set("decisions", filepath.Join(folder, "decisions.jsonl")),
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pages.jsonl", "decisions.jsonl"} {
		a, err := os.ReadFile(filepath.Join(folder, name))
		b, problem := os.ReadFile(filepath.Join(again, name))
		if err = errors.Join(err, problem); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes, again %d, %v", name, len(a), len(b), err)
		}
	}
}
