package offline

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	ontologykind "orbweaver/internal/kind/ontology"
	"orbweaver/kb/ontology"
)

// CheckOntology prints problems that the author of an ontology may want to correct. targets are IRIs, or
// endings of IRIs, of the entities that should be reachable.
func CheckOntology(a *job.Job, files, targets []string) error {
	o, numbers, err := openOntology(files, targets)
	if err != nil {
		return err
	}
	classes, properties, instances := o.Counts()
	console.Say(a.Out, "classes %d, properties %d, instances %d, lexical entries %d", classes, properties, instances, len(o.Entries()))
	findings := o.Check(numbers...)
	if len(findings) == 0 {
		console.Say(a.Out, "no problems found")
	}
	for _, f := range findings {
		console.Say(a.Out, "%-18s %s %s", f.Kind, f.Entity, f.Evidence)
	}
	return nil
}

// Relevance selects how ShowOntology weighs distances.
type Relevance struct {
	Set, Discount string
	Base          float64
}

// ShowOntology prints the relevance set of each target: every entity with its distance, weight and words.
func ShowOntology(a *job.Job, files, targets []string, r Relevance) error {
	set, okSet := ontology.ParseSet(r.Set)
	decay, okDecay := ontology.ParseDecay(r.Discount)
	if !okSet || !okDecay || !(r.Base > 0 && r.Base < 1) {
		return fmt.Errorf("relevance is single, taxonomic, relational or total; discount exponential, linear or logarithmic; base between 0 and 1 (%w)", orbweaver.ErrInput)
	}
	o, numbers, err := openOntology(files, targets)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.Out) // of a large ontology this prints a line for each of a million entities
	defer out.Flush()
	for _, target := range numbers {
		console.Say(out, "%s", o.Entity(target).IRI)
		shown := ""
		for _, m := range o.Relevance(target, set, ontology.Discount{Decay: decay, Base: r.Base}) {
			if name := m.Set.String(); name != shown {
				shown = name
				console.Say(out, "  %s", name)
			}
			e := o.Entity(m.Entity)
			console.Say(out, "    %.4f  %d  %-24s %-9s %s", m.Weight, m.Distance, e.Name, e.Kind, words(o, m.Entity, a.Columns()-54))
		}
	}
	return nil
}

// words returns the entries of an entity, truncated to width.
func words(o *ontology.Ontology, entity, width int) string {
	var b strings.Builder
	for _, e := range o.EntriesOf(entity) {
		if b.Len() > 0 {
			if b.Len()+len(e.Text)+2 > width {
				b.WriteString(", …")
				break
			}
			b.WriteString(", ")
		}
		b.WriteString(e.Text)
	}
	return b.String()
}

// openOntology reads an ontology and resolves the targets.
func openOntology(files, targets []string) (*ontology.Ontology, []int, error) {
	o, err := ontology.Load(files...)
	if err != nil {
		return nil, nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	var numbers []int
	var problems []error
	for _, t := range targets {
		i, err := ontologykind.Find(o, t)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		numbers = append(numbers, i)
	}
	return o, numbers, errors.Join(problems...)
}
