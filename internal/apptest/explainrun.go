package apptest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/run"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// PausedCrawl starts a crawl of the demo web, paused before the first request of its session, with a control socket.
// before prepares its ledger.
func PausedCrawl(tb testing.TB, file string, before func(*ledger.Ledger)) (dir string, t *assembly.Control) {
	tb.Helper()
	folder := tb.TempDir()
	path := filepath.Join(folder, "f.yaml")
	if err := os.WriteFile(path, []byte(file+"output: crawl\n"), 0o666); err != nil {
		tb.Fatal(err)
	}
	c, err := assembly.Prepare(tb.Context(), assembly.FromFile(&job.Job{}, path), wire.Wire{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := c.Open(); err != nil {
		tb.Fatal(err)
	}
	before(c.Ledger)
	turns := frontier.New(assembly.TurnsOf(c.File))
	cfg := c.Config(turns)
	session := engine.New(cfg, c.Ledger.Progress())
	session.Pause()
	hangUp := run.Listen(&job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, c, session, turns, &step.Failures{})
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() {
		_, err := session.Run(ctx)
		over <- err
	}()
	tb.Cleanup(func() {
		err := hangUp()
		stop()
		for _, err := range []error{err, <-over, c.Ledger.Close(), c.Close()} {
			if err != nil {
				tb.Error(err)
			}
		}
	})
	return filepath.Join(folder, "crawl"), &assembly.Control{C: c, Session: session, Turns: turns, Failures: &step.Failures{}}
}
