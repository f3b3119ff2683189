//go:build e2e

package crawls_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
)

// served answers SPARQL on loopback until the test ends, and returns the server's address and its
// warnings.
func storeServed(t *testing.T, work store.ServeJob) (here string, warned *strings.Builder) {
	t.Helper()
	r, w := io.Pipe()
	warned = &strings.Builder{}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		err := store.Serve(ctx, &job.Job{Console: console.Console{Out: w, Err: warned}}, work)
		w.CloseWithError(fmt.Errorf("ended: %v", err))
		ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	messages := ""
	buffer := make([]byte, 4096)
	for !strings.Contains(messages, "Ctrl-C") {
		n, err := r.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		messages += string(buffer[:n])
	}
	return regexp.MustCompile(`SPARQL +(\S+)\n`).FindStringSubmatch(messages)[1], warned
}

// TestServe: files are queried over HTTP, and updated in memory only.
func TestServe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.ttl")
	if err := os.WriteFile(file, []byte("<u:a> <u:p> 1 .\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, update := range []bool{false, true} {
		here, warned := storeServed(t, store.ServeJob{Data: store.QueryData{Files: []string{file}}, Listen: "127.0.0.1:0", Update: update})
		res, err := http.PostForm(here, url.Values{"update": {"INSERT DATA { <u:a> <u:p> 2 }"}})
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if (res.StatusCode == http.StatusNoContent) != update {
			t.Error(res.Status)
		}
		res, err = http.Get(here + "?query=" + url.QueryEscape("ASK { <u:a> <u:p> 1, 2 }"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || strings.Contains(string(body), "true") != update || warned.String() != "" {
			t.Errorf("%v %s %s", err, body, warned)
		}
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "<u:a> <u:p> 1 .\n" {
		t.Errorf("%q, %v", content, err)
	}
}
