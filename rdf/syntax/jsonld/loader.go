package jsonld

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"mime"
	"slices"
	"strings"

	"github.com/piprate/json-gold/ld"

	"orbweaver/rdf/iri"
)

// A remote is a loaded remote context. It is immutable.
type remote struct {
	asked    string   // its URL
	url      string   // its final URL
	local    any      // the value of its "@context", references made absolute
	includes []string // contexts included by the whole, not by single terms
	terms    terms    // its own measures, without those of includes
	bytes    int
	flaw     error // the first that was repaired in its JSON; nil: there is none
}

// A loader loads the remote contexts of one document for json-gold, within limits.
type loader struct {
	opts     Options
	base     iri.Base
	size     *survey            // of the document being expanded
	loaded   map[string]*remote // by URL asked for
	failed   map[string]error
	closed   map[string]closure // of contexts whose inclusions end
	known    map[string]bool    // contexts that the survey has seen
	asked    int                // contexts
	bytes    int                // of contexts
	work     int                // of earlier expansions
	document any                // being expanded
	names    map[string]bool    // its strings: see pruned; nil until gathered
	err      error              // ends the expansion
}

// A closure is a context with those that it includes.
type closure struct {
	height int // depth of inclusions
	terms  terms
}

func newLoader(opts Options) (*loader, error) {
	l := &loader{
		opts: opts, loaded: map[string]*remote{}, failed: map[string]error{}, closed: map[string]closure{}, known: map[string]bool{},
	}
	if opts.Base == "" {
		return l, nil
	}
	var err error
	if l.base, err = iri.ParseBase(opts.Base); err != nil {
		return nil, unplaced(opts.Name, "base: "+err.Error(), nil)
	}
	return l, nil
}

// measure starts the expansion of a document.
func (l *loader) measure(document any) error {
	if l.size != nil {
		l.work = l.size.work
	}
	l.document, l.names = document, nil
	l.size, l.err = &survey{work: l.work, lookup: l.lookup}, nil
	if err := l.size.document(document); err != nil {
		return unplaced(l.opts.Name, err.Error(), nil)
	}
	return nil
}

// spent returns the work of the document and of earlier ones that share its budget.
func (l *loader) spent() int {
	if l.size == nil {
		return l.work
	}
	return max(l.size.work, l.work)
}

// lookup is called by the survey for a context.
func (l *loader) lookup(ref string) terms {
	r, err := l.context(ref)
	if err != nil {
		return terms{} // json-gold will request it, too
	}
	l.known[r.asked] = true
	return l.closed[r.asked].terms
}

// LoadDocument implements ld.DocumentLoader for each reference to a context. In lenient mode an unavailable
// context is empty.
func (l *loader) LoadDocument(ref string) (*ld.RemoteDocument, error) {
	r, err := l.context(ref)
	switch {
	case err == nil:
		if l.err = l.size.load(l.closed[r.asked].terms, l.known[r.asked]); l.err != nil {
			return nil, l.err
		}
	case l.opts.Lenient:
		r = &remote{local: map[string]any{}}
	default:
		l.err = err
		return nil, err
	}
	local := l.pruned(r)
	if m, ok := local.(map[string]any); ok {
		local = maps.Clone(m) // json-gold modifies imported contexts
	}
	return &ld.RemoteDocument{DocumentURL: r.url, Document: map[string]any{"@context": local}}, nil
}

// context returns a context whose inclusions are all loaded and do not recurse. A failure is reported once.
func (l *loader) context(ref string) (*remote, error) {
	url, err := l.resolve(ref)
	if err := l.failed[url]; err != nil {
		return nil, err
	}
	if err == nil {
		_, err = l.close(url, nil)
	}
	if err == nil {
		return l.loaded[url], nil
	}
	l.failed[url] = err
	if l.opts.Lenient && len(l.failed) <= maxReports {
		l.opts.Report(unplaced(l.opts.Name, "remote context", err))
	}
	return nil, err
}

// resolve makes a reference of the document absolute.
func (l *loader) resolve(ref string) (string, error) {
	if iri.IsAbsolute(ref) {
		return ref, nil
	}
	url, err := l.base.Resolve(ref)
	if err != nil {
		return ref, fmt.Errorf("context %q: %w", cut(ref), err)
	}
	return url, nil
}

// close loads a context and those it includes. path lists the contexts that include it.
func (l *loader) close(url string, path []string) (closure, error) {
	if slices.Contains(path, url) {
		return closure{}, fmt.Errorf("context %s includes itself", url)
	}
	whole, known := l.closed[url]
	if len(path)+whole.height >= l.opts.MaxContextDepth {
		return closure{}, fmt.Errorf("context %s: contexts include contexts more than %d deep", url, l.opts.MaxContextDepth)
	}
	if known {
		return whole, nil
	}
	r, err := l.get(url)
	if err != nil {
		return closure{}, err
	}
	whole.terms.add(r.terms)
	for _, ref := range r.includes {
		part, err := l.close(ref, append(path, url))
		if err != nil {
			return closure{}, err
		}
		whole.height = max(whole.height, part.height+1)
		whole.terms.add(part.terms)
	}
	l.closed[url] = whole
	return whole, nil
}

// get returns a context: from this read, from the cache, or loaded.
func (l *loader) get(url string) (*remote, error) {
	if r := l.loaded[url]; r != nil {
		return r, nil
	}
	if l.asked++; l.asked > l.opts.MaxContexts {
		return nil, fmt.Errorf("context %s: the document needs more than %d contexts", url, l.opts.MaxContexts)
	}
	r := l.opts.Contexts.get(url)
	if r == nil {
		var err error
		if r, err = fetch(url, l.opts); err != nil {
			return nil, err
		}
		l.opts.Contexts.put(url, r)
	}
	if r.flaw != nil && !l.opts.Lenient {
		return nil, fmt.Errorf("context %w", r.flaw) // which names it
	}
	if l.bytes += r.bytes; l.bytes > l.opts.MaxContextBytes {
		return nil, fmt.Errorf("context %s: the document needs contexts of more than %d bytes", url, l.opts.MaxContextBytes)
	}
	l.loaded[url] = r
	if r.flaw != nil {
		l.opts.Report(unplaced(l.opts.Name, "remote context", r.flaw))
	}
	if l.opts.Used != nil {
		l.opts.Used(url)
	}
	return r, nil
}

// fetch loads a context. Mistakes of its JSON are never repaired.
func fetch(url string, opts Options) (*remote, error) {
	if opts.Load == nil {
		return nil, fmt.Errorf("context %s: %w", url, ErrNotLoaded)
	}
	text, final, err := load(opts.Context, url, opts)
	if err != nil {
		return nil, fmt.Errorf("context %s: %w", url, err)
	}
	r := &remote{asked: url, url: final, bytes: len(text)}
	lenient := opts
	lenient.Lenient, lenient.Name = true, url
	lenient.OnError = func(err error) { r.flaw = cmp.Or(r.flaw, err) }
	documents, err := newDecoder(text, lenient).documents()
	if err != nil {
		return nil, fmt.Errorf("context %w", err) // which names it
	}
	var document map[string]any
	if len(documents) > 0 {
		document, _ = documents[0].(map[string]any)
	}
	local, ok := document["@context"]
	if !ok {
		return nil, fmt.Errorf("context %s: the document has no context", url)
	}
	if r.local, r.includes, err = absolute(local, final); err != nil {
		return nil, fmt.Errorf("context %s: %w", url, err)
	}
	if err := r.terms.context(r.local, true, nil); err != nil {
		return nil, fmt.Errorf("context %s: %w", url, err)
	}
	return r, nil
}

// load reads the body of a context and closes it.
func load(ctx context.Context, url string, opts Options) (text []byte, final string, err error) {
	body, contentType, final, err := opts.Load(ctx, url)
	if err != nil {
		return nil, "", err
	}
	if body == nil {
		return nil, "", ErrNotLoaded
	}
	defer body.Close()
	if !isJSON(contentType) {
		return nil, "", fmt.Errorf("%q is no media type of JSON", cut(contentType))
	}
	text, err = io.ReadAll(io.LimitReader(body, int64(opts.MaxContextBytes)+1))
	if err == nil && len(text) > opts.MaxContextBytes {
		err = fmt.Errorf("more than %d bytes", opts.MaxContextBytes)
	}
	if final == "" {
		final = url
	}
	return text, final, err
}

// isJSON accepts JSON types as servers declare them, and missing types.
func isJSON(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		mediaType, _, _ = strings.Cut(contentType, ";")
		mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	}
	switch mediaType {
	case "", "application/json", "text/json", "text/plain", "application/octet-stream":
		return true
	}
	return strings.HasSuffix(mediaType, "+json")
}

// absolute returns a copy of a context with absolute references to other contexts, and the references that
// the context includes itself, not by one of its terms.
func absolute(local any, base string) (any, []string, error) {
	b, err := iri.ParseBase(base)
	if err != nil {
		return nil, nil, err
	}
	a := absolutes{base: b}
	out := a.context(local, true)
	return out, a.includes, a.err
}

type absolutes struct {
	base     iri.Base
	includes []string
	err      error
}

// reference makes a reference absolute.
func (a *absolutes) reference(ref string, included bool) string {
	url, err := a.base.Resolve(ref)
	if err != nil {
		a.err = err
	}
	if included {
		a.includes = append(a.includes, url)
	}
	return url
}

// context copies a context; included tells whether it applies wherever the whole does.
func (a *absolutes) context(local any, included bool) any {
	switch c := local.(type) {
	case string:
		return a.reference(c, included)
	case []any:
		out := make([]any, len(c))
		for i, item := range c {
			out[i] = a.context(item, included)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(c))
		for _, name := range slices.Sorted(maps.Keys(c)) {
			switch value := c[name].(type) {
			case string:
				if out[name] = value; name == "@import" {
					out[name] = a.reference(value, included)
				}
			case map[string]any:
				out[name] = a.definition(value)
			default:
				out[name] = value
			}
		}
		return out
	}
	return local
}

// definition copies a term definition. A scoped context applies only where the term is used.
func (a *absolutes) definition(definition map[string]any) any {
	out := maps.Clone(definition)
	if scoped, ok := out["@context"]; ok {
		out["@context"] = a.context(scoped, false)
	}
	return out
}
