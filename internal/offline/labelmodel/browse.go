package labelmodel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
	"orbweaver/text"
)

// A Book is a model that is looked at in parts, with the folder that has the log of its changes.
type Book struct {
	Model *stream.Model
	Dir   string
}

// Bounds of a part of a list.
const (
	usualRows = 50
	mostRows  = 1000
)

// Figures are the counts of a model.
type Figures struct {
	Digest     string            `json:"digest"`
	Options    stream.Options    `json:"options"`
	Parameters labels.Parameters `json:"parameters"`
	Statistics labels.Statistics `json:"statistics"`
	Concepts   []shownConcept    `json:"concepts"` // the most frequent first, at most 50
	Broad      int               `json:"broad"`    // number of concepts
	Alarms     []string          `json:"alarms"`   // in words, the latest first, at most 50
}

// Figures returns the counts of the model, its broad concepts and its alarms.
func (b *Book) Figures() Figures {
	m := b.Model
	f := Figures{Digest: m.Digest(), Options: m.Options, Parameters: m.Labels.Parameters(), Statistics: m.Labels.Statistics(), Alarms: []string{}}
	concepts := shownConcepts(m)
	f.Broad = len(concepts)
	f.Concepts = append([]shownConcept{}, concepts[:min(len(concepts), usualRows)]...)
	f.Options.WordNet = "" // a path of this machine
	alarms := m.Alarms()
	slices.Reverse(alarms)
	for _, a := range alarms[:min(len(alarms), usualRows)] {
		f.Alarms = append(f.Alarms, fmt.Sprintf("document %d: %s", a.Item, m.ShowAlarm(a)))
	}
	return f
}

// A LabelQuery selects a part of the hierarchy: labels below one, those that have words, or the uppermost ones.
type LabelQuery struct {
	Under string `json:"under,omitempty"` // key of a label; empty: labels without a broader one, those with narrower ones first
	Words string `json:"words,omitempty"` // only labels whose display contains these, whatever their place in the hierarchy
	Skip  int    `json:"skip,omitempty"`  // rows before the part
	Limit int    `json:"limit,omitempty"` // 0: 50; at most 1 000
}

// A LabelNode is a label in the hierarchy.
type LabelNode struct {
	Key     string      `json:"key"`
	Label   string      `json:"label"`
	Items   float64     `json:"items"`             // documents with it, as they count now
	Share   float64     `json:"share"`             // of all documents, 0 to 1
	Alpha   int         `json:"alpha"`             // terms that give it alone
	Beta    int         `json:"beta"`              // terms that give it together
	Below   int         `json:"below"`             // labels directly below it
	Broader []LabelName `json:"broader,omitempty"` // the nearest broader ones
}

// A LabelName is the key of a label with its display.
type LabelName struct {
	Key   string `json:"key"`
	Label string `json:"label"`
}

// A LabelPart is a part of the hierarchy.
type LabelPart struct {
	Under  *LabelNode  `json:"under,omitempty"` // the label of the query
	Labels []LabelNode `json:"labels"`          // the most frequent first
	Total  int         `json:"total"`           // labels that the query selects
	Next   int         `json:"next,omitempty"`  // LabelQuery.Skip of the next part; 0: none
}

// Labels returns a part of the hierarchy. The error wraps ErrInput if there is no such label.
func (b *Book) Labels(q LabelQuery) (p LabelPart, err error) {
	t := newTree(b.Model)
	all := b.Model.Labels.Labels()
	at := make(map[string]int, len(all))
	for i, l := range all {
		at[l.Text] = i
	}
	node := func(key string) LabelNode {
		l := all[at[key]]
		n := LabelNode{Key: key, Label: b.Model.Show(key), Items: l.Items, Share: l.Share, Alpha: l.Alpha, Beta: l.Beta, Below: len(t.below[key])}
		for _, up := range b.Model.Labels.Broader(key) {
			n.Broader = append(n.Broader, LabelName{up, b.Model.Show(up)})
		}
		return n
	}
	keys := append(slices.Clone(t.roots), t.single...)
	switch {
	case q.Under != "":
		if _, ok := at[q.Under]; !ok {
			if q.Under, err = Find(b.Model, q.Under); err != nil {
				return p, err
			}
		}
		n := node(q.Under)
		p.Under, keys = &n, t.below[q.Under]
	case q.Words != "":
		keys = t.having(q.Words, all)
	}
	p.Labels, p.Total = []LabelNode{}, len(keys)
	var part []string
	part, p.Next = partOf(keys, q.Skip, q.Limit)
	for _, key := range part {
		p.Labels = append(p.Labels, node(key))
	}
	return p, nil
}

// having returns the labels whose display or key contains words, the most frequent first.
func (t *tree) having(words string, all []labels.Label) (keys []string) {
	words = text.Key(strings.TrimSpace(words))
	for _, l := range all {
		if strings.Contains(text.Key(t.model.Show(l.Text)), words) || strings.Contains(l.Text, words) {
			keys = append(keys, l.Text)
		}
	}
	order.Stably(keys, func(a, b string) int { return cmp.Or(cmp.Compare(t.items[b], t.items[a]), strings.Compare(a, b)) })
	return keys
}

// partOf returns the rows of a list behind the first skip, and how many to skip for the next part; 0: none.
func partOf[T any](all []T, skip, limit int) (part []T, next int) {
	if limit <= 0 {
		limit = usualRows
	}
	skip = min(max(0, skip), len(all))
	end := min(skip+min(limit, mostRows), len(all))
	if end < len(all) {
		next = end
	}
	return all[skip:end], next
}

// A RuleQuery selects rules.
type RuleQuery struct {
	Label string `json:"label,omitempty"` // key or display of a label; empty: all
	Words string `json:"words,omitempty"` // only rules whose term or label contains these
	Set   string `json:"set,omitempty"`   // alpha or beta; empty: both
	Skip  int    `json:"skip,omitempty"`
	Limit int    `json:"limit,omitempty"` // 0: 50; at most 1 000
}

// A RulePart is a part of the rules, those with the most support first.
type RulePart struct {
	Rules []shownRule `json:"rules"`
	Total int         `json:"total"`
	Next  int         `json:"next,omitempty"` // RuleQuery.Skip of the next part; 0: none
}

// Rules returns a part of the rules. The error wraps ErrInput for a label that is none, or another set.
func (b *Book) Rules(q RuleQuery) (p RulePart, err error) {
	if q.Set != "" && q.Set != "alpha" && q.Set != "beta" {
		return p, fmt.Errorf("set %q: it is alpha or beta (%w)", q.Set, orbweaver.ErrInput)
	}
	key := q.Label
	if key != "" && !b.Model.Labels.Is(key) {
		if key, err = Find(b.Model, q.Label); err != nil {
			return p, err
		}
	}
	words := text.Key(strings.TrimSpace(q.Words))
	all := slices.DeleteFunc(rulesOf(b.Model, key, 0), func(r shownRule) bool {
		return q.Set != "" && r.Set != q.Set || words != "" && !strings.Contains(text.Key(r.Term+"\n"+r.Label), words)
	})
	p.Total = len(all)
	p.Rules, p.Next = partOf(all, q.Skip, q.Limit)
	return p, nil
}

// Explain returns the labels of a text, and why it has them.
func (b *Book) Explain(t Text) (*Explanation, error) { return Explain(b.Model, t) }
