package assembly

import (
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
)

// shownHosts is how many hosts that are down an error names.
const shownHosts = 3

// Failed returns an error if a crawl is over and its user has something to do about it: the network was down, no page was
// fetched, or all that waits is at hosts that are down. A crawl that follows no links may need no page.
func (c *Crawl) Failed(progress step.Progress) error {
	folder := console.Relative(c.File.Output)
	switch {
	case progress.Ended == engine.EndNetwork:
		return fmt.Errorf("%s: no host answered for %s (limits.outage): run the same command when the network is up, it goes on (%w)",
			folder, shortly(c.File.Limits.Outage), starting.ErrNetworkDown)
	case progress.Pages == 0 && c.Refresh <= 0 && !c.Watching && !kind.AbilitiesOf(c.File.Focus).Linkless:
		why := string(progress.Ended)
		if len(c.barren) > 0 {
			why = console.Visible(c.barren[0].Seed, 200) + ": " + c.barren[0].Mend()
		}
		return fmt.Errorf("%s: no page was fetched (%s): mend %s and run the same command, it begins afresh (%w)",
			folder, why, console.Relative(c.Path), starting.ErrNothing)
	case progress.Ended == engine.EndHostsDown:
		return fmt.Errorf("%s: requests wait at %s: run the same command later, it asks them again (%w)", folder, c.downHosts(), starting.ErrHostsDown)
	}
	return nil
}

// downHosts names hosts that are down for a reason that passes.
func (c *Crawl) downHosts() string {
	n, names := 0, []string{}
	for _, a := range c.hosts {
		switch a.Down {
		case "", orbweaver.ErrPrivate, orbweaver.ErrNoHost, orbweaver.ErrBadURL, step.ErrWall, step.ErrConsent, step.ErrParked:
			continue
		}
		if n++; n <= shownHosts {
			names = append(names, fmt.Sprintf("%s (%s)", console.Visible(a.Host, 100), a.Down))
		}
	}
	if n > shownHosts {
		names = append(names, fmt.Sprintf("and %d more", n-shownHosts))
	}
	return "hosts that are down: " + strings.Join(names, ", ")
}
