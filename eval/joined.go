package eval

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/eval/paired"
)

// joinedPage is the template of a joined report; read-only.
//
//go:embed joined.html
var joinedPage string

const (
	maxComparison = 256 << 20 // bytes of a comparison.json
	maxUnits      = 1_000_000 // of all comparisons together
)

// A Joined compares the runs of several comparisons over all their topics and items.
type Joined struct {
	Name    string
	Paired  *Paired
	Sources []Fact // each comparison with its truth
	Notes   []string
}

// Join reads the comparison.json of several comparison folders and compares the runs that all of them have with the
// baseline. A comparison with items has a unit per item, any other is one unit. The error wraps orbweaver.ErrInput: a
// file cannot be read, is of a version without measures, or is given twice; or no run is called like the baseline.
func Join(name string, folders []string, pairing Pairing) (*Joined, error) {
	j := &Joined{Name: name}
	t := &paired.Table{Baseline: pairing.Baseline, Seed: pairing.Seed, Samples: pairing.Samples}
	for _, m := range Measures() {
		t.Measures = append(t.Measures, m.Name())
	}
	var all []*writtenComparison
	var problems []error
	for _, folder := range folders {
		c, err := readComparison(filepath.Join(folder, "comparison.json"))
		switch {
		case err != nil:
			problems = append(problems, err)
			continue
		case slices.ContainsFunc(all, func(o *writtenComparison) bool { return o.Name == c.Name }):
			problems = append(problems, fmt.Errorf("%s: another comparison is called %q too: give one another output (%w)", folder, c.Name, orbweaver.ErrInput))
			continue
		}
		all = append(all, c)
		t.Units = append(t.Units, c.unitNames()...)
		j.Sources = append(j.Sources, Fact{c.Name, fmt.Sprintf("%s; %d documents, budget of %d requests", c.Truth, c.Web.Documents, c.Budget)})
	}
	if len(problems) == 0 && len(t.Units) > maxUnits {
		problems = append(problems, fmt.Errorf("%d units; at most %d (%w)", len(t.Units), maxUnits, orbweaver.ErrInput))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	j.addRuns(t, all)
	var err error
	j.Paired, err = newPaired(t)
	return j, err
}

// addRuns adds the runs that all comparisons have, in the order of the first, and notes the others.
func (j *Joined) addRuns(t *paired.Table, all []*writtenComparison) {
	noted := map[string]bool{}
	for _, c := range all {
		for i := range c.Runs {
			name, lacking := c.Runs[i].Name, ""
			for _, other := range all {
				if other.run(name) == nil && lacking == "" {
					lacking = other.Name
				}
			}
			switch {
			case noted[name]:
			case lacking != "":
				j.Notes = append(j.Notes, fmt.Sprintf("run %s is left out: %s has none of that name", name, lacking))
			default:
				run := paired.Run{Name: name, Ceiling: c.Runs[i].Oracle, Values: make([][]float64, len(t.Measures))}
				for _, other := range all {
					other.run(name).addTo(&run)
				}
				t.Runs = append(t.Runs, run)
			}
			noted[name] = true
		}
	}
}

// A writtenComparison is what joining needs of a comparison.json.
type writtenComparison struct {
	Name   string       `json:"name"`
	Truth  string       `json:"truth"`
	Web    jsonWeb      `json:"web"`
	Budget int          `json:"budget"`
	Items  int          `json:"items"`
	Units  []string     `json:"units"`
	Runs   []writtenRun `json:"runs"`
}

type writtenRun struct {
	Name     string        `json:"name"`
	Oracle   bool          `json:"oracle"`
	Measures []jsonMeasure `json:"measures"`
}

// readComparison reads and checks a comparison.json.
func readComparison(path string) (*writtenComparison, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: want the output folder of a comparison (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	c, err := decodeComparison(io.LimitReader(file, maxComparison))
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrInput)
	}
	return c, nil
}

// decodeComparison decodes a comparison.json. Every run has the values of all measures for all units.
func decodeComparison(r io.Reader) (*writtenComparison, error) {
	c := new(writtenComparison)
	if err := json.NewDecoder(r).Decode(c); err != nil {
		return nil, err
	}
	if c.Items < 1 || len(c.Runs) == 0 || len(c.Units) != 0 && len(c.Units) != c.Items {
		return nil, errors.New("it is no comparison.json")
	}
	for i := range c.Runs {
		for _, m := range Measures() {
			if values, ok := c.Runs[i].values(m.Name()); !ok || len(values) != c.Items {
				return nil, fmt.Errorf("run %s lacks %s for %d units: run the comparison again", shorten(c.Runs[i].Name, 80), m.Name(), c.Items)
			}
		}
	}
	return c, nil
}

// unitNames are the comparison's name, or that of each item.
func (c *writtenComparison) unitNames() []string {
	if c.Items == 1 && len(c.Units) == 0 {
		return []string{c.Name}
	}
	names := make([]string, c.Items)
	for i := range names {
		names[i] = fmt.Sprintf("%s: item %d", c.Name, i+1)
		if len(c.Units) > 0 {
			names[i] = c.Name + ": " + c.Units[i]
		}
	}
	return names
}

// run returns the run of a name; nil: there is none.
func (c *writtenComparison) run(name string) *writtenRun {
	for i := range c.Runs {
		if c.Runs[i].Name == name {
			return &c.Runs[i]
		}
	}
	return nil
}

// values returns the values of a measure by unit.
func (r *writtenRun) values(name string) ([]*float64, bool) {
	for _, m := range r.Measures {
		if m.Measure == name {
			return m.Values, true
		}
	}
	return nil, false
}

// addTo adds the values of all measures to a run.
func (r *writtenRun) addTo(run *paired.Run) {
	for m, measure := range Measures() {
		values, _ := r.values(measure.Name())
		for _, v := range values {
			if v == nil {
				run.Values[m] = append(run.Values[m], math.NaN())
			} else {
				run.Values[m] = append(run.Values[m], *v)
			}
		}
	}
}

// WriteJSON writes the units, the measures of each run by unit, and the paired differences. The same comparisons write
// the same bytes.
func (j *Joined) WriteJSON(w io.Writer) error {
	type jsonRun struct {
		Name     string        `json:"name"`
		Oracle   bool          `json:"oracle,omitempty"`
		Measures []jsonMeasure `json:"measures"`
	}
	written := struct {
		Name        string      `json:"name"`
		Measures    []Fact      `json:"measures"`
		Comparisons []Fact      `json:"comparisons"`
		Notes       []string    `json:"notes,omitempty"`
		Units       []string    `json:"units"`
		Runs        []jsonRun   `json:"runs"`
		Paired      *jsonPaired `json:"paired"`
	}{Name: j.Name, Measures: (&Comparison{}).measureFacts(Measure.Name), Comparisons: j.Sources, Notes: j.Notes, Units: j.Paired.Table.Units, Paired: j.Paired.json()}
	for _, run := range j.Paired.Table.Runs {
		one := jsonRun{Name: run.Name, Oracle: run.Ceiling}
		for m, name := range j.Paired.Table.Measures {
			one.Measures = append(one.Measures, jsonMeasureOf(name, run.Values[m]))
		}
		written.Runs = append(written.Runs, one)
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(written); err != nil {
		return err
	}
	return out.Flush()
}

// WriteReport writes one self-contained HTML file without scripts.
func (j *Joined) WriteReport(w io.Writer) error {
	view := struct {
		Title    string
		Style    template.CSS
		Units    int
		Measured measuredView
		Paired   *pairedView
		Each     []unitTable
		Notes    string
		Sources  []Fact
		Words    []Fact
	}{Title: "Comparisons " + j.Name, Style: template.CSS(pageStyle), Units: len(j.Paired.Table.Units), Measured: measuredView{Titles: measureTitles()},
		Paired: j.Paired.view(), Each: j.unitTables(), Notes: strings.Join(j.Notes, "; "), Sources: j.Sources, Words: (&Comparison{}).measureFacts(Measure.Title)}
	for _, run := range j.Paired.Table.Runs {
		row := measureRow{Run: run.Name, Oracle: run.Ceiling}
		for _, values := range run.Values {
			row.Cells = append(row.Cells, MeanWords(values))
		}
		view.Measured.Rows = append(view.Measured.Rows, row)
	}
	return render(w, joinedPage, view)
}

// maxShownUnits is how many units a report lists.
const maxShownUnits = 200

// A unitTable has the values of one measure by unit and run.
type unitTable struct {
	Title string
	Runs  []string
	Rows  []measureRow
}

// unitTables are those of the measures in the order of fetching.
func (j *Joined) unitTables() (tables []unitTable) {
	t := j.Paired.Table
	for m := range atMarks {
		table := unitTable{Title: Measure(m).Title()}
		for _, run := range t.Runs {
			table.Runs = append(table.Runs, run.Name)
		}
		for u, unit := range t.Units[:min(len(t.Units), maxShownUnits)] {
			row := measureRow{Run: unit}
			for _, run := range t.Runs {
				row.Cells = append(row.Cells, figureWords(run.Values[m][u]))
			}
			table.Rows = append(table.Rows, row)
		}
		tables = append(tables, table)
	}
	return tables
}
