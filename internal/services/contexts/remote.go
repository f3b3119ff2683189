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

// What the contexts of one page may cost its guest.
const (
	contextTime = 2 * time.Minute // for all of them
	Kept        = 8 << 20         // bytes
)

// Accept is asked for where JSON-LD's contexts are.
const Accept = "application/ld+json, application/json;q=0.9"

// Remote answer for the remote contexts of JSON-LD: from files, and then from a web, if there is
// one. It is for one goroutine.
type Remote struct {
	Ctx     context.Context
	files   map[string]string // by contextKey
	get     pipeline.Get      // asks the web; nil: what is in no file is refused
	hops    int               // redirects followed in a row there
	Kept    *jsonld.Contexts
	asked   int              // of the web
	failed  map[string]error // there
	StoodIn bool             // for schema.org's: see loadOrStandIn
}

// NewRemote takes files as the command line has them, each IRI=FILE.
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

// From has what is in no file asked for by get, following so many redirects in a row, until ctx ends or
// that took contextTime. Call stop when all is read.
func (c *Remote) From(ctx context.Context, get pipeline.Get, hops int) (stop context.CancelFunc) {
	c.get, c.hops = get, hops
	c.Ctx, stop = context.WithTimeout(ctx, contextTime)
	return stop
}

// Key is the same for the spellings under which a context is named: by http or https, with or
// without the slash at its end.
func Key(iri string) string {
	if rest, secure := strings.CutPrefix(iri, "https:"); secure {
		iri = "http:" + rest
	}
	return strings.TrimSuffix(iri, "/")
}

// Read reads JSON-LD. A context that cannot be had ends the sequence, in lenient mode too: without it
// names mean something else, or nothing.
func (c *Remote) Read(opts syntax.Options, read func(jsonld.Options) iter.Seq2[rdf.Quad, error]) iter.Seq2[rdf.Quad, error] {
	all := jsonld.Options{Options: opts, Load: c.Load, Context: c.Ctx, Contexts: c.Kept}
	if opts.Lenient {
		return inpage.Whole(all, read)
	}
	return read(all)
}

// LoadOrStandIn is load, but that schema.org's context, where it cannot be had, has a stand-in.
func (c *Remote) LoadOrStandIn(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
	body, contentType, found, err := c.Load(ctx, url)
	if err != nil && isSchemaOrg(url) && ctx.Err() == nil {
		c.StoodIn = true
		return io.NopCloser(strings.NewReader(schemaOrgContext)), "application/ld+json", url, nil
	}
	return body, contentType, found, err
}

// Load is what a reader calls for a context.
func (c *Remote) Load(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
	if file, ok := c.files[Key(url)]; ok {
		f, err := os.Open(file)
		return f, "application/ld+json", url, err
	}
	if c.get == nil {
		return nil, "", "", fmt.Errorf("%w; --context %s=FILE answers it", jsonld.ErrNotLoaded, url)
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

// ask asks the web, as long as the page's contexts have not cost too much.
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
