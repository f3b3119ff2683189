package main

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed facts/*.tsv words/*.txt words/island/*.txt words/campus/*.txt
var sources embed.FS

// A fact is one row of a table: the values of one thing, by column.
type fact map[string]string

// A table is a file of facts/. Its first column is the id, unique within the table.
type table struct {
	name string
	rows []fact
	byID map[string]fact
}

// readTable reads facts/NAME.tsv: a header line, then one line per row, cells separated by tabs. Missing
// cells at the end of a row are empty.
func readTable(name string) (*table, error) {
	path := "facts/" + name + ".tsv"
	data, err := sources.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &table{name: name, byID: map[string]fact{}}
	var columns []string
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		cells := strings.Split(line, "\t")
		if i == 0 {
			columns = cells
			continue
		}
		if len(cells) > len(columns) {
			return nil, fmt.Errorf("%s:%d: %d cells for %d columns", path, i+1, len(cells), len(columns))
		}
		if t.byID[cells[0]] != nil {
			return nil, fmt.Errorf("%s:%d: %s stands there already", path, i+1, cells[0])
		}
		t.add(columns, cells)
	}
	return t, nil
}

// add appends a row.
func (t *table) add(columns, cells []string) {
	row := fact{}
	for i, cell := range cells {
		row[columns[i]] = strings.TrimSpace(cell)
	}
	t.rows = append(t.rows, row)
	t.byID[cells[0]] = row
}

// pick returns the rows of a selector: "*" for all, "column=value", or "every=N+K" for each Nth row from the
// Kth (counted from 0).
func (t *table) pick(selector string) ([]fact, error) {
	if selector == "*" {
		return t.rows, nil
	}
	column, value, ok := strings.Cut(selector, "=")
	if !ok {
		return nil, fmt.Errorf("facts/sets.tsv: %q selects nothing", selector)
	}
	if column != "every" {
		return t.where(column, value), nil
	}
	step, first, _ := strings.Cut(value, "+")
	n, err := strconv.Atoi(step)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("facts/sets.tsv: %q: the step is no number", selector)
	}
	k, _ := strconv.Atoi(first)
	var rows []fact
	for i := k; i < len(t.rows); i += n {
		rows = append(rows, t.rows[i])
	}
	return rows, nil
}

// where returns the rows that have a value in a column, in file order.
func (t *table) where(column, value string) []fact {
	var rows []fact
	for _, row := range t.rows {
		if row[column] == value {
			rows = append(rows, row)
		}
	}
	return rows
}
