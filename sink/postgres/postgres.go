// Package postgres delivers pages to a table of PostgreSQL: a row for each page that is accepted, under its URL.
//
// A delivery is one transaction, so that it is there whole or not at all, and whoever reads the table sees no half of it. Rows are replaced by
// later versions of their pages alone, so that what comes again changes nothing.
//
// It connects by its options alone: no variable of libpq (PGPASSWORD and others) and no file in the user's home (.pgpass and others) counts, so that
// whoever may write a URL gets none of them.
//
// This package is not part of the stable API.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"orbweaver"
	"orbweaver/sink"
	"orbweaver/sink/rows"
)

// Options are where a table is.
type Options struct {
	Settings    map[string]string // of the connection, by libpq's keywords: host, user and others; neither a password nor a file
	Password    string            // empty: none
	Authorities string            // PEM file of those that may sign the server's certificate; empty: those of the system
	Certificate string            // PEM file, shown to the server; empty: none
	Key         string            // PEM file of the certificate's key
	Table       string            // its name, perhaps after that of a schema and a dot
}

// A Table is the sink.
type Table struct {
	o    Options
	conn *pgconn.PgConn // nil: not connected
}

// New returns the sink of a table.
func New(o Options) *Table { return &Table{o: o} }

// quoted is a name as an identifier, each of its parts.
func quoted(name string) string {
	parts := strings.Split(name, ".")
	for i, p := range parts {
		parts[i] = rows.Quoted(p)
	}
	return strings.Join(parts, ".")
}

// typeOf is the type of a column, as format_type writes it.
func typeOf(k rows.Kind) string {
	return [...]string{rows.Text: "text", rows.Integer: "bigint", rows.Real: "double precision", rows.JSON: "jsonb", rows.Time: "timestamp with time zone"}[k]
}

// place is the place of an argument in a statement.
func place(i int, k rows.Kind) string { return fmt.Sprintf("$%d::%s", i, typeOf(k)) }

// connectTime bounds a connection's making.
const connectTime = 20 * time.Second

func (t *Table) connect(ctx context.Context) error {
	if t.conn != nil {
		return nil
	}
	cfg, err := t.o.config()
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, connectTime)
	defer stop()
	t.conn, err = pgconn.ConnectConfig(ctx, cfg)
	return err
}

// Close implements [sink.Sink].
func (t *Table) Close() error {
	if t.conn == nil {
		return nil
	}
	conn := t.conn
	t.conn = nil
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	_ = conn.Close(ctx) // a connection that fails is closed
	return nil
}

// Check implements [sink.Sink]. It makes the table if it is missing, and looks whether its columns fit: those above with their types, and a unique
// URL. Other columns may be there if they can be left out.
func (t *Table) Check(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("table %s: %w", t.o.Table, err), t.Close())
		}
	}()
	if err := t.connect(ctx); err != nil {
		return err
	}
	found, err := t.rows(ctx, "SELECT a.attname, format_type(a.atttypid, NULL) FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped", quoted(t.o.Table))
	if err == nil && len(found) == 0 {
		_, err = t.rows(ctx, rows.Create(quoted(t.o.Table), typeOf))
		return err
	}
	if err != nil {
		return err
	}
	have := map[string]string{}
	for _, row := range found {
		have[row[0]] = row[1]
	}
	if missing := rows.Missing(have, typeOf); len(missing) > 0 {
		return fmt.Errorf("it is there, and lacks columns: %s; add them, or name another table (%w)", strings.Join(missing, ", "), orbweaver.ErrInput)
	}
	if _, err := t.rows(ctx, "EXPLAIN "+t.upsert(), make([]string, len(rows.Columns()))...); err != nil { // no unique URL, no right to write
		return fmt.Errorf("rows cannot be written: %w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// rows runs a statement and returns its rows as text. An empty argument is NULL.
func (t *Table) rows(ctx context.Context, statement string, args ...string) (all [][]string, err error) {
	values := make([][]byte, len(args))
	for i, a := range args {
		if a != "" {
			values[i] = []byte(a)
		}
	}
	result := t.conn.ExecParams(ctx, statement, values, nil, nil, nil).Read()
	for _, row := range result.Rows {
		var texts []string
		for _, v := range row {
			texts = append(texts, string(v))
		}
		all = append(all, texts)
	}
	return all, result.Err
}

// upsert is the statement that writes a row.
func (t *Table) upsert() string { return rows.Upsert(quoted(t.o.Table), place) }

// Deliver implements [sink.Sink].
func (t *Table) Deliver(ctx context.Context, items []sink.Item) (err error) {
	if err := t.connect(ctx); err != nil {
		return err
	}
	b := &pgconn.Batch{} // one transaction
	some := false
	upsert := t.upsert()
	for i := range items {
		switch items[i].Kind {
		case sink.Accepted:
			b.ExecParams(upsert, rows.Values(&items[i]), nil, nil, nil)
		case sink.Withdrawn:
			b.ExecParams(rows.Delete(quoted(t.o.Table), place), rows.DeleteValues(&items[i]), nil, nil, nil)
		default:
			continue
		}
		some = true
	}
	if !some {
		return nil
	}
	if _, err = t.conn.ExecBatch(ctx, b).ReadAll(); err != nil {
		return errors.Join(fmt.Errorf("table %s: %w", t.o.Table, err), t.Close()) // begun anew
	}
	return nil
}
