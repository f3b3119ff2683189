package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"orbweaver"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// acceptDocument is the Accept header of requests for RDF documents.
const acceptDocument = "text/turtle, application/n-triples, application/n-quads;q=0.9, application/trig;q=0.9, " +
	"application/ld+json;q=0.9, application/rdf+xml;q=0.9, */*;q=0.1"

// Load reads an RDF document at an http(s) IRI in any syntax, with gzip or bzip2 removed. It yields the
// triples of all its graphs. It refuses HTML pages. Errors name the document.
func (f *Federation) Load(ctx context.Context, iri string) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		d, err := f.document(ctx, iri)
		if err != nil {
			yield(rdf.Triple{}, err)
			return
		}
		d.scope = rdffile.Scope(fmt.Sprintf("d%d_", f.loads.Add(1)))
		for t, err := range d.triples(ctx) {
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// document fetches a document.
func (f *Federation) document(ctx context.Context, iri string) (loaded, error) {
	d := loaded{maxRows: f.limits.Rows, maxBytes: f.limits.Bytes, context: f.context}
	canonical, err := weburl.Canonical(iri)
	if err != nil {
		return d, fmt.Errorf("%w: %w", orbweaver.ErrBadURL, err)
	}
	for range federationHops + 1 {
		response, payload, err := f.get(ctx, canonical, acceptDocument)
		switch {
		case err != nil:
			return d, err
		case response.Redirect != "":
			canonical = response.Redirect
			continue
		case response.Status/100 == 3:
			return d, fmt.Errorf("fetch %s: %w: status %d", canonical, orbweaver.ErrBadTarget, response.Status)
		case response.Status/100 != 2:
			return d, fmt.Errorf("fetch %s: %w %d", canonical, orbweaver.ErrStatus, response.Status)
		}
		text, err := page.Decode(response.Header, payload, f.limits.Bytes)
		if err != nil {
			return d, fmt.Errorf("fetch %s: %w", canonical, err)
		}
		if bytes.HasPrefix(text, []byte("PK\x03\x04")) {
			return d, fmt.Errorf("fetch %s: %w: a ZIP file", canonical, orbweaver.ErrUnreadable)
		}
		d.base, d.kind, d.text = canonical, response.Header.Get("Content-Type"), bytes.NewReader(text)
		return d, nil
	}
	return d, fmt.Errorf("fetch %s: more than %d: %w", iri, federationHops, orbweaver.ErrRedirects)
}

// get fetches once, with the signature of pipeline.Get.
func (f *Federation) get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	p := pipeline.Pipeline{Fetch: services.LiveWeb{Client: f.client}, MaxBody: f.limits.Bytes}
	response, payload, err := p.Ask(ctx, orbweaver.Request{URL: url, Accept: accept})
	if errors.Is(err, orbweaver.ErrTooLarge) {
		err = fmt.Errorf("%w: more than %d bytes", err, f.limits.Bytes)
	}
	return response, payload, err
}

// context fetches a remote context of JSON-LD.
func (f *Federation) context(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
	canonical, err := weburl.Canonical(url)
	if err != nil {
		return nil, "", "", fmt.Errorf("%w: %w", orbweaver.ErrBadURL, err)
	}
	body, kind, found, err := contexts.Find(ctx, canonical, federationHops, f.get)
	if err != nil {
		return nil, "", "", err
	}
	return io.NopCloser(bytes.NewReader(body)), kind, found, nil
}
