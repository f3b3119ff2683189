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
)

// table exports lines in a form of text, and tells how many.
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

// jsonl copies lines, with verdicts as of now.
func (x *Run) jsonl(ctx context.Context, w io.Writer, lines *Standing) (rows int, err error) {
	for line, err := range lines.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return rows, err
		}
		if _, err := fmt.Fprintf(w, "%s\n", line.text); err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// urls writes the addresses of pages, each once.
func (x *Run) urls(ctx context.Context, w io.Writer, lines *Standing) (rows int, err error) {
	told := map[uint64]bool{}
	for line, err := range lines.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return rows, err
		}
		key := lines.request(ledger.Line{URL: line.URL})
		if !IsPage(line.Line) || line.Query != "" || told[key] {
			continue
		}
		told[key] = true
		if _, err := fmt.Fprintln(w, line.URL); err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// csv writes a table: a header line, and a row a line.
func (x *Run) csv(ctx context.Context, w io.Writer, lines *Standing) (rows int, err error) {
	out := csv.NewWriter(w)
	if err := out.Write(CSVColumns()); err != nil {
		return 0, err
	}
	for line, err := range lines.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return rows, err
		}
		if err := out.Write(csvRow(line.Line)); err != nil {
			return rows, err
		}
		rows++
	}
	out.Flush()
	return rows, out.Error()
}

// CSVColumns are the keys of pages.jsonl; what is an object there is a column for each of its keys.
func CSVColumns() []string {
	return []string{
		"n", "url", "accept", "query", "status", "error", "redirect", "type", "title", "snippet", "digest", "bytes", "depth",
		"parent", "predicted_score", "predicted_class", "score", "accepted", "threshold", "class", "reasons",
	}
}

func csvRow(l ledger.Line) []string {
	predicted := l.Predicted
	if predicted == nil {
		predicted = new(ledger.Predicted)
	}
	row := []string{
		strconv.FormatInt(l.N, 10), l.URL, l.Accept, l.Query, unlessZero(int64(l.Status)), string(l.Error),
		l.Redirect, l.Type, l.Title, l.Snippet, l.Digest, unlessZero(l.Bytes), strconv.Itoa(l.Depth), l.Parent,
		Number(predicted.Score), predicted.Class, Number(l.Score), strconv.FormatBool(l.Accepted), numberUnlessZero(l.Threshold), l.Class,
		joinReasons(l.Reasons),
	}
	for i, cell := range row {
		row[i] = Harmless(cell)
	}
	return row
}

// unlessZero leaves a number out that was not known.
func unlessZero(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// numberUnlessZero is a figure as a table has it, or nothing.
func numberUnlessZero(f float64) string {
	if f == 0 {
		return ""
	}
	return Number(f)
}

// Number is a figure as a table has it.
func Number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// joinReasons writes reasons in one cell, as "rule: evidence (weight); …".
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

// Harmless keeps a spreadsheet from taking what a web wrote for a formula.
func Harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}
