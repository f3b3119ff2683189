package export

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/ledger"
	"orbweaver/page/dublin"
)

// table exports lines in a text format, and reports their number.
func (x *Run) table(ctx context.Context, write func(context.Context, io.Writer, *Standing) (int, error)) error {
	lines, err := x.Lines.Stand()
	if err != nil {
		return err
	}
	rows := 0
	stdout, err := x.toOutput(func(w io.Writer) (err error) {
		rows, err = write(ctx, w, lines)
		return err
	})
	if err == nil && !stdout {
		x.wrote(stdout, "%s: %d lines", x.Opts.Out, rows)
	}
	return err
}

// jsonl copies lines, with verdicts by the current threshold, and adds what the pages state of themselves.
func (x *Run) jsonl(ctx context.Context, w io.Writer, lines *Standing) (rows int, err error) {
	described, err := x.describe(ctx, lines)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, described.close()) }()
	for line, err := range lines.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return rows, err
		}
		if line.text, err = described.with(ctx, line); err != nil {
			return rows, err
		}
		if _, err := fmt.Fprintf(w, "%s\n", line.text); err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// urls writes the URLs of pages, each once.
func (x *Run) urls(ctx context.Context, w io.Writer, lines *Standing) (rows int, err error) {
	seen := map[uint64]bool{}
	for line, err := range lines.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return rows, err
		}
		key := lines.request(ledger.Line{URL: line.URL})
		if !IsPage(line.Line) || line.Query != "" || seen[key] {
			continue
		}
		seen[key] = true
		if _, err := fmt.Fprintln(w, line.URL); err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// csv writes a table: a header and one row per line.
func (x *Run) csv(ctx context.Context, w io.Writer, lines *Standing) (rows int, err error) {
	out := csv.NewWriter(w)
	columns := CSVColumns()
	if x.Opts.Plain {
		columns = columns[:len(columns)-dublinColumns]
	}
	if err := out.Write(columns); err != nil {
		return 0, err
	}
	described, err := x.describe(ctx, lines)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, described.close()) }()
	for line, err := range lines.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return rows, err
		}
		stated, err := described.of(ctx, line.Line)
		if err != nil {
			return rows, err
		}
		if err := out.Write(append(csvRow(line.Line), dublinCells(stated)...)[:len(columns)]); err != nil {
			return rows, err
		}
		rows++
	}
	out.Flush()
	return rows, out.Error()
}

// CSVColumns returns the columns: the keys of pages.jsonl, with one column for each key of a nested
// object, and the elements of Dublin Core that pages state of themselves.
func CSVColumns() []string {
	return []string{
		"n", "url", "accept", "query", "status", "error", "redirect", "type", "title", "snippet", "digest", "bytes", "depth",
		"parent", "predicted_score", "predicted_chance", "predicted_class", "score", "accepted", "chance", "threshold", "class", "reasons",
		"creator", "date", "rights", "language",
	}
}

// dublinColumns is the number of columns of Dublin Core, the last ones.
const dublinColumns = 4

// dublinCells returns their cells.
func dublinCells(stated dublin.Record) []string {
	row := []string{strings.Join(stated.Creator, "; "), stated.Date, stated.Rights, stated.Language}
	for i, cell := range row {
		row[i] = Harmless(cell)
	}
	return row
}

func csvRow(l ledger.Line) []string {
	predicted := l.Predicted
	if predicted == nil {
		predicted = new(ledger.Predicted)
	}
	row := []string{
		strconv.FormatInt(l.N, 10), l.URL, l.Accept, l.Query, unlessZero(int64(l.Status)), string(l.Error),
		l.Redirect, l.Type, l.Title, l.Snippet, l.Digest, unlessZero(l.Bytes), strconv.Itoa(l.Depth), l.Parent,
		Number(predicted.Score), numberUnlessZero(predicted.Chance), predicted.Class, Number(l.Score), strconv.FormatBool(l.Accepted),
		numberUnlessZero(l.Chance), numberUnlessZero(l.Threshold), l.Class,
		joinReasons(l.Reasons),
	}
	for i, cell := range row {
		row[i] = Harmless(cell)
	}
	return row
}

// unlessZero formats a number; 0, which means unknown, gives "".
func unlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// numberUnlessZero formats a figure; 0 gives "".
func numberUnlessZero(f float64) string {
	if f == 0 {
		return ""
	}
	return Number(f)
}

// Number formats a figure for a table.
func Number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// joinReasons writes reasons into one cell, as "rule: evidence (weight); …".
func joinReasons(reasons []orbweaver.Reason) string {
	var b strings.Builder
	for i, r := range reasons {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(r.Rule)
		if r.Evidence != "" {
			b.WriteString(": " + r.Evidence)
		}
		fmt.Fprintf(&b, " (%.3g)", r.Weight)
	}
	return b.String()
}

// Harmless prevents a spreadsheet from interpreting Web content as a formula.
func Harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}
