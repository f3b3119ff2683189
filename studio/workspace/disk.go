package workspace

import (
	"fmt"
	"time"

	"orbweaver/internal/machine"
)

// diskEvery is the time between two looks at the disk.
const diskEvery = 10 * time.Second

// watchDisk pauses the crawls of this process while the workspace takes more than its budget or the disk has less than the spare
// space, and lets them go on when there is room again.
func (w *Workspace) watchDisk() {
	tick := time.NewTicker(diskEvery)
	defer tick.Stop()
	for {
		w.checkDisk()
		select {
		case <-tick.C:
		case <-w.ctx.Done():
			return
		}
	}
}

// Full returns why no crawl of the workspace may go on, in words; empty: they may.
func (w *Workspace) Full() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.full
}

// checkDisk looks at the disk once.
func (w *Workspace) checkDisk() {
	full := w.diskFull()
	w.mu.Lock()
	was := w.full
	w.full = full
	var act []*member
	if (was == "") != (full == "") {
		for _, m := range w.crawls {
			if m.session != nil && m.session.begun && !m.paused {
				act = append(act, m)
			}
		}
		_ = w.turn() // what cannot be remembered now is at the next change
	}
	w.mu.Unlock()
	for _, m := range act {
		steer := m.crawl.Resume
		if full != "" {
			steer = m.crawl.Pause
			_, _ = fmt.Fprintf(m.notices, "paused: %s\n", full) // never fails
		}
		_ = steer(w.ctx) // the session may have ended
	}
}

// diskFull returns why crawls may not go on.
func (w *Workspace) diskFull() string {
	if free, ok := machine.Free(w.dir); ok && w.opts.Spare > 0 && free < w.opts.Spare {
		return fmt.Sprintf("the disk has %s left, and %s are kept free", bytesText(free), bytesText(w.opts.Spare))
	}
	if size := sizeOf(w.dir); w.opts.Budget > 0 && size > w.opts.Budget {
		return fmt.Sprintf("the workspace takes %s, more than its budget of %s", bytesText(size), bytesText(w.opts.Budget))
	}
	return ""
}

// bytesText is a number of bytes in words.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d kB", n>>10)
}
