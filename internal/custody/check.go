// Package custody checks the files of a crawl folder against each other, and repairs what one of them can tell of another:
// pages.jsonl from the ledger, the indexes of the archive from its records, the crawl file from the ledger's copy, and all of them
// by crawling again the archive that was crawled.
package custody

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/takedown"
	"orbweaver/ledger"
)

// A Fault is something in a crawl folder that is not as it was written.
type Fault struct {
	File string // path within the crawl folder, with slashes
	What string // what is wrong, and what is lost
	how  mend
}

// A mend is how a fault is repaired.
type mend int

const (
	lostForGood mend = iota // nothing in the folder has it
	fromLedger              // pages.jsonl
	fromRecords             // the indexes of the archive
	fromCopy                // the crawl file
	byReport                // report.html
	byLines                 // lines of the log are left out
	byRemoval               // a removal of pages is finished
	again                   // the ledger or the archive: by crawling again
	onward                  // the ledger: by going on
)

// A Report is the result of a check.
type Report struct {
	Folder   string
	Requests int64 // outcomes that the ledger has
	Waiting  int64 // requests
	Records  int   // of the archive, of all kinds
	Answers  int   // that the archive has
	Removals int   // of pages, by a person
	Faults   []Fault
	Notes    []string // what is as a killed process leaves it, and needs no repair

	mark     archive.Mark
	verified *archive.Verified
	text     []byte // the crawl file that the ledger keeps
	known    int64  // outcomes that are known to have been committed
	opens    bool   // the ledger can be opened
	ended    bool   // the crawl is over
}

func (r *Report) fault(how mend, file, format string, args ...any) {
	r.Faults = append(r.Faults, Fault{filepath.ToSlash(file), fmt.Sprintf(format, args...), how})
}

// has reports whether a file, or one below a folder, has a fault.
func (r *Report) has(path string) bool {
	for _, f := range r.Faults {
		if f.File == path || strings.HasPrefix(f.File, path+"/") {
			return true
		}
	}
	return false
}

// The names within a crawl folder.
const (
	databaseFolder = "ledger"
	archiveFolder  = "archive"
	logFile        = "log.jsonl"
)

// Aside is the folder within a crawl folder that holds the damaged files during a repair.
const Aside = "damaged"

// usualSurplus is the most lines of pages.jsonl that a killed process leaves behind the last outcome: the batches of one group.
const usualSurplus = 32

// Check reads all files of a crawl folder that no process uses, and changes nothing. The error wraps orbweaver.ErrInput if the
// folder is none of a crawl, orbweaver.ErrBusy while a process uses it, or is that of the context. What is damaged is no error, but
// in the report.
func Check(ctx context.Context, j *job.Job, dir string) (*Report, error) {
	if err := isCrawl(dir); err != nil {
		return nil, err
	}
	r := &Report{Folder: dir}
	if err := r.removals(dir); err != nil {
		return nil, err
	}
	var refs []ref
	v, err := guarded(func() (*ledger.Verified, error) {
		return ledger.Verify(ctx, dir, func(o orbweaver.Outcome) error {
			if o.Record != (orbweaver.Ref{}) {
				refs = append(refs, refOf(o))
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	r.ledger(v)
	if err := r.archive(ctx, dir, refs); err != nil {
		return nil, err
	}
	r.crawlFile(j, dir)
	r.report(dir)
	return r, r.others(dir)
}

// removals checks that no removal of pages was interrupted.
func (r *Report) removals(dir string) error {
	all, err := takedown.Read(dir)
	if errors.Is(err, orbweaver.ErrDamaged) {
		r.fault(lostForGood, takedown.File, "it cannot be read: %v", err)
		return nil
	}
	if r.Removals = len(all); len(all) > 0 && all[len(all)-1].Done.IsZero() {
		r.fault(byRemoval, takedown.File, "the removal of %s was interrupted: a part of it is still there", strings.Join(all[len(all)-1].Patterns, " "))
	}
	return err
}

// isCrawl checks that a folder is that of a crawl, whatever is left of it.
func isCrawl(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return crawlfolder.CheckCrawl(dir)
	}
	for _, name := range []string{crawlfolder.RunFile, databaseFolder, ledger.JournalFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	return crawlfolder.CheckCrawl(dir)
}

// guarded calls f. A panic on damaged bytes becomes a fault of the ledger.
func guarded(f func() (*ledger.Verified, error)) (v *ledger.Verified, err error) {
	defer func() {
		if p := recover(); p != nil {
			v = &ledger.Verified{Faults: []ledger.Fault{{File: databaseFolder, What: "the database cannot be read: what the crawl learned, knows and waits for is lost in part"}}}
			err = nil
		}
	}()
	return f()
}

// ledger takes over what the ledger says.
func (r *Report) ledger(v *ledger.Verified) {
	r.Requests, r.Waiting, r.text, r.opens = v.Outcomes, v.Waiting, v.File, v.Opens
	r.known, r.ended = max(v.Outcomes, v.Lines), v.Ended
	for _, f := range v.Faults {
		how := again
		if f.File == ledger.JournalFile {
			how = fromLedger
		}
		r.fault(how, f.File, "%s", f.What)
	}
	if v.Archive != nil && json.Unmarshal(v.Archive, &r.mark) != nil {
		r.fault(again, databaseFolder, "the archive's mark cannot be read")
	}
	switch {
	case v.Behind > usualSurplus && r.opens:
		r.fault(onward, databaseFolder, "it ends with outcome %d, and %s goes on to %d: the ledger has lost its latest changes", v.Outcomes, ledger.JournalFile, v.Lines)
	case v.Behind > 0 && r.opens:
		r.Notes = append(r.Notes, fmt.Sprintf("%s has %d lines beyond the last outcome, as a killed crawl leaves them; the next session cuts them off", ledger.JournalFile, v.Behind))
	}
}

// A ref is an outcome's place in the archive.
type ref struct {
	orbweaver.Ref
	n           int64
	url, digest string
}

func refOf(o orbweaver.Outcome) ref {
	r := ref{Ref: o.Record, n: o.N, url: archive.TargetURI(o.Request)}
	if o.Page != nil {
		r.digest = o.Page.Digest
	}
	return r
}

// archive checks the archive, and the places in it that outcomes name.
func (r *Report) archive(ctx context.Context, dir string, refs []ref) error {
	folder := filepath.Join(dir, archiveFolder)
	v, err := archive.Verify(ctx, folder, r.mark)
	if errors.Is(err, orbweaver.ErrAbsent) {
		if r.mark.File != "" {
			r.fault(again, archiveFolder, "the folder is missing: all pages are lost")
		}
		return nil
	}
	if err != nil {
		return err
	}
	r.verified, r.Records, r.Answers = v, v.Records, v.Answers()
	for _, f := range v.Faults {
		how := again
		if f.Derived {
			how = fromRecords
		}
		r.fault(how, filepath.Join(archiveFolder, f.File), "%s", f.What)
	}
	if v.Unsorted != "" && r.ended && r.mark.File != "" {
		r.fault(fromRecords, archiveFolder+"/"+v.Unsorted, "the file is missing")
	}
	for _, name := range slices.Sorted(maps.Keys(v.Away)) {
		r.Notes = append(r.Notes, fmt.Sprintf("%s/%s is archived at %s, and was not checked", archiveFolder, name, v.Away[name].At))
	}
	for _, ref := range refs {
		if _, away := v.Away[ref.File]; away {
			continue
		}
		name := archiveFolder + "/" + ref.File
		held, ok := v.Answer(ref.Ref)
		switch {
		case ok && held.URL == ref.url && (ref.digest == "" || held.Digest == "" || held.Digest == ref.digest), r.has(name):
		case ok:
			r.fault(again, databaseFolder, "outcome %d, %s, has its record at byte %d of %s, which is another's", ref.n, ref.url, ref.Offset, name)
			return nil
		default:
			r.fault(again, name, "no record at byte %d, where the ledger has outcome %d: %s is lost", ref.Offset, ref.n, ref.url)
			return nil
		}
	}
	return nil
}

// crawlFile checks crawl.yaml against the copy in the ledger.
func (r *Report) crawlFile(j *job.Job, dir string) {
	path := filepath.Join(dir, crawlfolder.RunFile)
	text, err := os.ReadFile(path)
	how := lostForGood
	if r.text != nil {
		how = fromCopy
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.fault(how, crawlfolder.RunFile, "the file is missing")
	case err != nil:
		r.fault(lostForGood, crawlfolder.RunFile, "it cannot be read: %v", errors.Unwrap(err))
	case r.text != nil && !bytes.Equal(text, r.text):
		r.fault(how, crawlfolder.RunFile, "it is not the file that the crawl ran with")
	case r.text == nil:
		if _, err := j.Schema().LoadRun(path); err != nil {
			r.fault(how, crawlfolder.RunFile, "%v", err)
		}
	}
}

// report checks report.html.
func (r *Report) report(dir string) {
	broken, err := crawlfolder.SealBroken(filepath.Join(dir, assembly.ReportFile), "</html>")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if r.ended {
			r.fault(byReport, assembly.ReportFile, "the file is missing")
		}
	case err != nil || broken:
		r.fault(byReport, assembly.ReportFile, "it is not what was written")
	}
}

// others checks that the files of JSON can be read.
func (r *Report) others(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path, name := filepath.Join(dir, e.Name()), e.Name()
		switch {
		case e.Name() == Aside:
			r.fault(again, Aside, "a repair was interrupted: the folder holds the files as they were before it")
		case !e.Type().IsRegular() || name == ledger.JournalFile:
		case strings.HasSuffix(name, ".json"):
			b, err := os.ReadFile(path)
			if err != nil || !json.Valid(b) {
				r.fault(lostForGood, name, "it is no JSON")
			}
		case strings.HasSuffix(name, ".jsonl"):
			how := lostForGood
			if strings.HasPrefix(name, "log.") {
				how = byLines
			}
			if n, err := badLine(path); err != nil || n > 0 {
				r.fault(how, name, "line %d is no JSON", n)
			}
		}
	}
	return nil
}

// badLine returns the number of the first line that is no JSON; 0 if all are.
func badLine(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 64<<20)
	n := 0
	for in.Scan() {
		if n++; !json.Valid(in.Bytes()) {
			return n, nil
		}
	}
	if in.Err() != nil {
		return n + 1, nil
	}
	return 0, nil
}
