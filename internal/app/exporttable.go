package app

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
func (x *export) table(ctx context.Context, write func(context.Context, io.Writer, *standing) (int, error)) error {
	lines, err := x.lines.stand()
	if err != nil {
		return err
	}
	rows := 0
	stdout, err := x.toOutput(func(w io.Writer) (err error) {
		rows, err = write(ctx, w, lines)
		return err
	})
	if err == nil && !stdout {
		x.wrote(stdout, "%s: %d lines", x.opts.Out, rows)
	}
	return err
}

// jsonl copies lines as they stand.
func (x *export) jsonl(ctx context.Context, w io.Writer, lines *standing) (rows int, err error) {
	for line, err := range lines.lines(x.opts.Accepted) {
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
func (x *export) urls(ctx context.Context, w io.Writer, lines *standing) (rows int, err error) {
	told := map[uint64]bool{}
	for line, err := range lines.lines(x.opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return rows, err
		}
		key := lines.request(ledger.Line{URL: line.URL})
		if !isPage(line.Line) || line.Query != "" || told[key] {
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
func (x *export) csv(ctx context.Context, w io.Writer, lines *standing) (rows int, err error) {
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns()); err != nil {
		return 0, err
	}
	for line, err := range lines.lines(x.opts.Accepted) {
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

// csvColumns are the keys of pages.jsonl; what is an object there is a column for each of its keys.
func csvColumns() []string {
	return []string{
		"n", "url", "accept", "query", "status", "error", "redirect", "type", "digest", "bytes", "depth",
		"parent", "predicted_score", "predicted_class", "score", "accepted", "class", "reasons",
	}
}

func csvRow(l ledger.Line) []string {
	predicted := l.Predicted
	if predicted == nil {
		predicted = new(ledger.Predicted)
	}
	row := []string{
		strconv.FormatInt(l.N, 10), l.URL, l.Accept, l.Query, unlessZero(int64(l.Status)), string(l.Error),
		l.Redirect, l.Type, l.Digest, unlessZero(l.Bytes), strconv.Itoa(l.Depth), l.Parent,
		number(predicted.Score), predicted.Class, number(l.Score), strconv.FormatBool(l.Accepted), l.Class,
		joinReasons(l.Reasons),
	}
	for i, cell := range row {
		row[i] = harmless(cell)
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

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

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

// harmless keeps a spreadsheet from taking what a web wrote for a formula.
func harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}
