package terms

import (
	"cmp"
	"slices"

	"orbweaver/internal/order"
)

// Spent is the time that processing a term took: of the requests about it, from the first byte asked for to the last
// one read, waiting for a host's turn left out. A request about several terms counts for each by an equal share.
type Spent struct {
	Term      string  `json:"term"`
	Seconds   float64 `json:"seconds"`
	Documents int     `json:"documents,omitempty"` // requests for its document, redirects included
	Queries   int     `json:"queries,omitempty"`   // queries about it to datasets
}

// A Row is one processed term in Tables 2 and 3 of the paper.
type Row struct {
	Term      string    `json:"term"`
	Stage     int       `json:"stage"`
	Related   []Related `json:"related,omitempty"` // what it led to, by kind of relation
	Instances int64     `json:"instances"`
	AtLeast   bool      `json:"atLeast,omitempty"`  // a dataset truncated its answer
	Datasets  []Held    `json:"datasets,omitempty"` // with instances, the most first
	Spent     *Spent    `json:"spent,omitempty"`    // on it alone; nil: not measured
	Seconds   float64   `json:"seconds,omitempty"`  // on it and on all processed terms that it led to, as Table 3 counts
}

// Related are the classes that one kind of relation led to.
type Related struct {
	Kind    string   `json:"kind"` // "subclass", "superclass", "sameas", "equivalentclass", or the property's local name
	Classes []string `json:"classes"`
}

// Held is the number of instances of a class in a dataset.
type Held struct {
	Dataset string `json:"dataset"`
	N       int64  `json:"instances"`
}

// Tables returns the processed terms with what each led to, its instances by dataset (Table 2) and the time that it
// took (Table 3), in the order of the crawl.
func Tables(all []Term, datasets []Dataset, spent []Spent) (rows []Row) {
	led, below := ledTo(all), map[string][]string{} // below: processed terms on paths from a given one
	took := map[string]*Spent{}
	for i := range spent {
		took[spent[i].Term] = &spent[i]
	}
	for _, t := range all {
		if !t.Processed {
			continue
		}
		var from []string
		for _, p := range t.Paths {
			from = append(from, p[0].From)
		}
		slices.Sort(from)
		for _, given := range slices.Compact(from) {
			if given != t.IRI {
				below[given] = append(below[given], t.IRI)
			}
		}
	}
	for _, t := range all {
		if !t.Processed {
			continue
		}
		row := Row{Term: t.IRI, Stage: t.Stage, Related: led[t.IRI], Spent: took[t.IRI]}
		row.hold(datasets)
		for _, one := range append(below[t.IRI], t.IRI) {
			if s := took[one]; s != nil {
				row.Seconds += s.Seconds
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// hold counts instances.
func (r *Row) hold(datasets []Dataset) {
	for _, d := range datasets {
		for _, c := range d.Instances {
			if c.Class == r.Term && c.N > 0 {
				r.Datasets = append(r.Datasets, Held{d.Name, c.N})
				r.Instances, r.AtLeast = Plus(r.Instances, c.N), r.AtLeast || c.AtLeast
			}
		}
	}
	order.Stably(r.Datasets, func(a, b Held) int { return cmp.Compare(b.N, a.N) })
}

// ledTo returns what each term led to directly: the steps of all paths, by kind and then by IRI.
func ledTo(all []Term) map[string][]Related {
	type lead struct{ from, kind, to string }
	var leads []lead
	for _, t := range all {
		for _, p := range t.Paths {
			for _, s := range p {
				leads = append(leads, lead{s.From, kindOf(s), s.To})
			}
		}
	}
	order.By(leads, func(a, b lead) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.kind, b.kind), cmp.Compare(a.to, b.to))
	})
	led := map[string][]Related{}
	for _, one := range slices.Compact(leads) {
		of := led[one.from]
		if len(of) == 0 || of[len(of)-1].Kind != one.kind {
			of = append(of, Related{Kind: one.kind})
		}
		of[len(of)-1].Classes = append(of[len(of)-1].Classes, one.to)
		led[one.from] = of
	}
	return led
}

// kindOf returns the query type of Table 2 for a step.
func kindOf(s Step) string {
	switch name := s.Property[len(Namespace(s.Property)):]; {
	case name == "subClassOf" && s.Inverse:
		return "subclass"
	case name == "subClassOf":
		return "superclass"
	case name == "sameAs":
		return "sameas"
	case name == "equivalentClass":
		return "equivalentclass"
	default:
		return name
	}
}
