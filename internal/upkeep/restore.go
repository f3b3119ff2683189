package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/database"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// Restore puts the store of a backup into a folder that is new or empty or, with force, in place of the store of a folder. However it
// ends, the folder has the store that it had or the one of the backup, whole. The backup stays as it is.
func Restore(ctx context.Context, a *job.Job, backup, dir string, force bool) error {
	if err := isBackup(backup); err != nil {
		return err
	}
	replaces, err := replaced(dir, force)
	if err != nil {
		return err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	part := to + ".part"
	if err := os.RemoveAll(part); err != nil { // of a process that was killed
		return err
	}
	statements, err := prepared(ctx, backup, part)
	if err == nil && replaces {
		err = replace(part, to)
	} else if err == nil {
		err = atomicfile.Place(part, to)
	}
	if err = errors.Join(err, os.RemoveAll(part)); err != nil {
		return interrupted(ctx, err)
	}
	console.Say(a.Out, "%s: %d statements, from %s", console.Relative(dir), statements, console.Relative(backup))
	return nil
}

// maxNote bounds the bytes of a note.
const maxNote = 1 << 20

// isBackup checks that a folder is a backup.
func isBackup(dir string) error {
	f, err := os.Open(filepath.Join(dir, noteFile))
	if err != nil {
		return fmt.Errorf("%s is no backup: %w (%w)", dir, err, orbweaver.ErrInput)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxNote))
	var n Note
	if err == nil {
		err = json.Unmarshal(text, &n)
	}
	if err != nil {
		return fmt.Errorf("%s: %w (%w)", f.Name(), err, orbweaver.ErrInput)
	}
	return nil
}

// replaced reports whether a folder has a store that is to be replaced; an error if it is not to be.
func replaced(dir string, force bool) (bool, error) {
	_, crawl := os.Stat(filepath.Join(dir, crawlfolder.RunFile))
	_, missing := os.Stat(filepath.Join(dir, databaseName))
	switch {
	case crawl == nil:
		return false, fmt.Errorf("%s holds a crawl, whose archive and pages go with its own store: restore into another folder (%w)", console.Relative(dir), orbweaver.ErrForeign)
	case missing != nil:
		return false, free(dir)
	case !force:
		return false, fmt.Errorf("%s has a store: --force replaces it (%w)", console.Relative(dir), orbweaver.ErrForeign)
	}
	return true, nil
}

// prepared copies the store of a backup to a folder, opens it, and counts its statements.
func prepared(ctx context.Context, backup, part string) (statements int64, err error) {
	if err := os.MkdirAll(part, 0o777); err != nil {
		return 0, err
	}
	lock, err := locked(backup)
	if err != nil {
		return 0, err
	}
	err = replicate(ctx, filepath.Join(backup, databaseName), filepath.Join(part, databaseName), true)
	if err = errors.Join(err, lock.Close()); err != nil {
		return 0, err
	}
	l, err := ledger.OpenForLooks(part)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", backup, err)
	}
	statements, err = store.StatementsIn(l.Committed())
	if err == nil {
		err = l.Sync()
	}
	return statements, errors.Join(err, l.Close())
}

// locked keeps other processes from opening the store of a folder, until the result is closed.
func locked(dir string) (io.Closer, error) {
	path := filepath.Join(dir, databaseName, "LOCK")
	lock, err := database.Lock(path)
	if err != nil {
		return nil, fmt.Errorf("%s: another process is using this folder (%w): %w", dir, err, orbweaver.ErrBusy)
	}
	return lock, nil
}

// replace exchanges the stores of two folders. What belongs to the old one, pages.jsonl, goes first: a store without it makes it
// again.
func replace(part, dir string) error {
	lock, err := locked(dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	for _, name := range []string{ledger.JournalFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := exchange(filepath.Join(part, databaseName), filepath.Join(dir, databaseName)); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if err := atomicfile.SyncFolder(dir); err != nil {
		return err
	}
	return atomicfile.SyncFolder(part)
}
