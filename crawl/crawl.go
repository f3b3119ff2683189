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
	"orbweaver/internal/changes"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/run"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
)

// ErrInterrupted says that a session ended before the crawl was over, because its context was done or Stop was called. The next
// Run resumes the crawl.
var ErrInterrupted = console.ErrInterrupted

// The failures of a session whose crawl is over and whose user has something to do about it; Run returns its summary beside each.
const (
	// ErrNothing: the crawl fetched no page. A new session begins afresh.
	ErrNothing = starting.ErrNothing
	// ErrHostsDown: all that waits is at hosts that do not answer. A new session asks them again.
	ErrHostsDown = starting.ErrHostsDown
	// ErrNetworkDown: the network of this machine was down for as long as the crawl waits. A new session goes on.
	ErrNetworkDown = starting.ErrNetworkDown
)

// A Crawl is one crawl and its folder. Its methods may be called from any goroutine.
type Crawl struct {
	at     inspect.Handle
	path   string // the crawl file, as given
	load   func() (*crawlfile.Crawl, error)
	events hub
	here   atomic.Pointer[assembly.Control]
	curve  curve
}

// Load reads a crawl file. Options override none of its keys; only Focus is allowed, for a file with focus: own. The error
// wraps orbweaver.ErrInput and lists all problems of the file with their lines.
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

// New defines a crawl by options, which set keys of a crawl file. The error wraps orbweaver.ErrInput and lists all problems,
// each with its key.
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

// Quick defines a keyword crawl without a crawl file: it writes one to the crawl folder. If the folder holds the same crawl, Quick
// keeps its crawl file, edits included. The error wraps orbweaver.ErrInput if a seed is no URL or there are no terms, and
// orbweaver.ErrForeign if the folder holds another crawl.
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

// Open opens a crawl folder, whether the crawl runs or not. Run resumes the crawl with the crawl file in the folder. Only the
// option Focus is allowed, for a crawl with focus: own. The error wraps orbweaver.ErrInput if the folder is not a crawl
// folder.
func Open(folder string, options ...Option) (*Crawl, error) {
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	if s.job == nil { // a program may change its working directory; the command line shows paths as given
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

// with sets the job of all calls, and returns the schema of crawl files.
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

// locate sets the crawl folder from the crawl file.
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

// Run runs one session: it starts or resumes the crawl, until the crawl is over or ctx is done, and returns a summary. A
// finished crawl stays unchanged. The error wraps ErrInterrupted, with a summary, if ctx or Stop ended the session, and likewise
// ErrNothing, ErrHostsDown or ErrNetworkDown if the crawl is over in a way that its user should know of;
// orbweaver.ErrBusy if another process or call runs the crawl; and orbweaver.ErrForeign if the folder holds another crawl.
func (c *Crawl) Run(ctx context.Context) (*Summary, error) { return c.session(ctx, 0, false) }

// Refresh runs one session that fetches accepted pages again that are older than age, in a crawl of the live Web. Otherwise it
// behaves as Run.
func (c *Crawl) Refresh(ctx context.Context, age time.Duration) (*Summary, error) {
	if age <= 0 {
		return nil, fmt.Errorf("refresh: the age %v is not above 0 (%w)", age, orbweaver.ErrInput)
	}
	return c.session(ctx, age, false)
}

// Watch runs the crawl until it is over, as Run does, then visits its pages by the schedule of the crawl file until ctx is done or Stop is called,
// and returns the summary of that. Where a watch of the folder has begun, it goes on at once. The error wraps orbweaver.ErrInput without a
// schedule, and ErrInterrupted, with a summary, at its end.
func (c *Crawl) Watch(ctx context.Context) (*Summary, error) {
	file, err := c.load()
	if err == nil && !file.Schedule.On() {
		err = fmt.Errorf("%s: the crawl file has no schedule: write schedule: 1000, say, for at most 1000 requests a day (%w)", c.path, orbweaver.ErrInput)
	}
	if err != nil {
		return nil, err
	}
	if !changes.Begun(c.at.Dir) {
		if sum, err := c.Run(ctx); err != nil && !errors.Is(err, ErrHostsDown) {
			return sum, err
		}
		return c.watchNext(ctx)
	}
	return c.session(ctx, 0, true)
}

// How often a watch tries to open the folder of the crawl that has just ended, and the wait between: who looks at it has it open for a moment.
const (
	watchTries = 100
	watchWait  = 50 * time.Millisecond
)

// watchNext is the session after that of the crawl itself.
func (c *Crawl) watchNext(ctx context.Context) (sum *Summary, err error) {
	for range watchTries {
		if sum, err = c.session(ctx, 0, true); !errors.Is(err, orbweaver.ErrBusy) {
			break
		}
		select {
		case <-time.After(watchWait):
		case <-ctx.Done():
			return sum, err
		}
	}
	return sum, err
}

func (c *Crawl) session(ctx context.Context, refresh time.Duration, watched bool) (*Summary, error) {
	watch := &watcher{hub: &c.events}
	sum, err := run.Session(ctx, c.at.Job, assembly.Source{Path: c.path, Load: c.load}, refresh, run.Hooks{
		Watch: watched,
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

// Add offers seeds to the running crawl, and returns the result for each. The error joins the errors of malformed URLs
// (orbweaver.ErrBadURL), and wraps orbweaver.ErrInput if no process runs the crawl.
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
