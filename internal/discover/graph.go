package discover

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// Bounds of a link graph.
const (
	mostLinks = 5 << 20  // lines
	mostLine  = 64 << 10 // bytes of one
)

// A linkGraph has the pages that link to a page, by the hash of its URL.
type linkGraph struct{ from map[uint64][]string }

// ReadGraph reads link graphs: a line for each link, the URL of the page, a tab, and the URL that it links to. Empty lines and
// those that begin with # are skipped. Of pages that link to one, the first mostBack by URL are kept. An error names file and
// line, and wraps ErrInput.
func ReadGraph(files []string) (Graph, error) {
	g := linkGraph{from: map[uint64][]string{}}
	for _, path := range files {
		if err := g.read(path); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// read adds the links of a file.
func (g linkGraph) read(path string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, mostLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if n > mostLinks {
			return fmt.Errorf("%s: more than %d links (%w)", path, mostLinks, orbweaver.ErrInput)
		}
		from, to, ok := strings.Cut(line, "\t")
		source, bad := weburl.Canonical(from)
		target, worse := weburl.Canonical(to)
		if err := errors.Join(bad, worse); !ok || err != nil {
			return fmt.Errorf("%s:%d: no link: write URL, tab, URL (%w)", path, n, orbweaver.ErrInput)
		}
		g.add(source, target)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w: %w", path, err, orbweaver.ErrInput)
	}
	return nil
}

// add adds a link, unless mostBack pages before it by URL link to the same.
func (g linkGraph) add(from, to string) {
	h := hash(to)
	all := g.from[h]
	at, known := slices.BinarySearch(all, from)
	if known || at == mostBack {
		return
	}
	g.from[h] = slices.Insert(all, at, from)[:min(len(all)+1, mostBack)]
}

// From returns the pages that link to a page.
func (g linkGraph) From(url string) ([]string, error) { return g.from[hash(url)], nil }

// textOf returns the first of the texts that an object has under some keys.
func textOf(object map[string]any, keys ...string) string {
	for _, key := range keys {
		if s, ok := object[key].(string); ok {
			return s
		}
	}
	return ""
}

// sortedKeys returns the keys of an object in order.
func sortedKeys(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
