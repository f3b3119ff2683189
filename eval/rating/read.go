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
	"orbweaver/internal/coding/charset"
)

// maxSheet bounds a sheet in bytes.
const maxSheet = 32 << 20

// An entry is a row of a returned sheet.
type entry struct {
	id, value string
	more      []string // further columns; empty where the table has none
	line      int
}

// A Sheet is a rater's returned sheet.
type Sheet struct {
	file    string
	entries []entry
}

// ReadSheet reads a sheet with comma, semicolon or tab separators, with or without a byte order mark, with
// lines ending in CRLF or LF. It requires the columns id and relevant; column order and other columns do not
// matter. file is its name in errors, which wrap ErrInput. Key.Answers checks the rows.
func ReadSheet(file string, r io.Reader) (*Sheet, error) {
	entries, err := readTable(file, r, columnID, columnRelevant, columnNote, columnAt)
	return &Sheet{file, entries}, err
}

// ReadRows reads the pages of a sheet as WriteSheet wrote it, in its order. Errors name file and line, and wrap ErrInput.
func ReadRows(file string, r io.Reader) ([]Row, error) {
	entries, err := readTable(file, r, columnID, columnURL, columnTitle, columnSnippet)
	rows := make([]Row, len(entries))
	for i, e := range entries {
		rows[i] = Row{ID: e.id, URL: e.value, Title: e.more[0], Snippet: e.more[1]}
	}
	return rows, err
}

// An Opinion is a person's answer about a page.
type Opinion struct {
	URL      string
	Relevant bool
	Part     bool // in part; Relevant is true then
	Line     int  // of the sheet
}

// ReadOpinions reads the answers of a sheet by the columns url and relevant; rows without an answer are left out. Errors
// name file and line, and wrap ErrInput.
func ReadOpinions(file string, r io.Reader) ([]Opinion, error) {
	entries, err := readTable(file, r, columnURL, columnRelevant)
	if err != nil {
		return nil, err
	}
	var all []Opinion
	found := problems{file: file}
	for _, e := range entries {
		answer, ok := answerOf(e.value)
		part := isPart(e.value)
		if part {
			answer, ok = Relevant, true
		}
		switch {
		case !ok:
			found.add(e, "relevant is yes, no, part or empty, not %.40q", e.value)
		case answer != Unanswered && e.id == "":
			found.add(e, "an answer without url")
		case answer != Unanswered:
			all = append(all, Opinion{e.id, answer == Relevant, part, e.line})
		}
	}
	return all, found.joined()
}

// isPart reports whether an answer says that a part of a page is relevant.
func isPart(text string) bool {
	switch strings.Join(strings.Fields(strings.ToLower(text)), " ") {
	case "part", "p", "partly", "in part", "part of it":
		return true
	}
	return false
}

// readTable reads two columns of a table, the first of which names the row, and further ones if it has them. It skips empty rows.
func readTable(file string, r io.Reader, name, column string, further ...string) ([]entry, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxSheet+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", file, err, orbweaver.ErrInput)
	}
	if err := readable(content); err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", file, err, orbweaver.ErrInput)
	}
	content, _ = charset.Text(content, "text/csv") // spreadsheets save it as windows-125x or UTF-16
	in, header := delimited(content, name)
	id, err := find(header, name)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w (%w)", file, err, orbweaver.ErrInput)
	}
	value, err := find(header, column)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w (%w)", file, err, orbweaver.ErrInput)
	}
	at := make([]int, len(further))
	for i, name := range further {
		if at[i], err = find(header, name); err != nil {
			at[i] = -1
		}
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
		e := entry{cell(record, id), cell(record, value), make([]string, len(at)), line}
		for i, column := range at {
			e.more[i] = cell(record, column)
		}
		entries = append(entries, e)
	}
}

// readable rejects a file that cannot be a sheet, by its first bytes and its size.
func readable(content []byte) error {
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return errors.New("an empty file")
	case len(content) > maxSheet:
		return fmt.Errorf("more than %d MiB: no sheet is so large", maxSheet>>20)
	case bytes.HasPrefix(content, []byte("PK\x03\x04")), bytes.HasPrefix(content, []byte("\xd0\xcf\x11\xe0")):
		return errors.New("a workbook: save it as CSV")
	}
	return nil
}

// delimited detects the separator, the one by which the first row has a column of this name, and returns a reader
// positioned after that row.
func delimited(content []byte, name string) (in *csv.Reader, header []string) {
	for _, comma := range ",;\t" {
		in = csv.NewReader(bytes.NewReader(content))
		in.Comma, in.FieldsPerRecord = comma, -1 // programs differ in keeping empty trailing cells
		row, err := in.Read()
		if err != nil {
			continue
		}
		if _, err := find(row, name); err == nil {
			return in, row
		}
		if len(row) > len(header) {
			header = row
		}
	}
	return in, header
}

// find returns the index of a column.
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

// cell is a cell without surrounding spaces; "" if the row is shorter, or at is -1.
func cell(record []string, at int) string {
	if at < 0 || at >= len(record) {
		return ""
	}
	return strings.TrimSpace(record[at])
}

// brokenTable adds file and line to an error of the CSV reader.
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
