package custody

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/ledger"
)

// parts are what a crawl makes again.
func parts() []string { return []string{databaseFolder, archiveFolder, ledger.JournalFile} }

// setAside moves what a crawl makes again into the folder Aside, unless an interrupted repair did.
func (r *repair) setAside() error {
	err := os.Mkdir(r.path(Aside), 0o777)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(r.path(Aside + "/" + allThere)); err == nil {
		return nil
	}
	for _, name := range parts() {
		err := os.Rename(r.path(name), filepath.Join(r.path(Aside), name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return atomicfile.WriteFile(r.path(Aside+"/"+allThere), nil, 0o666)
}

// allThere is an empty file in Aside that says that all files have been moved there.
const allThere = "moved"

// putBack undoes setAside, for a repair that cannot be done.
func (r *repair) putBack(aside bool) error {
	if !aside {
		return nil
	}
	for _, name := range parts() {
		old := filepath.Join(r.path(Aside), name)
		if _, err := os.Lstat(old); err == nil {
			if err := os.RemoveAll(r.path(name)); err != nil {
				return err
			}
			if err := os.Rename(old, r.path(name)); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(r.path(Aside))
}

// oldLines returns how many lines of the pages.jsonl that was set aside can be read.
func (r *repair) oldLines() (n int64) {
	for range linesOf(filepath.Join(r.path(Aside), ledger.JournalFile)) {
		n++
	}
	return n
}

// sameLines reports whether the lines of the new pages.jsonl are those of the old one, as far as the old ones can be read.
func (r *repair) sameLines() bool {
	now := map[int64]uint64{} // hashes of lines
	for n, text := range linesOf(r.path(ledger.JournalFile)) {
		now[n] = xxhash.Sum64String(text)
	}
	other, all := 0, 0
	for n, text := range linesOf(filepath.Join(r.path(Aside), ledger.JournalFile)) {
		if all++; now[n] != xxhash.Sum64String(text) {
			other++
		}
	}
	return other <= damagedLines || all == 0
}

// damagedLines is how many readable lines of a damaged pages.jsonl may differ from those of the crawl made again: a flipped bit
// within a string changes one.
const damagedLines = 8

// linesOf ranges over the lines of a pages.jsonl that are JSON, by their numbers.
func linesOf(path string) func(func(int64, string) bool) {
	return func(yield func(int64, string) bool) {
		file, err := os.Open(path)
		if err != nil {
			return
		}
		defer file.Close()
		for in := bufio.NewReader(file); ; {
			text, err := in.ReadBytes('\n')
			if err != nil {
				return
			}
			var line struct{ N int64 }
			if json.Unmarshal(text, &line) == nil && line.N > 0 && !yield(line.N, string(text)) {
				return
			}
		}
	}
}

// endedAt reports whether the log of a crawl says that the crawl was over after so many requests, and not for lack of time.
func endedAt(path string, requests int64) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	in, over := bufio.NewScanner(file), false
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var entry struct {
			Msg, Why, Key string
			Requests      int64
		}
		if json.Unmarshal(in.Bytes(), &entry) == nil && entry.Msg == "ends" && entry.Requests == requests {
			over = over || entry.Why != string(console.ErrInterrupted) && !strings.HasSuffix(entry.Key, "time")
		}
	}
	return over
}
