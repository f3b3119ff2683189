package inspect

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// PagesOptions say which pages are listed, and how; the zero value lists all that answered, in the
// order they were fetched.
type PagesOptions struct {
	Accepted bool     // accepted pages alone
	Host     string   // pages of this host and its subdomains alone; empty: all
	MinScore float64  // pages that score at least this
	Sort     string   // score, n, url, bytes or depth; empty: n. Scores and bytes go from the largest down
	Limit    int      // how many; 0: all
	Columns  []string // see PageColumns; empty: score, accepted, title and url
	Format   string   // table, json or csv; empty: table
}

// PageColumns are the columns that a list of pages can have.
func PageColumns() []string {
	return []string{"n", "url", "host", "status", "error", "redirect", "type", "title", "snippet", "digest", "bytes", "depth", "parent",
		"predicted", "score", "accepted", "class", "reasons"}
}

// PageOrders are what a list of pages can be sorted by.
func PageOrders() []string { return []string{"score", "n", "url", "bytes", "depth"} }

// Pages lists the pages of a crawl, running or not: those that are committed. Of several outcomes of a
// URL the last counts. The error wraps ErrInput when the folder is none of a crawl, or an option is
// wrong.
func Pages(a *job.Job, dir string, opts PagesOptions) error {
	err := errors.Join(crawlfolder.CheckCrawl(dir), opts.check())
	if err != nil {
		return err
	}
	lines, err := pagesIn(dir, opts)
	if err != nil {
		return err
	}
	switch opts.Format {
	case "json":
		return pagesJSON(a, lines, opts.Columns)
	case "csv":
		return pagesCSV(a, lines, opts.Columns)
	}
	pagesTable(a, lines, opts)
	return nil
}

// check finds all that is wrong with options, and fills in what is left out.
func (o *PagesOptions) check() error {
	var problems []error
	wrong := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf(format+" (%w)", append(args, orbweaver.ErrInput)...))
	}
	o.Sort, o.Format = cmp.Or(o.Sort, "n"), cmp.Or(o.Format, "table")
	if !slices.Contains(PageOrders(), o.Sort) {
		wrong("sort %q: pages are sorted by %s", o.Sort, strings.Join(PageOrders(), ", "))
	}
	if !slices.Contains([]string{"table", "json", "csv"}, o.Format) {
		wrong("format %q: it is table, json or csv", o.Format)
	}
	for _, c := range o.Columns {
		if !slices.Contains(PageColumns(), c) {
			wrong("column %q: there are %s", c, strings.Join(PageColumns(), ", "))
		}
	}
	if o.Limit < 0 {
		wrong("limit %d: it is 1 or more, or 0 for all", o.Limit)
	}
	if len(o.Columns) == 0 && o.Format != "json" {
		o.Columns = []string{"score", "accepted", "title", "url"}
	}
	return errors.Join(problems...)
}

// pagesIn reads the pages that options ask for, in their order. Memory: those that are listed, and a
// number for every URL.
func pagesIn(dir string, opts PagesOptions) ([]ledger.Line, error) {
	path := filepath.Join(dir, ledger.JournalFile)
	last := map[string]int64{}
	for line, err := range ledger.Committed(path) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		last[line.URL+"\x00"+line.Accept+"\x00"+line.Query] = line.N
	}
	var kept []ledger.Line
	for line, err := range ledger.Committed(path) {
		if err != nil {
			return nil, err
		}
		if last[line.URL+"\x00"+line.Accept+"\x00"+line.Query] == line.N && opts.wants(line) {
			kept = append(kept, line)
		}
	}
	slices.SortStableFunc(kept, opts.compare)
	if opts.Limit > 0 {
		kept = kept[:min(len(kept), opts.Limit)]
	}
	return kept, nil
}

// wants reports whether a line is to be listed.
func (o *PagesOptions) wants(l ledger.Line) bool {
	switch {
	case o.Accepted && !l.Accepted, l.Score < o.MinScore:
		return false
	case l.Redirect != "" || l.Error != "":
		return slices.ContainsFunc(o.Columns, func(c string) bool { return c == "error" || c == "redirect" || c == "status" }) && !o.Accepted && o.ofHost(l)
	}
	return o.ofHost(l)
}

// ofHost reports whether a line is of the host asked for, or a subdomain.
func (o *PagesOptions) ofHost(l ledger.Line) bool {
	name := weburl.Hostname(l.URL)
	return o.Host == "" || name == o.Host || strings.HasSuffix(name, "."+o.Host)
}

// compare is the order of a list; equals stay in that of pages.jsonl.
func (o *PagesOptions) compare(a, b ledger.Line) int {
	switch o.Sort {
	case "score":
		return cmp.Compare(b.Score, a.Score)
	case "url":
		return strings.Compare(a.URL, b.URL)
	case "bytes":
		return cmp.Compare(b.Bytes, a.Bytes)
	case "depth":
		return cmp.Compare(a.Depth, b.Depth)
	}
	return cmp.Compare(a.N, b.N)
}

// cell writes a column of a line; exact leaves out no digit.
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

// yes writes a truth: as a mark, or as a word.
func yes(v, word bool) string {
	switch {
	case word:
		return strconv.FormatBool(v)
	case v:
		return "*"
	}
	return ""
}

// joined writes reasons in one line.
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

// pagesJSON writes a line of JSON a page: as pages.jsonl has it, or the columns asked for.
func pagesJSON(a *job.Job, lines []ledger.Line, columns []string) error {
	for _, l := range lines {
		text, err := jsonOf(l, columns)
		if err != nil {
			return err
		}
		if _, err := a.Out.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// pagesCSV writes a header and a row a page.
func pagesCSV(a *job.Job, lines []ledger.Line, columns []string) error {
	w := csv.NewWriter(a.Out)
	err := w.Write(columns)
	for _, l := range lines {
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = cell(l, c, true)
		}
		err = cmp.Or(err, w.Write(row))
	}
	w.Flush()
	return errors.Join(err, w.Error())
}

// widest is the width of a column whose text is no address and no sentence; narrowest that of the
// others, in a terminal without room.
const widest, narrowest = 24, 16

// flexible reports whether a column takes what room is left.
func flexible(column string) bool {
	return slices.Contains([]string{"url", "redirect", "parent", "title", "snippet", "reasons"}, column)
}

// pagesTable writes a table as wide as the terminal. A table that is wider than the terminal for its
// fixed columns alone stays so.
func pagesTable(a *job.Job, lines []ledger.Line, opts PagesOptions) {
	if len(lines) == 0 {
		console.Say(a.Out, "No such page.")
		return
	}
	rows := [][]string{opts.Columns}
	for _, l := range lines {
		row := make([]string, len(opts.Columns))
		for i, c := range opts.Columns {
			row[i] = console.Visible(cell(l, c, false), maxLine)
		}
		rows = append(rows, row)
	}
	widths := widthsOf(rows, a.Columns())
	for _, row := range rows {
		var b strings.Builder
		for i, text := range row {
			if isNumber(opts.Columns[i]) {
				b.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(text))) + text)
			} else {
				b.WriteString(console.Padded(shortened(text, widths[i], opts.Columns[i]), widths[i]))
			}
			b.WriteString("  ")
		}
		console.Say(a.Out, "%s", strings.TrimRight(b.String(), " "))
	}
}

// isNumber reports whether a column stands to the right.
func isNumber(column string) bool {
	return slices.Contains([]string{"n", "status", "bytes", "depth", "predicted", "score"}, column)
}

// widthsOf shares a line among columns, the first row being their names: each has what it needs, but
// for the flexible ones, which share what is left.
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

// shortened leaves out the middle of an address that does not fit, and the end of another text.
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

// checkLedger makes sure that a crawl began.
func checkLedger(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "ledger")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: the crawl was ended before it began: there is nothing to tell (%w)", dir, orbweaver.ErrInput)
	}
	return nil
}
