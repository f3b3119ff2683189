package linkage

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/kb/catalog"
)

// The bounds of a measurement.
const (
	leastLinks = 3 // of a dataset whose links are hidden
	firstTen   = 10
)

// ErrUnmeasured says that a catalogue cannot be measured.
var ErrUnmeasured = errors.New("cannot be measured")

// A Figure is how well a ranking finds hidden links, in the mean over datasets.
type Figure struct {
	MRR    float64 `json:"mrr"`    // 1 / the place of the first hidden link
	Recall float64 `json:"recall"` // the share of hidden links among the first ten
}

// A Row is a ranking's figures: with all links of a dataset hidden, as of one that is to be published, and with every second.
type Row struct {
	Ranking string `json:"ranking"`
	All     Figure `json:"all"`
	Half    Figure `json:"half"`
}

// The rankings that are compared.
const (
	ByPopularity = "popularity" // datasets that most others link to
	BySize       = "size"       // by vocabularies in common, how many have them, and triples: the formula for the datasets of a crawl without links
	ByCoverage   = "coverage"   // Model.Rank by nothing but the share of its vocabularies that others have, as for the datasets of a crawl with links
	ByWitnesses  = "witnesses"  // Model.Rank by its description
)

// A Measurement compares rankings over the datasets of a catalogue with three links at least: links are hidden, and all other datasets are ranked.
type Measurement struct {
	Datasets int   `json:"datasets"` // of the catalogue
	Measured int   `json:"measured"` // with links enough
	Rows     []Row `json:"rows"`
}

// Measure compares the rankings. The error wraps ErrUnmeasured if the catalogue has no dataset with links enough, or too many datasets.
func Measure(all []catalog.Dataset) (Measurement, error) {
	m := New(all)
	places := m.measurable()
	switch {
	case len(all) > mostDatasets:
		return Measurement{}, fmt.Errorf("a catalogue of %d datasets, more than %d: %w", len(all), mostDatasets, ErrUnmeasured)
	case len(places) == 0:
		return Measurement{}, fmt.Errorf("no dataset of the catalogue links to %d others: %w", leastLinks, ErrUnmeasured)
	}
	out := Measurement{Datasets: len(all), Measured: len(places)}
	for _, ranking := range []string{ByPopularity, BySize, ByCoverage, ByWitnesses} {
		out.Rows = append(out.Rows, Row{ranking, m.measure(places, ranking, false), m.measure(places, ranking, true)})
	}
	return out, nil
}

// measurable returns the datasets with links enough, by name.
func (m *Model) measurable() (places []int) {
	for i := range m.datasets {
		if len(m.links[i]) >= leastLinks {
			places = append(places, i)
		}
	}
	order.By(places, func(a, b int) int { return strings.Compare(m.datasets[a].Name, m.datasets[b].Name) })
	return places
}

// measure returns the figures of a ranking over some datasets.
func (m *Model) measure(places []int, ranking string, half bool) (mean Figure) {
	for _, i := range places {
		d := m.datasets[i]
		d.Links = nil
		hidden := map[string]bool{}
		for k, to := range m.links[i] {
			if half && k%2 == 1 {
				d.Links = append(d.Links, to)
			} else {
				hidden[to] = true
			}
		}
		first, found := 0, 0
		for k, one := range m.ranked(d, ranking) {
			if !hidden[one.name] {
				continue
			}
			if first == 0 {
				first = k + 1
			}
			if k < firstTen {
				found++
			}
		}
		if first > 0 {
			mean.MRR += 1 / float64(first)
		}
		mean.Recall += float64(found) / float64(len(hidden))
	}
	mean.MRR /= float64(len(places))
	mean.Recall /= float64(len(places))
	return mean
}

// ranked returns all targets of a dataset by a ranking.
func (m *Model) ranked(d catalog.Dataset, ranking string) []scored {
	linked, own := linksOf(d), profileOf(d)
	if ranking == ByWitnesses || ranking == ByCoverage {
		var covers map[string]float64
		if ranking == ByCoverage {
			own, covers = profile{}, m.coverage(formats(own[byKeyword]))
		}
		like, alike := m.witnesses(d.Name, own, linked, covers)
		return m.scores(d.Name, linked, like, alike)
	}
	most, known := 0.0, len(formats(sortedKeys(m.rarity[byKeyword])))
	for i := range m.datasets {
		most = max(most, math.Log1p(float64(m.datasets[i].Triples)))
	}
	var all []scored
	for _, to := range m.targets {
		if _, is := slices.BinarySearch(linked, to); is || to == d.Name {
			continue
		}
		score := float64(m.in[to] - m.from(d.Name, to))
		if ranking == BySize {
			score = 0
			if i, described := m.place[to]; described {
				score = covers(formats(own[byKeyword]), formats(m.profiles[i][byKeyword]), known) + math.Log1p(float64(m.datasets[i].Triples))/max(most, 1)/4
			}
		}
		all = append(all, scored{to, score})
	}
	best(all)
	return all
}

// coverage returns the share of vocabularies that each dataset has; nil if there are none.
func (m *Model) coverage(vocabularies []string) map[string]float64 {
	if len(vocabularies) == 0 {
		return nil
	}
	shares := map[string]float64{}
	for i, d := range m.datasets {
		shares[d.Name] = float64(len(common(vocabularies, m.profiles[i][byKeyword]))) / float64(len(vocabularies))
	}
	return shares
}

// covers returns half the share of a dataset's vocabularies that another has, and a quarter of the share of all known ones.
func covers(mine, theirs []string, known int) float64 {
	return float64(len(common(mine, theirs)))/float64(max(1, len(mine)))/2 + float64(len(theirs))/float64(max(1, known))/4
}

// formats returns the vocabularies that keywords name.
func formats(keywords []string) []string {
	return slices.DeleteFunc(slices.Clone(keywords), func(k string) bool { return !strings.HasPrefix(k, "format-") })
}

// sortedKeys returns the keys of a map.
func sortedKeys(m map[string]float64) []string { return slices.Sorted(maps.Keys(m)) }
