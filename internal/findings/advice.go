package findings

import (
	"cmp"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/kb/catalog"
	"orbweaver/kb/terms"
)

// A Term is a class that was given to a crawl or found by it.
type Term = terms.Term

// Advice is what a metadata crawl recommends, and what it found on the way, for people to look through.
type Advice struct {
	terms.Recommendation
	Rows  []terms.Row  `json:"rows"`  // the processed terms: Tables 2 and 3 of the paper
	Terms []terms.Term `json:"terms"` // those given first, then in the order found
}

// Advise reads what the crawl of a folder recommends. The error wraps orbweaver.ErrInput if it is no metadata crawl, or has found nothing
// yet.
func Advise(folder string) (a Advice, err error) {
	f, err := Read(folder)
	if err != nil {
		return a, err
	}
	if len(f.Terms) == 0 {
		return a, fmt.Errorf("%s: the crawl has found no terms yet (%w)", folder, orbweaver.ErrInput)
	}
	a.Recommendation = f.Ranked(nil, catalog.Dataset{})
	a.Rows, a.Terms = terms.Tables(f.Terms, f.Datasets, f.Spent), f.Terms
	return a, nil
}

// A Web is terms, vocabularies and datasets as a graph.
type Web struct {
	Nodes []WebNode `json:"nodes"`
	Edges []WebEdge `json:"edges"`
}

// A WebNode is a term, or a dataset with instances of terms.
type WebNode struct {
	ID    string  `json:"id"` // an IRI, or the name of a dataset
	Title string  `json:"title"`
	Score float64 `json:"score"` // 1 for given terms, ½ for found ones, 0 for datasets
	Known bool    `json:"known"` // it was processed, or is a dataset that answered
}

// A WebEdge leads from a term to one that it led to, or from a dataset to a term that it has instances of.
type WebEdge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Label string `json:"label"`
}

// Graph returns the first most terms with what led to each and the datasets that have instances of them.
func (a Advice) Graph(most int) Web {
	w := Web{Nodes: []WebNode{}, Edges: []WebEdge{}}
	here := map[string]bool{}
	for _, t := range a.Terms[:min(most, len(a.Terms))] {
		score := .5
		if t.Stage == 0 {
			score = 1
		}
		here[t.IRI] = true
		w.Nodes = append(w.Nodes, WebNode{ID: t.IRI, Title: cmp.Or(t.Label, local(t.IRI), t.IRI), Score: score, Known: t.Processed})
	}
	for _, t := range a.Terms[:min(most, len(a.Terms))] {
		if len(t.Paths) == 0 {
			continue
		}
		for _, s := range t.Paths[0] {
			e := WebEdge{From: s.From, To: s.To, Label: s.Dataset}
			if here[s.From] && here[s.To] && !slices.Contains(w.Edges, e) {
				w.Edges = append(w.Edges, e)
			}
		}
	}
	for _, row := range a.Rows {
		for _, d := range row.Datasets {
			if !here[row.Term] {
				continue
			}
			if !here[d.Dataset] {
				here[d.Dataset] = true
				w.Nodes = append(w.Nodes, WebNode{ID: d.Dataset, Title: d.Dataset, Known: true})
			}
			w.Edges = append(w.Edges, WebEdge{From: d.Dataset, To: row.Term, Label: "instances"})
		}
	}
	return w
}
