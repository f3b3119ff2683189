package results

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/ntriples"
)

const (
	tableWindow = 500 // rows that determine the column widths
	narrowest   = 4   // least column width
	gap         = 2   // between columns
)

// WriteTable writes rows as a table for a terminal with that many columns; 0 means no limit. Values that
// exceed their column are cut and end in "…". The first 500 rows, which are buffered, determine the widths.
// Control characters are escaped, so that no value controls the terminal. The error is that of the writer or
// the rows; earlier rows are written.
func WriteTable(w io.Writer, columns int, vars []string, rows iter.Seq2[Row, error]) error {
	t := &table{out: bufio.NewWriter(w), limit: columns}
	head := make([]string, len(vars))
	for i, name := range vars {
		head[i] = visible("?" + name)
	}
	t.held = append(t.held, head)
	for row, err := range rows {
		if err != nil {
			t.flush()
			t.out.Flush()
			return err
		}
		cells := make([]string, len(vars))
		for i := range cells {
			if i < len(row) {
				cells[i] = cell(row[i])
			}
		}
		if err := t.add(cells); err != nil {
			return err
		}
	}
	t.flush()
	return t.out.Flush()
}

// A table buffers rows until the column widths are known.
type table struct {
	out    *bufio.Writer
	limit  int
	held   [][]string // the head first
	widths []int      // nil while rows are buffered
}

// add adds a row.
func (t *table) add(cells []string) error {
	if t.widths != nil {
		return t.line(cells)
	}
	if t.held = append(t.held, cells); len(t.held) > tableWindow {
		t.flush()
	}
	return nil
}

// flush writes the buffered rows.
func (t *table) flush() {
	if t.widths != nil {
		return
	}
	t.widths = fit(t.held, t.limit)
	for i, cells := range t.held {
		t.line(cells)
		if i == 0 {
			rule := make([]string, len(cells))
			for j := range rule {
				rule[j] = strings.Repeat("─", t.widths[j])
			}
			t.line(rule)
		}
	}
	t.held = nil
}

// line writes one row.
func (t *table) line(cells []string) error {
	var b strings.Builder
	for i, c := range cells {
		c = cut(c, t.widths[i])
		b.WriteString(c)
		if i < len(cells)-1 {
			b.WriteString(strings.Repeat(" ", max(t.widths[i]-textWidth(c), 0)+gap))
		}
	}
	_, err := t.out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	return err
}

// fit returns the column widths. If space is short, the widest columns shrink.
func fit(rows [][]string, limit int) []int {
	widths := make([]int, len(rows[0]))
	for _, cells := range rows {
		for i, c := range cells {
			widths[i] = max(widths[i], textWidth(c))
		}
	}
	if limit <= 0 || len(widths) == 0 {
		return widths
	}
	room := limit - gap*(len(widths)-1)
	sorted := slices.Sorted(slices.Values(widths))
	most := sorted[len(sorted)-1]
	for i, w := range sorted { // narrow columns get their width, the others share the rest
		if share := room / (len(sorted) - i); w > share {
			most = max(share, narrowest)
			break
		}
		room -= w
	}
	for i := range widths {
		widths[i] = min(widths[i], most)
	}
	return widths
}

// maxCell bounds the examined bytes of a value.
const maxCell = 4096

// cell formats a term for people: the plain value, followed by a language or a datatype that is not a
// number's or string's.
func cell(t rdf.Term) string {
	if t.Kind == rdf.TripleTerm {
		text := string(ntriples.AppendTerm(nil, t))
		if len(text) > maxCell {
			text = strings.ToValidUTF8(text[:maxCell], "") + "…"
		}
		return visible(text)
	}
	if len(t.Value) > maxCell {
		t.Value = strings.ToValidUTF8(t.Value[:maxCell], "") + "…"
	}
	switch {
	case t.IsZero():
		return ""
	case t.Kind == rdf.Literal && (t.Datatype == numberType(t.Value) || t.Datatype == rdf.XSDBoolean):
		return visible(t.Value)
	case t.Kind == rdf.Literal && t.Lang == "" && t.Datatype != rdf.XSDString:
		datatype := t.Datatype[strings.LastIndexAny(t.Datatype, "#/:")+1:]
		return visible(string(ntriples.AppendTerm(nil, rdf.NewString(t.Value))) + "^^" + datatype)
	}
	return visible(string(ntriples.AppendTerm(nil, t)))
}

// visible escapes control characters and characters that change the text direction.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.Is(unicode.C, r) {
			fmt.Fprintf(&b, `\u%04X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// runeWidth returns the width of a character in terminal columns.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func textWidth(s string) (n int) {
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// cut shortens a text to the given columns.
func cut(s string, columns int) string {
	if textWidth(s) <= columns {
		return s
	}
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > columns-1 {
			return s[:i] + "…"
		}
	}
	return s
}
