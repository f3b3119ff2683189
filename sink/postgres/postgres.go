// Package postgres delivers pages to a table of PostgreSQL: a row for each page that is accepted, under its URL.
//
// A delivery is one transaction, so that it is there whole or not at all, and whoever reads the table sees no half of it. Rows are replaced by
// later versions of their pages alone, so that what comes again changes nothing.
//
// This package is not part of the stable API.
package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"orbweaver"
	"orbweaver/sink"
)

// Options are where a table is.
type Options struct {
	URL      string // postgres://USER@HOST:PORT/DATABASE, or KEY=VALUE pairs, as libpq has them
	Password string // empty: as libpq finds one
	Table    string // its name, perhaps after that of a schema and a dot
}

// A Table is the sink.
type Table struct {
	o    Options
	conn *pgconn.PgConn // nil: not connected
}

// New returns the sink of a table.
func New(o Options) *Table { return &Table{o: o} }

// A column is a name with its type, and what a page has for it; nil: NULL.
type column struct {
	name, kind string
	of         func(i *sink.Item) []byte
}

// columns are those of the table, the URL first.
func columns() []column {
	text := func(of func(p *sink.Page) string) func(*sink.Item) []byte {
		return func(i *sink.Item) []byte { return clean(of(i.Page)) }
	}
	return []column{
		{"url", "text", func(i *sink.Item) []byte { return clean(i.URL) }},
		{"id", "text", func(i *sink.Item) []byte { return clean(i.ID) }},
		{"n", "bigint", func(i *sink.Item) []byte { return strconv.AppendInt(nil, i.N, 10) }},
		{"outcome", "bigint", func(i *sink.Item) []byte { return strconv.AppendInt(nil, i.Page.Outcome, 10) }},
		{"title", "text", text(func(p *sink.Page) string { return p.Title })},
		{"text", "text", text(func(p *sink.Page) string { return p.Text })},
		{"score", "double precision", func(i *sink.Item) []byte { return strconv.AppendFloat(nil, i.Page.Score, 'g', -1, 64) }},
		{"class", "text", text(func(p *sink.Page) string { return p.Class })},
		{"reasons", "jsonb", func(i *sink.Item) []byte { return list(i.Page.Reasons) }},
		{"lang", "text", text(func(p *sink.Page) string { return p.Lang })},
		{"type", "text", text(func(p *sink.Page) string { return p.Type })},
		{"creators", "jsonb", func(i *sink.Item) []byte { return list(i.Page.Creators) }},
		{"published", "text", text(func(p *sink.Page) string { return p.Published })},
		{"rights", "text", text(func(p *sink.Page) string { return p.Rights })},
		{"fetched", "timestamptz", func(i *sink.Item) []byte {
			if i.Page.Fetched.IsZero() {
				return nil
			}
			return []byte(i.Page.Fetched.UTC().Format(time.RFC3339Nano))
		}},
		{"digest", "text", text(func(p *sink.Page) string { return p.Digest })},
	}
}

// clean removes what a text of PostgreSQL cannot have; nil if nothing is left.
func clean(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd"))
}

// list writes a list as JSON that jsonb takes.
func list[T any](values []T) []byte {
	if len(values) == 0 {
		return []byte("[]")
	}
	text, err := json.Marshal(values)
	if err != nil {
		return []byte("[]") // numbers that are none
	}
	return []byte(strings.ReplaceAll(string(text), `\u0000`, `\ufffd`))
}

// quoted is a name as an identifier, each of its parts.
func quoted(name string) string {
	parts := strings.Split(name, ".")
	for i, p := range parts {
		parts[i] = `"` + strings.ReplaceAll(p, `"`, `""`) + `"`
	}
	return strings.Join(parts, ".")
}

// connectTime bounds a connection's making.
const connectTime = 20 * time.Second

func (t *Table) connect(ctx context.Context) error {
	if t.conn != nil {
		return nil
	}
	cfg, err := pgconn.ParseConfig(t.o.URL)
	if err != nil {
		return fmt.Errorf("postgres.url: %w (%w)", err, orbweaver.ErrInput)
	}
	if t.o.Password != "" {
		cfg.Password = t.o.Password
	}
	cfg.RuntimeParams["application_name"] = "orbweaver"
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
	defs := make([]string, 0, len(columns()))
	for i, c := range columns() {
		def := c.name + " " + c.kind
		if i == 0 {
			def += " PRIMARY KEY"
		}
		defs = append(defs, def)
	}
	have, err := t.rows(ctx, "SELECT a.attname, format_type(a.atttypid, NULL) FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped", quoted(t.o.Table))
	if err == nil && len(have) == 0 {
		_, err = t.rows(ctx, "CREATE TABLE "+quoted(t.o.Table)+" ("+strings.Join(defs, ", ")+")")
		return err
	}
	if err != nil {
		return err
	}
	var missing []string
	for _, c := range columns() {
		kind := strings.ReplaceAll(c.kind, "timestamptz", "timestamp with time zone")
		if !slices.ContainsFunc(have, func(row []string) bool { return row[0] == c.name && row[1] == kind }) {
			missing = append(missing, c.name+" "+c.kind)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("it is there, and lacks columns: %s; add them, or name another table (%w)", strings.Join(missing, ", "), orbweaver.ErrInput)
	}
	if _, err := t.rows(ctx, "EXPLAIN "+t.upsert(), make([]string, len(columns()))...); err != nil { // no unique URL, no right to write
		return fmt.Errorf("rows cannot be written: %w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// rows runs a statement and returns its rows as text. An empty argument is NULL.
func (t *Table) rows(ctx context.Context, statement string, args ...string) (rows [][]string, err error) {
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
		rows = append(rows, texts)
	}
	return rows, result.Err
}

// upsert is the statement that writes a row, unless a later one is there.
func (t *Table) upsert() string {
	var names, places, sets []string
	for i, c := range columns() {
		names = append(names, c.name)
		places = append(places, fmt.Sprintf("$%d::%s", i+1, c.kind))
		if i > 0 {
			sets = append(sets, c.name+" = excluded."+c.name)
		}
	}
	return fmt.Sprintf("INSERT INTO %s AS had (%s) VALUES (%s) ON CONFLICT (url) DO UPDATE SET %s WHERE had.n <= excluded.n",
		quoted(t.o.Table), strings.Join(names, ", "), strings.Join(places, ", "), strings.Join(sets, ", "))
}

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
			var values [][]byte
			for _, c := range columns() {
				values = append(values, c.of(&items[i]))
			}
			b.ExecParams(upsert, values, nil, nil, nil)
		case sink.Withdrawn:
			b.ExecParams("DELETE FROM "+quoted(t.o.Table)+" WHERE url = $1 AND n <= $2::bigint", [][]byte{clean(items[i].URL), strconv.AppendInt(nil, items[i].N, 10)}, nil, nil, nil)
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
