package proposals

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// How a suggestion stands.
const (
	Open     = "open"
	Later    = "later" // postponed
	Accepted = "accepted"
	Rejected = "rejected"
)

// States are all states, in the order in which they are shown.
func States() []string { return []string{Open, Later, Accepted, Rejected} }

// StateOf returns the state after a decision about a suggestion.
func StateOf(d orbweaver.Decision) string {
	switch {
	case d.Withdrawn:
		return Open
	case d.Later:
		return Later
	case d.Accepted:
		return Accepted
	}
	return Rejected
}

// A Proposal is a suggestion with what a person needs to decide about it.
type Proposal struct {
	orbweaver.Suggestion
	From      string              `json:"from,omitempty"`       // folder of the knowledge that it is from; empty: the crawl's own focus, or unknown
	Name      string              `json:"name,omitempty"`       // of Entity, as the ontology writes it
	OtherName string              `json:"other_name,omitempty"` // of Other
	Sentences []Passage           `json:"sentences"`            // at most 3, in which the words occur
	Pages     []ledger.Line       `json:"pages"`                // of the crawl that support it, at most 3
	PageCount int64               `json:"page_count"`           // pages that support it, at most; of other knowledge: what it counts
	State     string              `json:"state"`                // Open, Later, Accepted or Rejected
	Decision  *orbweaver.Decision `json:"decision,omitempty"`
}

// A Query asks for a part of the queue.
type Query struct {
	ID    string `json:"id,omitempty"`    // that suggestion alone
	State string `json:"state,omitempty"` // empty: all
	Kind  string `json:"kind,omitempty"`  // empty: all
	After string `json:"after,omitempty"` // cursor; empty: from the beginning
	Limit int    `json:"limit,omitempty"` // rows; 0: 50, at most 200
}

// The numbers of rows.
const (
	usualRows = 50
	mostRows  = 200
)

// A List is a part of the queue: open ones first, the focus's own before those of other knowledge, each list the best first;
// then the others, the latest decision first.
type List struct {
	Proposals []Proposal     `json:"proposals"`
	States    map[string]int `json:"states"` // how many there are of each state, of the kind that was asked for
	Kinds     map[string]int `json:"kinds"`  // how many there are of each kind, in the state that was asked for
	Next      string         `json:"next,omitempty"`
}

// Check returns an error that wraps orbweaver.ErrInput if a query cannot be answered.
func (q Query) Check() error {
	if q.State != "" && !slices.Contains(States(), q.State) {
		return fmt.Errorf("state: %q is none of %s (%w)", q.State, strings.Join(States(), ", "), orbweaver.ErrInput)
	}
	if q.Limit < 0 || q.Limit > mostRows {
		return fmt.Errorf("limit: %d is not from 0 to %d (%w)", q.Limit, mostRows, orbweaver.ErrInput)
	}
	return nil
}

// Queue joins the suggestions of a focus, best first, with those that a crawl keeps, each with its state by the decisions, which
// are in order. Of an open one the focus's own form counts, of a decided one that which was decided.
func Queue(own []orbweaver.Suggestion, kept []Kept, decisions iter.Seq2[orbweaver.Decision, error]) ([]Proposal, error) {
	last := map[string]orbweaver.Decision{}
	places := map[string]int{}
	for d, err := range decisions {
		if err != nil {
			return nil, err
		}
		if d.ID != "" {
			last[d.ID], places[d.ID] = d, len(places)+1
		}
	}
	var open, decided []Proposal
	seen := map[string]bool{}
	add := func(s orbweaver.Suggestion, from string) {
		p := Proposal{Suggestion: s, From: from, Sentences: []Passage{}, Pages: []ledger.Line{}, PageCount: s.Count, State: Open}
		if d, ok := last[s.ID]; ok {
			p.State = StateOf(d)
			p.Decision = &d
		}
		seen[s.ID] = true
		if p.State == Open {
			open = append(open, p)
		} else {
			decided = append(decided, p)
		}
	}
	for _, s := range own {
		add(s, "")
	}
	for _, k := range kept {
		if !seen[k.ID] {
			add(k.Suggestion, k.From)
		}
	}
	for id, d := range last { // of a folder of an earlier version, or beyond the bound of what is kept
		if !seen[id] && StateOf(d) != Open {
			add(orbweaver.Suggestion{ID: id, Kind: orbweaver.SuggestWord, Text: cmp.Or(d.Text, id), Entity: d.Entity, As: d.As}, "")
		}
	}
	order.By(decided, func(a, b Proposal) int { return cmp.Compare(places[b.ID], places[a.ID]) })
	return append(open, decided...), nil
}

// Part returns the part of a queue that a query asks for.
func (q Query) Part(all []Proposal) List {
	list := List{Proposals: []Proposal{}, States: map[string]int{}, Kinds: map[string]int{}}
	var fit []Proposal
	for _, p := range all {
		if q.ID != "" && p.ID != q.ID {
			continue
		}
		inState, ofKind := q.State == "" || p.State == q.State, q.Kind == "" || p.Kind == q.Kind
		if ofKind {
			list.States[p.State]++
		}
		if inState {
			list.Kinds[p.Kind]++
		}
		if inState && ofKind {
			fit = append(fit, p)
		}
	}
	from := q.from(fit)
	to := min(len(fit), from+cmp.Or(q.Limit, usualRows))
	list.Proposals = append(list.Proposals, fit[from:to]...)
	if to < len(fit) && to > from {
		list.Next = fmt.Sprintf("%d-%s", to, fit[to-1].ID)
	}
	return list
}

// from returns the position at which a part begins: behind the last one of the part before or, if that has left the list, where
// it would stand.
func (q Query) from(fit []Proposal) int {
	if q.After == "" {
		return 0
	}
	at, id, _ := strings.Cut(q.After, "-")
	if i := slices.IndexFunc(fit, func(p Proposal) bool { return p.ID == id }); i >= 0 {
		return i + 1
	}
	n, _ := strconv.Atoi(at) // a cursor that nobody made begins at the beginning
	return min(max(n-1, 0), len(fit))
}
