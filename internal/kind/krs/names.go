package krs

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/kb/krs"
	"orbweaver/text"
)

// namesFile is the file, in the folder of a KRS, of the names learned from annotated text: per line a name or a word of
// names, a tab and its type.
const namesFile = "names"

// Bounds of annotated text.
const (
	maxNames = 1 << 20 // names and words
	maxWords = 16      // of a name
)

// learnNames reads text in CoNLL's IOB format: a token a line, whose last column is O, B-TYPE or I-TYPE (or S- and E-, of
// IOBES), and an empty line between sentences. It returns the types of names, and of words in names, that have the same
// type in at least two cases of three. The error wraps ErrInput.
func learnNames(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--names: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	c := &annotated{counts: map[string]map[string]int{}}
	s := bufio.NewScanner(charset.NewReader(file))
	for n := 1; s.Scan(); n++ {
		columns := strings.Fields(s.Text())
		if len(columns) == 0 {
			c.end()
			continue
		}
		mark, kind, _ := strings.Cut(columns[len(columns)-1], "-")
		if len(columns) < 2 || mark == "" || !strings.Contains("OBIES", mark) {
			return nil, fmt.Errorf("%s:%d: want a token and, as the last column, O, B-TYPE or I-TYPE: %.80q (%w)", path, n, s.Text(), orbweaver.ErrInput)
		}
		c.token(columns[0], mark, kind)
	}
	c.end()
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrInput)
	}
	names := c.certain()
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no name in it: no token has a type such as B-PER (%w)", path, orbweaver.ErrInput)
	}
	return names, nil
}

// annotated counts the types of names.
type annotated struct {
	words  []string // of the current name
	kind   string
	counts map[string]map[string]int
}

// token takes a token with its mark.
func (c *annotated) token(word, mark, kind string) {
	kind = annotatedType(kind)
	if mark == "O" || mark == "B" || mark == "S" || kind != c.kind {
		c.end()
	}
	if mark != "O" && len(c.words) < maxWords {
		c.words, c.kind = append(c.words, word), kind
	}
}

// annotatedType maps the types of CoNLL-2003, OntoNotes and others to ours.
func annotatedType(kind string) string {
	switch strings.ToUpper(kind) {
	case "PER", "PERSON":
		return person
	case "ORG", "ORGANIZATION":
		return organization
	case "LOC", "LOCATION", "GPE", "FAC":
		return location
	}
	return misc
}

// end counts the name that ends.
func (c *annotated) end() {
	if len(c.words) > 1 {
		c.count(strings.Join(c.words, " "))
	}
	for _, word := range c.words {
		if strings.ToLower(word) != word { // "of" and numbers are no names
			c.count(word)
		}
	}
	c.words, c.kind = nil, ""
}

func (c *annotated) count(name string) {
	name = text.Key(name)
	if c.counts[name] == nil {
		if len(c.counts) == maxNames {
			return
		}
		c.counts[name] = map[string]int{}
	}
	c.counts[name][c.kind]++
}

// certain returns the names with one type in at least two cases of three.
func (c *annotated) certain() map[string]string {
	names := map[string]string{}
	for name, kinds := range c.counts {
		all := 0
		for _, n := range kinds {
			all += n
		}
		for kind, n := range kinds {
			if 3*n >= 2*all {
				names[name] = kind
			}
		}
	}
	return names
}

// named gives nouns that are names the types learned for them. What its entity's class says stays.
func named(nouns []krs.Noun, names, classes map[string]string) {
	for i := range nouns {
		n := &nouns[i]
		if n.Type == "" || n.Type == "DATE" || classes[n.IRI] != "" {
			continue
		}
		words := text.Key(n.Words)
		if kind := names[words]; kind != "" {
			n.Type = kind
		} else if at := strings.LastIndexByte(words, ' '); at >= 0 && names[words[at+1:]] != "" {
			n.Type = names[words[at+1:]]
		}
	}
}

// writeNames writes learned names to a file.
func writeNames(path string, names map[string]string) error { return writePairs(path, names) }

// readNames reads learned names; nil if there is no file. The error wraps ErrInput.
func readNames(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readTypes(file)
}
