// Package paired compares runs with a baseline over the same units, which are topics or items: paired differences with
// bootstrap intervals and signed-rank tests, corrected for the number of tests.
//
// The same values and seed give the same figures. This package is not part of the stable API.
package paired

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"orbweaver"
)

// Samples is the default number of bootstrap samples.
const Samples = 10_000

// A Run has the values of one run: by measure, then by unit. NaN: undefined there.
type Run struct {
	Name    string
	Ceiling bool // it knows the truth: compared, but no test of the family
	Values  [][]float64
}

// A Table has the values of all runs, over the same units.
type Table struct {
	Measures []string
	Units    []string
	Runs     []Run
	Baseline string // name of the run that the others are compared with
	Seed     uint64 // of the bootstrap
	Samples  int    // of the bootstrap; 0: Samples
}

// A Row compares one run with the baseline by one measure, over the units where both are defined.
type Row struct {
	Measure, Run string
	Ceiling      bool
	N            int     // units
	Mean         float64 // of the run
	Baseline     float64 // mean of the baseline over the same units
	Difference   float64 // mean of run − baseline
	Low, High    float64 // its 95 % interval, by Bootstrap
	Above, Below int     // units where the run is above and below the baseline; equal for the rest
	Test         Signed
	Holm         float64 // Test.P, adjusted over all runs but ceilings × all measures; NaN for a ceiling
}

// Compare returns a row for each measure and run but the baseline, in their order, without those that have no units. The
// error wraps orbweaver.ErrInput: no run is called like the baseline, or the values do not fit the units.
func (t *Table) Compare() ([]Row, error) {
	base := slices.IndexFunc(t.Runs, func(r Run) bool { return r.Name == t.Baseline })
	if base < 0 {
		names := make([]string, len(t.Runs))
		for i, r := range t.Runs {
			names[i] = r.Name
		}
		return nil, fmt.Errorf("baseline: no run is called %q; there are %s (%w)", t.Baseline, strings.Join(names, ", "), orbweaver.ErrInput)
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	var rows []Row
	var family []int // indices of rows
	var p []float64
	for m := range t.Measures {
		for r := range t.Runs {
			if r == base {
				continue
			}
			row := t.row(m, &t.Runs[r], &t.Runs[base])
			if row.N == 0 {
				continue
			}
			if !row.Ceiling {
				family, p = append(family, len(rows)), append(p, row.Test.P)
			}
			rows = append(rows, row)
		}
	}
	for i, adjusted := range Holm(p) {
		rows[family[i]].Holm = adjusted
	}
	return rows, nil
}

// check reports runs whose values do not fit measures and units.
func (t *Table) check() error {
	var problems []error
	for _, r := range t.Runs {
		fits := len(r.Values) == len(t.Measures) && !slices.ContainsFunc(r.Values, func(v []float64) bool { return len(v) != len(t.Units) })
		if !fits {
			problems = append(problems, fmt.Errorf("run %s: its values do not fit %d measures of %d units (%w)", r.Name, len(t.Measures), len(t.Units), orbweaver.ErrInput))
		}
	}
	return errors.Join(problems...)
}

// row compares a run with the baseline. Values are compared at six decimals: smaller differences are floating-point
// noise, which would break ties.
func (t *Table) row(measure int, run, base *Run) Row {
	row := Row{Measure: t.Measures[measure], Run: run.Name, Ceiling: run.Ceiling, Holm: math.NaN()}
	var ours, theirs, differences []float64
	for u, v := range run.Values[measure] {
		b := base.Values[measure][u]
		if math.IsNaN(v) || math.IsNaN(b) {
			continue
		}
		d := math.Round((v-b)*1e6) / 1e6
		ours, theirs, differences = append(ours, v), append(theirs, b), append(differences, d)
		switch {
		case d > 0:
			row.Above++
		case d < 0:
			row.Below++
		}
	}
	if row.N = len(differences); row.N == 0 {
		return row
	}
	samples := t.Samples
	if samples == 0 {
		samples = Samples
	}
	row.Mean, row.Baseline, row.Difference = mean(ours), mean(theirs), mean(differences)
	row.Low, row.High = Bootstrap(differences, samples, t.Seed)
	row.Test = Wilcoxon(differences)
	return row
}
