package run

import (
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/internal/view"
	"orbweaver/server"
)

// Listen serves the control socket of a crawl and returns a function that closes it. If the socket cannot be created,
// Listen prints a warning and the crawl runs without one: the file system of its folder may have no sockets.
func Listen(a *job.Job, c *assembly.Crawl, session *engine.Crawl, turns *frontier.Frontier, failures map[orbweaver.Failure]int64) func() error {
	return listen(a, &assembly.Control{C: c, Session: session, Turns: turns, Began: time.Now(), Failures: failures})
}

func listen(a *job.Job, t *assembly.Control, more ...server.Route) func() error {
	if a.Alone {
		return func() error { return nil }
	}
	more = append(append(more, inspect.SuggestionRoutes(t)...), inspect.CallRoutes(t)...)
	s, err := server.Serve(t.C.File.Output, t, append(more, inspect.Explaining(t), inspect.Reporting(t, view.PrintSummary), store.QueryRoute(t), store.SearchRoute(a, t.C.File.Output, t))...)
	if err != nil {
		console.Say(a.Err, "warning: control socket unavailable: %v", err)
		return func() error { return nil }
	}
	return s.Close
}
