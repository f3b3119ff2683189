package crawl

import (
	"errors"
	"fmt"
	"path/filepath"

	"orbweaver/internal/crawlfile"
)

// A Problem is one problem of a crawl file, with its place and, if there is one, its remedy.
type Problem = crawlfile.Problem

// Problems returns the problems of a crawl file that an error tells of, in the order of their places; none for other errors.
func Problems(err error) []Problem {
	var all crawlfile.Problems
	errors.As(err, &all)
	return all
}

// Validate checks the text of a crawl file, YAML or JSON, from somebody who may use the files of a folder alone: relative paths
// are relative to it, and paths that lead out of it are problems, as are programs to run. name stands for the file in problems.
// Nothing is written. The error wraps orbweaver.ErrInput, and Problems returns all that is wrong.
func Validate(name, folder string, text []byte, options ...Option) error {
	s, err := settle(options)
	if err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return fmt.Errorf("crawl: %w", err)
	}
	_, err = new(Crawl).with(s).Confined(name, folder, text)
	return err
}

// FileSchema returns the JSON Schema of crawl files.
func FileSchema() []byte { return new(Crawl).with(&settings{}).JSONSchema() }
