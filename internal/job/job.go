package job

import (
	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/logging"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A Job is what all jobs are given: a console, the live Web, and how a crawl is watched.
type Job struct {
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

	// Watch sees a crawl after each outcome, on the goroutine that decides: for tests that stop it there, or
	// look at its folder as a killed process would leave it. May be nil.
	Watch func(*ledger.Ledger, *engine.Crawl, step.Progress)
}

// KindsOrAll are the kinds of focus that crawl files may name.
func (a *Job) KindsOrAll() kind.Registry {
	if a.Kinds != nil {
		return a.Kinds
	}
	return all.Kinds()
}

// EntityName returns the main name of the entity that a reason names.
func (a *Job) EntityName(r orbweaver.Reason) (name string, ok bool) {
	n, ok := a.KindsOrAll().Entity(r)
	if ok {
		name = n.Names[0]
	}
	return name, ok
}

// Schema is what crawl files may say.
func (a *Job) Schema() crawlfile.Schema { return a.KindsOrAll().Schema() }

// Warn tells what was amiss with an archive and did not stop it from being read.
func (a *Job) Warn(web *archive.Web) {
	for _, w := range web.Warnings() {
		console.Say(a.Err, "warning: %s", w)
	}
}
