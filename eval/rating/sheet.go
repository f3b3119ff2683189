package rating

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"
)

// Columns that are read from returned files; others may be added, moved or removed.
const (
	columnID       = "id"
	columnURL      = "url"
	columnRelevant = "relevant" // of a sheet
	columnAccepted = "accepted" // of a key
	columnPages    = "pages"    // of a key
	columnTitle    = "title"
	columnSnippet  = "snippet"
	columnNote     = "note" // of a sheet that was filled in
	columnAt       = "at"   // likewise
)

// A Row is a page on a sheet. Cells are written unchanged: the caller must ensure that none is a formula.
type Row struct {
	ID, Title, Snippet, URL string
}

// A Verdict is the crawl's judgement of a row.
type Verdict struct {
	ID       string
	Accepted bool
	URL      string
	Pages    int // of the crawl with the same verdict
}

// WriteSheet writes rows without verdicts; the rater fills in the last column.
func WriteSheet(w io.Writer, rows []Row) error {
	out, err := table(w)
	out.Write([]string{columnID, columnTitle, columnSnippet, columnURL, columnRelevant}) // Error returns the first error
	for _, r := range rows {
		out.Write([]string{r.ID, r.Title, r.Snippet, r.URL, ""})
	}
	return flushed(out, err)
}

// WriteMarks writes rows with what a rater wrote about them, which is as long. Notes are written unchanged, as all cells.
func WriteMarks(w io.Writer, rows []Row, marks []Mark) error {
	out, err := table(w)
	out.Write([]string{columnID, columnTitle, columnSnippet, columnURL, columnRelevant, columnNote, columnAt}) // Error returns the first error
	words := [...]string{Unanswered: "", Relevant: "yes", Irrelevant: "no"}
	for i, r := range rows {
		at := ""
		if m := marks[i]; !m.At.IsZero() {
			at = m.At.UTC().Format(time.RFC3339Nano)
		}
		out.Write([]string{r.ID, r.Title, r.Snippet, r.URL, words[marks[i].Answer], marks[i].Note, at})
	}
	return flushed(out, err)
}

// WriteKey writes the verdicts.
func WriteKey(w io.Writer, verdicts []Verdict) error {
	out, err := table(w)
	out.Write([]string{columnID, columnAccepted, columnURL, columnPages})
	for _, v := range verdicts {
		accepted := "no"
		if v.Accepted {
			accepted = "yes"
		}
		out.Write([]string{v.ID, accepted, v.URL, strconv.Itoa(v.Pages)})
	}
	return flushed(out, err)
}

// mark is the byte order mark, without which Excel does not read a file as UTF-8.
const mark = "\ufeff"

// table begins a file of comma-separated values as in RFC 4180.
func table(w io.Writer) (*csv.Writer, error) {
	_, err := io.WriteString(w, mark)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	return out, err
}

// flushed ends a table.
func flushed(out *csv.Writer, err error) error {
	if out.Flush(); err != nil {
		return err
	}
	return out.Error()
}
