package archive

import (
	"os"
	"slices"
	"sync"
	"time"
)

// A reading is what OpenWeb found in files, which do not change it when they are opened again as they were.
type reading struct {
	files    []os.FileInfo
	index    *index
	warnings []string
	unwarned int
	damaged  int
}

// Readings that are kept: the latest ones, of at most so many captures in all.
const (
	maxReadings = 4
	maxRead     = 100_000
)

// settled is how long a file has to be unchanged before its times tell whether it changes again.
const settled = 2 * time.Second

// readings are the latest ones of the process, the last at the end.
type readings struct {
	mu   sync.Mutex
	list []*reading
}

// known is a cache: nobody can tell it from reading the files again.
var known = &readings{}

// all returns the readings.
func (k *readings) all() []*reading {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.list)
}

// keep adds a reading, and drops the oldest ones beyond what is kept.
func (k *readings) keep(r *reading) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, r)
	captures := 0
	for i := len(k.list) - 1; i >= 0; i-- {
		captures += k.list[i].index.size()
		if len(k.list)-i > maxReadings || captures > maxRead {
			k.list = slices.Delete(k.list, 0, i+1)
			break
		}
	}
}

// size is the number of captures in memory.
func (x *index) size() int { return len(x.entries) + len(x.origins) }

// states describes open files.
func states(sources []*source) ([]os.FileInfo, error) {
	list := make([]os.FileInfo, len(sources))
	for i, s := range sources {
		info, err := s.file.Stat()
		if err != nil {
			return nil, err
		}
		list[i] = info
	}
	return list, nil
}

// of reports whether the files are those of the reading, unchanged.
func (r *reading) of(files []os.FileInfo) bool {
	return slices.EqualFunc(r.files, files, func(a, b os.FileInfo) bool {
		return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Name() == b.Name()
	})
}

// recall opens files that were read before by this process, and have not changed since; false if there are none.
func (w *Web) recall(paths []string) bool {
	list := known.all()
	if len(list) == 0 {
		return false
	}
	var sources []*source
	opened := 0
	for _, path := range paths {
		list, err := openSources(path)
		if err != nil {
			break // it is told when the file is read
		}
		sources = append(sources, list...)
		opened++
	}
	files, err := states(sources)
	if err == nil && opened == len(paths) {
		for _, r := range list {
			if r.of(files) {
				w.sources, w.index, w.warnings, w.unwarned, w.damaged = sources, r.index, r.warnings, r.unwarned, r.damaged
				return true
			}
		}
	}
	for _, s := range sources {
		_ = s.close() // it was only looked at
	}
	return false
}

// remember keeps what was read of files that were unchanged for a while when the reading began, unless it is much, or they were copied.
func (w *Web) remember(began time.Time) {
	files, err := states(w.sources)
	if err != nil || w.index.size() > maxRead {
		return
	}
	for i, info := range files {
		if w.sources[i].spilled || began.Sub(info.ModTime()) < settled {
			return
		}
	}
	known.keep(&reading{files: files, index: w.index, warnings: slices.Clip(w.warnings), unwarned: w.unwarned, damaged: w.damaged})
}
