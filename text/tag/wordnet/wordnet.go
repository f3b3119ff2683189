// Package wordnet reads the dictionary of a tagger and a lemmatizer from WordNet: words with their parts of
// speech, names, and irregular forms.
//
// It reads a folder in the format of WordNet 3.0 and the layout of Debian's package wordnet-base: index.*,
// data.noun and *.exc. It does not read meanings.
package wordnet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver/text/tag"
)

// maxLine bounds the bytes of a line; the longest in WordNet has 14 kB.
const maxLine = 1 << 18

// Read reads the WordNet in a folder. Errors name the file, and the line of a format error.
func Read(folder string) (*tag.Dictionary, error) {
	d := &tag.Dictionary{Words: map[string]tag.Classes{}}
	for _, part := range []struct {
		name  string
		class tag.Classes
	}{{"noun", tag.Noun}, {"verb", tag.Verb}, {"adj", tag.Adjective}, {"adv", tag.Adverb}} {
		file, read := "index."+part.name, func(line string) error {
			return index(d, line, part.class)
		}
		if part.class == tag.Noun { // its index does not distinguish names from other nouns
			file, read = "data.noun", func(line string) error { return nouns(d, line) }
		}
		if err := lines(filepath.Join(folder, file), read); err != nil {
			return nil, err
		}
		err := lines(filepath.Join(folder, part.name+".exc"), func(line string) error {
			return irregular(d, line, part.class)
		})
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// lines calls f with each line of a file except the licence, whose lines start with a space.
func lines(path string, f func(line string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if number, err := each(file, f); err != nil {
		return fmt.Errorf("%s:%d: %w", path, number, err)
	}
	return nil
}

// each calls f with each line; on failure it returns the line number.
func each(r io.Reader, f func(line string) error) (number int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		number++
		if line := lines.Text(); line != "" && line[0] != ' ' {
			if err := f(line); err != nil {
				return number, err
			}
		}
	}
	return number + 1, lines.Err()
}

// index reads a line of an index, which starts with the word.
func index(d *tag.Dictionary, line string, class tag.Classes) error {
	word, _, ok := strings.Cut(line, " ")
	if !ok {
		return errors.New("not a line of an index")
	}
	if !strings.Contains(word, "_") {
		d.Words[word] |= class
	}
	return nil
}

// nouns reads a synset: offset, file, type, number of words in hexadecimal, and each word with a number.
func nouns(d *tag.Dictionary, line string) error {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return errors.New("not a synset")
	}
	n, err := strconv.ParseUint(fields[3], 16, 8)
	if err != nil || len(fields) < 4+2*int(n) {
		return errors.New("a synset without its words")
	}
	for i := range int(n) {
		noun(d, fields[4+2*i])
	}
	return nil
}

// noun adds a noun of one or more words, in its usual spelling.
func noun(d *tag.Dictionary, written string) {
	parts := strings.Split(written, "_")
	for _, part := range parts {
		lower := strings.ToLower(part)
		switch {
		case len(parts) == 1 && lower == part:
			d.Words[lower] |= tag.Noun
		case len(parts) == 1:
			d.Words[lower] |= tag.Name
		case lower != part:
			d.Words[lower] |= tag.NamePart
		}
	}
}

// irregular reads a line of exceptions: a form and its base forms, of which the first counts.
func irregular(d *tag.Dictionary, line string, class tag.Classes) error {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return errors.New("an exception without its base")
	}
	if !strings.Contains(line, "_") {
		d.Irregular = append(d.Irregular, tag.Irregular{Form: fields[0], Base: fields[1], Class: class})
	}
	return nil
}
