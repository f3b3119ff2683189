package app

import (
	"context"
	"io"
	"slices"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/internal/app/contexts"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// A lens is how crawls of an archive see its documents: in which of their forms, and with the data in
// them or without. All crawls of a comparison look through one, and the survey that knows the truth
// does. It is for many goroutines.
type lens struct {
	fetch   engine.Fetcher
	reader  *page.Reader
	library *contexts.Library              // nil: data is not read
	beside  func(*orbweaver.Page) []string // what a page leads to beside its links; may be nil
}

// newLens makes the lens of a web for focuses and a truth: where any of them is about RDF, it is asked
// for and read.
func newLens(schema crawlfile.Schema, web *archive.Web, documents map[string]string, limits crawlfile.Limits, truth *crawlfile.Truth, focuses ...crawlfile.Focus) *lens {
	l := &lens{fetch: answering(documents, web), reader: page.NewReader(page.Options{MaxBody: limits.Body})}
	for _, one := range schema {
		abilities := kind.AbilitiesOf(schema.Focus(one.Traits().Key, nil))
		if abilities.Class == "" {
			continue
		}
		compared := func(f crawlfile.Focus) bool { return f.Key() == one.Traits().Key }
		if truth != nil && truth.Class == abilities.Class || slices.ContainsFunc(focuses, compared) {
			l.fetch, l.beside = accepting{l.fetch, abilities.Forms}, abilities.Leads
			l.library = contexts.NewLibrary(limits.Redirects)
		}
	}
	return l
}

// completer is the lens's for the crawls that look through it; nil where data is not read.
func (l *lens) completer() engine.Completer {
	if l.library == nil {
		return nil
	}
	return contexts.Completer{Library: l.library, Reader: l.reader}
}

// leads are the targets that a crawl may follow from a page.
func (l *lens) leads(p *orbweaver.Page, gate *gate.Gate) []string {
	links := followable(p, gate)
	if l.beside == nil || p.NoFollow {
		return links
	}
	for _, to := range l.beside(p) {
		if ok, _ := gate.Admits(to); ok {
			links = append(links, to)
		}
	}
	return links
}

// look fetches and reads a document. A redirect, and what is no success, has no page.
func (l *lens) look(ctx context.Context, url string) (*step.Response, *orbweaver.Page, error) {
	response, payload, err := l.get(ctx, url, "")
	if err != nil || response.Status/100 != 2 {
		return response, nil, err
	}
	p, err := l.reader.Read(ctx, response, payload)
	if err == nil && l.library != nil {
		_, err = l.library.Data(ctx, l.reader, p, l.get, contexts.AtOnce)
	}
	return response, p, err
}

// get asks the archive, and reads the whole answer.
func (l *lens) get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	response, err := l.fetch.Fetch(ctx, orbweaver.Request{URL: url, Accept: accept})
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	payload, err := io.ReadAll(response.Body) // the web bounds it
	return response, payload, err
}
