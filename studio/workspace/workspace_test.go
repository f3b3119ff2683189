package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

func open(t *testing.T, dir string, o workspace.Options) *workspace.Workspace {
	t.Helper()
	o.Spare = -1
	w, err := workspace.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// await waits until a crawl is in one of the states.
func await(t *testing.T, w *workspace.Workspace, id string, states ...workspace.State) workspace.Crawl {
	t.Helper()
	for {
		changed := w.Changed()
		c, err := w.Crawl(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range states {
			if c.State == s {
				return c
			}
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("%s is %s", id, c.State)
		}
	}
}

// TestDemo: the demo crawl is there after one call, ends, and is deleted and restored.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, workspace.Options{})
	if all, err := w.Crawls(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("a new workspace has %v, %v", all, err)
	}
	if _, err := w.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := await(t, w, "aircraft", workspace.Ended, workspace.Stopped)
	if c.State != workspace.Ended || c.End != "limit" || c.Status == nil || c.Status.Progress.Pages < 100 || c.Bytes < 100_000 || c.File != "aircraft.yaml" || c.Folder != "crawls/aircraft" || c.Error != "" {
		t.Errorf("%+v", c)
	}
	var best crawl.PageList
	if err := w.Use(t.Context(), "aircraft", func(c *crawl.Crawl) (err error) {
		best, err = c.Pages(t.Context(), crawl.PageQuery{Sort: "score", Limit: 3})
		return err
	}); err != nil || len(best.Pages) != 3 || best.Pages[0].Score < best.Pages[2].Score || best.Pages[2].Score == 0 {
		t.Errorf("%+v, %v", best.Pages, err)
	}
	thrown, err := w.Delete(t.Context(), "aircraft")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Crawl(t.Context(), "aircraft"); !errors.Is(err, workspace.ErrUnknown) {
		t.Errorf("deleted: %v", err)
	}
	if all, err := w.Trash(); err != nil || len(all) != 1 || all[0].Crawl != "aircraft" {
		t.Errorf("%+v, %v", all, err)
	}
	if back, err := w.Restore(t.Context(), thrown.ID); err != nil || back.Status == nil || back.Status.Progress != c.Status.Progress {
		t.Errorf("%+v, %v", back, err)
	}
	if _, err := w.Restore(t.Context(), thrown.ID); !errors.Is(err, workspace.ErrUnknown) {
		t.Errorf("restored twice: %v", err)
	}
}

const small = "seeds: [http://tidings.example/]\nweb: {archive: demo/demo.warc.gz}\nfocus: {keyword: {terms: [aircraft]}}\nlimits: {requests: 40}\n"

// TestQueue: as many crawls run at once as may, a paused one waits, and all end.
func TestQueue(t *testing.T) {
	w := open(t, t.TempDir(), workspace.Options{AtOnce: 1})
	if _, err := w.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"one", "two", "three"} {
		if _, err := w.Create(t.Context(), id, []byte(small)); err != nil {
			t.Fatal(err)
		}
		if err := w.Start(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Pause(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	await(t, w, "three", workspace.Ended)
	if c, err := w.Crawl(t.Context(), "two"); err != nil || c.State != workspace.Paused {
		t.Errorf("%+v, %v", c, err)
	}
	if err := w.Resume(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	await(t, w, "two", workspace.Ended)
}

// TestGoesOn: what ran or waited when a workspace was closed goes on when it is opened again; what was stopped does not.
func TestGoesOn(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, workspace.Options{AtOnce: 1})
	if _, err := w.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"one", "two", "three"} {
		if _, err := w.Create(t.Context(), id, []byte(small)); err != nil {
			t.Fatal(err)
		}
		if err := w.Start(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Stop(t.Context(), "three"), w.Close()); err != nil {
		t.Fatal(err)
	}
	w = open(t, dir, workspace.Options{AtOnce: 1})
	await(t, w, "two", workspace.Ended)
	await(t, w, "one", workspace.Ended)
	await(t, w, "aircraft", workspace.Ended)
	if c, err := w.Crawl(t.Context(), "three"); err != nil || c.State != workspace.New {
		t.Errorf("stopped in the queue: %+v, %v", c, err)
	}
}

// TestConfined: crawl files and files from outside stay within the workspace, and all problems come at once.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	w := open(t, filepath.Join(dir, "w"), workspace.Options{})
	if err := os.WriteFile(filepath.Join(dir, "secret.ttl"), []byte("<a:b> <a:c> <a:d> .\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "w", "link")); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"../secret.ttl", filepath.Join(dir, "secret.ttl"), "link/secret.ttl", "x/../../secret.ttl"} {
		err := w.Validate("x", []byte("seeds: [http://a.example/]\nfocus: {ontology: {files: ["+path+"], target: <a:b>}}\noutput: ../there\n"))
		problems := crawl.Problems(err)
		if !errors.Is(err, orbweaver.ErrInput) || len(problems) != 2 || !strings.Contains(err.Error(), "leads out of") || problems[0].Line != 2 || problems[1].Line != 3 {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := w.Put(path, []byte("<a:b> <a:c> <a:d> .\n")); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("put %s: %v", path, err)
		}
	}
	if err := w.Validate("x", []byte("seeds: [http://a.example/]\nfocus: {external: {command: [sh, -c, id]}}\n")); err == nil || !strings.Contains(err.Error(), "program") {
		t.Errorf("a command: %v", err)
	}
	for _, id := range []string{"", "../x", "a/b", ".hidden", "crawls", "x\x00", strings.Repeat("x", 200)} {
		if _, err := w.Create(t.Context(), id, []byte("seeds: [http://a.example/]\nfocus: {breadth_first: {}}\n")); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if f, err := w.Put("onto/mine.ttl", []byte("<a:b> <a:c> <a:d> .\n")); err != nil || f.Kind != "ontology" {
		t.Errorf("%+v, %v", f, err)
	}
	if all, err := w.Files(); err != nil || len(all) != 1 || all[0].Name != "onto/mine.ttl" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestByHand: crawl folders that others made are crawls of the workspace, and comparison files are none.
func TestByHand(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, workspace.Options{})
	if _, err := w.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, w, "aircraft", workspace.Ended)
	if err := os.Rename(filepath.Join(dir, "crawls", "aircraft"), filepath.Join(dir, "planes")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.yaml"), []byte("seeds: 3\nfocus: {none: {}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cmp.yaml"), []byte("runs:\n  a: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := w.Crawls(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]workspace.Crawl{}
	for _, c := range all {
		got[c.ID] = c
	}
	if len(got) != 3 || got["planes"].State != workspace.Ended || got["aircraft"].State != workspace.New || got["bad"].State != workspace.Broken || len(got["bad"].Problems) < 2 {
		t.Errorf("%+v", got)
	}
}
