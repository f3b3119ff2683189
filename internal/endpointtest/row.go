// Package endpointtest runs SPARQL endpoints for tests: hundreds on loopback, each on its own port, that
// fail like those of a survey of 2013 and answer correctly otherwise.
//
// A Row is the survey's record of an endpoint, and a Profile the behaviour derived from it by the rules of
// ProfileOf. Tests set the Contents, so the correct answers and the endpoints that can give them are known
// in advance. Figures holds the number and timing of its requests.
//
// The package shares no code with fetch/sparql, whose tests use it. It parses and evaluates queries with
// this project's engine; endpointtest/live provides other engines for comparison.
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

// Ability is the survey's value for a feature: "True", "False", or "None" for not measured.
type Ability string

// The values of an Ability.
const (
	Able        Ability = "True"
	Unable      Ability = "False"
	NotMeasured Ability = "None"
)

// Row is the survey's record of one endpoint.
type Row struct {
	Line      int      // line in the file; the first endpoint is on line 2
	Endpoint  string   // its URL then; used as a name only, never requested
	Datasets  []string // URLs of its catalogue entries
	Up        bool     // it answered at the end of the survey
	Uptime    float64  // share of the time in which it answered, from 0 to 1
	Union     Ability
	Distinct  Ability
	Count     Ability // COUNT with GROUP BY
	Works10   int     // features of SPARQL 1.0 that worked
	Works11   int     // features of SPARQL 1.1 that worked
	VoID      bool    // it has a VoID description
	Exception string  // an exception of the survey's client; may contain carriage returns
}

// maxLine bounds a line, in bytes.
const maxLine = 1 << 20

// columns returns the header of the file.
func columns() []string {
	return []string{
		"endpoint", "datasets", "upNow", "uptimeOverall", "union", "distinct", "count_groupby",
		"n10ok", "n11ok", "void", "example_exception",
	}
}

// Read reads the survey, a tab-separated table whose lines end with "\n" only. The error lists all
// problems with their lines.
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

// untilNewline splits lines at "\n" and keeps carriage returns.
func untilNewline(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// readRow parses the fields of a line.
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

// fieldReader collects the problems of fields.
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
