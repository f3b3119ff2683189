//go:build e2e

package crawls_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/internal/upkeep"
	"orbweaver/ledger"
)

// kept backs up, compacts and dumps a store in use, and returns the dumps of the store and of the backup.
func kept(t *testing.T, dir string) (at, backup string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "backup")
	for _, do := range []func(a *job.Job) error{
		func(a *job.Job) error { return upkeep.Backup(t.Context(), a, dir, to) },
		func(a *job.Job) error { return upkeep.Compact(t.Context(), a, dir) },
	} {
		if said, err := says(do); err != nil || said == "" {
			t.Errorf("%q, %v", said, err)
		}
	}
	return dumped(t, dir, store.Dumping{}), dumped(t, to, store.Dumping{})
}

// TestBesideServe: a store is looked after while it is served, between two updates: what an upload that is not over
// yet will add is in none of it, and all of it afterwards.
func TestBesideServe(t *testing.T) {
	dir := stored(t, one)
	before := dumped(t, dir, store.Dumping{})
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- store.Serve(ctx, &job.Job{Console: console.Console{Out: w, Err: io.Discard}}, store.ServeJob{Data: store.QueryData{Crawl: dir}, Listen: "127.0.0.1:0", Update: true})
		w.Close()
	}()
	said, buffer := "", make([]byte, 4096)
	for !strings.Contains(said, "Ctrl-C") {
		n, err := r.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		said += string(buffer[:n])
	}
	graphs := regexp.MustCompile(`graph store +(\S+)\n`).FindStringSubmatch(said)[1]
	body, end := io.Pipe()
	put := make(chan error, 1)
	go func() {
		res, err := http.Post(graphs+"?graph=u:new", "text/turtle", body)
		if err == nil {
			res.Body.Close()
			if res.StatusCode != http.StatusCreated {
				err = fmt.Errorf("%s", res.Status)
			}
		}
		put <- err
	}()
	if _, err := io.WriteString(end, strings.Repeat("<u:s> <u:p> 1 .\n", 5000)); err != nil {
		t.Fatal(err)
	}
	if at, backup := kept(t, dir); at != before || backup != before {
		t.Errorf("while a graph is sent: %q, in the backup %q", at, backup)
	}
	end.Close()
	if err := <-put; err != nil {
		t.Error(err)
	}
	if at, backup := kept(t, dir); at != backup || strings.Count(at, "\n") != 4 {
		t.Errorf("afterwards: %q, in the backup %q", at, backup)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestBesideCrawl: the store of a crawl is looked after while it runs.
func TestBesideCrawl(t *testing.T) {
	dir, _ := apptest.PausedCrawl(t, toy.DemoLines(t)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { toy.Fill(t, l, 50) })
	at, backup := kept(t, dir)
	if at == "" || !strings.Contains(at, "<http://orbweaver.example/terms#hasOutlink>") {
		t.Errorf("the crawl: %q", at)
	}
	if !strings.Contains(backup, "<http://orbweaver.example/terms#hasOutlink>") {
		t.Errorf("the backup: %q", backup)
	}
}
