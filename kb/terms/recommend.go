package terms

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"orbweaver/internal/order"
)

// A Ranked is a recommended vocabulary or dataset, with the counts behind its score.
type Ranked struct {
	Name      string   `json:"name"` // for a vocabulary, its namespace
	Title     string   `json:"title,omitempty"`
	Score     float64  `json:"score"`           // 0..1: see Recommend
	Given     []string `json:"given,omitempty"` // given terms that it covers, sorted
	Classes   []string `json:"classes"`         // found classes that it has, for a dataset those with instances; most instances first
	Datasets  int      `json:"datasets"`        // for a vocabulary: datasets with instances of its classes
	Instances int64    `json:"instances"`
	Reasons   []string `json:"reasons"`        // in words
	Path      Path     `json:"path,omitempty"` // a shortest path from a given term that led to it
	Covers    float64  `json:"-"`              // c of Recommend
}

// A Recommendation is the advice to a publisher.
type Recommendation struct {
	Vocabularies []Ranked `json:"vocabularies"`
	Datasets     []Ranked `json:"datasets"`
	DatasetsBy   string   `json:"datasetsBy"`            // ByLinks, ByInstances
	ByInstances  []Ranked `json:"byInstances,omitempty"` // the datasets by instances, where Datasets is by links
}

// The rankings of datasets.
const (
	ByLinks     = "links"     // of package linkage: what datasets that cover the given terms link to
	ByInstances = "instances" // Recommend
)

// Use is how often a publisher's own data uses each class, by IRI. Nil weights all given terms equally.
type Use map[string]int64

// Recommend ranks vocabularies and datasets by the results of a crawl, best first, ties by name.
//
// Both are scored by
//
//	½·c + ¼·u + ¼·ln(1+n)/ln(1+N)
//
// c is the share of the given terms that it covers: for a vocabulary those in it, or from which a path leads
// to a class in it; for a dataset those with instances in it, themselves or through a class reached from
// them. With a Use, terms are weighted by their use. For a vocabulary, u is the share of the datasets with
// any instances that have some of its classes; for a dataset, the share of the classes found of which it has
// instances. n is the number of instances, N the maximum among those ranked together.
//
// The paper names these criteria (sections 4 and 7) and leaves the ranking to other tools.
func Recommend(all []Term, datasets []Dataset, use Use) Recommendation {
	r := newRanking(all, datasets, use)
	return Recommendation{Vocabularies: r.vocabularies(), Datasets: r.ofDatasets(), DatasetsBy: ByInstances}
}

// A ranking is the data behind recommendations.
type ranking struct {
	terms    []Term
	datasets []Dataset
	weight   map[string]float64  // of a given term; they add up to 1
	from     map[string][]string // given terms from which a class is reached, itself included
	path     map[string]Path     // a shortest path to a class
	sum      map[string]int64    // instances of a class
	filled   int                 // datasets with instances
}

func newRanking(all []Term, datasets []Dataset, use Use) *ranking {
	r := &ranking{
		terms: all, datasets: datasets, weight: weights(all, use), from: map[string][]string{},
		path: map[string]Path{}, sum: map[string]int64{},
	}
	for _, t := range all {
		var from []string
		if t.Stage == 0 {
			from = []string{t.IRI}
		}
		for _, p := range t.Paths {
			from = append(from, p[0].From)
		}
		slices.Sort(from)
		r.from[t.IRI] = slices.Compact(from)
		if len(t.Paths) > 0 && t.Stage > 0 {
			r.path[t.IRI] = t.Paths[0]
		}
	}
	for _, d := range datasets {
		any := false
		for _, c := range d.Instances {
			r.sum[c.Class] = Plus(r.sum[c.Class], c.N)
			any = any || c.N > 0
		}
		if any {
			r.filled++
		}
	}
	return r
}

// Plus adds non-negative numbers of instances and saturates: datasets may state any number.
func Plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// weights returns the weights of the given terms.
func weights(all []Term, use Use) map[string]float64 {
	weight, total := map[string]float64{}, 0.0
	for _, t := range all {
		if t.Stage == 0 {
			w := 1.0
			if use != nil {
				w = float64(use[t.IRI])
			}
			weight[t.IRI] = w
			total += w
		}
	}
	for iri := range weight {
		if total > 0 {
			weight[iri] /= total
		}
	}
	return weight
}

// reached returns the given terms from which one of the classes is reached, and their total weight.
func (r *ranking) reached(classes []string) (given []string, share float64) {
	for _, class := range classes {
		given = append(given, r.from[class]...)
	}
	slices.Sort(given)
	given = slices.Compact(given)
	for _, t := range given {
		share += r.weight[t]
	}
	return given, min(share, 1)
}

// Namespace returns the IRI of a class up to its last # or /, or up to the last : if it has neither.
func Namespace(iri string) string {
	if i := strings.LastIndexByte(iri, '#'); i >= 0 {
		return iri[:i+1]
	}
	if i := strings.LastIndexByte(iri, '/'); i >= 0 {
		return iri[:i+1]
	}
	return iri[:strings.LastIndexByte(iri, ':')+1]
}

// vocabularies ranks namespaces.
func (r *ranking) vocabularies() []Ranked {
	classes := map[string][]string{}
	for _, t := range r.terms {
		ns := Namespace(t.IRI)
		classes[ns] = append(classes[ns], t.IRI)
	}
	all := make([]Ranked, 0, len(classes))
	shares := map[string][2]float64{}
	for ns, of := range classes {
		v := Ranked{Name: ns, Classes: of}
		r.order(v.Classes)
		var c float64
		v.Given, c = r.reached(of)
		v.Path = r.shortest(of)
		for _, class := range of {
			v.Instances = Plus(v.Instances, r.sum[class])
		}
		v.Datasets = r.using(of)
		v.Reasons = []string{
			fmt.Sprintf("reaches %d of %d terms given", len(v.Given), len(r.weight)),
			fmt.Sprintf("classes found: %d", len(of)),
			fmt.Sprintf("datasets with instances: %d of %d", v.Datasets, r.filled),
			fmt.Sprintf("instances: %d", v.Instances),
		}
		shares[ns] = [2]float64{c, share(v.Datasets, r.filled)}
		all = append(all, v)
	}
	return scored(all, shares)
}

// order sorts classes by decreasing number of instances.
func (r *ranking) order(classes []string) {
	order.By(classes, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.sum[b], r.sum[a]), cmp.Compare(a, b))
	})
}

// shortest returns a shortest path to one of several classes; nil if one of them was given or none was found.
func (r *ranking) shortest(classes []string) (best Path) {
	for _, class := range classes {
		p, found := r.path[class]
		if !found {
			if slices.Contains(r.from[class], class) {
				return nil
			}
			continue
		}
		if best == nil || len(p) < len(best) {
			best = p
		}
	}
	return best
}

// using returns the number of datasets with instances of any of several classes.
func (r *ranking) using(classes []string) (n int) {
	for _, d := range r.datasets {
		if slices.ContainsFunc(d.Instances, func(c Count) bool { return c.N > 0 && slices.Contains(classes, c.Class) }) {
			n++
		}
	}
	return n
}

// ofDatasets ranks datasets; those without answers are left out.
func (r *ranking) ofDatasets() []Ranked {
	var all []Ranked
	shares := map[string][2]float64{}
	for _, d := range r.datasets {
		one := Ranked{Name: d.Name, Title: d.Title, Classes: []string{}, Datasets: 1}
		for _, c := range d.Instances {
			if c.N > 0 {
				one.Classes = append(one.Classes, c.Class)
				one.Instances = Plus(one.Instances, c.N)
				one.Reasons = append(one.Reasons, reasonOf(c))
			}
		}
		stated := len(d.Terms)
		if len(one.Classes) == 0 && stated == 0 {
			continue
		}
		if len(one.Classes) == 0 {
			one.Reasons = []string{fmt.Sprintf("states something of %d classes, and has no instances of them", stated)}
		}
		var c float64
		one.Given, c = r.reached(one.Classes)
		one.Path = r.shortest(one.Classes)
		shares[d.Name] = [2]float64{c, share(len(one.Classes), len(r.terms))}
		all = append(all, one)
	}
	return scored(all, shares)
}

// reasonOf describes a count in words.
func reasonOf(c Count) string {
	least := ""
	if c.AtLeast {
		least = "at least "
	}
	text := fmt.Sprintf("%s%d instances of %s", least, c.N, c.Class)
	if c.How == Declared {
		text += ", by its own description"
	}
	return text
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// scored sorts by score, best first.
func scored(all []Ranked, shares map[string][2]float64) []Ranked {
	var most int64
	for _, one := range all {
		most = max(most, one.Instances)
	}
	for i := range all {
		size := 0.0
		if most > 0 {
			size = math.Log1p(float64(all[i].Instances)) / math.Log1p(float64(most))
		}
		s := shares[all[i].Name]
		all[i].Covers = s[0]
		all[i].Score = s[0]/2 + s[1]/4 + size/4
	}
	order.By(all, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	return all
}
