package krs

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"orbweaver"
)

// typesSuffix is what follows a gazetteer's name in that of the file with the types of its entities: a line
// each, an IRI, a tab and PERSON, ORGANIZATION or LOCATION.
const typesSuffix = ".types"

// writeTypes writes what entities are, beside their gazetteer; nothing where nothing is known.
func writeTypes(gazetteer string, types map[string]string) error {
	path := gazetteer + typesSuffix
	if len(types) == 0 {
		err := os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for _, iri := range slices.Sorted(maps.Keys(types)) {
		fmt.Fprintf(w, "%s\t%s\n", iri, types[iri])
	}
	return errors.Join(w.Flush(), file.Close())
}

// loadTypes reads what entities are; nil where nothing is known. The error wraps ErrInput.
func loadTypes(gazetteer string) (map[string]string, error) {
	file, err := os.Open(gazetteer + typesSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	types, s := map[string]string{}, bufio.NewScanner(file)
	for n := 1; s.Scan(); n++ {
		iri, kind, ok := strings.Cut(s.Text(), "\t")
		if !ok {
			return nil, fmt.Errorf("%s:%d: no tab (%w)", file.Name(), n, orbweaver.ErrInput)
		}
		types[iri] = kind
	}
	return types, s.Err()
}
