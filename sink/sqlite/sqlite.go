// Package sqlite delivers pages to a table in a file of SQLite: a row for each page that is accepted, under its URL. The row of a page that is
// withdrawn is deleted.
//
// A delivery is one transaction, in the log before the file (WAL), which is synced before Deliver returns: others may read the table at any
// time. Rows are replaced by later versions of their pages alone, so that what comes again changes nothing.
//
// This package is not part of the stable API.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"orbweaver"
	"orbweaver/sink"
	"orbweaver/sink/rows"
)

// Options are where a table is.
type Options struct {
	File  string // its folder is made if it is missing
	Table string
}

// A Table is the sink.
type Table struct {
	o     Options
	db    *sql.DB // nil: not open
	waits int     // for a lock of another process, in ms
}

// New returns the sink of a table.
func New(o Options) *Table { return &Table{o: o, waits: 5000} }

// typeOf is the type of a column.
func typeOf(k rows.Kind) string {
	switch k {
	case rows.Integer:
		return "INTEGER"
	case rows.Real:
		return "REAL"
	}
	return "TEXT"
}

// place is the place of an argument in a statement. Columns convert texts to their type.
func place(i int, _ rows.Kind) string { return fmt.Sprintf("?%d", i) }

// location is the file for the driver, with what holds for each connection.
func (t *Table) location() string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", t.waits), "journal_mode(WAL)", "synchronous(FULL)"}}
	return "file:" + (&url.URL{Path: filepath.ToSlash(t.o.File)}).EscapedPath() + "?" + q.Encode()
}

func (t *Table) open() (err error) {
	if t.db == nil {
		if t.db, err = sql.Open("sqlite", t.location()); err == nil {
			t.db.SetMaxOpenConns(1)
		}
	}
	return err
}

// Close implements [sink.Sink].
func (t *Table) Close() error {
	if t.db == nil {
		return nil
	}
	db := t.db
	t.db = nil
	return db.Close()
}

// fail ends what was begun, and says what failed where, and what a person can do.
func (t *Table) fail(err error) error {
	var said *sqlite.Error
	if errors.As(err, &said) {
		switch said.Code() & 0xff {
		case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
			err = fmt.Errorf("another process writes to it: %w", err)
		case codes.SQLITE_NOTADB, codes.SQLITE_CANTOPEN, codes.SQLITE_READONLY, codes.SQLITE_PERM:
			err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
	}
	return errors.Join(fmt.Errorf("%s: table %s: %w", t.o.File, t.o.Table, err), t.Close())
}

// Check implements [sink.Sink]. It makes file and table if they are missing, and looks whether the table's columns fit: those of package rows with
// their types, and a unique URL. Other columns may be there if they can be left out.
func (t *Table) Check(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(t.o.File), 0o777); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	err := t.open()
	if err == nil {
		err = t.check(ctx)
	}
	if err != nil {
		return t.fail(err)
	}
	return nil
}

func (t *Table) check(ctx context.Context) error {
	have, err := t.columns(ctx)
	if err != nil {
		return err
	}
	if len(have) == 0 {
		if _, err = t.db.ExecContext(ctx, rows.Create(rows.Quoted(t.o.Table), typeOf)); err != nil {
			return err
		}
	} else if missing := rows.Missing(have, typeOf); len(missing) > 0 {
		return fmt.Errorf("it is there, and lacks columns: %s; add them, or name another table (%w)", strings.Join(missing, ", "), orbweaver.ErrInput)
	}
	tx, err := t.db.BeginTx(ctx, nil) // takes the lock
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, t.upsert(), arguments(rows.Values(&sink.Item{URL: "about:blank", Page: &sink.Page{}}))...); err != nil {
		err = fmt.Errorf("rows cannot be written: %w (%w)", err, orbweaver.ErrInput)
	}
	return errors.Join(err, tx.Rollback())
}

// columns returns the columns of the table with their types; none if it is not there.
func (t *Table) columns(ctx context.Context) (have map[string]string, err error) {
	found, err := t.db.QueryContext(ctx, "SELECT name, type FROM pragma_table_info(?1)", t.o.Table)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	have = map[string]string{}
	for found.Next() {
		var name, kind string
		if err := found.Scan(&name, &kind); err != nil {
			return nil, err
		}
		have[name] = kind
	}
	return have, found.Err()
}

// upsert is the statement that writes a row.
func (t *Table) upsert() string { return rows.Upsert(rows.Quoted(t.o.Table), place) }

// arguments are values for the driver, which takes bytes for a BLOB.
func arguments(values [][]byte) (all []any) {
	for _, v := range values {
		if v == nil {
			all = append(all, nil)
		} else {
			all = append(all, string(v))
		}
	}
	return all
}

// Deliver implements [sink.Sink].
func (t *Table) Deliver(ctx context.Context, items []sink.Item) error {
	err := t.open()
	if err == nil {
		err = t.deliver(ctx, items)
	}
	if err != nil {
		return t.fail(err) // begun anew
	}
	return nil
}

func (t *Table) deliver(ctx context.Context, items []sink.Item) (err error) {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback() // the error is that of the statement
		}
	}()
	write, err := tx.PrepareContext(ctx, t.upsert())
	if err != nil {
		return err
	}
	remove, err := tx.PrepareContext(ctx, rows.Delete(rows.Quoted(t.o.Table), place))
	if err != nil {
		return err
	}
	for i := range items {
		switch items[i].Kind {
		case sink.Accepted:
			_, err = write.ExecContext(ctx, arguments(rows.Values(&items[i]))...)
		case sink.Withdrawn:
			_, err = remove.ExecContext(ctx, arguments(rows.DeleteValues(&items[i]))...)
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}
