package editing

import (
	"fmt"

	"orbweaver/kb/ontology"
)

// A Counted entity is one of the relevance set of a target.
type Counted struct {
	Item
	Set      string  `json:"set"`      // the smallest relevance set that has it
	Distance int     `json:"distance"` // in steps from the target
	Weight   float64 `json:"weight"`   // 0 < w ≤ 1
	Path     []Item  `json:"path"`     // from the target to it, without both
}

// Relevance returns the relevance set of a target (definition 7 of Ehrig and Maedche) by the ontology of the draft, by set, distance and
// IRI: at most most entities, and how many there are. The error wraps ontology.ErrUnknownEntity.
func (d *Draft) Relevance(target string, set ontology.Set, discount ontology.Discount, most int) (all []Counted, total int, err error) {
	o := d.Ontology()
	i, ok := o.Find(target)
	if !ok {
		return nil, 0, fmt.Errorf("%q is not in the file: %w", target, ontology.ErrUnknownEntity)
	}
	members := o.Relevance(i, set, discount)
	before := o.Before(i)
	for _, m := range members[:min(most, len(members))] {
		c := Counted{Item: d.item(o.Entity(m.Entity).IRI), Set: m.Set.String(), Distance: m.Distance, Weight: m.Weight}
		for at := before[m.Entity]; at >= 0 && at != i; at = before[at] {
			c.Path = append([]Item{d.item(o.Entity(at).IRI)}, c.Path...)
		}
		all = append(all, c)
	}
	return all, len(members), nil
}

// A Finding is something that the author of an ontology may want to look at: see ontology.Finding.
type Finding struct {
	Kind     string `json:"kind"`
	Entity   Item   `json:"entity"` // of a finding about an entry, its words as a name
	Evidence string `json:"evidence"`
}

// Check returns what orbweaver ontology check finds in the draft. targets are IRIs; those that are not in the file do not count.
func (d *Draft) Check(targets ...string) (all []Finding) {
	o := d.Ontology()
	var numbers []int
	for _, t := range targets {
		if i, ok := o.Find(t); ok {
			numbers = append(numbers, i)
		}
	}
	for _, f := range o.Check(numbers...) {
		item := Item{Name: f.Entity}
		if f.Kind != ontology.FindingAmbiguous {
			item = d.item(f.Entity)
		}
		all = append(all, Finding{Kind: f.Kind, Entity: item, Evidence: f.Evidence})
	}
	return all
}
