package sparql

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/eval"
	sparqlsyntax "orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/jsonld"
)

// maxParts is how many documents a request may have in a form.
const maxParts = 100

// jsonldType is the media type of JSON-LD.
const jsonldType = "application/ld+json"

// body returns a request's body, decompressed. Its size is bounded before and after decompression.
func (h *Handler) body(w http.ResponseWriter, r *http.Request) (io.ReadCloser, error) {
	now := time.Now()
	slow := &paced{ReadCloser: r.Body, control: http.NewResponseController(w), began: now, last: now.Add(h.opts.Time + grace)}
	body := http.MaxBytesReader(w, slow, h.opts.MaxBody)
	switch coding := strings.Join(r.Header.Values("Content-Encoding"), ", "); strings.ToLower(coding) {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		return http.MaxBytesReader(w, &packed{body: body}, h.opts.MaxBody), nil
	default:
		w.Header().Set("Accept-Encoding", "gzip")
		return nil, faulty(http.StatusUnsupportedMediaType, "a body's Content-Encoding is gzip or absent, not %q", coding)
	}
}

// A packed body is a gzip body, decompressed as it is read.
type packed struct {
	body io.ReadCloser
	zip  *gzip.Reader // nil before the first Read
}

// Read reads decompressed bytes.
func (p *packed) Read(b []byte) (n int, err error) {
	if p.zip == nil {
		if p.zip, err = gzip.NewReader(p.body); err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			p.zip = nil
			return 0, err
		}
	}
	return p.zip.Read(b)
}

// Close closes the compressed body.
func (p *packed) Close() error { return p.body.Close() }

// A batch holds the triples of a request.
type batch struct {
	triples []rdf.Triple
	bytes   int64 // of memory, estimated
	most    int64
}

// tripleBytes is the memory of a triple without its characters.
const tripleBytes = 168

// add adds a triple. Its blank nodes get labels that begin with a scope.
func (b *batch) add(q rdf.Quad, scope string) error {
	for _, term := range [...]*rdf.Term{&q.S, &q.O} {
		*term = term.Map(func(t rdf.Term) rdf.Term {
			if t.Kind == rdf.Blank {
				t.Value = scope + t.Value
			}
			return t
		})
	}
	b.bytes += tripleBytes + int64(len(q.S.Value)+len(q.P.Value)+len(q.O.Value))
	if b.bytes > b.most {
		return fmt.Errorf("the body: %w: more than %d bytes", eval.ErrMemory, b.most)
	}
	b.triples = append(b.triples, rdf.Triple{S: q.S, P: q.P, O: q.O})
	return nil
}

// document reads the triples of a request: of one document, or of all documents of a form. Their blank nodes
// get labels that are new to the store.
func (h *Handler) document(r *http.Request, graph rdf.Term) ([]rdf.Triple, error) {
	all := &batch{most: h.opts.MaxBytes}
	base := graph.Value
	if base == "" {
		base = here(r, r.URL.Path)
	}
	scope := "g" + strings.ToLower(rand.Text())
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		err := all.read(r.Context(), r.Body, r.Header.Get("Content-Type"), base, scope)
		return all.triples, err
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, faulty(http.StatusBadRequest, "the form: %w", err)
	}
	for n := 1; ; n++ {
		p, err := parts.NextPart()
		if err == io.EOF {
			return all.triples, nil
		}
		if err == nil && n > maxParts {
			return nil, faulty(http.StatusRequestEntityTooLarge, "more than %d documents", maxParts)
		}
		if err != nil {
			return nil, unread(err)
		}
		if err := all.read(r.Context(), p, p.Header.Get("Content-Type"), base, fmt.Sprintf("%s-%d-", scope, n)); err != nil {
			return nil, err
		}
	}
}

// read adds the triples of a document. A document with named graphs is an error.
func (b *batch) read(ctx context.Context, body io.Reader, contentType, base, scope string) error {
	tracked := &source{r: body}
	quads, err := parsed(ctx, tracked, contentType, syntax.Options{Name: "body", Base: base})
	if err != nil {
		return err
	}
	for q, err := range quads {
		switch {
		case tracked.err != nil:
			return unread(tracked.err)
		case errors.Is(err, jsonld.ErrNotLoaded):
			return faulty(http.StatusBadRequest, "%w: the context has to be in the document", err)
		case err != nil:
			return faulty(http.StatusBadRequest, "%w", err)
		case !q.G.IsZero():
			return faulty(http.StatusBadRequest, "body: a statement of the graph %s: what is put into a graph names none", sparqlsyntax.Text(q.G))
		case len(b.triples)%1024 == 0 && ctx.Err() != nil:
			return ctx.Err()
		}
		if err := b.add(q, scope); err != nil {
			return err
		}
	}
	return nil
}

// readable are the syntaxes that graphs are read in, as the service description names them, by media type.
func readable() [][2]string {
	return [][2]string{
		{"Turtle", syntax.Turtle.MediaType()}, {"N-Triples", syntax.NTriples.MediaType()}, {"RDF_XML", syntax.RDFXML.MediaType()},
		{"JSON-LD", jsonldType}, {"TriG", syntax.TriG.MediaType()}, {"N-Quads", syntax.NQuads.MediaType()},
	}
}

// parsed returns the quads of a document, by its media type.
func parsed(ctx context.Context, body io.Reader, contentType string, opts syntax.Options) (iter.Seq2[rdf.Quad, error], error) {
	media, _, _ := mime.ParseMediaType(contentType)
	if media == jsonldType {
		return jsonld.Read(body, jsonld.Options{Options: opts, Context: ctx}), nil
	}
	f := syntax.Detect("", media, nil)
	if f == syntax.Unknown {
		var types []string
		for _, known := range readable() {
			types = append(types, known[1])
		}
		return nil, faulty(http.StatusUnsupportedMediaType, "a graph's Content-Type is one of %s, not %q", strings.Join(types, ", "), contentType)
	}
	return document.Quads(body, f, opts), nil
}

// A source is a reader that keeps its error.
type source struct {
	r   io.Reader
	err error
}

// Read reads, and keeps an error other than io.EOF.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
