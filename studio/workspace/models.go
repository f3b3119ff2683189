package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/crawl"
)

// maxBooks bounds the label models in memory.
const maxBooks = 2

// books are the label models in memory, used last first.
type books struct {
	mu  sync.Mutex
	all []book
}

// A book is the label model of a crawl or of a folder.
type book struct {
	crawl  *crawl.Crawl // nil: of a folder
	folder string
	model  *crawl.LabelModel
}

// keep returns the model of a folder, which stays in memory while it is one of the last that were asked.
func (b *books) keep(c *crawl.Crawl, folder string, open func() (*crawl.LabelModel, error)) (*crawl.LabelModel, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.all, func(k book) bool { return k.crawl == c && k.folder == folder })
	var found book
	if i >= 0 {
		found = b.all[i]
		b.all = slices.Delete(b.all, i, i+1)
	} else {
		m, err := open()
		if err != nil {
			return nil, err
		}
		found = book{c, folder, m}
	}
	b.all = slices.Insert(b.all, 0, found)
	b.all = b.all[:min(len(b.all), maxBooks)]
	return found.model, nil
}

// Knows returns what of a crawl's knowledge can be looked at; nothing for a crawl that is not there or has problems.
func (w *Workspace) Knows(id string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	m, err := w.find(id)
	if err != nil {
		return nil
	}
	if w.load(m); m.crawl == nil {
		return nil
	}
	if m.knowsOf != m.crawl || time.Since(m.knowsAt) > soon {
		m.knows, m.knowsOf, m.knowsAt = m.crawl.Knows(), m.crawl, time.Now()
	}
	return m.knows
}

// LabelModel returns the label model of a crawl. The error wraps ErrUnknown if there is no such crawl, and orbweaver.ErrInput if its
// crawl file has problems; whether the crawl has a model is seen when the model is asked.
func (w *Workspace) LabelModel(id string) (*crawl.LabelModel, error) {
	w.mu.Lock()
	m, err := w.find(id)
	if err != nil {
		w.mu.Unlock()
		return nil, err
	}
	w.load(m)
	c, fault := m.crawl, m.fault
	w.mu.Unlock()
	if c == nil {
		return nil, cmpErr(fault, orbweaver.ErrInput)
	}
	return w.books.keep(c, c.Folder(), func() (*crawl.LabelModel, error) { return c.LabelModel(), nil })
}

// LabelModelIn returns the label model in a folder of the workspace. The error wraps ErrUnknown if there is none.
func (w *Workspace) LabelModelIn(name string) (*crawl.LabelModel, error) {
	path, err := w.modelFolder(name, modelLabels)
	if err != nil {
		return nil, err
	}
	return w.books.keep(nil, path, func() (*crawl.LabelModel, error) { return crawl.OpenLabelModel(path) })
}

// Topic returns the topic learned from documents by which a crawl judges. The error wraps ErrUnknown if there is no such crawl, and
// orbweaver.ErrInput if it judges by none.
func (w *Workspace) Topic(id string) (*crawl.Topic, error) {
	w.mu.Lock()
	m, err := w.find(id)
	if err != nil {
		w.mu.Unlock()
		return nil, err
	}
	w.load(m)
	c, fault := m.crawl, m.fault
	w.mu.Unlock()
	if c == nil {
		return nil, cmpErr(fault, orbweaver.ErrInput)
	}
	t, err := c.Topic()
	if err != nil {
		return nil, err
	}
	return w.topics.keep(t), nil
}

// TopicIn returns the topic learned from documents in a folder of the workspace. The error wraps ErrUnknown if there is none.
func (w *Workspace) TopicIn(name string) (*crawl.Topic, error) {
	path, err := w.modelFolder(name, modelKRS)
	if err != nil {
		return nil, err
	}
	t, err := crawl.OpenTopic(path)
	if err != nil {
		return nil, err
	}
	return w.topics.keep(t), nil
}

// topics are the topics in memory, used last first.
type topics struct {
	mu  sync.Mutex
	all []*crawl.Topic
}

// keep returns the topic of the same folder that is in memory, or else this one, which stays there while it is one of the last.
func (k *topics) keep(t *crawl.Topic) *crawl.Topic {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.all, func(o *crawl.Topic) bool { return o.Folder() == t.Folder() }); i >= 0 {
		t = k.all[i]
		k.all = slices.Delete(k.all, i, i+1)
	}
	k.all = slices.Insert(k.all, 0, t)
	k.all = k.all[:min(len(k.all), maxBooks)]
	return t
}

// modelFolder returns the path of a model of the workspace.
func (w *Workspace) modelFolder(name, kind string) (string, error) {
	path, err := w.inside(name)
	if err != nil {
		return "", err
	}
	if modelKind(path) != kind {
		return "", fmt.Errorf("%.200q: the workspace has no such model: %w", name, ErrUnknown)
	}
	return path, nil
}

// The kinds of models.
const (
	modelLabels = "labels"
	modelKRS    = "krs"
)

// A Model is a folder of the workspace with what was learned from documents.
type Model struct {
	Name string `json:"name"` // of the folder, relative to the workspace
	Kind string `json:"kind"` // labels or krs
}

// modelKind tells a model by the files of its folder; empty: it is none.
func modelKind(path string) string {
	switch {
	case exists(filepath.Join(path, "model.json")) && exists(filepath.Join(path, "labels.model")):
		return modelLabels
	case crawl.IsTopic(path):
		return modelKRS
	}
	return ""
}

// Models lists the label models and the topics learned from documents in the workspace, outside crawl folders, by name; at most 1 000.
func (w *Workspace) Models() ([]Model, error) {
	all := []Model{}
	err := filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		rel := w.relative(path)
		switch {
		case err != nil || len(all) >= maxFiles || !e.IsDir() || path == w.dir:
			return nil //nolint:nilerr // a folder that cannot be read has no model
		case strings.HasPrefix(e.Name(), "."), strings.HasSuffix(e.Name(), ".part"), exists(filepath.Join(path, runFile)):
			return fs.SkipDir
		}
		if kind := modelKind(path); kind != "" {
			all = append(all, Model{rel, kind})
			return fs.SkipDir
		}
		if strings.Count(rel, "/") >= maxFolders {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	return all, nil
}
