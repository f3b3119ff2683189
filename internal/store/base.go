package store

import (
	"bufio"
	"bytes"
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

// reachBase is reach for any folder with a quad store: of a crawl, or one that files were loaded into.
func reachBase(dir string) (*server.Client, error) {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		if info, missing := os.Stat(filepath.Join(dir, "ledger")); missing != nil || !info.IsDir() {
			return nil, err
		}
	}
	return server.Dial(dir)
}

// openBase opens the folder of a quad store that no process uses, and brings what the ledger knows into
// the store.
func openBase(ctx context.Context, a *job.Job, dir string) (*ledger.Ledger, error) {
	l, err := ledger.Open(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return nil, fmt.Errorf("%s: another process is using this folder and does not answer queries; ask again: %w", dir, orbweaver.ErrBusy)
	}
	if err != nil {
		return nil, err
	}
	if err := tellBase(ctx, a, dir, l); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// tellBase has a ledger describe what it does not yet.
func tellBase(ctx context.Context, a *job.Job, dir string, l *ledger.Ledger) error {
	if l.Pending() == 0 {
		return nil
	}
	activity, err := ActivityOf(dir)
	if err != nil {
		return err
	}
	began, told := time.Now(), false
	err = l.MaterializeAll(ctx, activity, func(left int64) {
		if !told && time.Since(began) > time.Second {
			told = true
			console.Say(a.Err, "%s: describing what was asked for since the last query: %d requests to go", console.Relative(dir), left)
		}
	})
	if ctx.Err() != nil {
		return console.ErrInterrupted
	}
	return err
}

// ActivityOf is the crawl of a folder as an activity; the zero one where no crawl was.
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

// firstLine is the first line of a file, without line feed.
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

// TellAtOnce is how many outcomes a running crawl describes between two of its steps: some tens of
// milliseconds of its time.
const TellAtOnce = 32

// errInUse says that a folder cannot be changed now.
var errInUse = fmt.Errorf("its crawl runs, or it is served: what it holds can be asked, and changed once that has ended: %w", orbweaver.ErrBusy)

// StatementsIn is how many statements a snapshot has, which it closes.
func StatementsIn(s *quads.Snapshot) (int64, error) {
	n, err := s.Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any})
	return n, errors.Join(err, s.Close())
}
