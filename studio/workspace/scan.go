package workspace

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver/internal/order"
)

// Names within a workspace.
const (
	ownFolder    = ".studio"
	trashFolder  = "trash"
	stateFile    = "state.json"
	crawlsFolder = "crawls"
	runFile      = "crawl.yaml" // of a crawl folder
)

// maxCrawls bounds the crawls of a workspace.
const maxCrawls = 10_000

// scan looks for crawls: crawl files in the folder, and crawl folders in it and in its crawls folder. What is gone and does not run is
// forgotten.
func (w *Workspace) scan() error {
	w.mu.Lock() // what another look has found since would be forgotten
	defer w.mu.Unlock()
	files, folders, err := w.look()
	if err != nil {
		return err
	}
	found := map[string]bool{}
	taken := map[string]bool{} // folders that have a crawl file
	for _, file := range files {
		m := w.member(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
		if m.file != file {
			m.file, m.crawl = file, nil
		}
		if w.load(m); m.crawl == nil && isComparison(file) {
			delete(w.crawls, m.id)
			continue
		}
		found[m.id], taken[m.folder] = true, true
	}
	for _, folder := range folders {
		if taken[folder] {
			continue
		}
		m := w.member(w.idOf(folder, found))
		if m.folder != folder || m.file != "" {
			m.folder, m.file, m.crawl = folder, "", nil
		}
		w.load(m)
		found[m.id] = true
	}
	for id, m := range w.crawls {
		if !found[id] && m.session == nil {
			delete(w.crawls, id)
		}
	}
	return nil
}

// member returns the crawl of an id, which it makes if there is none.
func (w *Workspace) member(id string) *member {
	m, ok := w.crawls[id]
	if !ok {
		m = &member{id: id, notices: &notices{}}
		w.crawls[id] = m
	}
	return m
}

// idOf is the id of a crawl folder without a crawl file: its name, or its path if that is taken.
func (w *Workspace) idOf(folder string, taken map[string]bool) string {
	id := filepath.Base(folder)
	if taken[id] {
		id = strings.ReplaceAll(w.relative(folder), "/", "~")
	}
	return id
}

// look lists the files that may be crawl files and the folders that are crawl folders, sorted.
func (w *Workspace) look() (files, folders []string, err error) {
	for _, dir := range []string{w.dir, filepath.Join(w.dir, crawlsFolder)} {
		entries, err := os.ReadDir(dir)
		if os.IsNotExist(err) && dir != w.dir {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("workspace: %w", err)
		}
		for _, e := range entries[:min(len(entries), maxCrawls)] {
			path := filepath.Join(dir, e.Name())
			switch ext := filepath.Ext(path); {
			case strings.HasPrefix(e.Name(), "."):
			case e.IsDir() && exists(filepath.Join(path, runFile)):
				folders = append(folders, path)
			case dir == w.dir && e.Type().IsRegular() && (ext == ".yaml" || ext == ".yml"):
				files = append(files, path)
			}
		}
	}
	return files, folders, nil
}

// isComparison reports whether a file has the key runs, which comparison files alone have.
func isComparison(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && (strings.HasPrefix(string(text), "runs:") || strings.Contains(string(text), "\nruns:"))
}

// Crawls returns all crawls of the workspace, those that changed last first.
func (w *Workspace) Crawls(ctx context.Context) ([]Crawl, error) {
	if err := w.scan(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	members := make([]*member, 0, len(w.crawls))
	for _, m := range w.crawls {
		members = append(members, m)
	}
	w.mu.Unlock()
	all := make([]Crawl, 0, len(members))
	for _, m := range members {
		all = append(all, w.see(ctx, m))
	}
	order.By(all, func(a, b Crawl) int { return cmp.Or(b.Active.Compare(a.Active), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// Crawl returns one crawl. The error wraps ErrUnknown if there is none of this id.
func (w *Workspace) Crawl(ctx context.Context, id string) (Crawl, error) {
	w.mu.Lock()
	m, err := w.find(id)
	w.mu.Unlock()
	if err != nil {
		if failed := w.scan(); failed != nil {
			return Crawl{}, failed
		}
		w.mu.Lock()
		m, err = w.find(id)
		w.mu.Unlock()
	}
	if err != nil {
		return Crawl{}, err
	}
	return w.see(ctx, m), nil
}
