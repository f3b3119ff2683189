package app

import (
	"context"
	"slices"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// A lens is how crawls of an archive see its documents: the media types that they request, and whether
// they read embedded data. All crawls of a comparison share one with the survey that computes the truth.
// It is safe for concurrent use.
type lens struct {
	pipeline.Pipeline
	beside func(*orbweaver.Page) []string // targets of a page beside its links; may be nil
}

// newLens makes the lens of a web for focuses and a truth. If any of them is about RDF, the lens requests
// and reads RDF.
func newLens(schema crawlfile.Schema, web *archive.Web, documents map[string]string, limits crawlfile.Limits, truth *crawlfile.Truth, focuses ...crawlfile.Focus) *lens {
	reader := page.NewReader(page.Options{MaxBody: limits.Body})
	l := &lens{Pipeline: pipeline.Pipeline{Fetch: answering(documents, web), Read: reader}} // the archive bounds a payload
	for _, one := range schema {
		abilities := kind.AbilitiesOf(schema.Focus(one.Traits().Key, nil))
		if abilities.Class == "" {
			continue
		}
		compared := func(f crawlfile.Focus) bool { return f.Key() == one.Traits().Key }
		if truth != nil && truth.Class == abilities.Class || slices.ContainsFunc(focuses, compared) {
			l.Fetch, l.beside = accepting{l.Fetch, abilities.Forms}, abilities.Leads
			l.Complete = contexts.Completer{Library: contexts.NewLibrary(limits.Redirects), Reader: reader}
		}
	}
	return l
}

// leads returns the URLs that a crawl may request after a page.
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

// look fetches and reads a document. The page is nil for a redirect or an error status.
func (l *lens) look(ctx context.Context, url string) (*step.Response, *orbweaver.Page, error) {
	return l.Document(ctx, orbweaver.Request{URL: url}, pipeline.Direct(l.get))
}

// get fetches a document and its payload from the archive.
func (l *lens) get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	return l.Ask(ctx, orbweaver.Request{URL: url, Accept: accept})
}
