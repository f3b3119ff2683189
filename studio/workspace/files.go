package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"orbweaver"
)

// A File of a workspace that crawl files may name.
type File struct {
	Name  string `json:"name"` // relative to the workspace
	Kind  string `json:"kind"` // ontology, documents, archive, krs or list
	Bytes int64  `json:"bytes"`
}

// Kinds of files by extension.
func kindOf(name string) string {
	switch base := strings.ToLower(name); {
	case hasAny(strings.TrimSuffix(base, ".gz"), ".ttl", ".n3", ".owl", ".rdf", ".nt", ".trig", ".nq", ".jsonld"):
		return "ontology"
	case hasAny(base, ".warc", ".warc.gz", ".wacz", ".arc", ".arc.gz"):
		return "archive"
	case hasAny(base, ".txt", ".pdf", ".html", ".htm", ".xhtml", ".md", ".docx", ".pptx", ".xlsx", ".odt", ".epub"):
		return "documents"
	}
	return ""
}

func hasAny(name string, ends ...string) bool {
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// maxFiles bounds the files that are listed, and maxFolders the depth at which they are looked for.
const (
	maxFiles   = 1000
	maxFolders = 3
)

// wikiFile is in the folder of the articles of a wiki.
const wikiFile = "corpus.jsonl"

// Files lists the files of the workspace that crawl files may name: ontologies, documents and archives, outside crawl folders. The articles of
// a wiki's category are one: their folder.
func (w *Workspace) Files() ([]File, error) {
	all := []File{}
	err := filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		rel := w.relative(path)
		switch {
		case err != nil || len(all) >= maxFiles:
			return nil //nolint:nilerr // a file that cannot be read is not listed
		case e.IsDir() && path != w.dir && (strings.HasPrefix(e.Name(), ".") || exists(filepath.Join(path, runFile)) || strings.Count(rel, "/") >= maxFolders):
			return fs.SkipDir
		case e.IsDir() && exists(filepath.Join(path, wikiFile)):
			all = append(all, File{Name: rel, Kind: "documents", Bytes: sizeOf(path)})
			return fs.SkipDir
		case !e.Type().IsRegular() || kindOf(e.Name()) == "":
			return nil
		}
		info, err := e.Info()
		if err == nil {
			all = append(all, File{Name: rel, Kind: kindOf(e.Name()), Bytes: info.Size()})
		}
		return nil //nolint:nilerr // gone meanwhile
	})
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	return all, nil
}

// FileName is a name for a file that a browser sends under another name: its last part, with hyphens for what no name has.
func FileName(sent string) string {
	base := path.Base(strings.ReplaceAll(sent, `\`, "/"))
	if end := path.Ext(base); !isName(base) && isName("a"+end) {
		stem := strings.FieldsFunc(clean(strings.TrimSuffix(base, end)), func(r rune) bool { return r == '-' })
		return strings.Join(stem, "-") + end
	}
	return base
}

// Put writes a file that crawl files may name. The error wraps orbweaver.ErrInput if its name leads elsewhere or says no known kind, or if
// it is larger than MaxFile, and orbweaver.ErrForeign if there is one of this name with other content.
func (w *Workspace) Put(file string, content []byte) (File, error) {
	base := filepath.Base(file)
	if !isName(base) || kindOf(base) == "" {
		return File{}, fmt.Errorf("%s: a file of a workspace is an ontology (.ttl, .owl, .rdf, .nt, .jsonld), a document (.txt, .pdf, .docx, .odt, .epub, .html, .md) or an archive (.warc, .warc.gz, .wacz) (%w)", file, orbweaver.ErrInput)
	}
	if len(content) > MaxFile {
		return File{}, fmt.Errorf("%s: it is larger than %s (%w)", file, bytesText(MaxFile), orbweaver.ErrTooLarge)
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Join(w.dir, filepath.Clean("/"+file))), 0o777); err != nil {
		return File{}, fmt.Errorf("workspace: %w", err)
	}
	path, err := w.inside(file)
	if err != nil {
		return File{}, err
	}
	if old, err := os.ReadFile(path); err == nil && string(old) != string(content) {
		return File{}, fmt.Errorf("%s: there is one of this name already (%w)", file, orbweaver.ErrForeign)
	}
	return File{Name: w.relative(path), Kind: kindOf(base), Bytes: int64(len(content))}, replace(path, content)
}
