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

// A Job is the environment of a job: console, access to the live Web, log and metrics.
type Job struct {
	console.Console

	Kinds kind.Registry // kinds of focus; nil: all

	Wire  wire.Wire // access to the live Web; the zero value uses the system's
	Alone bool      // run crawls without a control socket

	Log logging.Options

	Yes bool // choose the best candidate where the crawl file leaves a choice, without asking

	// Metrics is the HOST:PORT at which a running crawl serves GET /metrics. Empty means nowhere; an empty HOST
	// means loopback.
	Metrics string
	Pprof   bool // serve /debug/pprof/ there too

	// Crawling is called when a session has opened its crawl folder: from then on an interrupted job ends in order. It may
	// be nil.
	Crawling func()

	// Watch is called after each outcome on the decider goroutine. Tests use it to stop a crawl, or to copy its
	// folder as a killed process would leave it. It may be nil.
	Watch func(*ledger.Ledger, *engine.Crawl, step.Progress)
}

// KindsOrAll returns the kinds of focus that crawl files may name.
func (j *Job) KindsOrAll() kind.Registry {
	if j.Kinds != nil {
		return j.Kinds
	}
	return all.Kinds()
}

// EntityName returns the main name of the entity that a reason names.
func (j *Job) EntityName(r orbweaver.Reason) (name string, ok bool) {
	n, ok := j.KindsOrAll().Entity(r)
	if ok {
		name = n.Names[0]
	}
	return name, ok
}

// Schema returns the schema of crawl files.
func (j *Job) Schema() crawlfile.Schema { return j.KindsOrAll().Schema() }

// Warn prints the warnings of an archive.
func (j *Job) Warn(web *archive.Web) {
	for _, w := range web.Warnings() {
		console.Say(j.Err, "warning: %s", w)
	}
}
