// Package app turns crawl files into crawls: it is the one place that knows every room of the house,
// and it decides nothing but which parts are joined.
//
// Each job of the command line is a method of App. Everything that can be wrong with what the user
// wrote is found before anything is written, all of it at once.
package app

import (
	"io"

	"orbweaver"
)

// An App is where a job's words go: results to Out, progress to Err.
type App struct {
	Out, Err io.Writer
	In       io.Reader // standard input, for jobs that read it; nil: empty
	Terminal bool      // Err is a terminal: progress is redrawn in place
	Width    int       // columns of that terminal; 0: 80
	Wire     Wire      // how the live Web is reached; the zero value: by the system
	Alone    bool      // a crawl has no control socket

	// Metrics is HOST:PORT, where a crawl answers GET /metrics while it runs; empty: nowhere. Without
	// HOST it is loopback.
	Metrics string
	Pprof   bool // it answers /debug/pprof/ there too
}

// ErrInterrupted says that a crawl was stopped by its user and can be gone on with.
const ErrInterrupted orbweaver.Failure = "interrupted"
