package upkeep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A DumpJob says what to dump.
type DumpJob struct {
	store.Dumping
	Dir string
	Out string // file; .gz: compressed; empty: standard output
}

// Dump writes the statements of the store of a folder, as of one commit, and tells now and then how far it is. A file is
// whole or not there, and replaces none.
func Dump(ctx context.Context, a *job.Job, d DumpJob) error {
	if err := d.Check(); err != nil {
		return err
	}
	if d.Out == "" {
		return interrupted(ctx, d.into(ctx, a, a.Out))
	}
	if _, err := os.Lstat(d.Out); err == nil {
		return fmt.Errorf("%s is there already: name another file (%w)", d.Out, orbweaver.ErrForeign)
	}
	if err := atomicfile.Check(filepath.Dir(d.Out)); err != nil {
		return fmt.Errorf("%s: %w (%w)", d.Out, err, orbweaver.ErrInput)
	}
	err := atomicfile.Write(d.Out, 0o666, func(w io.Writer) error { return d.packed(ctx, a, w) })
	if err != nil {
		return interrupted(ctx, err)
	}
	info, err := os.Stat(d.Out)
	if err == nil {
		console.Say(a.Out, "%s: %s", d.Out, console.SizeOf(info.Size()))
	}
	return err
}

// packed writes to a file, compressed if its name says so.
func (d DumpJob) packed(ctx context.Context, a *job.Job, w io.Writer) error {
	if !strings.HasSuffix(d.Out, ".gz") {
		return d.into(ctx, a, w)
	}
	z := gzip.NewWriter(w)
	if err := d.into(ctx, a, z); err != nil {
		return err
	}
	return z.Close()
}

// into writes the dump.
func (d DumpJob) into(ctx context.Context, a *job.Job, w io.Writer) error {
	counted := &told{w: w, a: a, dir: d.Dir, began: time.Now(), last: time.Now()}
	return used(d.Dir, func(c *server.Client) error {
		body, err := c.Post(ctx, "/dump", d.Dumping)
		if err != nil {
			return err
		}
		defer body.Close()
		n, err := io.Copy(counted, body)
		if n > 0 && errors.Is(err, server.ErrNoCrawl) {
			return fmt.Errorf("%s: the dump is cut off: %s", console.Relative(d.Dir), err.Error())
		}
		return err
	}, func() error {
		var l *ledger.Ledger
		l, err := store.Open(ctx, a, d.Dir)
		if err != nil {
			return err
		}
		snapshot := l.Committed()
		_, err = d.Write(ctx, counted, snapshot)
		return errors.Join(err, snapshot.Close(), l.Close())
	})
}

// told counts what is written, and tells it every ten seconds.
type told struct {
	w           io.Writer
	a           *job.Job
	dir         string
	began, last time.Time
	bytes       int64
}

// Write writes bytes.
func (t *told) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.bytes += int64(n)
	if now := time.Now(); now.Sub(t.last) >= 10*time.Second {
		t.last = now
		console.Say(t.a.Err, "%s: %s written, %s a second", console.Relative(t.dir), console.SizeOf(t.bytes), console.SizeOf(int64(float64(t.bytes)/now.Sub(t.began).Seconds())))
	}
	return n, err
}
