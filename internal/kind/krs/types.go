package krs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/coding/charset"
	"orbweaver/text/link"

	"orbweaver"
)

// typesSuffix is appended to a gazetteer's name to name the file of entity types: per line an IRI, a tab and PER, ORG,
// LOC or MISC.
const typesSuffix = ".types"

// writeTypes writes entity types beside their gazetteer, if there are any.
func writeTypes(gazetteer string, types map[string]string) error {
	path := gazetteer + typesSuffix
	if len(types) == 0 {
		err := os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return writePairs(path, types)
}

// writePairs writes a line for each key, in order.
func writePairs(path string, pairs map[string]string) error {
	return atomicfile.Write(path, 0o666, func(w io.Writer) error {
		for _, key := range slices.Sorted(maps.Keys(pairs)) {
			if _, err := fmt.Fprintf(w, "%s\t%s\n", key, pairs[key]); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeGazetteer writes a gazetteer, and the types of its entities beside it.
func writeGazetteer(path string, g *link.Gazetteer, types map[string]string) error {
	err := atomicfile.Write(path, 0o666, func(w io.Writer) error {
		_, err := g.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	return writeTypes(path, types)
}

// loadTypes reads entity types; nil if there is no file. The error wraps ErrInput.
func loadTypes(gazetteer string) (map[string]string, error) {
	file, err := os.Open(gazetteer + typesSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readTypes(file)
}

// readTypes reads lines of a name, a tab and a type. The error wraps ErrInput.
func readTypes(file *os.File) (map[string]string, error) {
	types, s := map[string]string{}, bufio.NewScanner(charset.NewReader(file))
	for n := 1; s.Scan(); n++ {
		iri, kind, ok := strings.Cut(s.Text(), "\t")
		if !ok {
			return nil, fmt.Errorf("%s:%d: no tab (%w)", file.Name(), n, orbweaver.ErrInput)
		}
		types[iri] = typeOfName(kind)
	}
	return types, s.Err()
}
