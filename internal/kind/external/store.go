package external

import (
	"errors"
	"fmt"
	"os"

	"orbweaver"
	focus "orbweaver/focus/external"
	"orbweaver/internal/database"
)

// answersFolder is the subfolder of a crawl folder that has the answers. They are beside the ledger and not within
// it: an answer comes while a page is read ahead, before there is an outcome whose batch could hold it; it is used when
// the page is prepared again after a kill, which knows pages and no outcomes; and another crawl reads it without the
// ledger. It is on the disk before the page is judged, and so before the ledger has the outcome.
const answersFolder = "answers"

// A store keeps answers by the keys of pages. It is safe for concurrent use.
type store struct{ db *database.DB }

// openStore opens the answers in a folder, an empty one where there is none.
func openStore(path string) (*store, error) { return open(path, database.Options{}) }

// readStore opens the answers in a folder for reading; the error wraps orbweaver.ErrInput where there are none.
func readStore(path string) (*store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("no answers: %w; name the folder of a crawl with the focus external (%w)", err, orbweaver.ErrInput)
	}
	return open(path, database.Options{ReadOnly: true})
}

func open(path string, o database.Options) (*store, error) {
	if !o.ReadOnly {
		if err := os.MkdirAll(path, 0o777); err != nil {
			return nil, err
		}
	}
	o.Size, o.What = database.Small, "these answers"
	db, err := database.Open(path, o)
	if err != nil {
		return nil, err
	}
	return &store{db}, nil
}

// get returns an answer; a nil store has none.
func (s *store) get(key string) (a focus.Answer, ok bool, err error) {
	if s == nil {
		return a, false, nil
	}
	value, ok, err := s.db.Value([]byte(key))
	if err == nil && ok {
		a, err = focus.Decode(value)
	}
	if err != nil {
		return focus.Answer{}, false, fmt.Errorf("%s: %w", s.db.Path(), err)
	}
	return a, ok, nil
}

// put keeps answers, all or none; with sync they are on the disk when it returns. A nil store keeps nothing.
func (s *store) put(answers map[string]focus.Answer, sync bool) error {
	if s == nil || len(answers) == 0 {
		return nil
	}
	values := map[string][]byte{}
	for key, a := range answers {
		value, err := a.Encode()
		if err != nil {
			return fmt.Errorf("%s: %w", s.db.Path(), err)
		}
		values[key] = value
	}
	return s.db.PutAll(values, sync)
}

// close closes the folder; a nil store has none.
func (s *store) close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.db.Close(), s.db.Err())
}
