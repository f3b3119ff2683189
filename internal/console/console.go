// Package console is a job's access to its terminal: output streams, width, progress lines, and the safe
// display of text from the Web, which must not control the terminal. It writes UTF-8. It does not report
// write errors; those are for the writer to handle.
package console

import (
	"io"

	"orbweaver"
)

// Console holds the streams of a job: results go to Out, progress to Err.
type Console struct {
	Out, Err io.Writer
	In       io.Reader // standard input, for jobs that read it; nil: empty
	Terminal bool      // Err is a terminal: progress is redrawn in place
	Person   bool      // In, Out and Err are terminals: somebody can be asked
	Width    int       // columns of that terminal; 0: 80
}

// ErrInterrupted reports that the user stopped a crawl, which can be resumed.
const ErrInterrupted orbweaver.Failure = "interrupted"

// Columns returns the width of results.
func (c *Console) Columns() int {
	if c.Width > 0 {
		return c.Width
	}
	return 80
}
