package metadata

import (
	"cmp"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/kb/terms"
)

// Terms returns the known classes: the given ones, then those found, stage by stage, in the order they became
// known.
func (f *Focus) Terms() []terms.Term {
	s := &f.state
	near, up, instances := s.nearest(), s.upwards(), f.instances()
	all := make([]terms.Term, 0, len(s.Order))
	for _, name := range s.Order {
		t := s.Terms[name]
		one := f.term(name, t)
		one.Instances, one.Paths, one.Deduced = instances[name], s.paths(near, name), s.deduced(up, name)
		all = append(all, one)
	}
	return all
}

// term returns a class without its paths.
func (f *Focus) term(name string, t *term) terms.Term {
	return terms.Term{
		IRI: name, Stage: t.Stage, Found: t.Found, Processed: t.Processed, Label: t.Label, Judged: t.Verdict,
		Document: t.Document, Problem: t.Problem,
	}
}

// Rejected returns the candidates that were not accepted, in the order of IRIs.
func (f *Focus) Rejected() []terms.Term {
	var all []terms.Term
	for name, t := range f.state.Rejected {
		one := f.term(name, t)
		for _, e := range t.Edges {
			if e.To == name && len(one.Paths) < maxPaths {
				one.Paths = append(one.Paths, terms.Path{e})
			}
		}
		all = append(all, one)
	}
	order.By(all, func(a, b terms.Term) int { return cmp.Compare(a.IRI, b.IRI) })
	return all
}

// instances returns the total number of instances of each class over all datasets.
func (f *Focus) instances() map[string]int64 {
	sum := map[string]int64{}
	for i := range f.state.Datasets {
		for _, c := range f.state.Datasets[i].Counts {
			sum[c.Class] = terms.Plus(sum[c.Class], c.N)
		}
	}
	return sum
}

// Datasets returns what was learned about each dataset, in the order given. Later progress does not change
// the returned value.
func (f *Focus) Datasets() []terms.Dataset {
	var all []terms.Dataset
	for i, d := range f.opts.Datasets {
		s := &f.state.Datasets[i]
		one := terms.Dataset{
			Name: d.Name, Title: d.Title, Endpoint: d.Endpoint, Dump: d.Dump, Terms: slices.Clone(s.Terms),
			Instances: slices.Clone(s.Counts), Answers: slices.Clone(s.Answers), Reason: s.Off, Partial: s.Partial, Spared: s.Spared,
		}
		if one.Reason == "" {
			one.Reason = silent(s.Answers)
		}
		if s.Modern {
			one.Dialect = "1.1"
		} else if slices.ContainsFunc(s.Counts, func(c terms.Count) bool { return c.How == terms.Paged }) {
			one.Dialect = "1.0"
		}
		all = append(all, one)
	}
	return all
}

// silent returns why a queried dataset gave no answer; empty if it answered or was not queried.
func silent(answers []terms.Answer) (why string) {
	for _, a := range answers {
		if a.Answered > 0 {
			return ""
		}
		why = a.Reason
	}
	return why
}
