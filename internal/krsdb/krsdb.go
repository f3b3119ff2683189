// Package krsdb opens and builds the KRS (knowledge representation schema) of a folder. It opens the database that
// kb/krs needs.
package krsdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/database"
	"orbweaver/kb/krs"
)

// Open opens the KRS in a folder. If topic is not empty, Open creates a missing KRS, and the error wraps krs.ErrTopic
// if the KRS has another topic. If topic is empty and there is no KRS, the error wraps krs.ErrNone. The error wraps
// krs.ErrFormat, krs.ErrDamaged or orbweaver.ErrDamaged if this version cannot read the KRS, and orbweaver.ErrBusy if
// another process has it open.
func Open(dir, topic string) (*krs.Store, error) {
	db, err := openDatabase(dir, topic != "")
	if err != nil {
		return nil, err
	}
	return krs.Open(db, dir, topic)
}

// Is reports whether a folder is that of a KRS: it has a database, and no ledger of a crawl.
func Is(dir string) bool {
	if dir == "" {
		return false
	}
	db, err := os.Stat(filepath.Join(dir, "db"))
	_, ledger := os.Stat(filepath.Join(dir, "ledger"))
	return err == nil && db.IsDir() && errors.Is(ledger, os.ErrNotExist)
}

// openDatabase opens the database of a KRS. If create is set, it creates a missing one.
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

// Build builds a KRS from many documents (krs.Build) and opens it. It builds in the folder dir.part and renames that to
// dir when the KRS is complete. If the process is killed, the next build removes dir.part. The error wraps
// krs.ErrExists if dir is not empty, or an error of krs.Build.
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
		err = atomicfile.Place(part, dir)
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
