package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/store"
	"orbweaver/ledger"
	"orbweaver/server"
)

// reach connects to the crawl that runs in a folder. The error wraps server.ErrNoCrawl if none does.
func reach(dir string) (*server.Client, error) {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return nil, err
	}
	return server.Dial(dir)
}

// notRunning converts server.ErrNoCrawl to an input error with a hint. It returns other errors unchanged.
func notRunning(dir, hint string, err error) error {
	if errors.Is(err, server.ErrNoCrawl) {
		return fmt.Errorf("no crawl runs in %s%s (%w)", dir, hint, orbweaver.ErrInput)
	}
	return err
}

// Owned adds to ErrBusy which crawl has locked the folder, and what to do. It returns other errors unchanged.
func Owned(ctx context.Context, dir string, err error) error {
	if !errors.Is(err, orbweaver.ErrBusy) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, console.Patience)
	defer cancel()
	var s server.Status
	c, problem := reach(dir)
	if problem == nil {
		defer c.Close()
		s, problem = c.Status(ctx)
	}
	short := console.Relative(dir)
	if problem != nil {
		return fmt.Errorf("%s: another process is using this crawl folder and does not answer; try again: orbweaver status %s (%w)", short, short, orbweaver.ErrBusy)
	}
	return fmt.Errorf("%s: a crawl runs there already, by process %d: see orbweaver status %s, or end it with orbweaver stop %s (%w)",
		short, s.PID, short, short, orbweaver.ErrBusy)
}

// statusOf returns the status of the crawl of a folder, from the process that runs it or from the ledger.
func statusOf(ctx context.Context, dir string) (s server.Status, err error) {
	c, err := reach(dir)
	if err == nil {
		defer c.Close()
		s, err = c.Status(ctx)
	}
	if errors.Is(err, server.ErrNoCrawl) { // also if the crawl ended during the call
		return restingStatus(ctx, dir)
	}
	return s, err
}

// restingStatus returns the status of a crawl that no process runs.
func restingStatus(ctx context.Context, dir string) (s server.Status, err error) {
	if s.Folder, err = filepath.Abs(dir); err != nil {
		return s, err
	}
	ran, err := crawlfile.Schema(nil).LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return s, err
	}
	s.Name, s.Schedule = ran.Name(), ran.Schedule.On()
	if _, err := os.Stat(filepath.Join(dir, "ledger")); errors.Is(err, fs.ErrNotExist) {
		return s, nil // killed before it began
	}
	l, err := ledger.OpenForLooks(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return s, fmt.Errorf("%s: its crawl just begins or ends; ask again: %w", dir, orbweaver.ErrBusy)
	}
	if err != nil {
		return s, err
	}
	s.Progress, s.Refused = l.Progress(), l.Refused()
	s.End = engine.End(s.Progress.Ended)
	return s, errors.Join(store.Count(ctx, l, &s), l.Close())
}
