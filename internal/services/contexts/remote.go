package contexts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	inpage "orbweaver/rdf/syntax/embedded"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/weburl"
)

// Limits of the contexts of one page.
const (
	contextTime = 2 * time.Minute // for all of them
	Kept        = 8 << 20         // bytes
)

// Accept is the Accept header of requests for JSON-LD contexts.
const Accept = "application/ld+json, application/json;q=0.9"

// Remote loads the remote contexts of JSON-LD, from files first and then from a web if there is one. It is
// for one goroutine.
type Remote struct {
	Ctx     context.Context
	files   map[string]string // by Key
	get     pipeline.Get      // nil: only contexts in files are available
	hops    int               // redirects followed in a row there
	Kept    *jsonld.Contexts
	asked   int              // contexts requested from the web
	failed  map[string]error // by Key: contexts that the web could not provide
	StoodIn bool             // schema.org's context was replaced: see LoadOrStandIn
}

// NewRemote returns a Remote with the files of the command line, each IRI=FILE.
func NewRemote(ctx context.Context, given []string) (*Remote, error) {
	c := &Remote{Ctx: ctx, files: map[string]string{}, Kept: jsonld.NewContexts(Kept), failed: map[string]error{}}
	var problems []error
	for _, s := range given {
		i := strings.LastIndexByte(s, '=')
		if i < 0 || iri.Check(s[:i]) != nil || s[i+1:] == "" {
			problems = append(problems, fmt.Errorf("--context wants IRI=FILE, not %q (%w)", s, orbweaver.ErrInput))
			continue
		}
		if _, err := os.Stat(s[i+1:]); err != nil {
			problems = append(problems, fmt.Errorf("--context %s: %w (%w)", s, err, orbweaver.ErrInput))
		}
		c.files[Key(s[:i])] = s[i+1:]
	}
	return c, errors.Join(problems...)
}

// From lets c fetch contexts that are in no file with get, following up to hops redirects in a row, until
// ctx ends or after contextTime. The caller must call stop after reading.
func (c *Remote) From(ctx context.Context, get pipeline.Get, hops int) (stop context.CancelFunc) {
	c.get, c.hops = get, hops
	c.Ctx, stop = context.WithTimeout(ctx, contextTime)
	return stop
}

// Key normalizes the URL of a context: variants with http or https, with the host in capitals or not, and with or without a final
// slash, have the same key.
func Key(iri string) string {
	scheme, rest, found := strings.Cut(iri, "://")
	if !found {
		return strings.TrimSuffix(iri, "/")
	}
	if scheme = strings.ToLower(scheme); scheme == "https" {
		scheme = "http"
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	return strings.TrimSuffix(scheme+"://"+strings.ToLower(rest[:end])+rest[end:], "/")
}

// Read reads JSON-LD. An unavailable context ends the sequence, in lenient mode too, because names would
// change or lose their meaning.
func (c *Remote) Read(opts syntax.Options, read func(jsonld.Options) iter.Seq2[rdf.Quad, error]) iter.Seq2[rdf.Quad, error] {
	all := jsonld.Options{Options: opts, Load: c.Load, Context: c.Ctx, Contexts: c.Kept}
	if opts.Lenient {
		return inpage.Whole(all, read)
	}
	return read(all)
}

// LoadOrStandIn loads like Load, but replaces an unavailable schema.org context by schemaOrgContext.
func (c *Remote) LoadOrStandIn(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
	body, contentType, found, err := c.Load(ctx, url)
	if err != nil && isSchemaOrg(url) && ctx.Err() == nil {
		c.StoodIn = true
		return io.NopCloser(strings.NewReader(schemaOrgContext)), "application/ld+json", url, nil
	}
	return body, contentType, found, err
}

// Load loads a context for a JSON-LD reader.
func (c *Remote) Load(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
	if file, ok := c.files[Key(url)]; ok {
		f, err := os.Open(file)
		return f, "application/ld+json", url, err
	}
	if c.get == nil {
		return nil, "", "", fmt.Errorf("%w; name a local copy with --context %s=FILE", jsonld.ErrNotLoaded, url)
	}
	if err := c.failed[url]; err != nil {
		return nil, "", "", err
	}
	body, contentType, final, err := c.ask(ctx, url)
	if err != nil {
		c.failed[url] = err
		return nil, "", "", err
	}
	return io.NopCloser(bytes.NewReader(body)), contentType, final, nil
}

// ask fetches from the web within the limits of a page.
func (c *Remote) ask(ctx context.Context, url string) (body []byte, contentType, final string, err error) {
	if c.asked++; c.asked > jsonld.DefaultMaxContexts {
		return nil, "", "", fmt.Errorf("the page needs more than %d contexts", jsonld.DefaultMaxContexts)
	}
	canonical, err := weburl.Canonical(url)
	if err != nil {
		return nil, "", "", fmt.Errorf("%w: %w", orbweaver.ErrBadURL, err)
	}
	return Find(ctx, canonical, c.hops, c.get)
}
