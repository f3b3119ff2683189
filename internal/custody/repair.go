package custody

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/assembly"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/run"
	"orbweaver/internal/step"
	"orbweaver/internal/takedown"
	"orbweaver/ledger"
)

// Repaired is the result of a repair.
type Repaired struct {
	Before *Report
	After  *Report  // its faults are those that stay
	Done   []string // what was repaired, and from what

	Refused []string // why something cannot be repaired
}

// Repair checks a crawl folder and repairs what it can: see the package comment. It never removes a file before its replacement is
// whole; files that a crawl makes again are kept in the folder Aside until then. Faults that stay are in After: nothing that the
// folder, or the archive that was crawled, still has tells what is lost there. Repaired twice is as repaired once.
func Repair(ctx context.Context, j *job.Job, dir string) (*Repaired, error) {
	before, err := Check(ctx, j, dir)
	if err != nil {
		return nil, err
	}
	r := &repair{job: j, dir: dir, done: &Repaired{Before: before, After: before}}
	for _, step := range []func(context.Context, *Report) error{r.removal, r.crawlFile, r.again, r.lines, r.index, r.log, r.report} {
		if len(r.done.After.Faults) == 0 {
			break
		}
		if err := step(ctx, r.done.After); err != nil {
			return r.done, err
		}
		if r.done.After, err = Check(ctx, j, dir); err != nil {
			return r.done, err
		}
	}
	return r.done, nil
}

type repair struct {
	job  *job.Job
	dir  string
	done *Repaired
}

func (r *repair) did(format string, args ...any) {
	r.done.Done = append(r.done.Done, fmt.Sprintf(format, args...))
}

// wontDo notes why a repair cannot be done.
func (r *repair) wontDo(format string, args ...any) {
	r.done.Refused = append(r.done.Refused, fmt.Sprintf(format, args...))
}

// liveAdvice says what is left of a live crawl.
func (r *repair) liveAdvice(c *Report) string {
	switch {
	case c.Answers == 0:
		return "Crawl again into another folder"
	case needs(c, onward) && !needs(c, again):
		return "`orbweaver crawl` with its crawl file goes on from the last outcome that the ledger has, and asks again for the pages after it"
	case c.opens:
		return "The crawl can go on without them"
	}
	return fmt.Sprintf("The archive holds %d answers: a crawl file with `web: {archive: %s}` and another output crawls them again", c.Answers, r.path(archiveFolder))
}

func (r *repair) path(name string) string { return filepath.Join(r.dir, name) }

// needs reports whether a fault is to be repaired in a way.
func needs(c *Report, how mend) bool {
	for _, f := range c.Faults {
		if f.how == how {
			return true
		}
	}
	return false
}

// removal finishes a removal of pages that was interrupted.
func (r *repair) removal(ctx context.Context, c *Report) error {
	if !needs(c, byRemoval) {
		return nil
	}
	if err := takedown.Finish(ctx, r.dir); err != nil {
		r.wontDo("the removal that was interrupted cannot be finished: %v", err)
		return nil
	}
	r.did("the removal of pages that was interrupted is finished")
	return nil
}

// crawlFile restores crawl.yaml.
func (r *repair) crawlFile(_ context.Context, c *Report) error {
	if !needs(c, fromCopy) {
		return nil
	}
	r.did("%s from the ledger's copy", crawlfolder.RunFile)
	return atomicfile.WriteFile(r.path(crawlfolder.RunFile), c.text, 0o600)
}

// lines writes pages.jsonl from the ledger.
func (r *repair) lines(_ context.Context, c *Report) error {
	if !needs(c, fromLedger) || needs(c, again) {
		return nil
	}
	r.did("%s from the ledger: %d lines", ledger.JournalFile, c.Requests)
	return ledger.Restore(r.dir)
}

// index writes the indexes of the archive from its records.
func (r *repair) index(_ context.Context, c *Report) error {
	if !needs(c, fromRecords) || needs(c, again) {
		return nil
	}
	if err := archive.Whole(r.path(archiveFolder)); errors.Is(err, archive.ErrAway) {
		r.wontDo("the indexes of the archive can be made from all its records alone (%v)", err)
		return nil
	}
	err := archive.Reindex(r.path(archiveFolder), c.verified, c.mark)
	if errors.Is(err, orbweaver.ErrDamaged) {
		return nil // the fault stays
	}
	if err == nil {
		r.did("the indexes of the archive from its %d records", c.Records)
	}
	return err
}

// log leaves out the lines of the log that cannot be read.
func (r *repair) log(_ context.Context, c *Report) error {
	for _, f := range c.Faults {
		if f.how != byLines {
			continue
		}
		b, err := os.ReadFile(r.path(f.File))
		if err != nil {
			return err
		}
		var kept []byte
		out := 0
		for line := range bytes.Lines(b) {
			if json.Valid(line) {
				kept = append(kept, line...)
			} else {
				out++
			}
		}
		if err := atomicfile.WriteFile(r.path(f.File), kept, 0o666); err != nil {
			return err
		}
		r.did("%s without %d lines that cannot be read", f.File, out)
	}
	return nil
}

// report writes report.html.
func (r *repair) report(ctx context.Context, c *Report) error {
	if !needs(c, byReport) || needs(c, again) {
		return nil
	}
	var warned bytes.Buffer
	quiet := r.quiet()
	quiet.Err = &warned
	if _, err := inspect.SummaryOf(ctx, quiet, r.dir); err != nil {
		return err
	}
	lacks := "" // what the ledger alone does not tell
	if line, ok := strings.CutPrefix(strings.TrimSpace(warned.String()), "warning: the report lacks "); ok {
		lacks = ", without " + line
	}
	r.did("%s from the ledger%s", assembly.ReportFile, lacks)
	return nil
}

// quiet is a job that prints nothing and opens no socket.
func (r *repair) quiet() *job.Job {
	quiet := *r.job
	quiet.Console = console.Console{Out: discard{}, Err: discard{}}
	quiet.Alone = true
	return &quiet
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// again crawls the archive again that was crawled, up to as many requests as are known to have been made. The result has the same
// bytes, which is checked against the lines of the old pages.jsonl. A crawl of the live Web cannot be repaired so.
func (r *repair) again(ctx context.Context, c *Report) error {
	afresh := needs(c, again)
	if !afresh && !needs(c, onward) {
		return nil
	}
	if c.Removals > 0 && afresh {
		r.wontDo("pages were removed from the crawl (%s): made again, it would be another", takedown.File)
		return nil
	}
	load := func() (*crawlfile.Crawl, error) {
		file, err := r.job.Schema().Load(r.path(crawlfolder.RunFile))
		if err == nil {
			file.Output = r.dir
		}
		return file, err
	}
	file, err := load()
	if err != nil {
		r.wontDo("the crawl file cannot be read, so that the crawl cannot be made again: %v", err)
		return nil
	}
	if file.Web == nil {
		r.wontDo("the crawl was of the live Web, which does not answer again as it did. %s", r.liveAdvice(c))
		return nil
	}
	if afresh {
		if err := r.setAside(); err != nil {
			return err
		}
	}
	old := r.oldLines()
	known := max(c.known, old)
	over := endedAt(r.path(logFile), known)
	lasting, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err = run.Session(lasting, r.quiet(), assembly.Source{Path: r.path(crawlfolder.RunFile), Load: load}, 0, run.Hooks{
		Observe: func(o orbweaver.Outcome, _ step.Progress) {
			if o.N >= known && (!over || o.N > known) {
				cancel()
			}
		},
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, console.ErrInterrupted) {
		r.wontDo("the crawl could not be made again: %v", err)
		return r.putBack(afresh)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w; the same command goes on with the repair", r.dir, console.ErrInterrupted)
	}
	if !afresh {
		r.did("the ledger: the crawl went on to outcome %d", known)
		return nil
	}
	if !r.sameLines() {
		r.wontDo("the archive that was crawled gives other pages now")
		return r.putBack(true)
	}
	r.did("ledger, archive and %s by crawling the archive again: %d requests", ledger.JournalFile, known)
	return os.RemoveAll(r.path(Aside))
}
