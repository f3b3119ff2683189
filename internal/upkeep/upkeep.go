// Package upkeep looks after the quad store of a folder: it compacts, backs up, restores and dumps it, also while another process
// uses it, which it asks over the folder's socket.
//
// A backup is a folder with a copy of the store's database, made of the links of a checkpoint: it is the store as of one commit, takes no
// space at first on the same disk, and can be queried where it is. It holds the store alone: of a crawl folder neither archive nor
// pages.jsonl.
package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/database"
	"orbweaver/internal/job"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/store"
	"orbweaver/ledger"
	"orbweaver/server"
)

// databaseName is the name of the database within a folder with a store.
const databaseName = "ledger"

// noteFile is what makes a folder a backup: a Note as JSON, written last.
const noteFile = "backup.json"

// A Note describes a backup.
type Note struct {
	Version string    `json:"orbweaver"` // of the program that made it
	Of      string    `json:"of"`        // the folder
	Made    time.Time `json:"made"`
}

// used calls one of two functions: asks with the process that uses the store of a folder, or alone when there is none.
func used(dir string, asks func(*server.Client) error, alone func() error) error {
	if krsdb.Is(dir) {
		return fmt.Errorf("%s: it is a KRS, which has no quad store: `orbweaver krs` makes and exports it (%w)", dir, orbweaver.ErrInput)
	}
	c, err := store.Reach(dir)
	if err == nil {
		defer c.Close()
		err = asks(c)
	}
	if errors.Is(err, server.ErrNoCrawl) {
		return alone()
	}
	return err
}

// Compact frees the space of what was removed or replaced in the store of a folder, and of terms that nothing has any more unless
// another process uses it; and tells the sizes before and after.
func Compact(ctx context.Context, a *job.Job, dir string) error {
	var sizes store.Sizes
	err := used(dir, func(c *server.Client) error {
		return c.Ask(ctx, http.MethodPost, "/compact", struct{}{}, &sizes)
	}, func() error { return compactAlone(ctx, dir, &sizes) })
	if err != nil {
		return interrupted(ctx, err)
	}
	console.Say(a.Out, "%s: %s before, %s after", console.Relative(dir), console.SizeOf(sizes.Before), console.SizeOf(sizes.After))
	return nil
}

// compactAlone compacts a store that no other process uses.
func compactAlone(ctx context.Context, dir string, sizes *store.Sizes) (err error) {
	path := filepath.Join(dir, databaseName)
	if sizes.Before, err = sizeOf(path); err != nil {
		return err
	}
	l, err := ledger.OpenForLooks(dir)
	if err != nil {
		return err
	}
	if _, err = l.Sweep(ctx); err == nil {
		_, _, err = l.Compact(ctx)
	}
	if err = errors.Join(err, l.Close()); err != nil {
		return err
	}
	sizes.After, err = sizeOf(path)
	return err
}

// sizeOf is the bytes of the files in a folder.
func sizeOf(dir string) (total int64, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, gone := e.Info(); gone == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
	}
	return total, err
}

// interrupted is the error of a job whose context may have ended.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return console.ErrInterrupted
	}
	return err
}

// Backup copies the store of a folder to a new folder, whole or not at all. It replaces nothing.
func Backup(ctx context.Context, a *job.Job, dir, to string) (err error) {
	if err := free(to); err != nil {
		return err
	}
	here, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	lock, err := alone(here)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock()) }()
	copied := filepath.Join(here, "checkpoint.part") // on the disk of the store: tables are linked
	if err := os.RemoveAll(copied); err != nil {     // of a process that was killed
		return err
	}
	err = used(dir, func(c *server.Client) error {
		return c.Ask(ctx, http.MethodPost, "/checkpoint", store.Copying{Folder: copied}, nil)
	}, func() error {
		l, err := ledger.OpenForLooks(dir)
		if err != nil {
			return err
		}
		return errors.Join(l.Checkpoint(copied), l.Close())
	})
	if err == nil {
		err = place(ctx, copied, to, Note{Version: server.Version(), Of: here, Made: time.Now().UTC().Truncate(time.Second)})
	}
	if err = errors.Join(err, os.RemoveAll(copied)); err != nil {
		return interrupted(ctx, err)
	}
	size, err := sizeOf(filepath.Join(to, databaseName))
	if err == nil {
		console.Say(a.Out, "%s: %s, a backup of %s", console.Relative(to), console.SizeOf(size), console.Relative(dir))
	}
	return err
}

// alone keeps other backups of a folder away until the result is called.
func alone(dir string) (end func() error, err error) {
	if _, err := os.Stat(filepath.Join(dir, databaseName)); err != nil {
		return nil, fmt.Errorf("%s has no store: %w (%w)", console.Relative(dir), err, orbweaver.ErrInput)
	}
	path := filepath.Join(dir, "backup.lock")
	lock, err := database.Lock(path)
	if err != nil {
		return nil, fmt.Errorf("%s: another backup of it is being made (%w): %w", console.Relative(dir), err, orbweaver.ErrBusy)
	}
	return func() error { return errors.Join(os.Remove(path), lock.Close()) }, nil
}

// free checks that a folder is new or empty.
func free(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	case len(entries) > 0:
		return fmt.Errorf("%s is there already: name another folder (%w)", console.Relative(dir), orbweaver.ErrForeign)
	}
	return nil
}

// place makes a backup of a checkpoint: a folder of another name, which gets its own when it is whole.
func place(ctx context.Context, copied, to string, n Note) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	part := to + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.MkdirAll(part, 0o777); err != nil {
		return err
	}
	text, err := json.MarshalIndent(n, "", "  ")
	if err == nil {
		err = move(ctx, copied, filepath.Join(part, databaseName))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(part, noteFile), append(text, '\n'), 0o666)
	}
	if err == nil {
		err = atomicfile.Place(part, to)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	return nil
}

// move renames a folder of files, or copies it to another disk.
func move(ctx context.Context, from, to string) error {
	err := os.Rename(from, to)
	if errors.Is(err, syscall.EXDEV) {
		return replicate(ctx, from, to, false)
	}
	return err
}
