package sinks_test

import (
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/sinks"
)

// TestNames: names are those given, or kinds with numbers that nobody else has.
func TestNames(t *testing.T) {
	folder, hook := &sinks.Folder{}, &sinks.Webhook{}
	got := sinks.Names([]sinks.Sink{{Folder: folder}, {Webhook: hook}, {Folder: folder}, {Folder: folder, Name: "folder3"}, {Folder: folder}, {Webhook: hook, Name: "mine"}})
	if want := []string{"folder", "webhook", "folder2", "folder3", "folder4", "mine"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCheck: each problem at its key, and no secret in any.
func TestCheck(t *testing.T) {
	hook := func(url string, on ...string) *sinks.Webhook { return &sinks.Webhook{URL: url, On: on} }
	for _, tc := range []struct {
		name string
		all  []sinks.Sink
		want string
	}{
		{"all well", []sinks.Sink{{Folder: &sinks.Folder{Path: "/a"}}, {S3: &sinks.S3{To: "s3://b/c"}}, {Webhook: hook("https://h.test/?key=hush", "end")}}, ""},
		{"no kind", []sinks.Sink{{}}, "[1]: has 0 kinds"},
		{"two kinds", []sinks.Sink{{Folder: &sinks.Folder{Path: "/a"}, S3: &sinks.S3{To: "s3://b"}}}, "[1]: has 2 kinds"},
		{"within the crawl folder", []sinks.Sink{{Folder: &sinks.Folder{Path: "/out/pages"}}}, "[1].folder.path: is in the crawl folder"},
		{"no bucket", []sinks.Sink{{S3: &sinks.S3{To: "http://b"}}}, "[1].s3.to: is no location"},
		{"files removed that a bucket lacks", []sinks.Sink{{S3: &sinks.S3{To: "s3://b", Format: "wacz", Remove: true}}}, "[1].s3.remove: is for format: warc"},
		{"a password of a database", []sinks.Sink{{Postgres: &sinks.Postgres{URL: "postgres://me:hush@h/d", Table: "t"}}}, "[1].postgres.url: holds a password"},
		{"a password in the query", []sinks.Sink{{Postgres: &sinks.Postgres{URL: "postgres://h/d?password=hush", Table: "t"}}}, "[1].postgres.url: holds a password"},
		{"no database", []sinks.Sink{{Postgres: &sinks.Postgres{URL: "host=h password=hush", Table: "t"}}}, "[1].postgres.url: is no URL of a database"},
		{"a certificate without its key", []sinks.Sink{{Postgres: &sinks.Postgres{URL: "postgres://me@h/d", Table: "t", Certificate: "/c"}}}, "[1].postgres.certificate: is of use"},
		{"no table", []sinks.Sink{{Postgres: &sinks.Postgres{URL: "postgres://h/d", Table: "a.b.c"}}}, "[1].postgres.table: is no name"},
		{"a file in the crawl folder", []sinks.Sink{{SQLite: &sinks.SQLite{File: "/out/a.db", Table: "t"}}}, "[1].sqlite.file: is in the crawl folder"},
		{"a table of SQLite's own", []sinks.Sink{{SQLite: &sinks.SQLite{File: "/a.db", Table: "SQLite_x"}}}, "[1].sqlite.table: is no name"},
		{"two tables of a file", []sinks.Sink{{SQLite: &sinks.SQLite{File: "/a.db", Table: "a"}}, {SQLite: &sinks.SQLite{File: "/a.db", Table: "b"}}}, ""},
		{"no URL", []sinks.Sink{{Webhook: hook("ftp://h.test/")}}, "[1].webhook.url: is no URL"},
		{"a password", []sinks.Sink{{Webhook: hook("https://me:hush@h.test/")}}, "[1].webhook.url: holds a user or a password"},
		{"no event", []sinks.Sink{{Webhook: hook("https://h.test/", "acepted")}}, `[1].webhook.on: "acepted" is nothing that is told (did you mean accepted?)`},
		{"no name", []sinks.Sink{{Folder: &sinks.Folder{Path: "/a"}, Name: "a/b"}}, "[1].name: is no name"},
		{"a name twice", []sinks.Sink{{Folder: &sinks.Folder{Path: "/a"}, Name: "A"}, {Folder: &sinks.Folder{Path: "/b"}, Name: "a"}}, "[2].name: is the name of sinks[1]"},
		{"a place twice", []sinks.Sink{{Folder: &sinks.Folder{Path: "/a"}}, {Folder: &sinks.Folder{Path: "/a"}}}, "[2]: delivers where sinks[1] does"},
	} {
		var got []string
		report := func(key, message, hint string) { got = append(got, key+": "+message+" ("+hint+")") }
		sinks.Check(tc.all, "/out", report)
		sinks.CheckReach(tc.all, false, report)
		if all := strings.Join(got, "\n"); !strings.Contains(all, tc.want) || (tc.want == "") != (all == "") || strings.Contains(all, "hush") {
			t.Errorf("%s: %s, want %s", tc.name, all, tc.want)
		}
	}
	if to := (&sinks.Sink{Webhook: hook("https://h.test/x?key=hush")}).To(); to != "https://h.test/x" {
		t.Error(to)
	}
}
