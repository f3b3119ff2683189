// Package linkage ranks the datasets of a catalogue as targets of links from a dataset: one that is to be published, and of which only a
// description is known, or one with some links already.
//
// Links are learned from those of the other datasets. Each is a witness, weighted by how similar it is to the dataset: in keywords, names,
// domain, host of its resources and, if the dataset has links, in the datasets that both link to; and by how many of the dataset's classes it
// has instances of, where a crawl has counted them. The score of a target is the posterior mean of
// the share of witnesses that link to it, with its popularity as prior. The weights were chosen on half of the datasets of the LOD cloud's catalogue:
// docs/explanation/measurements.md.
//
// A Model does not change and may be shared. Nothing is random, and sums have a fixed order.
//
// This package is not part of the stable API.
package linkage

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/kb/catalog"
	"orbweaver/text"
	"orbweaver/weburl"
)

// The features by which datasets are similar.
const (
	byKeyword = iota
	byText
	byName
	byDomain
	byHost
	features
)

// A Weighing is how much each kind of evidence counts.
type Weighing struct {
	Features [features]float64 // of keywords, texts, names, domain and host
	Links    float64           // of links in common
	Covers   float64           // of the share of classes in common, where that is known
	Power    float64           // of the similarity: how much the most similar count more
	Prior    float64           // of popularity, in witnesses of similarity 1
	Itself   float64           // of the similarity of the target itself
}

// Weights returns the values chosen on half of the LOD cloud's catalogue; TestChosen chooses them anew.
func Weights() Weighing {
	return Weighing{Features: [features]float64{2, 0, 1, 0.25, 0.5}, Links: 2, Covers: 0.5, Power: 2, Prior: 1, Itself: 0.01}
}

// A profile is what is compared of a dataset: its tokens by feature, sorted and distinct.
type profile [features][]string

// A Model is the datasets of a catalogue with their links.
type Model struct {
	weights  Weighing
	datasets []catalog.Dataset
	place    map[string]int
	profiles []profile
	lengths  [][features]float64 // of the profiles
	links    [][]string          // sorted and distinct
	in       map[string]int      // datasets that link to a target
	rarity   [features]map[string]float64
	targets  []string // datasets, and what they link to, sorted
}

// The bounds of a catalogue whose datasets are ranked unasked: each target takes a look at every dataset.
const (
	mostDatasets = 5000
	mostLinks    = 200_000
)

// Usable reports whether the datasets of a catalogue can be ranked by New within a second: some have links, and neither are too many.
func Usable(all []catalog.Dataset) bool {
	links := 0
	for _, d := range all {
		links += len(d.Links)
	}
	return links > 0 && links <= mostLinks && len(all) <= mostDatasets
}

// New returns the model of a catalogue.
func New(all []catalog.Dataset) *Model { return newModel(all, Weights()) }

func newModel(all []catalog.Dataset, w Weighing) *Model {
	m := &Model{weights: w, datasets: all, place: map[string]int{}, in: map[string]int{}}
	names, merged := map[string]bool{}, map[string]string{}
	for _, d := range all {
		for _, alias := range d.Aliases {
			merged[alias] = d.Name
		}
	}
	for _, d := range all { // a name is no alias of another
		delete(merged, d.Name)
	}
	var seen [features]map[string]int
	for f := range seen {
		seen[f], m.rarity[f] = map[string]int{}, map[string]float64{}
	}
	for i, d := range all {
		m.place[d.Name] = i
		names[d.Name] = true
		p, links := profileOf(d), []string{}
		for _, to := range d.Links {
			if to = cmp.Or(merged[to], to); to != d.Name {
				links, names[to] = append(links, to), true
			}
		}
		links = distinct(links)
		for _, to := range links {
			m.in[to]++
		}
		for f := range p {
			for _, token := range p[f] {
				seen[f][token]++
			}
		}
		m.profiles, m.links = append(m.profiles, p), append(m.links, links)
	}
	for f := range seen {
		for token, n := range seen[f] {
			m.rarity[f][token] = m.informs(n)
		}
	}
	for _, p := range m.profiles {
		m.lengths = append(m.lengths, m.lengthsOf(p))
	}
	for name := range names {
		m.targets = append(m.targets, name)
	}
	slices.Sort(m.targets)
	return m
}

func distinct(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

// informs returns the squared information of what n datasets have.
func (m *Model) informs(n int) float64 {
	i := math.Log(float64(len(m.datasets)+1) / float64(n+1))
	return i * i
}

// The bounds of what is read of one description.
const (
	maxKeywords = 1000
	maxTokens   = 500 // of a text
)

// profileOf returns what is compared of a dataset. Keywords that say how the catalogue draws or counts the dataset's links are left out.
func profileOf(d catalog.Dataset) (p profile) {
	for _, k := range d.Keywords[:min(len(d.Keywords), maxKeywords)] {
		if k = strings.ToLower(k); !strings.HasPrefix(k, "lodcloud") {
			p[byKeyword] = append(p[byKeyword], k)
		}
	}
	p[byText] = tokens(d.Title, d.Description)
	p[byName] = tokens(d.Title, d.Name)
	if d.Domain != "" {
		p[byDomain] = []string{d.Domain}
	}
	for _, address := range append(slices.Clone(d.Spaces), d.Homepage) {
		if host := weburl.Hostname(address); host != "" {
			labels := strings.Split(host, ".")
			p[byHost] = append(p[byHost], strings.Join(labels[max(0, len(labels)-2):], "."))
		}
	}
	for f := range p {
		p[f] = distinct(p[f])
	}
	return p
}

// tokens returns the words of texts, without stop words and short ones.
func tokens(texts ...string) (all []string) {
	var scanner text.Scanner
	for _, t := range texts {
		scanner.Reset(strings.ReplaceAll(t, "_", " "))
		for n := 0; n < maxTokens && scanner.Next(); n++ {
			if word := scanner.Word(); len(word) >= 3 && !text.StopWord("en", word) {
				all = append(all, string(word))
			}
		}
	}
	return all
}

// A Target is a dataset that another could link to.
type Target struct {
	Name   string   `json:"name"`
	Title  string   `json:"title,omitempty"` // empty: the catalogue does not describe it
	Score  float64  `json:"score"`
	Linked int      `json:"linked"` // datasets that link to it
	Like   []string `json:"like"`   // of them those most like the dataset, at most three
	Shared []string `json:"shared"` // keywords in common with it, at most five, the rarest first
}

// Rank returns the targets for a dataset, best first, ties by name: at most top of them; 0: all. Neither the dataset itself, by its name, nor what
// it links to is among them. covers has the shares, 0..1, of the dataset's classes of which other datasets, by name, have instances; nil: not known.
func (m *Model) Rank(d catalog.Dataset, covers map[string]float64, top int) []Target {
	own, linked := profileOf(d), linksOf(d)
	like, alike := m.witnesses(d.Name, own, linked, covers)
	scores := m.scores(d.Name, linked, like, alike)
	ranked := make([]Target, 0, len(scores))
	for _, s := range scores {
		ranked = append(ranked, Target{Name: s.name, Score: s.score})
	}
	if top > 0 {
		ranked = ranked[:min(top, len(ranked))]
	}
	for i := range ranked {
		m.explain(&ranked[i], d.Name, own, like)
	}
	return ranked
}

// linksOf are what a dataset links to, sorted.
func linksOf(d catalog.Dataset) []string {
	return distinct(slices.DeleteFunc(slices.Clone(d.Links), func(to string) bool { return to == d.Name }))
}

// witnesses returns the weight of each dataset as a witness for one, and its similarity without links; 0 for itself.
func (m *Model) witnesses(name string, own profile, linked []string, covers map[string]float64) (weights, alike []float64) {
	weights, alike = make([]float64, len(m.datasets)), make([]float64, len(m.datasets))
	lengths := m.lengthsOf(own)
	links := func(to string) float64 { return m.informs(m.in[to]) }
	for i := range m.datasets {
		if m.datasets[i].Name == name {
			continue
		}
		for f, w := range m.weights.Features {
			if w > 0 {
				alike[i] += w * cosine(m.common(f, own[f], m.profiles[i][f]), lengths[f], m.lengths[i][f])
			}
		}
		alike[i] += m.weights.Covers * covers[m.datasets[i].Name]
		sum := alike[i]
		if len(linked) > 0 && m.weights.Links > 0 {
			if both := weight(common(linked, m.links[i]), links); both > 0 {
				sum += m.weights.Links * cosine(both, weight(linked, links), weight(m.links[i], links))
			}
		}
		weights[i] = math.Pow(sum, m.weights.Power)
	}
	return weights, alike
}

// lengthsOf returns the squared length of a profile by feature.
func (m *Model) lengthsOf(p profile) (all [features]float64) {
	for f := range p {
		all[f] = m.common(f, p[f], p[f])
	}
	return all
}

// common returns the weight of what two sets of tokens of a feature have in common. A token that no dataset of the catalogue has weighs
// nothing.
func (m *Model) common(f int, a, b []string) float64 {
	return weight(common(a, b), func(token string) float64 { return m.rarity[f][token] })
}

// common returns what two sorted lists have in common.
func common(a, b []string) (both []string) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] < b[k]:
			i++
		case a[i] > b[k]:
			k++
		default:
			both = append(both, a[i])
			i, k = i+1, k+1
		}
	}
	return both
}

// weight adds up the weights of tokens.
func weight(tokens []string, of func(string) float64) (sum float64) {
	for _, t := range tokens {
		sum += of(t)
	}
	return sum
}

// cosine returns the cosine of two sets by the weights of what they have in common and of each.
func cosine(both, a, b float64) float64 {
	if both <= 0 {
		return 0
	}
	return both / math.Sqrt(a*b)
}

// scored is a target with its score.
type scored struct {
	name  string
	score float64
}

// scores returns the targets with their scores, best first.
func (m *Model) scores(name string, linked []string, like, alike []float64) []scored {
	total, votes := 0.0, map[string]float64{}
	for i, weight := range like {
		if weight == 0 {
			continue
		}
		total += weight
		for _, to := range m.links[i] {
			votes[to] += weight
		}
	}
	others := float64(max(1, len(m.datasets)))
	all := make([]scored, 0, len(m.targets))
	for _, to := range m.targets {
		if _, known := slices.BinarySearch(linked, to); known || to == name {
			continue
		}
		prior := float64(m.in[to]-m.from(name, to)) / others
		s := (votes[to] + m.weights.Prior*prior) / (total + m.weights.Prior)
		if i, described := m.place[to]; described {
			s += m.weights.Itself * math.Pow(alike[i], m.weights.Power)
		}
		all = append(all, scored{to, s})
	}
	best(all)
	return all
}

// from returns 1 if the catalogue's dataset of a name links to a target, else 0.
func (m *Model) from(name, to string) int {
	if i, known := m.place[name]; known {
		if _, links := slices.BinarySearch(m.links[i], to); links {
			return 1
		}
	}
	return 0
}

// best sorts targets, best first.
func best(all []scored) {
	order.By(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name)) })
}

// explain completes a target by the evidence for it.
func (m *Model) explain(t *Target, name string, own profile, like []float64) {
	t.Linked, t.Like, t.Shared = m.in[t.Name]-m.from(name, t.Name), []string{}, []string{}
	var from []scored
	for i := range m.datasets {
		if _, links := slices.BinarySearch(m.links[i], t.Name); links && like[i] > 0 {
			from = append(from, scored{m.datasets[i].Name, like[i]})
		}
	}
	best(from)
	for _, one := range from[:min(3, len(from))] {
		t.Like = append(t.Like, one.name)
	}
	i, described := m.place[t.Name]
	if !described {
		return
	}
	t.Title = m.datasets[i].Title
	var shared []scored
	for _, token := range common(own[byKeyword], m.profiles[i][byKeyword]) {
		shared = append(shared, scored{token, m.rarity[byKeyword][token]})
	}
	best(shared)
	for _, one := range shared[:min(5, len(shared))] {
		t.Shared = append(t.Shared, one.name)
	}
}
