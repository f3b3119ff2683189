package proposals

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/kind"
)

// decided yields decisions, and an error at their end if there is one.
func decided(err error, all ...orbweaver.Decision) iter.Seq2[orbweaver.Decision, error] {
	return func(yield func(orbweaver.Decision, error) bool) {
		for _, d := range all {
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(orbweaver.Decision{}, err)
		}
	}
}

func ids(all []Proposal) (said string) {
	for _, p := range all {
		said += p.ID + " " + p.State + ", "
	}
	return said
}

// TestQueue: open ones stand first, the focus's own before kept ones; of decided ones the latest; a decision about what nobody suggests any
// more stays, one that was withdrawn opens again.
func TestQueue(t *testing.T) {
	own := []orbweaver.Suggestion{{ID: "a", Text: "aileron"}, {ID: "b", Text: "bank"}, {ID: "c", Text: "canard"}}
	kept := []Kept{{Suggestion: orbweaver.Suggestion{ID: "b"}, From: "other"}, {Suggestion: orbweaver.Suggestion{ID: "k"}, From: "other"}}
	all, err := Queue(own, kept, decided(nil,
		orbweaver.Decision{ID: "c", Accepted: true}, orbweaver.Decision{ID: "gone", Text: "glider"},
		orbweaver.Decision{ID: "a", Accepted: true}, orbweaver.Decision{ID: "a", Withdrawn: true},
		orbweaver.Decision{ID: "b", Later: true}, orbweaver.Decision{Accepted: true}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(all), "a open, k open, b later, gone rejected, c accepted, "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if all[1].From != "other" || all[2].From != "" || all[3].Text != "glider" {
		t.Errorf("%+v", all)
	}
	if _, err := Queue(nil, nil, decided(errors.New("lost"))); err == nil {
		t.Error("an error of the decisions is lost")
	}
}

// TestPart: pages of a queue neither repeat nor leave out, also if the last one shown has left it.
func TestPart(t *testing.T) {
	var all []Proposal
	for i := range 7 {
		all = append(all, Proposal{Suggestion: orbweaver.Suggestion{ID: fmt.Sprint("s", i), Kind: []string{"word", "pair"}[i%2]}, State: []string{Open, Accepted}[i/5]})
	}
	q := Query{Limit: 3}
	first := q.Part(all)
	q.After = first.Next
	second := q.Part(all)
	q.After = second.Next
	third := q.Part(all)
	if got := ids(first.Proposals) + ids(second.Proposals) + ids(third.Proposals); got != ids(all) || third.Next != "" {
		t.Errorf("%s, then %q", got, third.Next)
	}
	q.After = first.Next
	if got := q.Part(append(all[:2:2], all[3:]...)).Proposals[0].ID; got != "s3" {
		t.Errorf("after one that has left, %s", got)
	}
	open := Query{State: Open, Kind: "pair"}.Part(all)
	if len(open.Proposals) != 2 || open.States[Open] != 2 || open.States[Accepted] != 1 || open.Kinds["word"] != 3 {
		t.Errorf("%+v", open)
	}
	if got := (Query{After: "nonsense"}).Part(all); len(got.Proposals) != 7 {
		t.Errorf("%d after a cursor that nobody made", len(got.Proposals))
	}
	for _, bad := range []Query{{State: "perhaps"}, {Limit: -1}, {Limit: mostRows + 1}} {
		if err := bad.Check(); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if err := (Query{State: Later, Limit: mostRows}).Check(); err != nil {
		t.Error(err)
	}
}

// TestCheckVerdict: a verdict is one thing alone, by somebody whose name fits on a line.
func TestCheckVerdict(t *testing.T) {
	for name, tc := range map[string]struct {
		v    kind.Verdict
		good bool
	}{
		"rejected":               {kind.Verdict{}, true},
		"accepted":               {kind.Verdict{Accepted: true}, true},
		"later":                  {kind.Verdict{Later: true}, true},
		"withdrawn":              {kind.Verdict{Withdrawn: true}, true},
		"accepted and later":     {kind.Verdict{Accepted: true, Later: true}, false},
		"accepted and withdrawn": {kind.Verdict{Accepted: true, Withdrawn: true}, false},
		"later and withdrawn":    {kind.Verdict{Later: true, Withdrawn: true}, false},
		"the longest name":       {kind.Verdict{By: strings.Repeat("x", maxBy)}, true},
		"a longer name":          {kind.Verdict{By: strings.Repeat("x", maxBy+1)}, false},
		"two lines":              {kind.Verdict{By: "a\nb"}, false},
		"what turns the line":    {kind.Verdict{By: "a\u202eb"}, false},
	} {
		if err := checkVerdict(tc.v); (err == nil) != tc.good || !tc.good && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
