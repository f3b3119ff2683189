package krs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database"
	"orbweaver/internal/database/kv"
	"orbweaver/rdf/quads"
)

// A Store is a KRS opened by one process. One goroutine may change it while others read, mainly through
// Snapshot and View. Every change is one batch, on disk when the method returns: after a crash the KRS is in
// the state of the last completed change. After a failed change all later ones return its error.
type Store struct {
	dir    string
	db     *database.DB
	rdf    *quads.Store
	writer *quads.Writer
	state  state
}

// Open opens the KRS in a database of a folder, and takes ownership of the database: Close closes it, and so
// does a failed Open. With a topic it creates a new KRS in an empty database; the error wraps ErrTopic for a
// KRS of another topic. Without a topic it wraps ErrNone for an empty database. It wraps ErrFormat or
// ErrDamaged for a KRS that this version cannot read.
func Open(db *database.DB, dir, topic string) (*Store, error) {
	s := &Store{dir: dir, db: db}
	err := s.ready(topic)
	if err == nil {
		err = db.Err()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), db.Close())
	}
	return s, nil
}

// ready reads or creates the state, and opens the RDF.
func (s *Store) ready(topic string) error {
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
	if s.rdf, err = quads.Open(s.db.DB, []byte{tableRDF}, quads.Options{Temp: filepath.Join(s.dir, "sorting"), FS: s.db.FS()}); err != nil {
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

// begin initializes a new KRS with its topic.
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
	if err := s.db.Close(); err != nil || s.db.Err() != nil {
		return fmt.Errorf("%s: %w", s.dir, cmp.Or(s.db.Err(), err))
	}
	return nil
}

// Copy makes a copy of the database in a new folder, whose parent is there.
func (s *Store) Copy(dir string) error {
	if err := s.db.Checkpoint(dir); err != nil {
		return fmt.Errorf("%s: copy: %w", s.dir, err)
	}
	return nil
}

// Put stores bytes of the caller's under a name, such as the settings used to find the nouns; nil removes
// them.
func (s *Store) Put(name string, content []byte) error {
	if err := s.db.Put(named(tableSection, name), content); err != nil {
		return fmt.Errorf("%s: section %s: %w", s.dir, name, err)
	}
	return nil
}

// Get returns the bytes stored under a name; the error wraps ErrSection if there are none.
func (s *Store) Get(name string) ([]byte, error) {
	value, found, err := s.db.Value(named(tableSection, name))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: section %s: %w", s.dir, name, err)
	case !found:
		return nil, fmt.Errorf("%s: section %s: %w", s.dir, name, ErrSection)
	}
	return value, nil
}

// get returns a copy of a value.
func get(r kv.Reader, key []byte) (value []byte, found bool, err error) {
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
