package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"orbweaver"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/crawlfolder"
	"orbweaver/ledger"
)

// asAtFirst is as of when a page is judged without a crawl.
const asAtFirst = "judged as the first page of a crawl: how rare words are, and the threshold, is learned from pages"

// recall gives the focus of a trial what the crawl of the same file learned, where that crawl lies in its folder and
// does not run. Nothing is written. It returns as of when pages are judged, in words; of a focus whose scores do not
// depend on what was learned, nothing.
func (c *crawl) recall(ctx context.Context) (when string, err error) {
	learner, learns := c.focus.(orbweaver.Learner)
	if !learns || c.file.Focus.Ontology == nil && c.file.Focus.Keyword == nil {
		return "", nil
	}
	folder := console.Relative(c.file.Output)
	switch {
	case crawlfolder.IsFresh(c.file.Output):
		return asAtFirst, nil
	case crawlfolder.Check(c.file) != nil:
		return asAtFirst + "; the crawl in " + folder + " has another crawl file", nil
	case !sameOntology(c.file):
		return asAtFirst + "; the crawl in " + folder + " began with another ontology", nil
	}
	l, err := ledger.Open(c.file.Output)
	if errors.Is(err, orbweaver.ErrBusy) {
		return asAtFirst + "; the crawl in " + folder + " runs: orbweaver explain tells its judgements", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	snapshot, after, err := l.Model()
	if err != nil || snapshot == nil {
		return asAtFirst, err
	}
	if decider, ok := c.focus.(orbweaver.Decider); ok {
		for d, err := range l.Decisions() {
			if err == nil {
				_, err = decider.Decide(ctx, d)
			}
			if err != nil {
				return "", err
			}
		}
	}
	switch err := learner.Restore(bytes.NewReader(snapshot)); {
	case errors.Is(err, orbweaver.ErrForeign): // nothing was restored
		return asAtFirst + "; the crawl in " + folder + " began with another ontology", nil
	case err != nil:
		return "", err
	}
	return fmt.Sprintf("judged by what %s had learned after %d requests", folder, after), nil
}

// sameOntology reports whether the ontology of a crawl file is that which its crawl began with.
func sameOntology(f *crawlfile.Crawl) bool {
	o := f.Focus.Ontology
	if o == nil {
		return true
	}
	begun := ontologyFiles(f.Output, o.Files)
	return slices.EqualFunc(o.Files, begun, func(a, b string) bool {
		now, err := os.ReadFile(a)
		then, problem := os.ReadFile(b)
		return err == nil && problem == nil && bytes.Equal(now, then)
	})
}
