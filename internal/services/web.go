package services

import (
	"errors"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/local"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
)

// OpenWeb opens the archive that a crawl file names, whose bodies may have most bytes. The error lists all files that cannot be read.
func OpenWeb(web *crawlfile.Web, most int64) (*archive.Web, error) {
	opts := archive.WebOptions{MaxBody: most}
	opened, err := archive.OpenWeb(web.Archive, opts)
	if err == nil {
		for range opened.All() {
			return opened, nil
		}
		problem := fmt.Errorf("web: nothing to crawl in %s %s (%w)", strings.Join(web.Archive, ", "), opened.Warnings(), orbweaver.ErrInput)
		return nil, errors.Join(problem, opened.Close())
	}
	if len(web.Archive) == 1 {
		return nil, err
	}
	return nil, EachAlone(web.Archive, err, func(path string) error {
		one, err := archive.OpenWeb([]string{path}, opts)
		return errors.Join(err, CloseAll(one))
	})
}

// EachAlone checks several files and joins their errors, or returns err if there are none.
func EachAlone(paths []string, err error, check func(path string) error) error {
	var problems []error
	for _, path := range paths {
		problems = append(problems, check(path))
	}
	if all := errors.Join(problems...); all != nil {
		return all
	}
	return err
}

// Answering makes the documents of a crawl file available before its web.
func Answering(documents map[string]string, web pipeline.Fetcher) pipeline.Fetcher {
	if len(documents) == 0 {
		return web
	}
	return local.New(documents, web)
}

// CloseAll closes a web unless it is nil.
func CloseAll(web *archive.Web) error {
	if web == nil {
		return nil
	}
	return web.Close()
}
