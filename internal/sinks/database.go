package sinks

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"orbweaver/internal/crawlfile/notation"
)

// writtenDatabase is how a database is written.
const writtenDatabase = "postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full"

// settingsOfURLs are the parameters that the URL of a database may have, those of libpq that read no file.
func settingsOfURLs() []string {
	return []string{"application_name", "connect_timeout", "host", "options", "sslmode", "sslnegotiation", "target_session_attrs"}
}

// wordsOf are the values that a parameter may have; none: it is free.
func wordsOf(parameter string) []string {
	switch parameter {
	case "sslmode":
		return []string{"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}
	case "target_session_attrs":
		return []string{"any", "read-write", "read-only", "primary", "standby", "prefer-standby"}
	}
	return nil
}

// insteadOf is what to write instead of a parameter of libpq that reads a file, or that belongs elsewhere;
// empty: it is none of these.
func insteadOf(parameter string) string {
	switch parameter {
	case "passfile":
		return "write password: {file: PATH} beside url, with the password alone in the file"
	case "sslrootcert":
		return "write authorities: PATH beside url; without it sslmode=verify-full trusts the authorities of the system"
	case "sslcert", "sslkey":
		return "write certificate: PATH and key: PATH beside url"
	case "service", "servicefile":
		return "write what the service says: " + writtenDatabase
	case "user", "dbname", "database", "port":
		return "write it as a part of the URL: " + writtenDatabase
	}
	return ""
}

// Settings returns what the URL of a database says, by libpq's keywords, without a password. If the URL is
// not enough to connect, or says more than it may, problem says why, and hint what to do.
func (p *Postgres) Settings() (all map[string]string, problem, hint string) {
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, "is no URL of a database", "write " + writtenDatabase
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || u.Fragment != "" {
		return nil, "has an end that is no list of parameters", "write " + writtenDatabase
	}
	if _, is := u.User.Password(); is || query.Has("password") || query.Has("sslpassword") {
		return nil, "holds a password, and a crawl file holds none", "write password: {env: NAME} or {file: PATH} beside url"
	}
	all = map[string]string{
		"host": u.Hostname(), "port": u.Port(), "user": u.User.Username(), "database": strings.TrimLeft(u.Path, "/"),
	}
	for name, values := range query {
		if problem, hint := checkParameter(name, values); problem != "" {
			return nil, problem, hint
		}
		if name == "host" && (u.Hostname() != "" || !strings.HasPrefix(values[0], "/")) {
			return nil, "has the parameter host, which is for the folder of a socket", "write " + writtenDatabase
		}
		all[name] = values[0]
	}
	if all["host"] == "" {
		return nil, "names no host", "write " + writtenDatabase + "; for a socket of this machine postgres://USER@/DATABASE?host=/FOLDER"
	}
	if all["user"] == "" {
		return nil, "names no user", "write " + writtenDatabase
	}
	return all, "", ""
}

// checkParameter reports a parameter that the URL of a database may not have.
func checkParameter(name string, values []string) (problem, hint string) {
	known := settingsOfURLs()
	switch instead := insteadOf(name); {
	case instead != "":
		return fmt.Sprintf("has the parameter %s, which it may not have", name), instead
	case !slices.Contains(known, name):
		hint = "it may have " + strings.Join(known, ", ") + "; a setting NAME of the server: options=-c%20NAME=VALUE"
		if near := notation.Nearest(name, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		return fmt.Sprintf("has the unknown parameter %q", name), hint
	case len(values) > 1:
		return "has the parameter " + name + " twice", ""
	}
	if words := wordsOf(name); len(words) > 0 && !slices.Contains(words, values[0]) {
		return fmt.Sprintf("has %s=%s, which there is not", name, values[0]), "it is " + notation.Alternatives(words)
	}
	return "", ""
}

// CheckReach reports, as Check does, sinks that cannot be reached as the file has it. With confined, for a
// crawl file from somebody who may use the files of a folder alone, it also reports those to which this
// process would show what is its own: its keys, and its user.
func CheckReach(all []Sink, confined bool, problem func(key, message, hint string)) {
	const hint = "run this crawl by orbweaver crawl"
	for i := range all {
		s, at := &all[i], fmt.Sprintf("[%d].", i+1)
		if s.S3 != nil && confined {
			problem(at+"s3.to", "needs the keys in the environment of this process, which is not allowed here", hint)
		}
		if s.Postgres == nil || s.Postgres.URL == "" {
			continue
		}
		settings, message, advice := s.Postgres.Settings()
		switch {
		case message != "":
			problem(at+"postgres.url", message, advice)
		case confined && strings.HasPrefix(settings["host"], "/"):
			problem(at+"postgres.url", "is a socket, where this process's own user counts, which is not allowed here", hint)
		}
	}
}
