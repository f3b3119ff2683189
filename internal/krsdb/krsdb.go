// Package krsdb opens and builds the KRS in a folder: kb/krs opens no database by itself.
package krsdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"orbweaver/internal/database"
	"orbweaver/kb/krs"
)

// Open opens the KRS in a folder. With a topic it makes a new one where there is none, and the error wraps
// krs.ErrTopic for a KRS of another topic; without, the folder must hold a KRS, or the error wraps krs.ErrNone.
// It wraps krs.ErrFormat, krs.ErrDamaged or orbweaver.ErrDamaged for a KRS that this version cannot read, and
// orbweaver.ErrBusy while another process has it open.
func Open(dir, topic string) (*krs.Store, error) {
	db, err := openDatabase(dir, topic != "")
	if err != nil {
		return nil, err
	}
	return krs.Open(db, dir, topic)
}

// openDatabase opens the database of a KRS, a new one only if create is set.
func openDatabase(dir string, create bool) (*database.DB, error) {
	path := filepath.Join(dir, "db")
	if create {
		if err := database.MakeFolder(nil, path); err != nil {
			return nil, fmt.Errorf("KRS: %w", err)
		}
	} else if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, krs.ErrNone, err)
	}
	return database.Open(path, database.Options{Size: database.Medium, What: "this KRS"})
}

// Build builds a KRS of many documents (krs.Build) and opens it. It stands in the folder only when it is
// complete: until then it grows in a folder beside it, which the next build removes if this one is killed. The
// error wraps krs.ErrExists where the folder is not empty, and what krs.Build's does.
func Build(ctx context.Context, dir string, p krs.Plan) (*krs.Store, error) {
	if names, err := os.ReadDir(dir); len(names) > 0 || err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, krs.ErrExists), err)
	}
	part := filepath.Clean(dir) + ".part"
	if err := os.RemoveAll(part); err != nil {
		return nil, fmt.Errorf("KRS: %w", err)
	}
	if err := build(ctx, part, p); err != nil {
		return nil, errors.Join(err, os.RemoveAll(part))
	}
	err := os.Remove(dir) // an empty folder
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = os.Rename(part, dir)
	}
	if err == nil {
		err = database.SyncFolder(filepath.Dir(dir))
	}
	if err != nil {
		return nil, fmt.Errorf("KRS: %w", err)
	}
	return Open(dir, p.Topic)
}

// build builds the KRS in a new folder.
func build(ctx context.Context, dir string, p krs.Plan) error {
	db, err := openDatabase(dir, true)
	if err != nil {
		return err
	}
	return krs.Build(ctx, db, dir, p)
}
