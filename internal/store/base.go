package store

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/ledger"
	"orbweaver/ledger/describe"
	"orbweaver/rdf/quads"
	"orbweaver/server"
)

// reachBase connects to the process that uses a folder with a quad store, whether a crawl or loaded files
// filled it.
func reachBase(dir string) (*server.Client, error) {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		if info, missing := os.Stat(filepath.Join(dir, "ledger")); missing != nil || !info.IsDir() {
			return nil, err
		}
	}
	return server.Dial(dir)
}

// Reach connects to the process that uses the quad store of a folder. The error wraps server.ErrNoCrawl if there is none.
func Reach(dir string) (*server.Client, error) { return reachBase(dir) }

// Open opens the quad store of a folder that no other process uses, with all descriptions of its crawl.
func Open(ctx context.Context, a *job.Job, dir string) (*ledger.Ledger, error) {
	return openBase(ctx, a, dir, 0)
}

// openBase opens the folder of a quad store that no other process uses, and materializes the ledger's
// pending descriptions in the store: all, or the next most if that is not zero.
func openBase(ctx context.Context, a *job.Job, dir string, most int64) (*ledger.Ledger, error) {
	l, err := ledger.OpenForLooks(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return nil, fmt.Errorf("%s: another process is using this folder and does not answer queries (it has no socket there, or is about to end); ask again: %w", dir, orbweaver.ErrBusy)
	}
	if err != nil {
		return nil, err
	}
	if err := materializeBase(ctx, dir, l, most, toldDescribed(a, dir)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// toldEach returns what tells every second how far a work is that takes longer, a number that is not 0; the format has one %d.
func toldEach(a *job.Job, dir, format string) func(n int64) {
	told := time.Now()
	return func(n int64) {
		if n > 0 && time.Since(told) > time.Second {
			told = time.Now()
			console.Say(a.Err, "%s: "+format, console.Relative(dir), n)
		}
	}
}

// toldDescribed tells how many requests are left to describe.
func toldDescribed(a *job.Job, dir string) func(left int64) {
	return toldEach(a, dir, "describing requests: %d to go")
}

// materializeBase has a ledger describe its pending outcomes, all or the next most, and tells how many are left of them.
func materializeBase(ctx context.Context, dir string, l *ledger.Ledger, most int64, told func(left int64)) error {
	if l.Pending() == 0 {
		return nil
	}
	activity, err := ActivityOf(dir)
	if err != nil {
		return err
	}
	err = l.MaterializeSorted(ctx, activity, cmp.Or(most, l.Pending()), told)
	if ctx.Err() != nil {
		return console.ErrInterrupted
	}
	return err
}

// ActivityOf returns the crawl of a folder as an activity, or the zero activity if the folder has no
// crawl.
func ActivityOf(dir string) (describe.Activity, error) {
	path := filepath.Join(dir, crawlfolder.RunFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return describe.Activity{}, nil
	}
	ran, err := crawlfile.Schema(nil).LoadRun(path)
	if err != nil {
		return describe.Activity{}, err
	}
	first, err := firstLine(filepath.Join(dir, ledger.JournalFile))
	if err != nil || len(first) == 0 {
		return describe.Activity{}, err
	}
	node, err := export.CrawlNode(dir, first)
	return describe.Activity{Node: node, Name: ran.Name(), Software: export.Software}, err
}

// firstLine returns the first line of a file without its line feed.
func firstLine(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	line, err := bufio.NewReader(io.LimitReader(file, export.MaxJournalLine)).ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// MaterializeAtOnce is the number of outcomes that a running crawl describes between two of its steps.
// This takes some tens of milliseconds.
const MaterializeAtOnce = 16

// errInUse reports that another process uses the folder, so it cannot be changed now.
var errInUse = fmt.Errorf("the folder is in use by its running crawl or by orbweaver serve: it can be queried now, and changed after that process ends: %w", orbweaver.ErrBusy)

// StatementsIn returns the number of statements in a snapshot, and closes the snapshot.
func StatementsIn(s *quads.Snapshot) (int64, error) {
	n, err := s.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any})
	return n, errors.Join(err, s.Close())
}
