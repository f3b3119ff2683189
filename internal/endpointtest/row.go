// Package endpointtest stands SPARQL endpoints up for tests: hundreds on loopback, each on a port of
// its own, that fail as those of a survey of 2013 did, and tell the truth where they answer.
//
// A Row is what the survey says of an endpoint, a Profile what follows from it for one on loopback,
// by rules that ProfileOf states. Contents are the test's: what each endpoint holds, and whether it is
// able to tell, is known beforehand. What it was asked, and how politely, is in its Figures.
//
// It shares no code with fetch/sparql, which is tested with it. Queries are read and evaluated by our
// own engine: endpointtest/live has others to compare with.
package endpointtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// An Ability is what the survey says of a feature: "True", "False", or "None" for not measured.
type Ability string

// The abilities.
const (
	Able        Ability = "True"
	Unable      Ability = "False"
	NotMeasured Ability = "None"
)

// A Row is one endpoint of the survey.
type Row struct {
	Line      int      // in the file; the first endpoint stands in line 2
	Endpoint  string   // its URL then: a name here, which is never asked
	Datasets  []string // URLs of their entries in a catalogue
	Up        bool     // it answered at the end of the survey
	Uptime    float64  // share of the time in which it did, from 0 to 1
	Union     Ability
	Distinct  Ability
	Count     Ability // COUNT with GROUP BY
	Works10   int     // features of SPARQL 1.0 that worked
	Works11   int     // features of SPARQL 1.1 that worked
	VoID      bool    // it has a description
	Exception string  // one that the survey's client met; may hold carriage returns
}

// maxLine is how long a line may be, in bytes.
const maxLine = 1 << 20

// columns are the names in the file's first line.
func columns() []string {
	return []string{
		"endpoint", "datasets", "upNow", "uptimeOverall", "union", "distinct", "count_groupby",
		"n10ok", "n11ok", "void", "example_exception",
	}
}

// Read reads the survey, a table of tabs whose lines end with "\n" alone. All that is wrong is
// reported, by line.
func Read(r io.Reader) (rows []Row, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	lines.Split(untilNewline)
	var problems []error
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if n == 1 {
			if !slices.Equal(fields, columns()) {
				return nil, fmt.Errorf("line 1: the columns are %q, not %q", fields, columns())
			}
			continue
		}
		row, err := readRow(n, fields)
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", n, err))
			continue
		}
		rows = append(rows, row)
	}
	return rows, errors.Join(append(problems, lines.Err())...)
}

// untilNewline splits lines, and leaves carriage returns where they are.
func untilNewline(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// readRow reads the fields of a line.
func readRow(line int, fields []string) (Row, error) {
	if len(fields) != len(columns()) {
		return Row{}, fmt.Errorf("%d columns, not %d", len(fields), len(columns()))
	}
	r := &fieldReader{fields: fields}
	row := Row{
		Line: line, Endpoint: fields[0], Datasets: strings.Split(fields[1], "|"),
		Up: r.truth(2), Uptime: r.share(3), Union: r.ability(4), Distinct: r.ability(5), Count: r.ability(6),
		Works10: r.number(7), Works11: r.number(8), VoID: r.truth(9), Exception: fields[10],
	}
	return row, errors.Join(r.problems...)
}

// A fieldReader gathers what is wrong with fields.
type fieldReader struct {
	fields   []string
	problems []error
}

func (r *fieldReader) wrong(i int, wanted string) {
	r.problems = append(r.problems, fmt.Errorf("%s is %q, not %s", columns()[i], r.fields[i], wanted))
}

func (r *fieldReader) ability(i int) Ability {
	switch a := Ability(r.fields[i]); a {
	case Able, Unable, NotMeasured:
		return a
	}
	r.wrong(i, "True, False or None")
	return NotMeasured
}

func (r *fieldReader) truth(i int) bool {
	switch r.fields[i] {
	case "True", "False":
	default:
		r.wrong(i, "True or False")
	}
	return r.fields[i] == "True"
}

func (r *fieldReader) share(i int) float64 {
	x, err := strconv.ParseFloat(r.fields[i], 64)
	if err != nil || !(0 <= x && x <= 1) {
		r.wrong(i, "a number from 0 to 1")
	}
	return x
}

func (r *fieldReader) number(i int) int {
	n, err := strconv.Atoi(r.fields[i])
	if err != nil || n < 0 {
		r.wrong(i, "a whole number")
	}
	return n
}
