package stream

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"orbweaver/internal/atomicfile"
	"orbweaver/kb/concepts"
	"orbweaver/kb/labels"
	"orbweaver/text/item"
)

// The errors of a folder, wrapped with its name.
var (
	ErrNone    = errors.New("no model is there")
	ErrFormat  = errors.New("the model is of another version")
	ErrForeign = errors.New("the folder holds something else")
	ErrDamaged = errors.New("the model is damaged")
	ErrWordNet = errors.New("the synonyms cannot be had")
)

// The files of a model's folder.
const (
	HeadFile   = "model.json"   // identifies the model and has the checksums of the other files
	LabelsFile = "labels.model" // a snapshot of kb/labels
	TermsFile  = "items.state"  // a snapshot of text/item
	ChurnFile  = "drift.state"  // the detector of drift
	GroupsFile = "groups.state" // a snapshot of kb/concepts
	DriftFile  = "drift.jsonl"  // history of changes: labels.Change, one per line; written by the process that learns
	LockFile   = "LOCK"         // held by the process that learns into the folder
	partial    = ".part"
)

// A head describes the other files. When it exists, they are complete, possibly under their names with
// ".part" appended.
type head struct {
	Format  string          `json:"format"`
	Version int             `json:"version"`
	Options Options         `json:"options"`
	Items   int64           `json:"items"`
	Digest  string          `json:"digest"`
	Files   map[string]file `json:"files"`
	Note    json.RawMessage `json:"note,omitempty"`
}

// A file is the entry of one file in a head.
type file struct {
	Bytes int64  `json:"bytes"`
	Sum   string `json:"sha256"`
}

// The start of a head: version changes when older models can no longer be read.
const (
	format  = "orbweaver model of a stream"
	version = 1
	maxHead = 1 << 20 // bytes
)

// Write replaces the model in a folder, creating the folder if necessary: if it is interrupted at any point,
// the folder holds the old model or the new one. note is JSON that the learning process needs to continue.
// Write fails for folders that Check rejects.
func (m *Model) Write(dir string, note json.RawMessage) error {
	if err := Check(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	settle(dir)
	h := head{Format: format, Version: version, Options: m.Options, Items: m.Labels.Items(), Digest: m.Digest(), Files: map[string]file{}, Note: note}
	for _, part := range []struct {
		name  string
		write func(io.Writer) error
	}{{LabelsFile, m.Labels.Snapshot}, {TermsFile, m.Terms.Snapshot}, {ChurnFile, m.churn.snapshot}, {GroupsFile, m.Groups.Snapshot}} {
		f, err := writePart(filepath.Join(dir, part.name), part.write)
		if err != nil {
			return err
		}
		h.Files[part.name] = f
	}
	text, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, HeadFile)
	if _, err := writePart(path, func(w io.Writer) error { _, err := w.Write(append(text, '\n')); return err }); err != nil {
		return err
	}
	if err := atomicfile.SyncFolder(dir); err != nil { // the head names the others: theirs come first
		return err
	}
	if err := os.Rename(path+partial, path); err != nil {
		return err
	}
	settle(dir)
	return atomicfile.SyncFolder(dir)
}

// writePart writes a file with ".part" appended to its name and syncs it.
func writePart(path string, write func(io.Writer) error) (file, error) {
	f, err := os.Create(path + partial)
	if err != nil {
		return file{}, err
	}
	s := &summed{w: f, sum: sha256.New()}
	err = write(s)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return file{}, errors.Join(err, os.Remove(path+partial))
	}
	return file{s.n, hex.EncodeToString(s.sum.Sum(nil))}, nil
}

// A summed counts and hashes the bytes written.
type summed struct {
	w   io.Writer
	sum hash.Hash
	n   int64
}

func (s *summed) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.sum.Write(b[:n])
	s.n += int64(n)
	return n, err
}

// settle renames files of the head that still have ".part" appended, and removes leftovers of a model that
// was rewritten unchanged. A file that cannot be renamed is read under its temporary name.
func settle(dir string) {
	h, err := readHead(dir)
	if err != nil {
		return
	}
	for _, name := range []string{LabelsFile, TermsFile, ChurnFile, GroupsFile} {
		f, path := h.Files[name], filepath.Join(dir, name)
		switch {
		case f.is(path):
			_ = os.Remove(path + partial)
		case f.is(path + partial):
			_ = os.Rename(path+partial, path)
		}
	}
}

// is reports whether a path is the file described.
func (f file) is(path string) bool {
	if stat, err := os.Stat(path); err != nil || stat.Size() != f.Bytes {
		return false
	}
	in, err := os.Open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, in)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == f.Sum
}

// Check reports whether a model may be written into a folder: it is missing, empty or holds a model. The
// error wraps ErrForeign, or ErrFormat for a model of another version.
func Check(dir string) error {
	if _, err := readHead(dir); err == nil || !errors.Is(err, ErrNone) {
		return err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		ours := []string{HeadFile + partial, LabelsFile + partial, TermsFile + partial, ChurnFile + partial, GroupsFile + partial, DriftFile, LockFile} // of a process killed before the model was complete
		if !slices.Contains(ours, e.Name()) {
			return fmt.Errorf("%s: it holds %s, and no model: %w", dir, e.Name(), ErrForeign)
		}
	}
	return nil
}

// Has reports whether a folder holds a model, of any version.
func Has(dir string) bool {
	_, err := readHead(dir)
	return !errors.Is(err, ErrNone)
}

// readHead reads the head of a folder.
func readHead(dir string) (h head, err error) {
	f, err := os.Open(filepath.Join(dir, HeadFile))
	if err != nil {
		return h, fmt.Errorf("%s: %w (%w)", dir, ErrNone, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxHead))
	if err != nil {
		return h, fmt.Errorf("%s: %w (%w)", dir, ErrNone, err)
	}
	path := filepath.Join(dir, HeadFile)
	if err := json.Unmarshal(text, &h); err != nil || h.Format != format {
		if bytes.Contains(text, []byte(format)) {
			return h, fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
		}
		return h, fmt.Errorf("%s is of something else: %w", path, ErrForeign)
	}
	if h.Version != version {
		return h, fmt.Errorf("%s: the model has version %d, and this program reads %d: use the version of orbweaver that wrote it, or learn it again into another folder: %w", path, h.Version, version, ErrFormat)
	}
	return h, nil
}

// Read reads the model of a folder and its note. wordNet, unless empty, is the current path of the WordNet
// with which the model was learned. The error wraps ErrNone, ErrFormat, ErrForeign, ErrDamaged or ErrWordNet.
func Read(dir, wordNet string) (*Model, json.RawMessage, error) {
	h, err := readHead(dir)
	if err != nil {
		return nil, nil, err
	}
	if wordNet != "" && h.Options.Synonyms != "" {
		h.Options.WordNet = wordNet
	}
	m, err := New(h.Options)
	if errors.Is(err, labels.ErrParameters) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	if err := h.open(dir, LabelsFile, func(r io.Reader) (err error) {
		m.Labels, err = labels.Restore(r)
		return err
	}); err != nil {
		return nil, nil, err
	}
	if err := h.open(dir, TermsFile, m.Terms.Restore); err != nil {
		return nil, nil, err
	}
	for _, part := range []struct {
		name string
		read func(io.Reader) error
	}{{ChurnFile, m.churn.restore}, {GroupsFile, m.Groups.Restore}} {
		if _, has := h.Files[part.name]; !has { // an older version learned it
			continue
		}
		if err := h.open(dir, part.name, part.read); err != nil {
			return nil, nil, err
		}
	}
	return m, h.Note, nil
}

// open reads a file of the head, under either name.
func (h *head) open(dir, name string, read func(io.Reader) error) error {
	path := filepath.Join(dir, name)
	f, ok := h.Files[name]
	if !ok {
		return fmt.Errorf("%s: %s is not among its files: %w", dir, name, ErrDamaged)
	}
	if !f.is(path) {
		if path += partial; !f.is(path) {
			return fmt.Errorf("%s: it is not what %s says: %w", filepath.Join(dir, name), HeadFile, ErrDamaged)
		}
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	err = read(in)
	switch {
	case errors.Is(err, labels.ErrFormat):
		return fmt.Errorf("%s: %w: %w", path, ErrFormat, err)
	case errors.Is(err, labels.ErrDamaged), errors.Is(err, item.ErrDamaged), errors.Is(err, concepts.ErrDamaged), errors.Is(err, ErrDamaged):
		return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
