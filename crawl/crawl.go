package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/run"
	"orbweaver/internal/step"
)

// ErrInterrupted says that a session ended before the crawl was over: its context ended, or it was stopped. Run again goes
// on where it stopped.
var ErrInterrupted = console.ErrInterrupted

// A Crawl is a crawl: to be run, looked at and steered. Its methods may be called from any goroutine.
type Crawl struct {
	at     inspect.Handle
	path   string // the crawl file, as its user names it
	load   func() (*crawlfile.Crawl, error)
	events hub
	here   atomic.Pointer[assembly.Control]
}

// Load reads a crawl file. Options overrule nothing of it: of them Focus alone may be given, for a file whose focus is own.
// The error wraps orbweaver.ErrInput and tells all problems of the file, with their lines.
func Load(file string, options ...Option) (*Crawl, error) {
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	c := &Crawl{path: file}
	schema := c.with(s)
	c.load = func() (*crawlfile.Crawl, error) { return schema.Load(file) }
	return c, c.locate()
}

// New makes a crawl of options, which take the keys of a crawl file. The error wraps orbweaver.ErrInput and tells all
// problems at once, each with its key.
func New(options ...Option) (*Crawl, error) {
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	text, folder, err := s.text()
	if err != nil {
		return nil, fmt.Errorf("crawl: %w (%w)", err, orbweaver.ErrInput)
	}
	c := &Crawl{path: "options"}
	schema := c.with(s)
	c.load = func() (*crawlfile.Crawl, error) { return schema.Read(c.path, folder, text) }
	return c, c.locate()
}

// Quick takes a crawl for words, without a crawl file: it writes one into the crawl folder. In the folder of the same crawl
// it keeps the file there, with its edits, and goes on. The error wraps orbweaver.ErrInput where a seed is no URL or a term
// is missing, and orbweaver.ErrForeign where the folder holds another crawl.
func Quick(ctx context.Context, q QuickCrawl, options ...Option) (*Crawl, error) {
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	c := &Crawl{}
	schema := c.with(s)
	if c.path, err = run.Quick(ctx, c.at.Job, q); err != nil {
		return nil, err
	}
	c.load = func() (*crawlfile.Crawl, error) { return schema.Load(c.path) }
	return c, c.locate()
}

// Open takes the folder of a crawl, whether it runs or not. Run goes on with it, by the crawl file in the folder. Of
// options Focus alone may be given, for a crawl whose focus is own. The error wraps orbweaver.ErrInput when the folder
// is none of a crawl.
func Open(folder string, options ...Option) (*Crawl, error) {
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	if s.job == nil { // a program may change its working directory; a user's words stay as they are
		if folder, err = filepath.Abs(folder); err != nil {
			return nil, err
		}
	}
	c := &Crawl{path: filepath.Join(folder, crawlfolder.RunFile)}
	schema := c.with(s)
	c.at.Dir = folder
	c.load = func() (*crawlfile.Crawl, error) { return schema.Load(c.path) }
	return c, crawlfolder.CheckCrawl(folder)
}

// with makes what all calls are given, and returns what crawl files may say.
func (c *Crawl) with(s *settings) crawlfile.Schema {
	if c.at.Here = c.here.Load; s.job != nil {
		c.at.Job = s.job
		return s.job.Schema()
	}
	kinds := all.Kinds()
	if s.own != nil {
		i := slices.IndexFunc(kinds, func(k kind.Kind) bool { return k.Traits().Key == s.own.Traits().Key })
		kinds[i] = *s.own
	}
	c.at.Job = &job.Job{Console: console.Console{Out: io.Discard, Err: &c.events}, Kinds: kinds}
	return kinds.Schema()
}

// locate finds out where the crawl's folder is.
func (c *Crawl) locate() error {
	file, err := c.load()
	if err == nil {
		c.at.Dir = file.Output
	}
	return err
}

// Folder is the crawl folder, an absolute path.
func (c *Crawl) Folder() string {
	folder, err := filepath.Abs(c.at.Dir)
	if err != nil {
		return c.at.Dir
	}
	return folder
}

// Run runs one session: it begins the crawl or goes on with it, until it is over or ctx ends, and sums up what came of
// it. A crawl that is over stays as it is. The error wraps ErrInterrupted when ctx or Stop ended the session, beside the
// summary; orbweaver.ErrBusy while another process, or another call, runs the crawl; and orbweaver.ErrForeign when the
// folder holds another crawl.
func (c *Crawl) Run(ctx context.Context) (*Summary, error) { return c.session(ctx, 0) }

// Refresh runs one session that asks accepted pages again which were fetched longer ago than an age, of a crawl of the live
// Web. Else it is as Run.
func (c *Crawl) Refresh(ctx context.Context, age time.Duration) (*Summary, error) {
	if age <= 0 {
		return nil, fmt.Errorf("refresh: the age %v is not above 0 (%w)", age, orbweaver.ErrInput)
	}
	return c.session(ctx, age)
}

func (c *Crawl) session(ctx context.Context, refresh time.Duration) (*Summary, error) {
	watch := &watcher{hub: &c.events}
	sum, err := run.Session(ctx, c.at.Job, assembly.Source{Path: c.path, Load: c.load}, refresh, run.Hooks{
		Running: func(t *assembly.Control) {
			watch.control = t
			c.here.Store(t)
			c.events.send(Event{Kind: Begin, Progress: t.Session.Progress()})
		},
		Observe: func(o orbweaver.Outcome, p step.Progress) { watch.observe(ctx, o, p) },
	})
	if watch.control != nil { // else another call runs the crawl
		c.here.CompareAndSwap(watch.control, nil)
	}
	end := Event{Kind: End, Summary: sum, Err: err}
	if sum != nil {
		end.Progress = sum.Progress
	}
	c.events.send(end)
	return sum, err
}

// Add offers URLs as seeds to the crawl that runs, and says what became of each. The error joins those of URLs that are
// none (orbweaver.ErrBadURL), and wraps orbweaver.ErrInput when no process runs the crawl.
func (c *Crawl) Add(ctx context.Context, urls ...string) ([]Added, error) {
	var all []Added
	var problems []error
	for _, url := range urls {
		added, err := c.at.Add(ctx, url)
		switch {
		case err == nil:
			all = append(all, added)
		case errors.Is(err, orbweaver.ErrBadURL):
			problems = append(problems, err)
		default:
			return all, errors.Join(append(problems, err)...)
		}
	}
	return all, errors.Join(problems...)
}
