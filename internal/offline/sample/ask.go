package sample

import (
	"errors"
	"fmt"
	"io"
	"os"

	"orbweaver"
	"orbweaver/eval/rating"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
	"orbweaver/ledger"
)

// Ask writes a sheet with pages for one person to rate. The file must not exist, because it may hold answers; the error
// wraps ErrInput then, and if there is no page.
func Ask(con *console.Console, pages []ledger.Line, out string) error {
	if len(pages) == 0 {
		return fmt.Errorf("%s: the crawl has no page to ask about (%w)", out, orbweaver.ErrInput)
	}
	if _, err := os.Lstat(out); err == nil {
		return fmt.Errorf("%s exists and may hold answers: choose another name, or remove it (%w)", out, orbweaver.ErrInput)
	}
	rows := make([]rating.Row, len(pages))
	for i, l := range pages {
		rows[i] = rating.Row{
			ID: fmt.Sprint(l.N), URL: export.Harmless(l.URL),
			Title: export.Harmless(console.Visible(l.Title, longestTitle)), Snippet: export.Harmless(console.Visible(l.Snippet, longestSnippet)),
		}
	}
	if err := newFile(out, func(w io.Writer) error { return rating.WriteSheet(w, rows) }); err != nil {
		return err
	}
	console.Say(con.Out, "%s: %d pages; write yes, no or part into the column relevant, then: orbweaver rate teach DIR %s", out, len(rows), out)
	return nil
}

// Answers reads a sheet's answers by URL. Errors name file and line, and wrap ErrInput.
func Answers(sheet string) (answers []rating.Opinion, err error) {
	f, err := os.Open(sheet)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return rating.ReadOpinions(sheet, f)
}
