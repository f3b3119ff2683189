// Package app turns crawl files into crawls: it is the one place that knows every room of the house,
// and it decides nothing but which parts are joined.
//
// Each job of the command line is a method of App. Everything that can be wrong with what the user
// wrote is found before anything is written, all of it at once.
package app

import (
	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/logging"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// An App is what all jobs are given: a console, the live Web, and how a crawl is watched.
type App struct {
	console.Console

	Kinds kind.Registry // of focus; nil: all that there are

	Wire  wire.Wire // how the live Web is reached; the zero value: by the system
	Alone bool      // a crawl has no control socket

	Log logging.Options // how a crawl's log is shown

	Yes bool // of what a crawl file leaves open, what fits best is taken

	// Metrics is HOST:PORT, where a crawl answers GET /metrics while it runs; empty: nowhere. Without
	// HOST it is loopback.
	Metrics string
	Pprof   bool // it answers /debug/pprof/ there too

	// watch sees a crawl after each outcome, on the goroutine that decides: for tests that stop it there, or
	// look at its folder as a killed process would leave it. May be nil.
	watch func(*ledger.Ledger, *engine.Crawl, step.Progress)
}

// kinds are the kinds of focus that crawl files may name.
func (a *App) kinds() kind.Registry {
	if a.Kinds != nil {
		return a.Kinds
	}
	return all.Kinds()
}

// Schema is what crawl files may say.
func (a *App) Schema() crawlfile.Schema { return a.kinds().Schema() }
