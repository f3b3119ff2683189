// Package rows is what sinks that write rows of an SQL table share: the columns, the values that a page has for them, and the statements that
// write and delete a row.
//
// Values are texts, which PostgreSQL and SQLite convert to the type of their column. The statements are of the SQL that both have.
//
// This package is not part of the stable API.
package rows

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"orbweaver/sink"
)

// A Kind is the type of a column.
type Kind uint8

// The kinds of columns.
const (
	Text    Kind = iota // without NUL, valid UTF-8
	Integer             // of 64 bits
	Real                // of 64 bits
	JSON                // a list
	Time                // RFC 3339, in UTC
)

// A Column is a name with its type, and what an accepted page has for it; nil: NULL.
type Column struct {
	Name string
	Kind Kind
	Of   func(i *sink.Item) []byte
}

// Columns returns the columns of a table, the URL, which is its key, first.
func Columns() []Column {
	text := func(of func(p *sink.Page) string) func(*sink.Item) []byte {
		return func(i *sink.Item) []byte { return Clean(of(i.Page)) }
	}
	return []Column{
		{"url", Text, func(i *sink.Item) []byte { return Clean(i.URL) }},
		{"id", Text, func(i *sink.Item) []byte { return Clean(i.ID) }},
		{"n", Integer, func(i *sink.Item) []byte { return strconv.AppendInt(nil, i.N, 10) }},
		{"outcome", Integer, func(i *sink.Item) []byte { return strconv.AppendInt(nil, i.Page.Outcome, 10) }},
		{"title", Text, text(func(p *sink.Page) string { return p.Title })},
		{"text", Text, text(func(p *sink.Page) string { return p.Text })},
		{"score", Real, func(i *sink.Item) []byte { return strconv.AppendFloat(nil, i.Page.Score, 'g', -1, 64) }},
		{"class", Text, text(func(p *sink.Page) string { return p.Class })},
		{"reasons", JSON, func(i *sink.Item) []byte { return list(i.Page.Reasons) }},
		{"lang", Text, text(func(p *sink.Page) string { return p.Lang })},
		{"type", Text, text(func(p *sink.Page) string { return p.Type })},
		{"creators", JSON, func(i *sink.Item) []byte { return list(i.Page.Creators) }},
		{"published", Text, text(func(p *sink.Page) string { return p.Published })},
		{"rights", Text, text(func(p *sink.Page) string { return p.Rights })},
		{"fetched", Time, func(i *sink.Item) []byte {
			if i.Page.Fetched.IsZero() {
				return nil
			}
			return []byte(i.Page.Fetched.UTC().Format(time.RFC3339Nano))
		}},
		{"digest", Text, text(func(p *sink.Page) string { return p.Digest })},
	}
}

// Clean replaces what a text of a database cannot have by U+FFFD; nil if the text is empty.
func Clean(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd"))
}

// list writes a list as JSON without NUL.
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

// Quoted is a name as an identifier.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Create is the statement that makes a table. The table is an identifier, types are the names of the kinds.
func Create(table string, types func(Kind) string) string {
	var defs []string
	for i, c := range Columns() {
		def := c.Name + " " + types(c.Kind)
		if i == 0 {
			def += " PRIMARY KEY"
		}
		defs = append(defs, def)
	}
	return "CREATE TABLE " + table + " (" + strings.Join(defs, ", ") + ")"
}

// Missing returns the columns with their types that a table of such columns (name, type) lacks.
func Missing(have map[string]string, types func(Kind) string) (all []string) {
	for _, c := range Columns() {
		if is := have[c.Name]; !strings.EqualFold(is, types(c.Kind)) {
			all = append(all, c.Name+" "+types(c.Kind))
		}
	}
	return all
}

// Upsert is the statement that writes a row, unless one of a later version is there. Its arguments are the values of Columns, each written as
// place says.
func Upsert(table string, place func(i int, kind Kind) string) string {
	var names, places, sets []string
	for i, c := range Columns() {
		names = append(names, c.Name)
		places = append(places, place(i+1, c.Kind))
		if i > 0 {
			sets = append(sets, c.Name+" = excluded."+c.Name)
		}
	}
	return fmt.Sprintf("INSERT INTO %s AS had (%s) VALUES (%s) ON CONFLICT (url) DO UPDATE SET %s WHERE had.n <= excluded.n",
		table, strings.Join(names, ", "), strings.Join(places, ", "), strings.Join(sets, ", "))
}

// Delete is the statement that deletes the row of a URL, unless it is of a later version. Its arguments are those of DeleteValues.
func Delete(table string, place func(i int, kind Kind) string) string {
	return "DELETE FROM " + table + " WHERE url = " + place(1, Text) + " AND n <= " + place(2, Integer)
}

// Values returns the arguments of Upsert for an accepted page.
func Values(i *sink.Item) (all [][]byte) {
	for _, c := range Columns() {
		all = append(all, c.Of(i))
	}
	return all
}

// DeleteValues returns the arguments of Delete for a page that is withdrawn.
func DeleteValues(i *sink.Item) [][]byte {
	return [][]byte{Clean(i.URL), strconv.AppendInt(nil, i.N, 10)}
}
