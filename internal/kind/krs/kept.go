package krs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"orbweaver"
	"orbweaver/fetch/spotlight"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/services/wire"
)

// keptAnswers is a cache of Spotlight responses in several stores. The first store receives new responses and copies from
// the others. Get returns an error after Close.
type keptAnswers struct {
	mu     sync.RWMutex
	stores []*spotlight.Store // nil: they are closed
}

// Get returns the answer of the first that has one.
func (k *keptAnswers) Get(key string) (answer []byte, known bool, err error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.stores == nil {
		return nil, false, fs.ErrClosed
	}
	for i, store := range k.stores {
		if answer, known, err = store.Get(key); known && i > 0 {
			err = k.stores[0].Put(key, answer)
		}
		if known || err != nil {
			break
		}
	}
	return answer, known, err
}

// Put keeps an answer.
func (k *keptAnswers) Put(key string, answer []byte) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.stores == nil {
		return fs.ErrClosed
	}
	return k.stores[0].Put(key, answer)
}

// Close closes all of them.
func (k *keptAnswers) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	stores := k.stores
	k.stores = nil
	return closeKept(stores)
}

// ask connects to Spotlight if it links nouns, with a cache in a folder.
func (r *reading) ask(wire wire.Wire, folder string) error {
	if r.settings.Linking == byGazetteer {
		return nil
	}
	kept, err := spotlight.OpenKept(folder)
	if err == nil {
		r.linker, err = newLinker(r.settings, wire, crawlfile.Private{}, kept)
	}
	return err
}

// askAside is ask for a KRS that does not exist yet: see asideOf. It fails if the server does not answer, instead of
// building a KRS without links.
func (r *reading) askAside(ctx context.Context, wire wire.Wire, dir string) error {
	aside := asideOf(dir)
	_, before := os.Stat(aside)
	if err := r.ask(wire, aside); err != nil || r.linker == nil {
		return err
	}
	err := r.linker.reach(ctx)
	if err == nil {
		return nil
	}
	if err = errors.Join(err, r.linker.Close()); before != nil {
		err = errors.Join(err, os.RemoveAll(aside))
	}
	return err
}

// asideOf returns the folder of cached responses while a KRS is built and its folder does not exist yet. A build repeated
// after a kill reuses them.
func asideOf(dir string) string { return filepath.Clean(dir) + ".asked" }

// takeAnswers moves the cache from asideOf into the folder of a KRS.
func takeAnswers(dir string) error {
	aside := asideOf(dir)
	err := os.Rename(filepath.Join(aside, spotlightFolder), filepath.Join(dir, spotlightFolder))
	return errors.Join(err, os.Remove(aside))
}

// spotlightFolder is the subfolder in which spotlight.OpenKept stores responses.
const spotlightFolder = "spotlight"

// keptBeside opens, for reading, the caches of the crawls that wrote these archives. It skips caches in use.
func keptBeside(archives []string) (all []*spotlight.Store, err error) {
	var seen []string
	for _, path := range archives {
		for _, dir := range [...]string{path, filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
			if slices.Contains(seen, dir) || crawlfolder.IsFresh(dir) {
				continue
			}
			seen = append(seen, dir)
			store, err := spotlight.ReadKept(dir)
			switch {
			case err == nil:
				all = append(all, store)
			case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, orbweaver.ErrBusy):
				return all, err
			}
		}
	}
	return all, nil
}

func closeKept(all []*spotlight.Store) error {
	var errs []error
	for _, k := range all {
		errs = append(errs, k.Close())
	}
	return errors.Join(errs...)
}
