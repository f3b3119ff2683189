package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/examples"
)

// The demo crawl.
const (
	demoFolder = "demo"
	demoCrawl  = "aircraft"
)

// Demo puts the demo web into the workspace, with a crawl of it for pages about aircraft, and starts the crawl. If it is there already, it
// is started as it is.
func (w *Workspace) Demo(ctx context.Context) (Crawl, error) {
	if view, err := w.Crawl(ctx, demoCrawl); err == nil {
		if view.State == New || view.State == Stopped {
			err = w.Start(ctx, demoCrawl)
		}
		return view, err
	}
	entries, err := examples.Demo.ReadDir(".")
	if err != nil {
		return Crawl{}, fmt.Errorf("demo: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(w.dir, demoFolder), 0o777); err != nil {
		return Crawl{}, fmt.Errorf("demo: %w (%w)", err, orbweaver.ErrInput)
	}
	var text string
	for _, e := range entries {
		content, err := examples.Demo.ReadFile(e.Name())
		if err != nil {
			return Crawl{}, fmt.Errorf("demo: %w", err)
		}
		if filepath.Ext(e.Name()) == ".yaml" {
			text = string(content)
			continue
		}
		if err := replace(filepath.Join(w.dir, demoFolder, e.Name()), content); err != nil {
			return Crawl{}, err
		}
	}
	view, err := w.Create(ctx, demoCrawl, []byte(demoText(text)))
	if err != nil {
		return Crawl{}, err
	}
	return view, w.Start(ctx, view.ID)
}

// demoText is the demo's crawl file with its files where the workspace has them, and the folder where crawls of a workspace are.
func demoText(text string) string {
	for _, file := range []string{"demo.warc.gz", "aircraft.ttl", "demo-truth.tsv"} {
		text = strings.ReplaceAll(text, file, demoFolder+"/"+file)
	}
	return strings.ReplaceAll(text, "output: ../crawls/", "output: crawls/")
}
