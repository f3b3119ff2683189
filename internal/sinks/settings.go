// Package sinks is the section sinks of a crawl file: where accepted pages go. It opens and reaches nothing.
package sinks

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver/internal/crawlfile/notation"
)

// A Sink is an entry of the section: exactly one of its kinds is not nil.
type Sink struct {
	Folder   *Folder   `yaml:"folder" short:"path" type:"path, or section" doc:"A folder of files. folder: PATH is short for {path: PATH}."`
	SQLite   *SQLite   `yaml:"sqlite" short:"file" type:"path, or section" doc:"A table in a file of SQLite, with a row for each page. sqlite: PATH is short for {file: PATH}."`
	Postgres *Postgres `yaml:"postgres" type:"section" doc:"A table of PostgreSQL, with a row for each page."`
	S3       *S3       `yaml:"s3" short:"to" type:"s3://BUCKET/PREFIX, or section" doc:"A bucket of an S3 server, which gets the crawl's archives. s3: LOCATION is short for {to: LOCATION}."`
	Webhook  *Webhook  `yaml:"webhook" short:"url" type:"URL, or section" doc:"A URL of yours, which gets pages as JSON by POST. webhook: URL is short for {url: URL}."`
	Name     string    `yaml:"name" type:"text" doc:"What the sink is called in messages, and by orbweaver sink. Default: its kind, with a number if there are several."`
	Behind   int64     `yaml:"behind" default:"1000" min:"1" max:"1000000000" doc:"Accepted pages that the sink may be behind. Beyond that the crawl makes no request until the sink has half of them."`
}

// Folder is a folder of files.
type Folder struct {
	Path   string `yaml:"path" as:"folder" need:"yes" type:"path" doc:"The folder; it is made if it is missing."`
	Format string `yaml:"format" default:"markdown" oneof:"markdown|jsonl" doc:"markdown: a file for each page, with YAML front matter. jsonl: one file, pages.jsonl, with a line for each page."`
}

// SQLite is a table in a file.
type SQLite struct {
	File  string `yaml:"file" as:"written" need:"yes" type:"path" doc:"The file, on a disk of this machine; it is made if it is missing. Beside it SQLite keeps FILE-wal and FILE-shm while it is open."`
	Table string `yaml:"table" default:"pages" type:"text" doc:"The table's name. It is made if it is missing; one that is there must have the same columns."`
}

// Postgres is a table. What reaches its server is what stands here: nothing comes from the variables and files of libpq.
type Postgres struct {
	URL         string          `yaml:"url" need:"yes" doc:"The database: postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full. Parameters: sslmode, sslnegotiation, connect_timeout, application_name, options, target_session_attrs, and host for the folder of a socket. PGPASSWORD, .pgpass and the other variables and files of libpq do not count."`
	Password    notation.Secret `yaml:"password" type:"{env: NAME} or {file: PATH}" doc:"The user's password. password: {env: PGPASSWORD} takes the variable of libpq. Default: none."`
	Authorities string          `yaml:"authorities" as:"file" type:"path" doc:"A PEM file of the authorities that may sign the server's certificate, instead of those of the system."`
	Certificate string          `yaml:"certificate" as:"file" type:"path" doc:"A PEM file with the certificate that is shown to the server."`
	Key         string          `yaml:"key" as:"file" type:"path" doc:"The certificate's key: a PEM file without a password."`
	Table       string          `yaml:"table" default:"pages" type:"text" doc:"The table's name, perhaps after that of a schema and a dot. It is made if it is missing; one that is there must have the same columns."`
}

// S3 is a bucket.
type S3 struct {
	To     string `yaml:"to" need:"yes" type:"s3://BUCKET/PREFIX" doc:"The bucket, and what all keys begin with, as in s3://crawls/mine?endpoint=10.0.0.9:9000. Credentials come from the environment: see cluster.md."`
	Format string `yaml:"format" default:"warc" oneof:"warc|wacz" doc:"warc: each WARC file when it is full, the last when the crawl ends. wacz: one WACZ file with the accepted pages, each time the crawl ends."`
	Remove bool   `yaml:"remove" default:"false" doc:"With format: warc: when the crawl is over and all sinks have all, WARC files that the bucket has are read again there and, if they are the same, removed here, all but the last."`
}

// Webhook is a URL that messages are sent to.
type Webhook struct {
	URL    string          `yaml:"url" need:"yes" type:"URL" doc:"Where messages are sent, by POST. It may be at a private address."`
	Secret notation.Secret `yaml:"secret" type:"{env: NAME} or {file: PATH}" doc:"The key by which messages are signed (HMAC-SHA256). Default: they are not signed."`
	On     []string        `yaml:"on" type:"list of accepted, withdrawn, verdict, end" doc:"What is told. Default: all."`
	Most   int             `yaml:"most" default:"20" min:"1" max:"1000" doc:"Pages in one message at most."`
}

// Kinds are the keys of the kinds.
func Kinds() []string { return []string{"folder", "sqlite", "postgres", "s3", "webhook"} }

// Events are what a webhook can be told.
func Events() []string { return []string{"accepted", "withdrawn", "verdict", "end"} }

// kinds returns the kinds that an entry has.
func (s *Sink) kinds() (given []string) {
	for i, is := range []bool{s.Folder != nil, s.SQLite != nil, s.Postgres != nil, s.S3 != nil, s.Webhook != nil} {
		if is {
			given = append(given, Kinds()[i])
		}
	}
	return given
}

// Kind returns the kind of an entry that Check found in order.
func (s *Sink) Kind() string { return strings.Join(s.kinds(), "|") }

// To returns where an entry delivers, in one line without secrets. Two that deliver to the same place in the same form have the same.
func (s *Sink) To() string {
	switch {
	case s.Folder != nil:
		return s.Folder.Path + " (" + s.Folder.Format + ")"
	case s.SQLite != nil:
		return s.SQLite.File + " (table " + s.SQLite.Table + ")"
	case s.Postgres != nil:
		return withoutQuery(s.Postgres.URL) + " (table " + s.Postgres.Table + ")"
	case s.S3 != nil:
		return s.S3.To + " (" + s.S3.Format + ")"
	case s.Webhook != nil:
		return withoutQuery(s.Webhook.URL)
	}
	return ""
}

// withoutQuery removes from a URL what may be a secret.
func withoutQuery(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// Names returns the names of entries, in their order: those given, and else the kind, with a number from the second one of a kind on.
func Names(all []Sink) []string {
	names, of := make([]string, len(all)), map[string]int{}
	for i := range all {
		if names[i] = all[i].Name; names[i] != "" {
			continue
		}
		kind := all[i].Kind()
		for {
			if of[kind]++; of[kind] == 1 {
				names[i] = kind
			} else {
				names[i] = fmt.Sprintf("%s%d", kind, of[kind])
			}
			if !slices.ContainsFunc(all, func(other Sink) bool { return other.Name == names[i] }) {
				break
			}
		}
	}
	return names
}

// Check reports what is wrong: the key, relative to sinks and counted from 1, and the problem. output is the crawl folder.
func Check(all []Sink, output string, problem func(key, message, hint string)) {
	for i := range all {
		s, at := &all[i], fmt.Sprintf("[%d]", i+1)
		if given := s.kinds(); len(given) != 1 {
			problem(at, fmt.Sprintf("has %d kinds", len(given)), "write exactly one of "+strings.Join(Kinds(), ", "))
			continue
		}
		if strings.ContainsFunc(s.Name, notOfName) || len(s.Name) > 64 || strings.HasPrefix(s.Name, ".") {
			problem(at+".name", "is no name", "at most 64 letters, digits, - and _")
		}
		for k := range i {
			if s.Name != "" && strings.EqualFold(all[k].Name, s.Name) {
				problem(at+".name", fmt.Sprintf("is the name of sinks[%d], too", k+1), "")
			}
			if len(all[k].kinds()) == 1 && all[k].Kind() == s.Kind() && all[k].To() == s.To() && s.To() != "" {
				problem(at, fmt.Sprintf("delivers where sinks[%d] does", k+1), "leave one of them out")
			}
		}
		s.check(output, func(key, message, hint string) { problem(at+"."+s.Kind()+"."+key, message, hint) })
	}
}

func (s *Sink) check(output string, problem func(key, message, hint string)) {
	switch {
	case s.Folder != nil:
		checkPlace("path", s.Folder.Path, output, problem)
	case s.SQLite != nil:
		checkPlace("file", s.SQLite.File, output, problem)
		if !isName(s.SQLite.Table) || strings.HasPrefix(strings.ToLower(s.SQLite.Table), "sqlite_") {
			problem("table", "is no name of a table", "at most 63 bytes, not beginning with sqlite_")
		}
	case s.Postgres != nil:
		checkDatabase(s.Postgres, problem)
	case s.S3 != nil:
		if s.S3.To != "" && !strings.HasPrefix(s.S3.To, "s3://") {
			problem("to", "is no location of a bucket", "write s3://BUCKET/PREFIX?endpoint=HOST:PORT")
		}
		if s.S3.Remove && s.S3.Format == "wacz" {
			problem("remove", "is for format: warc: a WACZ file has the accepted pages alone", "")
		}
	case s.Webhook != nil:
		checkURL(s.Webhook.URL, problem)
		for _, on := range s.Webhook.On {
			if !slices.Contains(Events(), on) {
				hint := "it has: " + strings.Join(Events(), ", ")
				if near := notation.Nearest(on, Events()); near != "" {
					hint = "did you mean " + near + "?"
				}
				problem("on", fmt.Sprintf("%q is nothing that is told", on), hint)
			}
		}
	}
}

// checkPlace reports a place in the crawl folder.
func checkPlace(key, path, output string, problem func(key, message, hint string)) {
	if in, err := filepath.Rel(output, path); path != "" && err == nil && filepath.IsLocal(in) {
		problem(key, "is in the crawl folder", "choose another place")
	}
}

// isName reports whether a text can be the name of a table.
func isName(text string) bool {
	return text != "" && len(text) <= 63 && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '"' })
}

func checkDatabase(p *Postgres, problem func(key, message, hint string)) {
	if (p.Certificate == "") != (p.Key == "") {
		problem("certificate", "is of use with its key alone", "write certificate: PATH and key: PATH")
	}
	parts := strings.Split(p.Table, ".")
	if len(parts) > 2 || slices.ContainsFunc(parts, func(part string) bool { return !isName(part) }) {
		problem("table", "is no name of a table", "a name, or SCHEMA.NAME, of at most 63 bytes each")
	}
}

func checkURL(text string, problem func(key, message, hint string)) {
	u, err := url.Parse(text)
	switch {
	case text == "":
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		problem("url", "is no URL of http or https", "")
	case u.User != nil:
		problem("url", "holds a user or a password, and a crawl file holds none", "sign messages by secret: {env: NAME}")
	}
}

// notOfName reports whether a rune stands in no name of a sink.
func notOfName(r rune) bool {
	return r != '-' && r != '_' && r != '.' && (r > 'z' || (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9'))
}
