package rating

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"orbweaver"
)

// maxSheet bounds a sheet in bytes.
const maxSheet = 32 << 20

// An entry is a row as it came back.
type entry struct {
	id, value string
	line      int
}

// A Sheet is what a rater gave back.
type Sheet struct {
	file    string
	entries []entry
}

// ReadSheet reads a sheet: with commas, semicolons or tabs between its cells, with or without a byte
// order mark, lines ending in CRLF or LF. It wants the columns id and relevant; their order and others
// do not matter. file is its name in errors, which wrap ErrInput. What is wrong with rows Key.Answers
// says.
func ReadSheet(file string, r io.Reader) (*Sheet, error) {
	entries, err := readTable(file, r, columnRelevant)
	return &Sheet{file, entries}, err
}

// readTable reads two columns of a table, the first being id. Rows without anything are left out.
func readTable(file string, r io.Reader, column string) ([]entry, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxSheet+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", file, err, orbweaver.ErrInput)
	}
	if err := readable(content); err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", file, err, orbweaver.ErrInput)
	}
	in, header := delimited(bytes.TrimPrefix(content, []byte(mark)))
	id, err := find(header, columnID)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w (%w)", file, err, orbweaver.ErrInput)
	}
	value, err := find(header, column)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w (%w)", file, err, orbweaver.ErrInput)
	}
	var entries []entry
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, brokenTable(file, err)
		}
		line, _ := in.FieldPos(0)
		if !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue
		}
		if len(entries) == MaxRows {
			return nil, fmt.Errorf("%s:%d: more than %d rows: no sample has so many (%w)", file, line, MaxRows, orbweaver.ErrInput)
		}
		entries = append(entries, entry{cell(record, id), cell(record, value), line})
	}
}

// readable says why a file cannot be a table of ours, by its first bytes and its size.
func readable(content []byte) error {
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return errors.New("an empty file")
	case len(content) > maxSheet:
		return fmt.Errorf("more than %d MiB: no sheet is so large", maxSheet>>20)
	case bytes.HasPrefix(content, []byte("PK\x03\x04")), bytes.HasPrefix(content, []byte("\xd0\xcf\x11\xe0")):
		return errors.New("a workbook: save it as CSV")
	case bytes.HasPrefix(content, []byte("\xff\xfe")), bytes.HasPrefix(content, []byte("\xfe\xff")):
		return errors.New("text in UTF-16: save it as CSV in UTF-8")
	}
	return nil
}

// delimited finds what is between the cells, the one by which the first row has a column id, and
// returns a reader that is behind that row.
func delimited(content []byte) (in *csv.Reader, header []string) {
	for _, comma := range ",;\t" {
		in = csv.NewReader(bytes.NewReader(content))
		in.Comma, in.FieldsPerRecord = comma, -1 // programs differ in whether they keep empty cells at the end
		row, err := in.Read()
		if err != nil {
			continue
		}
		if _, err := find(row, columnID); err == nil {
			return in, row
		}
		if len(row) > len(header) {
			header = row
		}
	}
	return in, header
}

// find returns where a column is.
func find(header []string, name string) (int, error) {
	at := -1
	for i, cell := range header {
		if !strings.EqualFold(strings.TrimSpace(cell), name) {
			continue
		}
		if at >= 0 {
			return -1, fmt.Errorf("two columns are called %q", name)
		}
		at = i
	}
	if at < 0 {
		return -1, fmt.Errorf("no column is called %q: the first line has %.200q", name, header)
	}
	return at, nil
}

// cell is a cell without spaces around it; a row may end before it.
func cell(record []string, at int) string {
	if at >= len(record) {
		return ""
	}
	return strings.TrimSpace(record[at])
}

// brokenTable names file and line of an error of the CSV reader.
func brokenTable(file string, err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return fmt.Errorf("%s: %w (%w)", file, err, orbweaver.ErrInput)
	}
	if parse.StartLine != parse.Line {
		return fmt.Errorf("%s:%d: %w, in the row that begins on line %d (%w)", file, parse.Line, parse.Err, parse.StartLine, orbweaver.ErrInput)
	}
	return fmt.Errorf("%s:%d: %w (%w)", file, parse.Line, parse.Err, orbweaver.ErrInput)
}
