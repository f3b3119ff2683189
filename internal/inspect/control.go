package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
	"orbweaver/server"
)

// Status prints how the crawl of a folder stands: as it says itself when it runs, from its ledger
// when not. The error wraps ErrInput when the folder is none of a crawl, and ErrBusy when its crawl
// just begins or ends.
func Status(ctx context.Context, a *job.Job, dir string, asJSON bool) error {
	s, err := statusOf(ctx, dir)
	if err != nil {
		return err
	}
	if asJSON {
		text, err := json.MarshalIndent(struct {
			State string `json:"state"`
			server.Status
		}{stateOf(s), s}, "", "  ")
		if err == nil {
			console.Say(a.Out, "%s", text)
		}
		return err
	}
	tellStatus(a, s)
	return nil
}

// Pause lets the crawl that runs in a folder start nothing new. The error wraps ErrInput when none
// runs; that of Resume, Stop and Add too.
func Pause(ctx context.Context, a *job.Job, dir string) error {
	return control(a, dir, "paused; `orbweaver resume "+dir+"` goes on",
		func(c *server.Client) error { return c.Pause(ctx) })
}

// Resume ends a pause.
func Resume(ctx context.Context, a *job.Job, dir string) error {
	return control(a, dir, "goes on", func(c *server.Client) error { return c.Resume(ctx) })
}

// Stop ends the session of the crawl that runs in a folder, after what is in hand.
func Stop(ctx context.Context, a *job.Job, dir string) error {
	return control(a, dir, "stops after what is in hand; `orbweaver crawl` with its file goes on",
		func(c *server.Client) error { return c.Stop(ctx) })
}

// Add offers URLs, as seeds, to the crawl that runs in a folder, and prints what became of each. All
// are offered, whatever became of the first; the error tells of those that are no URLs (ErrInput)
// and of those that the crawl must not ask for.
func Add(ctx context.Context, a *job.Job, dir string, urls []string) error {
	c, err := reach(dir)
	if err != nil {
		return notRunning(dir, ": start it (orbweaver crawl FILE), then add", err)
	}
	defer c.Close()
	var problems []error
	refused := 0
	for _, url := range urls {
		added, err := c.Add(ctx, url)
		switch {
		case errors.Is(err, orbweaver.ErrBadURL):
			problems = append(problems, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput))
		case err != nil:
			return errors.Join(append(problems, notRunning(dir, "", err))...)
		default:
			console.Say(a.Out, "%s: %s", added.URL, added.Result)
		}
		if added.Refused() {
			refused++
		}
	}
	if refused > 0 {
		problems = append(problems, fmt.Errorf("%s: %d of %d URLs were not added: the crawl must not ask for them", dir, refused, len(urls)))
	}
	return errors.Join(problems...)
}

// control tells the crawl that runs in a folder something, and says that it was done.
func control(a *job.Job, dir, done string, tell func(*server.Client) error) error {
	c, err := reach(dir)
	if err == nil {
		defer c.Close()
		err = tell(c)
	}
	if err != nil {
		return notRunning(dir, "", err)
	}
	console.Say(a.Out, "%s: %s", dir, done)
	return nil
}

// reach finds the crawl that runs in a folder. The error wraps server.ErrNoCrawl when none does.
func reach(dir string) (*server.Client, error) {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return nil, err
	}
	return server.Dial(dir)
}

// notRunning makes an error of its user's of one that says that no crawl runs. Others stay.
func notRunning(dir, hint string, err error) error {
	if errors.Is(err, server.ErrNoCrawl) {
		return fmt.Errorf("no crawl runs in %s%s (%w)", dir, hint, orbweaver.ErrInput)
	}
	return err
}

// Owned tells which crawl has a folder that another process owns. Other errors stay.
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
		return fmt.Errorf("%s: another process is using this crawl folder, and does not say how its crawl stands; ask again: orbweaver status %s (%w)", short, short, orbweaver.ErrBusy)
	}
	return fmt.Errorf("%s: a crawl runs there already, by process %d: see orbweaver status %s, or end it with orbweaver stop %s (%w)",
		short, s.PID, short, short, orbweaver.ErrBusy)
}

// statusOf asks the crawl that runs in a folder how it stands, or looks where none runs.
func statusOf(ctx context.Context, dir string) (s server.Status, err error) {
	c, err := reach(dir)
	if err == nil {
		defer c.Close()
		s, err = c.Status(ctx)
	}
	if errors.Is(err, server.ErrNoCrawl) { // also one that ended while it was asked
		return restingStatus(ctx, dir)
	}
	return s, err
}

// restingStatus is how a crawl stands that no process runs.
func restingStatus(ctx context.Context, dir string) (s server.Status, err error) {
	if s.Folder, err = filepath.Abs(dir); err != nil {
		return s, err
	}
	ran, err := crawlfile.Schema(nil).LoadRun(filepath.Join(dir, crawlfolder.RunFile))
	if err != nil {
		return s, err
	}
	s.Name = ran.Name()
	if _, err := os.Stat(filepath.Join(dir, "ledger")); errors.Is(err, fs.ErrNotExist) {
		return s, nil // killed before it began
	}
	l, err := ledger.Open(dir)
	if errors.Is(err, orbweaver.ErrBusy) {
		return s, fmt.Errorf("%s: its crawl just begins or ends; ask again: %w", dir, orbweaver.ErrBusy)
	}
	if err != nil {
		return s, err
	}
	s.Progress, s.Refused = l.Progress(), l.Refused()
	return s, errors.Join(store.Count(ctx, l, &s), l.Close())
}

// stateOf names how a crawl is: running, paused, ended, or interrupted and can be gone on with.
func stateOf(s server.Status) string {
	switch {
	case s.PID != 0 && s.Paused:
		return "paused"
	case s.PID != 0:
		return "running"
	case s.Progress.Ended != "":
		return "ended"
	}
	return "interrupted"
}

// tellStatus prints a status for people.
func tellStatus(a *job.Job, s server.Status) {
	p, state := s.Progress, stateOf(s)
	switch {
	case s.PID != 0:
		state += fmt.Sprintf(", by process %d, since %s", s.PID, s.Started.Local().Format(time.DateTime))
	case p.Ended != "":
		state += ": " + p.Ended
	default:
		state += "; `orbweaver crawl` with its file goes on"
	}
	console.Say(a.Out, "%s: %s", s.Name, state)
	console.Say(a.Out, "  folder      %s", console.Relative(s.Folder))
	console.Say(a.Out, "  requests    %d", p.Requests)
	console.Say(a.Out, "  pages       %d", p.Pages)
	console.Say(a.Out, "  accepted    %d (%.1f %%)", p.Accepted, console.Percent(p.Accepted, p.Pages))
	console.Say(a.Out, "  bytes       %s", console.SizeOf(p.Bytes))
	console.Say(a.Out, "  time spent  %s", p.Active.Round(100*time.Millisecond))
	if s.PID == 0 {
		console.Say(a.Out, "  waiting     %d", s.Waiting)
		console.Say(a.Out, "  hosts       %d", s.Hosts)
	} else {
		console.Say(a.Out, "  waiting     %d, and %d in flight", s.Waiting, s.InFlight)
		console.Say(a.Out, "  hosts       %d: %d ready, %d resting, %d down", s.Hosts, s.Ready, s.Resting, s.Down)
	}
	console.Say(a.Out, "  failures    %s", failuresOf(s.Failures))
	assembly.TellRefused(a, s.Refused)
	tellHosts(a, s.Busiest)
}

// tellHosts prints what hosts were asked.
func tellHosts(a *job.Job, hosts []step.Account) {
	if len(hosts) == 0 {
		return
	}
	console.Say(a.Out, "\nThe hosts asked most:")
	console.Say(a.Out, "%8s %8s %13s %9s %9s  host", "asked", "pages", "shortest gap", "delay", "failures")
	for _, h := range hosts {
		var failures int64
		for _, n := range h.Failures { // whole numbers: the order is of no matter
			failures += n
		}
		gap := "-"
		if h.Gap > 0 {
			gap = h.Gap.Round(time.Millisecond).String()
		}
		down := ""
		if h.Down != "" {
			down = ", down: " + string(h.Down)
		}
		console.Say(a.Out, "%8d %8d %13s %9s %9d  %s%s", h.Asked, h.Pages, gap, h.Delay.Round(time.Millisecond), failures, h.Host, down)
	}
}

// failuresOf lists failures, the most frequent first.
func failuresOf(failures map[orbweaver.Failure]int64) string {
	reasons := make([]orbweaver.Failure, 0, len(failures))
	for reason := range failures {
		reasons = append(reasons, reason)
	}
	slices.SortFunc(reasons, func(a, b orbweaver.Failure) int {
		return cmp.Or(cmp.Compare(failures[b], failures[a]), cmp.Compare(a, b))
	})
	if len(reasons) == 0 {
		return "none"
	}
	var words []string
	for _, reason := range reasons {
		words = append(words, fmt.Sprintf("%s %d", reason, failures[reason]))
	}
	return strings.Join(words, ", ")
}
