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

// OpenWeb opens the archive a crawl file names as its web. Of several files all that cannot be read
// are told.
func OpenWeb(web *crawlfile.Web, limits crawlfile.Limits) (*archive.Web, error) {
	opts := archive.WebOptions{MaxBody: limits.Body}
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

// EachAlone returns what is wrong with each of several files, or err when that is nothing.
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

// Answering puts the files of a crawl file's documents before its web.
func Answering(documents map[string]string, web pipeline.Fetcher) pipeline.Fetcher {
	if len(documents) == 0 {
		return web
	}
	return local.New(documents, web)
}

// CloseAll closes a web if there is one.
func CloseAll(web *archive.Web) error {
	if web == nil {
		return nil
	}
	return web.Close()
}
