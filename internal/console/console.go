// Package console is what a job has of the terminal it was started from: where its words go, how wide
// that is, how progress is shown, and how what comes from the Web is written there so that a terminal
// obeys none of it. It writes what it is given, as UTF-8; errors of writing are for the writer.
package console

import (
	"io"

	"orbweaver"
)

// A Console is where the words of a job go, and what it reads: results to Out, progress to Err.
type Console struct {
	Out, Err io.Writer
	In       io.Reader // standard input, for jobs that read it; nil: empty
	Terminal bool      // Err is a terminal: progress is redrawn in place
	Width    int       // columns of that terminal; 0: 80
}

// ErrInterrupted says that a crawl was stopped by its user and can be gone on with.
const ErrInterrupted orbweaver.Failure = "interrupted"

// Columns is the width of results.
func (c *Console) Columns() int {
	if c.Width > 0 {
		return c.Width
	}
	return 80
}
