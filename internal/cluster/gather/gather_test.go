package gather_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"orbweaver"
	"orbweaver/internal/cluster/gather"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// workerAt makes the folder of a worker that made requests and has learned of the first of them; 0: it has a model that knows nothing, -1: none.
func workerAt(t *testing.T, folder string, requests, learned int) gather.Folder {
	t.Helper()
	book, err := ledger.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range requests {
		if i == learned {
			err = book.Commit(step.Batch{Model: []byte(filepath.Base(folder)), Progress: book.Progress()})
		}
		if err == nil {
			r := orbweaver.Request{URL: fmt.Sprintf("http://%s.test/%d", filepath.Base(folder), i)}
			_, err = book.TakeIn(orbweaver.Outcome{Request: r, Status: 404}, nil, step.Progress{Requests: int64(i + 1)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if requests == learned {
		err = book.Commit(step.Batch{Model: []byte(filepath.Base(folder)), Progress: book.Progress()})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	return gather.Folder(folder)
}

// TestModels: there are models of all workers, or it is said that one is missing: of one that was killed, that has none, or that is away.
func TestModels(t *testing.T) {
	dir := t.TempDir()
	at := func(name string, requests, learned int) gather.Source {
		return workerAt(t, filepath.Join(dir, name), requests, learned)
	}
	a, b, idle := at("a", 3, 3), at("b", 2, 2), at("idle", 0, -1)
	killed, none := at("killed", 5, 4), at("none", 1, -1)
	for _, tc := range []struct {
		name        string
		of, sources []gather.Source
		whole       bool
		models      string
	}{
		{"all", []gather.Source{a, b, idle}, []gather.Source{a, b, idle}, true, "map[a:a b:b]"},
		{"one was killed", []gather.Source{a, killed}, []gather.Source{a, killed}, false, ""},
		{"one has no model", []gather.Source{none, a}, []gather.Source{none, a}, false, ""},
		{"one is away", []gather.Source{a, b}, []gather.Source{b}, false, ""},
		{"nobody has anything", []gather.Source{idle}, []gather.Source{idle}, false, ""},
	} {
		folder := filepath.Join(dir, "all of "+tc.name)
		err := gather.Begin(folder, len(tc.of), func() error { return os.MkdirAll(folder, 0o777) })
		if err != nil {
			t.Fatal(err)
		}
		book, err := ledger.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := gather.Into(t.Context(), folder, book, tc.of...); err != nil {
			t.Fatal(err)
		}
		if err := book.Close(); err != nil {
			t.Fatal(err)
		}
		models, whole := gather.Models(t.Context(), folder, tc.sources...)
		if whole != tc.whole || whole && fmt.Sprintf("%s", models) != tc.models {
			t.Errorf("%s: %s, %v", tc.name, models, whole)
		}
	}
	if model, err := killed.Model(t.Context(), false); err != nil || string(model) != "killed" {
		t.Errorf("of the killed one %q: %v", model, err)
	}
}
