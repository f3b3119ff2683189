//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/server"
)

// loads begins to load N-Triples that a test writes, and returns where it writes them and how the load ended.
func loads(t *testing.T, dir string) (io.WriteCloser, <-chan error) {
	t.Helper()
	in, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard, In: in}}
		err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{"-"}, From: "ntriples"})
		in.CloseWithError(fmt.Errorf("ended: %v", err))
		ended <- err
	}()
	return out, ended
}

// TestQueryBesideLoad: while a file is loaded, queries are answered from the state before; when it is loaded, from the state after. What
// would change the store is refused, and says why.
func TestQueryBesideLoad(t *testing.T) {
	folder := t.TempDir()
	dir := filepath.Join(folder, "store")
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{toy.Put(t, folder, "a.nt", "<u:a> <u:p> \"before\" .\n")}}); err != nil {
		t.Fatal(err)
	}
	out, ended := loads(t, dir)
	if _, err := io.WriteString(out, strings.Repeat("<u:a> <u:p> \"after\" .\n", 10_000)); err != nil {
		t.Fatal(err)
	}
	const all = "SELECT ?o { <u:a> <u:p> ?o } ORDER BY ?o"
	for range 3 {
		if got := apptest.Ask(t, dir, all); got != "o\nbefore\n" {
			t.Errorf("while it is loaded: %q", got)
		}
	}
	info, err := os.Stat(filepath.Join(dir, server.SocketFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	for what, change := range map[string]func() error{
		"load": func() error { return store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{"-"}}) },
		"update": func() error {
			return store.Query(t.Context(), a, store.QueryOptions{Text: "CLEAR ALL", Update: true, Data: store.QueryData{Crawl: dir}})
		},
		"search": func() error {
			return store.Query(t.Context(), a, store.QueryOptions{Text: "SELECT * { ?s <http://orbweaver.example/terms#nameMatches> \"x\" }", Data: store.QueryData{Crawl: dir}})
		},
	} {
		if err := change(); err == nil || !errors.Is(err, orbweaver.ErrBusy) {
			t.Errorf("%s meanwhile: %v", what, err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := apptest.Ask(t, dir, all); got != "o\nafter\nbefore\n" {
		t.Errorf("when it is loaded: %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, server.SocketFile)); err == nil {
		t.Error("the socket stays")
	}
}

// stalls is where an answer goes that nobody reads until it is opened.
type stalls struct {
	began, open chan struct{}
	got         bytes.Buffer
}

func (s *stalls) Write(p []byte) (int, error) {
	if s.got.Len() == 0 {
		close(s.began)
	}
	<-s.open
	return s.got.Write(p)
}

// TestQueryOutlivesLoad: a query that began while a file was loaded is answered in full, from the state before, though the
// load is done.
func TestQueryOutlivesLoad(t *testing.T) {
	folder := t.TempDir()
	dir := filepath.Join(folder, "store")
	var text strings.Builder
	const n = 60_000
	for i := range n {
		fmt.Fprintf(&text, "<u:%d> <u:p> \"some text that is long enough to fill what lies between two processes\" .\n", i)
	}
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{toy.Put(t, folder, "a.nt", text.String())}}); err != nil {
		t.Fatal(err)
	}
	out, ended := loads(t, dir)
	if _, err := io.WriteString(out, "<u:new> <u:p> \"new\" .\n"); err != nil {
		t.Fatal(err)
	}
	answer := &stalls{began: make(chan struct{}), open: make(chan struct{})}
	asked := make(chan error, 1)
	go func() {
		b := &job.Job{Console: console.Console{Out: answer, Err: io.Discard}}
		asked <- store.Query(context.WithoutCancel(t.Context()), b, store.QueryOptions{Text: "SELECT ?s ?o { ?s <u:p> ?o }", Format: "csv", Data: store.QueryData{Crawl: dir}})
	}()
	select {
	case <-answer.began:
	case err := <-asked:
		t.Fatalf("it was answered at once: %v", err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		t.Errorf("the load did not wait: %v", err)
	default:
	}
	close(answer.open)
	if err := <-asked; err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if rows := strings.Count(answer.got.String(), "\n") - 1; rows != n {
		t.Errorf("%d rows", rows)
	}
}
