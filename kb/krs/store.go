package krs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf/failstop"
	"orbweaver/rdf/quads"
)

// A Store is a KRS open for one process. What changes it is for one goroutine; what reads, Snapshot and
// View before all, may run beside it. Every change is one batch, on the disk when the method returns: a
// KRS that was killed is as of the last one. The first change to the disk that fails is the last: each
// that follows says why.
type Store struct {
	dir    string
	disk   *failstop.FS
	db     *pebble.DB
	rdf    *quads.Store
	writer *quads.Writer
	state  state
}

// Open opens the KRS in a folder. With a topic it makes an empty one where there is none, and one of
// another topic gives ErrTopic; without, there must be one, or the error wraps ErrNone. It wraps ErrFormat
// or ErrDamaged when this version cannot read it, and ErrInUse when another process has it open.
func Open(dir, topic string) (*Store, error) { return open(dir, topic, vfs.Default) }

func open(dir, topic string, fs vfs.FS) (*Store, error) {
	path := filepath.Join(dir, "db")
	if topic == "" {
		if _, err := fs.Stat(path); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", dir, ErrNone, err)
		}
	} else if err := makeFolder(fs, dir, path); err != nil {
		return nil, fmt.Errorf("KRS: %w", err)
	}
	disk := failstop.New(fs)
	db, err := pebble.Open(path, options(disk))
	if err != nil {
		return nil, opening(dir, cmp.Or(disk.Err(), err))
	}
	s := &Store{dir: dir, disk: disk, db: db}
	if err := cmp.Or(s.ready(topic, fs), disk.Err()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), db.Close())
	}
	return s, nil
}

// makeFolder makes the KRS's folder and that of the database, so that a power cut leaves them.
func makeFolder(fs vfs.FS, dir, path string) error {
	err := fs.MkdirAll(path, 0o777)
	return errors.Join(err, syncFolder(fs, filepath.Dir(dir)), syncFolder(fs, dir))
}

func syncFolder(fs vfs.FS, path string) error {
	d, err := fs.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// options are Pebble's, quiet.
func options(disk *failstop.FS) *pebble.Options {
	o := &pebble.Options{FormatMajorVersion: pebble.FormatNewest, MemTableSize: 16 << 20, CacheSize: 32 << 20}
	disk.Use(o)
	return o
}

// opening explains why the database does not open.
func opening(dir string, err error) error {
	var errno syscall.Errno
	switch {
	case errors.Is(err, syscall.EAGAIN), strings.HasPrefix(err.Error(), "lock "):
		return fmt.Errorf("%s: %w: %w", dir, ErrInUse, err)
	case errors.As(err, &errno) && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: %w", dir, err)
	}
	return fmt.Errorf("%s: %w: %w", dir, ErrDamaged, err)
}

// ready reads the state, or makes the first one, and opens the RDF.
func (s *Store) ready(topic string, fs vfs.FS) error {
	value, closer, err := s.db.Get([]byte{tableState})
	switch {
	case errors.Is(err, pebble.ErrNotFound) && topic == "":
		return ErrNone
	case errors.Is(err, pebble.ErrNotFound):
		s.state = state{Format: format, Topic: topic, Next: 1, Sums: newSums(), AsWritten: true}
	case err != nil:
		return err
	default:
		err = errors.Join(s.readState(value), closer.Close())
	}
	switch {
	case err != nil && !errors.Is(err, pebble.ErrNotFound):
		return err
	case topic != "" && topic != s.state.Topic:
		return fmt.Errorf("it is of %q: %w", s.state.Topic, ErrTopic)
	}
	if s.rdf, err = quads.Open(s.db, []byte{tableRDF}, quads.Options{Temp: filepath.Join(s.dir, "sorting"), FS: fs}); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if s.writer, err = s.rdf.Writer(); err != nil || value != nil {
		return err
	}
	return s.begin()
}

func (s *Store) readState(value []byte) error {
	if err := json.Unmarshal(value, &s.state); err != nil {
		return fmt.Errorf("state: %w: %w", ErrDamaged, err)
	}
	switch st := s.state; {
	case st.Format != format:
		return fmt.Errorf("the KRS has format %d, and this version reads %d: use the version of orbweaver that wrote it, or learn it again into another folder: %w", st.Format, format, ErrFormat)
	case st.Sums.A == nil || st.Sums.B == nil || st.Next == 0 || st.Documents < 0 || st.Background < 0:
		return fmt.Errorf("state: %w", ErrDamaged)
	}
	return nil
}

// begin writes a new KRS: its topic.
func (s *Store) begin() error {
	c := s.change()
	defer c.close()
	return c.commit(func() error {
		for q := range topicQuads(s.state.Topic) {
			if _, err := s.writer.Add(q, ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close closes the KRS.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil || s.disk.Err() != nil {
		return fmt.Errorf("%s: %w", s.dir, cmp.Or(s.disk.Err(), err))
	}
	return nil
}

// Put keeps bytes of the caller's under a name, as the settings that the nouns were found with; nil
// removes them.
func (s *Store) Put(name string, content []byte) error {
	key := named(tableSection, name)
	var err error
	if content == nil {
		err = s.db.Delete(key, pebble.Sync)
	} else {
		err = s.db.Set(key, content, pebble.Sync)
	}
	if err = cmp.Or(s.disk.Err(), err); err != nil {
		return fmt.Errorf("%s: section %s: %w", s.dir, name, err)
	}
	return nil
}

// Get returns what was put under a name; the error wraps ErrSection where nothing was.
func (s *Store) Get(name string) ([]byte, error) {
	value, found, err := get(s.db, named(tableSection, name))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: section %s: %w", s.dir, name, err)
	case !found:
		return nil, fmt.Errorf("%s: section %s: %w", s.dir, name, ErrSection)
	}
	return value, nil
}

// get returns a copy of a value.
func get(r pebble.Reader, key []byte) (value []byte, found bool, err error) {
	v, closer, err := r.Get(key)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	value = append([]byte{}, v...)
	return value, true, closer.Close()
}
