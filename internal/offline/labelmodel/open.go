package labelmodel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/kb/stream"
)

// Folder is the folder of a crawl's model within the crawl folder. The model is that of a cross-reference
// crawl, or one learned from the crawl's pages.
const Folder = "model"

// Open reads the model of a folder or of a crawl's folder, and returns where it lies. wordNet, unless
// empty, is the folder of the WordNet that the model was learned with. The error wraps ErrInput.
func Open(dir, wordNet string) (m *stream.Model, at string, err error) {
	if at, err = Locate(dir); err != nil {
		return nil, "", err
	}
	if m, _, err = stream.Read(at, wordNet); err != nil {
		return nil, "", theirs(err)
	}
	return m, at, nil
}

// Locate returns the folder of a model: the given one, or that within a crawl folder. The error wraps
// ErrInput.
func Locate(dir string) (string, error) {
	if stream.Has(dir) {
		return dir, nil
	}
	within := filepath.Join(dir, Folder)
	if stream.Has(within) {
		return within, nil
	}
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("%s: no such folder (%w)", dir, orbweaver.ErrInput)
	}
	if crawlfolder.CheckCrawl(dir) == nil {
		return "", fmt.Errorf("%s: the crawl has no model: one with focus: crossref writes its own when it ends or is interrupted; orbweaver lab labels train %s -o %s learns one from its accepted pages (%w)",
			console.Relative(dir), console.Relative(dir), console.Relative(within), orbweaver.ErrInput)
	}
	return "", fmt.Errorf("%s: neither a model nor a crawl folder with one: it has no %s (%w)", dir, stream.HeadFile, orbweaver.ErrInput)
}

// Find returns the key of a label that the user names. The error wraps ErrInput.
func Find(m *stream.Model, label string) (string, error) {
	key, near, ok := m.Find(label)
	if ok {
		return key, nil
	}
	hint := ""
	if len(near) > 0 {
		hint = "; near are " + strings.Join(near, ", ")
	}
	return "", fmt.Errorf("no label %q%s (%w)", label, hint, orbweaver.ErrInput)
}
