package findings

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"

	"orbweaver/eval"
	"orbweaver/internal/order"
	"orbweaver/kb/catalog"
	"orbweaver/kb/terms"
)

// Report returns the findings section of a crawl report: terms in order, each statement of their paths
// once, the recommendation without a use, rejected candidates by score, and the answers of each dataset.
// It groups terms by the dataset that states the last step of their first path; a document counts under
// its host.
func (f Findings) Report() *eval.Findings {
	r := &eval.Findings{Edges: edgesOf(f.Terms)}
	for i := range f.Terms {
		r.Nodes = append(r.Nodes, nodeOf(&f.Terms[i]))
	}
	for i := range f.Rejected {
		r.Rejected = append(r.Rejected, rejectedOf(&f.Rejected[i]))
	}
	order.Stably(r.Rejected, func(a, b eval.RejectedTerm) int { return cmp.Compare(b.Score, a.Score) })
	least, named := map[string]bool{}, map[string]*terms.Dataset{} // classes of which some dataset has more; datasets by name
	for i := range f.Datasets {
		d := &f.Datasets[i]
		r.Endpoints = append(r.Endpoints, endpointOf(d))
		r.Saved += d.Spared
		named[d.Name] = d
		for _, c := range d.Instances {
			least[c.Class] = least[c.Class] || c.AtLeast
		}
	}
	said := f.Ranked(nil, catalog.Dataset{})
	r.ByLinks = said.DatasetsBy == terms.ByLinks
	for _, one := range said.Vocabularies {
		row := rowOf(one, one.Name)
		row.AtLeast = slices.ContainsFunc(one.Classes, func(class string) bool { return least[class] })
		r.Vocabularies = append(r.Vocabularies, row)
	}
	for _, one := range said.Datasets {
		row := rowOf(one, "")
		if d := named[one.Name]; d != nil { // else it was not asked
			row.URL = d.Endpoint
			row.AtLeast = slices.ContainsFunc(d.Instances, func(c terms.Count) bool { return c.AtLeast })
		}
		r.Datasets = append(r.Datasets, row)
	}
	return r
}

func nodeOf(t *terms.Term) eval.FoundTerm {
	n := eval.FoundTerm{IRI: t.IRI, Label: t.Label, Stage: t.Stage, Given: t.Stage == 0, Found: t.Found, Processed: t.Processed,
		Instances: t.Instances, Document: t.Document, Problem: t.Problem}
	if len(t.Paths) > 0 && len(t.Paths[0]) > 0 {
		p := t.Paths[0]
		n.Path, n.Group = InWords(p), sourceOf(p[len(p)-1].Dataset)
	}
	for _, fact := range t.Deduced {
		n.Follows = append(n.Follows, fmt.Sprintf("%s %s, by %s", local(fact.Property), fact.Object, InWords(fact.Premises)))
	}
	if t.Judged != nil {
		n.Score, n.Reasons = &t.Judged.Score, reasonsOf(t.Judged)
	}
	return n
}

// local returns the local name of a property's IRI.
func local(property string) string { return property[len(terms.Namespace(property)):] }

// sourceOf returns a dataset's name, or the host of a document.
func sourceOf(dataset string) string {
	if u, err := url.Parse(dataset); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return u.Host
	}
	return dataset
}

// reasonsOf describes the reasons of a verdict, in order.
func reasonsOf(v *terms.Verdict) (words []string) {
	for _, r := range v.Reasons {
		text := r.Rule
		if r.Evidence != "" {
			text += ": " + r.Evidence
		}
		words = append(words, text+" "+strconv.FormatFloat(r.Weight, 'g', 3, 64))
	}
	return words
}

func rejectedOf(t *terms.Term) eval.RejectedTerm {
	r := eval.RejectedTerm{IRI: t.IRI, Label: t.Label}
	if t.Judged != nil {
		r.Score, r.Reasons = t.Judged.Score, reasonsOf(t.Judged)
	}
	if len(t.Paths) > 0 {
		r.Path = InWords(t.Paths[0])
	}
	return r
}

// edgesOf returns the steps of all paths, each once, in the order of terms and their paths.
func edgesOf(all []terms.Term) (edges []eval.FoundEdge) {
	seen := map[terms.Step]bool{}
	for i := range all {
		for _, p := range all[i].Paths {
			for _, s := range p {
				if !seen[s] {
					seen[s] = true
					edges = append(edges, eval.FoundEdge{From: s.From, Property: s.Property, To: s.To, Inverse: s.Inverse, Dataset: s.Dataset})
				}
			}
		}
	}
	return edges
}

func rowOf(r terms.Ranked, address string) eval.RankedRow {
	return eval.RankedRow{Name: r.Name, Title: r.Title, URL: address, Score: r.Score, Given: len(r.Given), Classes: len(r.Classes),
		Datasets: r.Datasets, Instances: r.Instances, Reasons: r.Reasons, Path: InWords(r.Path)}
}

func endpointOf(d *terms.Dataset) eval.EndpointRow {
	e := eval.EndpointRow{Name: d.Name, Title: d.Title, URL: d.Endpoint, Reason: d.Reason, Dialect: d.Dialect,
		Partial: d.Partial, Spared: d.Spared, Millis: d.Millis}
	for _, a := range d.Answers {
		e.Asked += a.Asked
		e.Answered += a.Answered
		e.Questions = append(e.Questions, eval.AskedAbout{Question: a.Question, Asked: a.Asked, Answered: a.Answered, Reason: a.Reason, Message: a.Message})
	}
	for _, c := range d.Instances {
		e.Instances += min(max(0, c.N), math.MaxInt64-e.Instances) // the counts of a dataset may overflow
	}
	return e
}
