// Package datasets stores RDF datasets on this machine and answers a crawl's queries to them. A dataset
// that has no endpoint, or whose endpoint is down, can thus be queried from its dump.
//
// One Pebble database in a folder holds a named graph for each dataset and a record of its source. The
// graph's name is the dataset's address, "dataset:NAME" (weburl.Dataset). A dataset is available
// completely or not at all: not while it is replaced, and not if its dump is damaged. Queries see it as
// the default graph, and nothing else of the store. One process owns the folder.
//
// Answers go into a crawl's archive like answers of the Web, so that the crawl can be replayed without
// dump and store.
package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver"
	"orbweaver/internal/database"
	"orbweaver/internal/database/kv"
	"orbweaver/rdf/quads"
	"orbweaver/weburl"
)

// The tables of the database: the first byte of a key.
const (
	tableRecord = 'r' // name → record of an available dataset
	tableQuads  = 'Q' // the quad store
)

const rememberedTerms = 1 << 16

// Limits bounds queries and dumps. A zero field selects the default in parentheses.
type Limits struct {
	Time    time.Duration // per query, including all its rows (30 s)
	Rows    int64         // rows of SELECT, which is truncated and marked as such; triples of a graph (1 000 000)
	Answer  int64         // bytes per answer (10 MB)
	Memory  int64         // bytes per evaluation (256 MB)
	AtOnce  int           // concurrent queries (number of processors)
	Triples int64         // per dump (1 000 000 000)
	Dump    int64         // bytes per dump, decompressed (1 TB)
}

func (l Limits) filled() Limits {
	or := func(n *int64, usual int64) {
		if *n <= 0 {
			*n = usual
		}
	}
	if l.Time <= 0 {
		l.Time = 30 * time.Second
	}
	or(&l.Rows, 1_000_000)
	or(&l.Answer, 10_000_000)
	or(&l.Memory, 256<<20)
	or(&l.Triples, 1_000_000_000)
	or(&l.Dump, 1_000_000_000_000)
	if l.AtOnce <= 0 {
		l.AtOnce = runtime.GOMAXPROCS(0)
	}
	return l
}

// Record describes the source of a dataset.
type Record struct {
	Name     string            `json:"name"`
	Source   string            `json:"source"`            // path or URL
	Size     int64             `json:"size,omitempty"`    // bytes of the dump as stored, compressed or not; 0: unknown
	Modified time.Time         `json:"modified,omitzero"` // of a file
	Version  orbweaver.Version `json:"version,omitzero"`  // of a fetched dump
	Triples  int64             `json:"triples"`           // without duplicates
	Loaded   time.Time         `json:"loaded"`
}

// Store is open for one process. It is safe for concurrent use; loads run one after the other.
type Store struct {
	db     *database.DB
	quads  *quads.Store
	limits Limits
	places chan struct{} // one per query that may be evaluated

	loading sync.Mutex
	writer  *quads.Writer // writer of the running load
}

// Open opens the store of a folder, or creates one in a new folder. The error wraps ErrBusy if another
// process has it open, ErrForeign if the folder holds other files, and ErrDamaged if this version cannot
// read the store.
func Open(dir string, limits Limits) (*Store, error) {
	path := filepath.Join(dir, "datasets")
	if err := checkFolder(dir, path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return open(path, nil, limits)
}

// checkFolder rejects a folder that holds other files.
func checkFolder(dir, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "endpoints.json" }) // written by crawls that share the folder
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err != nil:
		return fmt.Errorf("datasets: %w (%w)", err, orbweaver.ErrInput)
	}
	return fmt.Errorf("%s holds files other than datasets: name another folder (%w)", dir, orbweaver.ErrForeign)
}

func open(path string, on vfs.FS, limits Limits) (*Store, error) {
	db, err := database.Open(path, database.Options{Size: database.Large, What: "this folder of datasets", FS: on})
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, limits: limits.filled()}
	s.places = make(chan struct{}, s.limits.AtOnce)
	if s.quads, err = quads.Open(db.DB, []byte{tableQuads}, quads.Options{Temp: filepath.Join(path, "sorting"), FS: db.FS(), Terms: rememberedTerms}); err == nil {
		s.writer, err = s.quads.Writer()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w, or written by another version of orbweaver: load the datasets again into another folder, or use that version: %w", path, orbweaver.ErrDamaged, err), db.Close())
	}
	return s, nil
}

// Close closes the store. No goroutine may use it any more.
func (s *Store) Close() error {
	err := s.db.Close()
	return cmp.Or(s.db.Err(), err)
}

// All returns the records of the available datasets, ordered by name.
func (s *Store) All() (all []Record, err error) {
	iter, err := s.db.NewIter(&pebble.IterOptions{LowerBound: []byte{tableRecord}, UpperBound: []byte{tableRecord + 1}})
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	for iter.First(); iter.Valid(); iter.Next() {
		var r Record
		if err = json.Unmarshal(iter.Value(), &r); err != nil {
			err = fmt.Errorf("datasets: %w: %w", orbweaver.ErrDamaged, err)
			break
		}
		all = append(all, r)
	}
	return all, errors.Join(err, iter.Close())
}

// Record returns the record of a dataset; false: it is not available.
func (s *Store) Record(name string) (Record, bool, error) { return recordOf(s.db, name) }

// recordOf reads a record.
func recordOf(db kv.Reader, name string) (r Record, ok bool, err error) {
	value, closer, err := db.Get(recordKey(name))
	if errors.Is(err, pebble.ErrNotFound) {
		return r, false, nil
	}
	if err != nil {
		return r, false, fmt.Errorf("datasets: %w", err)
	}
	if err = json.Unmarshal(value, &r); err != nil {
		err = fmt.Errorf("datasets: %s: %w: %w", name, orbweaver.ErrDamaged, err)
	}
	return r, err == nil, errors.Join(err, closer.Close())
}

func recordKey(name string) []byte { return append([]byte{tableRecord}, name...) }

// Remove removes a dataset, if it exists.
func (s *Store) Remove(ctx context.Context, name string) error {
	url, err := weburl.Dataset(name)
	if err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	return s.clear(ctx, name, url)
}
