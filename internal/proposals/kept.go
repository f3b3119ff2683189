package proposals

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

// keptFile has, in a crawl folder, suggestions from other knowledge and decided ones, one a line. Of those with one ID it has
// the latest.
const keptFile = "borrowed.jsonl"

// The bounds of a keptFile: beyond maxKept the oldest lines go.
const (
	maxKept = 10_000
	maxLine = 1 << 20 // bytes
)

// A Kept is a suggestion in the crawl folder.
type Kept struct {
	orbweaver.Suggestion
	From string `json:"from,omitempty"` // folder of the knowledge that it is from; empty: the crawl's own focus, or unknown
	Own  bool   `json:"own,omitempty"`  // the crawl's own focus made it
}

// ReadKept reads the suggestions that a crawl folder keeps. The error wraps orbweaver.ErrInput if a line cannot be read.
func ReadKept(folder string) (all []Kept, err error) {
	path := filepath.Join(folder, keptFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		var k Kept
		if err := json.Unmarshal(in.Bytes(), &k); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: remove the file, and ask for suggestions again (%w)", path, n, err, orbweaver.ErrInput)
		}
		all = append(all, k)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// Keep keeps suggestions behind those of other IDs that a crawl folder keeps already. held are the IDs with decisions that hold:
// they stay as they are.
func Keep(folder string, list []Kept, held map[string]bool) error {
	kept, err := ReadKept(folder)
	if err != nil {
		return err
	}
	again := make(map[string]bool, len(list))
	for _, k := range list {
		again[k.ID] = !held[k.ID]
	}
	known := make(map[string]bool, len(kept))
	var all []Kept
	for _, k := range kept {
		if known[k.ID] = true; !again[k.ID] {
			all = append(all, k)
		}
	}
	for _, k := range list {
		if again[k.ID] || !known[k.ID] {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return atomicfile.Write(filepath.Join(folder, keptFile), 0o666, func(out io.Writer) error {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false) // keep IRIs readable
		for _, k := range all[max(0, len(all)-maxKept):] {
			if err := encoder.Encode(k); err != nil {
				return err
			}
		}
		return nil
	})
}
