// Package knowledge reads what one crawl, model or topic has learned as a source of what an ontology may lack: labels of a
// model (kb/stream), nouns of a KRS (kb/krs), classes found by a metadata crawl (kb/terms).
package knowledge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/findings"
	"orbweaver/internal/kind"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/kb/krs"
	"orbweaver/kb/offer"
	"orbweaver/kb/stream"
)

// Read reads the knowledge of a folder: a label model, a KRS, or a crawl folder with a model, with the findings of a
// metadata crawl, or of a crawl that judges by a KRS. The error wraps orbweaver.ErrInput if it has none of these, and
// orbweaver.ErrBusy if another process has the KRS open.
func Read(ctx context.Context, con *console.Console, schema crawlfile.Schema, path string) (*offer.Source, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("knowledge: %w: name the folder of a crawl, of a label model or of a KRS (%w)", err, orbweaver.ErrInput)
	}
	switch {
	case stream.Has(path), stream.Has(filepath.Join(path, labelmodel.Folder)):
		return ofModel(ctx, con, path)
	case krsdb.Is(path):
		return ofKRS(path, path)
	}
	if err := crawlfolder.CheckCrawl(path); err != nil {
		return nil, fmt.Errorf("%s: neither a crawl folder, a label model nor a KRS (%w)", path, orbweaver.ErrInput)
	}
	if _, err := os.Stat(filepath.Join(path, findings.TermsFile)); err == nil {
		return ofTerms(path)
	}
	file, err := schema.LoadRun(filepath.Join(path, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	if dir, ok := kind.KRS(file.Focus); ok {
		return ofKRS(path, dir)
	}
	shown := console.Relative(path)
	return nil, fmt.Errorf("%s: a crawl with focus: %s has learned no labels, nouns or classes. "+
		"Learn labels from its accepted pages: orbweaver lab labels train --stream %s -o %s; or nouns: orbweaver krs build %s --topic NAME -o NAME.krs (%w)",
		shown, file.Focus.Key(), shown, filepath.Join(shown, labelmodel.Folder), shown, orbweaver.ErrInput)
}

// ofModel reads the labels of a model. Those of a crawl's model occur on its pages; those of a model alone in the items that
// it counted.
func ofModel(ctx context.Context, con *console.Console, path string) (*offer.Source, error) {
	m, at, err := labelmodel.Open(path, "")
	if err != nil {
		return nil, err
	}
	if at != path {
		return labelsOn(m, pagesOf(ctx, con, path)), nil
	}
	examples, err := examplesOf(at)
	if err != nil {
		return nil, err
	}
	return labelsOf(m, examples), nil
}

// ofKRS reads the nouns of a KRS, which path leads to.
func ofKRS(path, dir string) (_ *offer.Source, err error) {
	store, err := krsdb.Open(dir, "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", console.Relative(path), err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	snapshot, err := store.Snapshot(krs.Options{})
	if errors.Is(err, krs.ErrEmpty) {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if err != nil {
		return nil, err
	}
	return nounsOf(snapshot), nil
}

// ofTerms reads the classes that a metadata crawl found.
func ofTerms(path string) (*offer.Source, error) {
	found, err := findings.Read(path)
	if err != nil {
		return nil, err
	}
	return classesOf(found), nil
}
