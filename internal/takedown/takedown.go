// Package takedown removes pages from a crawl folder for good: from ledger, archive, full-text indexes, quad store, lists, logs and all
// exports to come. It keeps a record of each removal, and finishes one that was interrupted.
package takedown

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind/external"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// An Order says what is to be removed.
type Order struct {
	Patterns []string `json:"patterns"` // as in scope.exclude: hosts, URLs, URLs with *, regular expressions
	Reason   string   `json:"reason,omitempty"`
}

// A Removal is an order with what it removes, or removed: a line of File.
type Removal struct {
	At time.Time `json:"at"` // when it was ordered
	Order
	ledger.Removed
	Records int64     `json:"records"`       // of the archive: answers, each with its request
	Done    time.Time `json:"done,omitzero"` // when nothing was left; zero: it was interrupted
}

// shown is how many URLs a preview has.
const shown = 10

// compiled is an order that can be carried out.
type compiled struct {
	scope    *weburl.Scope
	patterns []string
}

// compile checks the patterns of an order. The error wraps orbweaver.ErrInput.
func (o Order) compile() (*compiled, error) {
	if len(o.Patterns) == 0 {
		return nil, fmt.Errorf("remove: no pattern is given: a host, a URL, a URL with *, or a regular expression between slashes (%w)", orbweaver.ErrInput)
	}
	scope, err := weburl.CompileScope(nil, o.Patterns, nil)
	if err != nil {
		return nil, fmt.Errorf("remove: %w (%w)", err, orbweaver.ErrInput)
	}
	return &compiled{scope, o.Patterns}, nil
}

// url reports whether a URL is to be removed.
func (c *compiled) url(url string) bool {
	in, _ := c.scope.Allows(url)
	return !in
}

// host reports whether a host, with its scheme and port, is to be removed whole.
func (c *compiled) host(host string) bool {
	in, pattern := c.scope.Allows(host + "/")
	return !in && !strings.Contains(pattern[strings.Index(pattern, "://")+1:], "/")
}

// Preview returns what an order would remove, with the URLs of some of it. It changes nothing.
func Preview(ctx context.Context, dir string, o Order) (r Removal, examples []string, err error) {
	c, err := o.compile()
	if err != nil {
		return r, nil, err
	}
	l, err := ledger.OpenForLooks(dir)
	if err != nil {
		return r, nil, inUse(dir, err)
	}
	r.Order = o
	r.Removed, examples, err = l.Removable(ctx, ledger.Removal{URL: c.url, Host: c.host}, shown)
	return r, examples, errors.Join(err, l.Close())
}

// Remove carries out an order in a folder that no process uses. The folder's later sessions do not ask for such URLs: their patterns
// are excluded from its scope. An earlier removal that was interrupted is finished first; without a pattern it alone. progress is called with what is done, of all, of each step; it may be nil. report writes the
// report anew, which quotes pages: it is called last, before the removal is recorded as done. The error wraps orbweaver.ErrBusy while a process
// uses the folder; once begun, a removal is finished by Finish, which every session calls.
func Remove(ctx context.Context, dir string, o Order, progress func(step string, done, all int64), report func() error) (Removal, error) {
	if r, err := finish(ctx, dir, progress, report); err != nil || !r.At.IsZero() && len(o.Patterns) == 0 {
		return r, err
	}
	if err := archive.Whole(crawlfolder.Archive(dir)); err != nil {
		return Removal{}, fmt.Errorf("remove: %w: pages are removed from an archive that is whole; remove them from the other place, too", err)
	}
	r, _, err := Preview(ctx, dir, o)
	if err != nil {
		return r, err
	}
	all, err := Read(dir)
	if err != nil {
		return r, err
	}
	r.At = time.Now().UTC().Truncate(time.Second)
	if err := write(dir, append(all, r)); err != nil {
		return r, err
	}
	if err := exclude(dir, o.Patterns); err != nil {
		return r, err
	}
	return finish(ctx, dir, progress, report)
}

// Finish does the rest of a removal that was interrupted; without one it reads one small file. The caller writes the report, which is gone
// then.
func Finish(ctx context.Context, dir string) error {
	_, err := finish(ctx, dir, nil, func() error { return nil })
	return err
}

// finish finishes the last removal, and returns it; the zero Removal if none is unfinished.
func finish(ctx context.Context, dir string, progress func(step string, done, all int64), report func() error) (Removal, error) {
	all, err := Read(dir)
	if err != nil || len(all) == 0 || !all[len(all)-1].Done.IsZero() {
		return Removal{}, err
	}
	r := &all[len(all)-1]
	c, err := r.compile()
	if err != nil {
		return *r, err
	}
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	if err := exclude(dir, r.Patterns); err != nil {
		return *r, err
	}
	if err := c.files(dir); err != nil {
		return *r, err
	}
	records, err := c.carryOut(ctx, dir, int64(len(all)), progress)
	if r.Records = max(r.Records, records); err == nil {
		err = report()
	}
	if err != nil {
		return *r, err
	}
	r.Done = time.Now().UTC().Truncate(time.Second)
	return *r, write(dir, all)
}

// carryOut removes what archive, recorded answers and ledger have, and returns how many answers the archive had. What sinks are to be told is kept
// before that.
func (c *compiled) carryOut(ctx context.Context, dir string, number int64, progress func(step string, done, all int64)) (records int64, err error) {
	l, err := ledger.Open(dir)
	if err != nil {
		return 0, inUse(dir, err)
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	tellings, err := c.tellings(dir, number, l)
	if err != nil {
		return 0, err
	}
	var keys []string
	queried := map[string]bool{} // URLs under which the archive has answers to queries
	_, _, err = l.Removable(ctx, ledger.Removal{URL: c.url, Each: func(o orbweaver.Outcome) {
		if o.Page != nil {
			keys = append(keys, external.KeyOf(o.Page))
		}
		if o.Request.Query != "" {
			queried[archive.TargetURI(o.Request)] = true
		}
		for _, t := range tellings {
			t.outcome(o)
		}
	}}, 0)
	for _, t := range tellings {
		if err == nil {
			err = t.keep(dir)
		}
	}
	if err == nil && external.Answered(dir) {
		err = external.Forget(dir, keys)
	}
	if err != nil {
		return 0, err
	}
	removal := ledger.Removal{URL: c.url, Host: c.host, Progress: progress}
	if mark := l.Archive(); mark != nil {
		removed := func(target string) bool { return queried[target] || c.url(target) }
		gone, err := archived(ctx, dir, mark, removed, func(done, all int64) { progress("archive", done, all) })
		if err != nil {
			return 0, err
		}
		records, removal.Moved = int64(gone.Answers), places(gone.Moved)
		if removal.Archive, err = json.Marshal(gone.Mark); err != nil {
			return 0, err
		}
	}
	_, err = l.Remove(ctx, removal)
	return records, err
}

// archived removes answers from the archive that lies up to a mark, in the encoding of the ledger.
func archived(ctx context.Context, dir string, mark []byte, removed func(target string) bool, progress func(done, all int64)) (archive.Removed, error) {
	var m archive.Mark
	if err := json.Unmarshal(mark, &m); err != nil {
		return archive.Removed{}, fmt.Errorf("%s: archive: %w: %w", dir, orbweaver.ErrDamaged, err)
	}
	return archive.Remove(ctx, crawlfolder.Archive(dir), m, removed, progress)
}

// places returns the new place of a record that was moved.
func places(all []archive.Move) func(orbweaver.Ref) (orbweaver.Ref, bool) {
	moved := make(map[orbweaver.Ref]orbweaver.Ref, len(all))
	for _, m := range all {
		moved[m.From] = m.To
	}
	return func(ref orbweaver.Ref) (orbweaver.Ref, bool) {
		to, is := moved[ref]
		return to, is
	}
}

// inUse says what to do about a folder that a process uses.
func inUse(dir string, err error) error {
	if errors.Is(err, orbweaver.ErrBusy) {
		return fmt.Errorf("%w: pages are removed from a crawl that rests: `orbweaver stop %s` stops it, and `orbweaver crawl` goes on afterwards", err, dir)
	}
	return err
}

// exclude adds patterns to those that the folder's sessions exclude.
func exclude(dir string, patterns []string) error {
	steering, err := crawlfolder.ReadSteering(dir)
	if err != nil {
		return err
	}
	known := len(steering.Exclude)
	for _, p := range patterns {
		if !slices.Contains(steering.Exclude, p) {
			steering.Exclude = append(steering.Exclude, p)
		}
	}
	if len(steering.Exclude) == known {
		return nil
	}
	return steering.Write(dir)
}

// Matcher returns what reports whether a URL was removed from a crawl folder.
func Matcher(dir string) (func(url string) bool, error) {
	all, err := Read(dir)
	if err != nil {
		return nil, err
	}
	var every Order
	for _, r := range all {
		every.Patterns = append(every.Patterns, r.Patterns...)
	}
	if len(every.Patterns) == 0 {
		return func(string) bool { return false }, nil
	}
	c, err := every.compile()
	if err != nil {
		return nil, err
	}
	return c.url, nil
}
