package workspace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"orbweaver/crawl"
)

// A standing is what was last seen of a crawl at rest.
type standing struct {
	of     time.Time // change of the folder at which it was seen
	socket time.Time // change of the control socket at which nobody answered; zero: there was none
	status crawl.Status
	bytes  int64
	at     time.Time // when the size was looked at
}

// standingsFile has, in a workspace's own folder, what was last seen of its crawls at rest: counting a large crawl takes a second.
const standingsFile = "standings.json"

// A keptStanding is a standing in the file.
type keptStanding struct {
	Of     time.Time    `json:"of"`
	Status crawl.Status `json:"status"`
}

// keepStandings writes the standings of the crawls at rest. What cannot be written is counted again. It must be called with w.mu held.
func (w *Workspace) keepStandings() {
	all := map[string]keptStanding{}
	for id, m := range w.crawls {
		if !m.last.of.IsZero() && m.session == nil && m.last.status.PID == 0 {
			all[id] = keptStanding{m.last.of, m.last.status}
		}
	}
	if text, err := json.Marshal(all); err == nil {
		_ = replace(filepath.Join(w.dir, ownFolder, standingsFile), text)
	}
}

// warmed is the number of crawls whose curves are read before anybody asks: those that changed last.
const warmed = 8

// warm counts the crawls, and reads what their live pages show of all pages, so that who asks first does not wait for large ones.
func (w *Workspace) warm() {
	all, err := w.Crawls(w.ctx)
	if err != nil {
		return // who asks is told
	}
	for _, view := range all[:min(len(all), warmed)] {
		w.mu.Lock()
		m, err := w.find(view.ID)
		var c *crawl.Crawl
		if err == nil {
			c = m.crawl
		}
		w.mu.Unlock()
		if c != nil {
			_, _ = c.Curve(w.ctx, 2) // as above
		}
	}
}

// recall reads the standings of an earlier process. It must be called with w.mu held.
func (w *Workspace) recall() {
	var all map[string]keptStanding
	text, err := os.ReadFile(filepath.Join(w.dir, ownFolder, standingsFile))
	if err != nil || json.Unmarshal(text, &all) != nil {
		return // it is counted again
	}
	for id, kept := range all {
		if m, ok := w.crawls[id]; ok {
			m.last.of, m.last.status = kept.Of, kept.Status
		}
	}
}
