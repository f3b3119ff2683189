package view

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// PagesOptions configures Pages.
type PagesOptions struct {
	Columns []string // see PageColumns; empty: score, accepted, title and url, or all for JSON
	Format  string   // table, json or csv; empty: table
}

// PageColumns returns the available columns.
func PageColumns() []string {
	return []string{"n", "url", "host", "status", "error", "redirect", "type", "title", "snippet", "digest", "bytes", "depth", "parent",
		"predicted", "explored", "score", "accepted", "class", "reasons"}
}

// Check lists all problems of the options, and sets the defaults.
func (o *PagesOptions) Check() error {
	var problems []error
	wrong := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf(format+" (%w)", append(args, orbweaver.ErrInput)...))
	}
	if o.Format = cmp.Or(o.Format, "table"); !slices.Contains([]string{"table", "json", "csv"}, o.Format) {
		wrong("format %q: it is table, json or csv", o.Format)
	}
	for _, c := range o.Columns {
		if !slices.Contains(PageColumns(), c) {
			wrong("column %q: there are %s", c, strings.Join(PageColumns(), ", "))
		}
	}
	if len(o.Columns) == 0 && o.Format != "json" {
		o.Columns = []string{"score", "accepted", "title", "url"}
	}
	return errors.Join(problems...)
}

// Failed reports whether the list includes failures and redirects: that is, whether a column describes
// them.
func (o *PagesOptions) Failed() bool {
	return slices.ContainsFunc(o.Columns, func(c string) bool { return c == "error" || c == "redirect" || c == "status" })
}

// Pages prints pages with options that passed Check. columns is the width of a table.
func Pages(w io.Writer, columns int, o PagesOptions, pages iter.Seq2[ledger.Line, error]) error {
	switch o.Format {
	case "json":
		return pagesJSON(w, pages, o.Columns)
	case "csv":
		return pagesCSV(w, pages, o.Columns)
	}
	return pagesTable(w, columns, pages, o.Columns)
}

// cell formats a column of a line; exact keeps all digits.
func cell(l ledger.Line, column string, exact bool) string {
	number := func(v float64) string {
		if exact {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	switch column {
	case "n":
		return strconv.FormatInt(l.N, 10)
	case "url":
		return l.URL
	case "host":
		return weburl.Hostname(l.URL)
	case "status":
		return strconv.Itoa(l.Status)
	case "error":
		return string(l.Error)
	case "redirect":
		return l.Redirect
	case "type":
		return l.Type
	case "title":
		return l.Title
	case "snippet":
		return l.Snippet
	case "digest":
		return l.Digest
	case "bytes":
		return strconv.FormatInt(l.Bytes, 10)
	case "depth":
		return strconv.Itoa(l.Depth)
	case "parent":
		return l.Parent
	case "predicted":
		if l.Predicted != nil {
			return number(l.Predicted.Score)
		}
	case "explored":
		return yes(l.Explored, exact)
	case "score":
		return number(l.Score)
	case "accepted":
		return yes(l.Accepted, exact)
	case "class":
		return l.Class
	case "reasons":
		return joined(l.Reasons)
	}
	return ""
}

// yes formats a boolean as a word or as a mark.
func yes(v, word bool) string {
	switch {
	case word:
		return strconv.FormatBool(v)
	case v:
		return "*"
	}
	return ""
}

// joined writes reasons on one line.
func joined(reasons []orbweaver.Reason) string {
	var parts []string
	for _, r := range reasons {
		part := r.Rule
		if r.Evidence != "" {
			part += ": " + r.Evidence
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// pagesJSON writes one line of JSON per page: as in pages.jsonl, or the selected columns.
func pagesJSON(w io.Writer, pages iter.Seq2[ledger.Line, error], columns []string) error {
	for l, err := range pages {
		if err != nil {
			return err
		}
		text, err := jsonOf(l, columns)
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// pagesCSV writes a header and one row per page.
func pagesCSV(out io.Writer, pages iter.Seq2[ledger.Line, error], columns []string) (err error) {
	w := csv.NewWriter(out)
	defer func() {
		w.Flush()
		err = errors.Join(err, w.Error())
	}()
	if err := w.Write(columns); err != nil {
		return err
	}
	for l, err := range pages {
		if err != nil {
			return err
		}
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = cell(l, c, true)
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// jsonOf formats a line as in pages.jsonl, or its selected columns in order. Absent values are omitted.
func jsonOf(l ledger.Line, columns []string) ([]byte, error) {
	var whole bytes.Buffer
	e := json.NewEncoder(&whole)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil || len(columns) == 0 {
		return whole.Bytes(), err
	}
	var keys map[string]json.RawMessage
	err := json.Unmarshal(whole.Bytes(), &keys)
	if err == nil {
		keys["host"], err = json.Marshal(weburl.Hostname(l.URL))
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, c := range columns {
		value, there := keys[c]
		if !there {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + c + `":`)
		b.Write(value)
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}

// maxCell bounds the text of a cell.
const maxCell = 16 << 20

// widest bounds the width of a column that is neither a URL nor prose; narrowest is the minimum width of
// those.
const widest, narrowest = 24, 16

// flexible reports whether a column takes the remaining width.
func flexible(column string) bool {
	return slices.Contains([]string{"url", "redirect", "parent", "title", "snippet", "reasons"}, column)
}

// pagesTable writes a table as wide as the terminal, or wider if its fixed columns alone need more.
func pagesTable(w io.Writer, room int, pages iter.Seq2[ledger.Line, error], columns []string) error {
	rows := [][]string{columns}
	for l, err := range pages {
		if err != nil {
			return err
		}
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = console.Visible(cell(l, c, false), maxCell)
		}
		rows = append(rows, row)
	}
	if len(rows) == 1 {
		console.Say(w, "No such page.")
		return nil
	}
	widths := widthsOf(rows, room)
	for _, row := range rows {
		var b strings.Builder
		for i, text := range row {
			if isNumber(columns[i]) {
				b.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(text))) + text)
			} else {
				b.WriteString(console.Padded(shortened(text, widths[i], columns[i]), widths[i]))
			}
			b.WriteString("  ")
		}
		console.Say(w, "%s", strings.TrimRight(b.String(), " "))
	}
	return nil
}

// isNumber reports whether a column is right-aligned.
func isNumber(column string) bool {
	return slices.Contains([]string{"n", "status", "bytes", "depth", "predicted", "score"}, column)
}

// widthsOf distributes the width of a line among columns, whose names are the first row. Fixed columns get
// what they need; flexible ones share the rest.
func widthsOf(rows [][]string, room int) []int {
	widths := make([]int, len(rows[0]))
	left, wanted := room-2*(len(widths)-1), 0
	for i, name := range rows[0] {
		for _, row := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		switch {
		case flexible(name):
			wanted++
		case isNumber(name):
			left -= widths[i]
		default:
			widths[i] = min(widths[i], max(widest, utf8.RuneCountInString(name)))
			left -= widths[i]
		}
	}
	for i, name := range rows[0] {
		if flexible(name) {
			share := max(left/wanted, narrowest)
			widths[i] = min(widths[i], share)
			left, wanted = left-widths[i], wanted-1
		}
	}
	return widths
}

// shortened drops the middle of a URL that does not fit, and the end of any other text.
func shortened(s string, width int, column string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case n <= width:
		return s
	case !flexible(column) || slices.Contains([]string{"title", "snippet", "reasons"}, column):
		return console.Visible(s, width)
	}
	runes := []rune(s)
	tail := (width - 1) / 2
	return string(runes[:width-1-tail]) + "…" + string(runes[n-tail:])
}
