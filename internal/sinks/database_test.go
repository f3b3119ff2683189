package sinks_test

import (
	"maps"
	"strings"
	"testing"

	"orbweaver/internal/sinks"
)

// TestSettings: the URL of a database says all that is needed to connect, and nothing that would have files read or secrets sent.
func TestSettings(t *testing.T) {
	for _, tc := range []struct{ url, problem, hint string }{
		{"postgres://me@h/d", "", ""},
		{"postgresql://me@h,i:5433/d?sslmode=verify-full&target_session_attrs=primary&connect_timeout=5&application_name=x&options=-c%20a=b", "", ""},
		{"postgres://me@/d?host=/run/postgresql", "", ""},
		{"postgres://me:hush@h/d", "holds a password", "password: {env: NAME}"},
		{"postgres://me@h/d?sslpassword=hush", "holds a password", "{file: PATH}"},
		{"postgres://me@h/d?passfile=/etc/passwd", "the parameter passfile", "password: {file: PATH}"},
		{"postgres://me@h/d?sslrootcert=/etc/passwd", "the parameter sslrootcert", "authorities: PATH"},
		{"postgres://me@h/d?sslcert=/etc/passwd&sslkey=/k", "the parameter ssl", "certificate: PATH and key: PATH"},
		{"postgres://me@h/d?service=x", "the parameter service", "what the service says"},
		{"postgres://me@h/d?servicefile=/etc/passwd", "the parameter servicefile", "what the service says"},
		{"postgres://me@h/d?user=you", "the parameter user", "a part of the URL"},
		{"postgres://me@h/d?krbspn=x", `the unknown parameter "krbspn"`, "it may have application_name,"},
		{"postgres://me@h/d?SSLMODE=disable", `the unknown parameter "SSLMODE"`, ""},
		{"postgres://me@h/d?sslmod=require", "unknown", "did you mean sslmode?"},
		{"postgres://me@h/d?sslmode=on", "sslmode=on, which there is not", "it is disable, allow"},
		{"postgres://me@h/d?sslmode=require&sslmode=disable", "sslmode twice", ""},
		{"postgres://me@h/d?host=/run", "the parameter host", ""},
		{"postgres://me@/d?host=other.example", "the parameter host", ""},
		{"postgres://me@h/d?a;b", "no list of parameters", ""},
		{"postgres:///d", "names no host", "host=/FOLDER"},
		{"postgres://h/d", "names no user", "postgres://USER@HOST"},
	} {
		_, problem, hint := (&sinks.Postgres{URL: tc.url}).Settings()
		if !strings.Contains(problem, tc.problem) || (tc.problem == "") != (problem == "") || !strings.Contains(hint, tc.hint) || strings.Contains(problem+hint, "hush") {
			t.Errorf("%s: %s (%s), want %s (%s)", tc.url, problem, hint, tc.problem, tc.hint)
		}
	}
	got, _, _ := (&sinks.Postgres{URL: "postgres://me@[::1]:5433/d?sslmode=disable"}).Settings()
	if want := map[string]string{"host": "::1", "port": "5433", "user": "me", "database": "d", "sslmode": "disable"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestConfined: a crawl file from somebody who may use the files of a folder alone names no sink that would get what is the process's own.
func TestConfined(t *testing.T) {
	for _, tc := range []struct {
		sink sinks.Sink
		want string
	}{
		{sinks.Sink{Postgres: &sinks.Postgres{URL: "postgres://me@h/d", Table: "t"}}, ""},
		{sinks.Sink{Postgres: &sinks.Postgres{URL: "postgres://me@/d?host=/run/postgresql", Table: "t"}}, "[1].postgres.url: is a socket"},
		{sinks.Sink{S3: &sinks.S3{To: "s3://b?endpoint=elsewhere.example"}}, "[1].s3.to: needs the keys in the environment"},
	} {
		got := ""
		report := func(key, message, _ string) { got += key + ": " + message }
		if sinks.CheckReach([]sinks.Sink{tc.sink}, false, report); got != "" {
			t.Errorf("from a file of one's own: %s", got)
		}
		if sinks.CheckReach([]sinks.Sink{tc.sink}, true, report); !strings.HasPrefix(got, tc.want) || (got == "") != (tc.want == "") {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
