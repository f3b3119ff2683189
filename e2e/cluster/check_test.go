//go:build e2e && linux

package cluster_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"orbweaver"
	share "orbweaver/internal/cluster"
	"orbweaver/internal/cluster/record"
	"orbweaver/ledger"
)

// check returns which promises were broken.
func (c *faultsCrew) check(ctx context.Context) (broken []string) {
	broken = append(broken, c.lost(ctx)...)
	for _, v := range c.web.Violations() {
		broken = append(broken, "politeness: "+v)
	}
	broken = append(broken, c.twice()...)
	broken = append(broken, c.usurped()...)
	return append(broken, c.damaged(ctx)...)
}

// lost: the union of the workers' pages is that of one worker.
func (c *faultsCrew) lost(ctx context.Context) (broken []string) {
	found := map[string]bool{}
	for name := range c.hands {
		journal := filepath.Join(c.output(name), ledger.JournalFile)
		if _, err := os.Stat(journal); err != nil {
			continue
		}
		for line, err := range ledger.Lines(journal) {
			if err != nil {
				return []string{err.Error()}
			}
			found[line.URL] = found[line.URL] || line.Status == 200
		}
	}
	if c.storage {
		if err := c.recorded(ctx, found); err != nil {
			return []string{err.Error()}
		}
	}
	missing := []string{}
	for _, url := range c.web.want {
		if !found[url] {
			missing = append(missing, url)
		}
	}
	if len(missing) > 0 {
		broken = append(broken, fmt.Sprintf("lost: %d of %d pages: %s", len(missing), len(c.web.want), strings.Join(missing[:min(len(missing), 8)], " ")))
	}
	return broken
}

// recorded adds the pages of the record.
func (c *faultsCrew) recorded(ctx context.Context, found map[string]bool) error {
	r, err := record.Open(ctx, filepath.Join(c.folder, "storage"), "test")
	if err != nil {
		return err
	}
	defer r.Close()
	workers, err := r.Workers(ctx)
	if err != nil {
		return err
	}
	for _, name := range workers {
		for x, err := range r.Read(ctx, name) {
			if err != nil {
				return err
			}
			entries, err := ledger.Entries(x.Entries)
			if err != nil {
				return err
			}
			for _, e := range entries {
				if e.Outcome != nil && e.Outcome.Status == 200 {
					found[e.Outcome.Request.URL] = true
				}
			}
		}
	}
	return nil
}

// recent is how old what is not in the record may be.
const recent = checkpoint + 800*time.Millisecond

// transit is how long a request of a process that was killed is on its way.
const transit = 250 * time.Millisecond

// twice: a page that was asked again was the last that its worker had asked of that host when its session ended by a fault. With a
// record, it was asked since the last checkpoint before.
func (c *faultsCrew) twice() (broken []string) {
	last := map[string]request{}
	all := c.web.requests()
	for i, r := range all {
		if r.path == "/robots.txt" {
			continue
		}
		key := r.host + r.path
		if before, again := last[key]; again && !c.forgiven(all[:i], before, r) {
			broken = append(broken, fmt.Sprintf("twice: http://%s: by %s at %.3f, by %s at %.3f", key, before.worker, before.at.Sub(c.began).Seconds(), r.worker, r.at.Sub(c.began).Seconds()))
		}
		last[key] = r
	}
	return broken
}

// forgiven reports whether a page may be asked again. A session ends with its last request: a process may find out later.
func (c *faultsCrew) forgiven(all []request, before, again request) bool {
	for _, end := range c.hands[before.worker].ends {
		if end.Add(transit).Before(before.at) {
			continue
		}
		other, last := false, before.at // of the session
		for _, r := range all {
			if r.worker != before.worker || !r.at.After(before.at) || !r.at.Before(end) {
				continue
			}
			other = other || r.host == before.host
			last = r.at
		}
		if !last.After(again.at) && (!other || c.storage && last.Sub(before.at) < recent) {
			return true
		}
	}
	return false
}

// usurped: nobody asks a host while another has its partition.
func (c *faultsCrew) usurped() (broken []string) {
	for _, r := range c.web.requests() {
		for _, o := range c.claims[share.PartitionOf("http://"+r.host+"/")%partitions] {
			if o.worker != "" && o.worker != r.worker && o.from.Before(r.at) && r.at.Before(o.until) {
				broken = append(broken, fmt.Sprintf("old epoch: %s asked %s%s at %.3f, %s had it from %.3f to %.3f", r.worker, r.host, r.path,
					r.at.Sub(c.began).Seconds(), o.worker, o.from.Sub(c.began).Seconds(), o.until.Sub(c.began).Seconds()))
			}
		}
	}
	return broken
}

// damaged: the folders are whole.
func (c *faultsCrew) damaged(ctx context.Context) (broken []string) {
	for name := range c.hands {
		dir := c.output(name)
		if _, err := os.Stat(filepath.Join(dir, "ledger")); err != nil {
			if !os.IsNotExist(err) && !strings.Contains(err.Error(), fs.ErrNotExist.Error()) {
				broken = append(broken, err.Error())
			}
			continue
		}
		v, err := ledger.Verify(ctx, dir, func(orbweaver.Outcome) error { return nil })
		if err != nil {
			broken = append(broken, fmt.Sprintf("folder of %s: %v", name, err))
			continue
		}
		for _, f := range v.Faults {
			broken = append(broken, fmt.Sprintf("folder of %s: %s: %s", name, f.File, f.What))
		}
	}
	return broken
}
