//go:build e2e

package studio_test

import (
	"testing"

	"orbweaver/studio/workspace"
)

func openSpace(t *testing.T, dir string, o workspace.Options) *workspace.Workspace {
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

const small = "seeds: [http://tidings.example/]\nweb: {archive: demo/demo.warc.gz}\nfocus: {keyword: {terms: [aircraft]}}\nlimits: {requests: 40}\n"
