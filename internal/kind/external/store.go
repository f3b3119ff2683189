package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

// Forget removes the answers about pages from a crawl folder, whose process has ended, and frees their space. keys are those of
// KeyOf; a folder without answers has nothing to forget.
func Forget(folder string, keys []string) error {
	for _, at := range answersIn(folder) {
		s, err := openStore(at)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := s.db.Put([]byte(key), nil); err != nil {
				return errors.Join(err, s.close())
			}
		}
		err = s.db.Flush()
		if err == nil {
			err = s.db.Compact(context.Background(), []byte{0}, []byte{0xff}, true)
		}
		if err = errors.Join(err, s.close()); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return nil
}

// answersIn returns the folders of answers within a crawl folder: its own, and those of the parts of a blend.
func answersIn(folder string) (all []string) {
	candidates := []string{filepath.Join(folder, answersFolder)}
	parts, err := os.ReadDir(filepath.Join(folder, "parts"))
	if err == nil {
		for _, e := range parts {
			candidates = append(candidates, filepath.Join(folder, "parts", e.Name(), answersFolder))
		}
	}
	for _, path := range candidates {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			all = append(all, path)
		}
	}
	return all
}

// Answered reports whether a crawl folder has recorded answers.
func Answered(folder string) bool { return len(answersIn(folder)) > 0 }

// KeyOf is the key of the answer about a page.
func KeyOf(p *orbweaver.Page) string { return focus.KeyOf(p) }
