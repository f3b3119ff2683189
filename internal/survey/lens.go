package survey

import (
	"context"
	"slices"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/sitemap"
	"orbweaver/internal/step"
	"orbweaver/internal/urllist"
	"orbweaver/page"
)

// Lens determines how crawls of an archive see its documents: which media types they request, and whether
// they read embedded data. All crawls of a comparison share a Lens with the survey that computes the
// truth. It is safe for concurrent use.
type Lens struct {
	pipeline.Pipeline
	beside func(*orbweaver.Page) []string // targets of a page besides its links; may be nil
	Given  *sitemap.Web                   // the archive with sitemaps; nil: it is given none
	Lists  *urllist.Lists                 // with which crawls start; nil: none
}

// List has crawls start with lists of URLs.
func (l *Lens) List(lists *urllist.Lists) { l.Lists, l.Fetch = lists, sitemap.Listing(lists, l.Fetch) }

// NewLens returns the lens of a web for focuses and a truth. If any of them uses RDF, the lens requests
// and reads RDF.
func NewLens(schema crawlfile.Schema, web *archive.Web, given *sitemap.Web, documents map[string]string, limits crawlfile.Limits, truth *crawlfile.Truth, focuses ...crawlfile.Focus) *Lens {
	reader := page.NewReader(page.Options{MaxBody: limits.Body})
	l := &Lens{Given: given, Pipeline: pipeline.Pipeline{ // the archive bounds a payload
		Fetch: given.Fetching(services.Answering(documents, web)), Read: given.Reading(reader),
	}}
	for _, one := range schema {
		abilities := kind.AbilitiesOf(schema.Focus(one.Traits().Key, nil))
		if abilities.Class == "" {
			continue
		}
		compared := func(f crawlfile.Focus) bool {
			return slices.ContainsFunc(kind.Each(f), func(part crawlfile.Focus) bool { return part.Key() == one.Traits().Key })
		}
		if truth != nil && truth.Class == abilities.Class || slices.ContainsFunc(focuses, compared) {
			l.Fetch, l.beside = services.Accepting{Fetcher: l.Fetch, Accept: abilities.Forms}, abilities.Leads
			l.Complete = contexts.Completer{Library: contexts.NewLibrary(limits.Redirects), Reader: reader}
		}
	}
	return l
}

// leads returns the URLs that a crawl may request after a page.
func (l *Lens) leads(p *orbweaver.Page, gate *gate.Gate) []string {
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

// Look fetches and reads a document. The page is nil for a redirect or an error status.
func (l *Lens) Look(ctx context.Context, url string) (*step.Response, *orbweaver.Page, error) {
	return l.Document(ctx, orbweaver.Request{URL: url}, pipeline.Direct(l.Get))
}

// Get fetches a document and its payload from the archive.
func (l *Lens) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	return l.Ask(ctx, orbweaver.Request{URL: url, Accept: accept})
}
