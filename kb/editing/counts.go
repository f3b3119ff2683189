package editing

import (
	"cmp"
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

// A Counting is how entities count for a target: see relevance in the crawl file.
type Counting struct {
	Set      string  `json:"set"`      // single, taxonomic, relational or total
	Discount string  `json:"discount"` // exponential, linear or logarithmic
	Base     float64 `json:"base"`     // 0 < base < 1
}

// parse checks a Counting; what is empty is as a crawl file has it.
func (c Counting) parse() (set ontology.Set, discount ontology.Discount, err error) {
	set, ok := ontology.ParseSet(cmp.Or(c.Set, ontology.Total.String()))
	if !ok {
		return set, discount, fmt.Errorf("set: %q is none of single, taxonomic, relational and total: %w", c.Set, ErrEdit)
	}
	discount.Base = cmp.Or(c.Base, usualBase)
	if discount.Decay, ok = ontology.ParseDecay(cmp.Or(c.Discount, "exponential")); !ok {
		return set, discount, fmt.Errorf("discount: %q is none of exponential, linear and logarithmic: %w", c.Discount, ErrEdit)
	}
	if !(discount.Base > 0 && discount.Base < 1) {
		return set, discount, fmt.Errorf("base: %v is not between 0 and 1: %w", c.Base, ErrEdit)
	}
	return set, discount, nil
}

// usualBase is the base of the discount in a crawl file that gives none.
const usualBase = 0.5

// Relevance returns the relevance set of a target (definition 7 of Ehrig and Maedche) by the ontology of the draft, by set, distance and
// IRI: at most most entities, and how many there are. The error wraps ontology.ErrUnknownEntity or ErrEdit.
func (d *Draft) Relevance(target string, by Counting, most int) (all []Counted, total int, err error) {
	set, discount, err := by.parse()
	if err != nil {
		return nil, 0, err
	}
	o := d.Ontology()
	i, ok := o.Find(target)
	if !ok {
		return nil, 0, fmt.Errorf("%q is not in the file: %w", target, ontology.ErrUnknownEntity)
	}
	members := o.Relevance(i, set, discount)
	before := o.Before(i)
	for _, m := range members[:min(most, len(members))] {
		c := Counted{Item: d.item(o.Entity(m.Entity).IRI), Set: m.Set.String(), Distance: m.Distance, Weight: m.Weight, Path: []Item{}}
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
