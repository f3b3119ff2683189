package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/console"
)

// A State of a crawl.
type State string

// The states of a crawl.
const (
	New     State = "new"     // it has not begun
	Queued  State = "queued"  // it waits for others to end
	Running State = "running" // a session runs, here or in another process
	Paused  State = "paused"  // a session runs and starts no requests, or is to go on when a person says so
	Stopped State = "stopped" // it can go on
	Ended   State = "ended"   // it is over: Crawl.End says why
	Broken  State = "broken"  // its crawl file has problems
)

// A Crawl is what a list shows of a crawl.
type Crawl struct {
	ID        string          `json:"id"`
	File      string          `json:"file,omitempty"`      // crawl file, relative to the workspace; empty if only its folder is there
	Folder    string          `json:"folder"`              // crawl folder, relative to the workspace
	State     State           `json:"state"`               //
	Elsewhere bool            `json:"elsewhere,omitempty"` // another process runs it
	End       string          `json:"end,omitempty"`       // why it is over, in one word
	Error     string          `json:"error,omitempty"`     // of the last session in this process
	Notices   []string        `json:"notices,omitempty"`   // the latest words of its sessions in this process, oldest first
	Problems  []crawl.Problem `json:"problems,omitempty"`  // of its crawl file
	Status    *crawl.Status   `json:"status,omitempty"`    // counts; nil before it begins, or while they are not known yet
	Active    time.Time       `json:"active,omitzero"`     // when it last changed
	Bytes     int64           `json:"bytes"`               // of its folder on the disk
	Removing  *Removing       `json:"removing,omitempty"`  // pages are being removed from it
}

// A member is a crawl of a workspace.
type member struct {
	id     string
	file   string // absolute; empty: none
	folder string // absolute; empty: not known, as the crawl file has problems
	stamp  time.Time

	crawl    *crawl.Crawl // nil if the crawl file has problems
	problems []crawl.Problem
	fault    error

	knows   []string // what of its knowledge can be looked at
	knowsOf *crawl.Crawl
	knowsAt time.Time

	rest sync.Mutex // held by whoever asks a crawl that no session of this process runs

	// Guarded by the workspace's mu.
	session *session // nil: none runs here
	paused  bool     // it is to be paused
	failed  string   // error of the last session
	notices *notices
	last    standing

	removing *Removing // pages are being removed; nil: none

	// What the background does for the crawl at rest: see prepare.go.
	wanted, asked bool           // its indexes are to be made; a person asked for it
	claims        int            // who asks the crawl, or waits to
	left          time.Time      // when the last of them went
	cut           func()         // ends the slice of work that goes on; nil: none does
	prepared      time.Time      // change of the folder as of which all indexes are made
	progress      crawl.Prepared // of the last slice
}

// maxNotices is the number of lines that are kept of what a session says.
const maxNotices = 50

// notices keep the last lines of what sessions say.
type notices struct {
	mu    sync.Mutex
	lines []string
}

// Write keeps the lines of p.
func (n *notices) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimSpace(line); line != "" {
			n.lines = append(n.lines, line[:min(len(line), 1000)])
		}
	}
	n.lines = n.lines[max(0, len(n.lines)-maxNotices):]
	return len(p), nil
}

func (n *notices) last() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.lines...)
}

// load reads the crawl file of a member, or opens its folder, once more if the file has changed.
func (w *Workspace) load(m *member) {
	path := m.file
	if path == "" {
		path = filepath.Join(m.folder, runFile)
	}
	info, err := os.Stat(path)
	if err == nil && m.crawl != nil && info.ModTime().Equal(m.stamp) {
		return
	}
	if err == nil {
		m.stamp = info.ModTime()
	}
	j := *w.opts.Job
	j.Console = console.Console{Out: io.Discard, Err: m.notices}
	j.Crawling = func() { w.begun(m) }
	if m.file == "" {
		m.crawl, err = crawl.Open(m.folder, crawl.On(&j))
	} else {
		m.crawl, err = crawl.Load(m.file, crawl.On(&j))
	}
	m.problems, m.fault = crawl.Problems(err), err
	if err != nil {
		m.crawl = nil
		return
	}
	if m.folder = m.crawl.Folder(); m.file == "" {
		return
	}
	if rel, err := filepath.Rel(w.dir, m.folder); err != nil || !filepath.IsLocal(rel) {
		m.crawl, m.problems = nil, []crawl.Problem{{File: filepath.Base(m.file), Key: "output", Msg: "the crawl folder is outside the workspace", Hint: "leave output out"}}
	}
}

// touched is when a crawl folder last changed; zero if there is none.
func touched(folder string) (at time.Time) {
	for _, name := range []string{"pages.jsonl", "log.jsonl", "decisions.jsonl", "steering.json", runFile} { // what looks alone do not change
		if change := changed(filepath.Join(folder, name)); change.After(at) {
			at = change
		}
	}
	return at
}

// changed is when a file last changed; zero if there is none.
func changed(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// sizeOf is the number of bytes of the files below a folder.
func sizeOf(folder string) (bytes int64) {
	_ = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil //nolint:nilerr // files come and go while it is walked
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// see returns what a list shows of a crawl. It looks at the disk, and at a crawl at rest only if it has changed.
func (w *Workspace) see(ctx context.Context, m *member) Crawl {
	w.mu.Lock()
	w.load(m)
	view := Crawl{ID: m.id, File: w.relative(m.file), Folder: w.relative(m.folder), Problems: m.problems, Error: m.failed, Notices: m.notices.last(), Removing: m.removing}
	queued, here, paused, last, c := w.waits(m.id), m.session != nil, m.paused, m.last, m.crawl
	w.mu.Unlock()
	view.Active = touched(m.folder)
	if last.at.IsZero() || time.Since(last.at) > soon && here || !view.Active.Equal(last.of) {
		last.bytes, last.at = sizeOf(m.folder), time.Now()
	}
	view.Bytes = last.bytes
	if c == nil {
		view.State = Broken
		return view
	}
	begun, fresh := !view.Active.IsZero() && exists(filepath.Join(m.folder, "ledger")), false
	if socket := changed(filepath.Join(m.folder, "control.sock")); begun && (here || !view.Active.Equal(last.of) || !socket.Equal(last.socket)) {
		if status, err := w.status(ctx, m); err == nil {
			last.status, last.of, last.socket, fresh = status, view.Active, socket, true
			if status.PID != 0 {
				last.socket = time.Time{} // somebody answers: ask again
			}
		}
	}
	if begun && !last.of.IsZero() {
		view.Status = &last.status
	}
	w.mu.Lock()
	if m.last = last; fresh && !here && last.status.PID == 0 {
		w.keepStandings()
	}
	w.mu.Unlock()
	view.tell(queued, here, paused)
	return view
}

// tell sets the state.
func (c *Crawl) tell(queued, here, paused bool) {
	runs := c.Status != nil && c.Status.PID != 0
	c.Elsewhere = runs && !here
	switch {
	case here && paused, runs && c.Status.Paused:
		c.State = Paused
	case here, runs:
		c.State = Running
	case queued:
		c.State = Queued
	case paused:
		c.State = Paused
	case c.Status == nil:
		c.State = New
	case c.Status.End == "" || c.Status.End == "interrupted":
		c.State = Stopped
	default:
		c.State, c.End = Ended, c.Status.End
	}
}

// status asks a crawl for its status.
func (w *Workspace) status(ctx context.Context, m *member) (status crawl.Status, err error) {
	err = w.use(ctx, m, func(c *crawl.Crawl) (err error) {
		status, err = c.Status(ctx)
		return err
	})
	return status, err
}

// use calls f with a crawl. Of calls to a crawl that no session of this process runs, one is made at a time, as each opens the
// crawl folder for itself.
func (w *Workspace) use(ctx context.Context, m *member, f func(*crawl.Crawl) error) error {
	w.mu.Lock()
	w.load(m)
	c, fault, here := m.crawl, m.fault, m.session != nil && m.session.begun
	if m.removing != nil {
		fault = m.removes()
	}
	w.mu.Unlock()
	if c == nil || errors.Is(fault, orbweaver.ErrBusy) {
		return cmpErr(fault, orbweaver.ErrInput)
	}
	if !here {
		defer w.claim(m)()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return f(c)
}

// Use calls f with a crawl. The error wraps ErrUnknown if there is no such crawl, and orbweaver.ErrInput if its crawl file has
// problems.
func (w *Workspace) Use(ctx context.Context, id string, f func(*crawl.Crawl) error) error {
	w.mu.Lock()
	m, err := w.find(id)
	w.mu.Unlock()
	if err != nil {
		return err
	}
	return w.use(ctx, m, f)
}

// relative is a path of the workspace as it is shown; empty for none.
func (w *Workspace) relative(path string) string {
	rel, err := filepath.Rel(w.dir, path)
	if path == "" || err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// cmpErr is the first error that is not nil.
func cmpErr(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return errors.New("none")
}
