package crossref

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"iter"
	"net/url"
	"os"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/services/contexts"
	"orbweaver/ledger"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// Bounds of what is read of an entity.
const (
	maxLiterals = 10_000
	maxLinks    = 5_000
)

// titles are the properties whose value is the title of an entity, the best first.
func titles() []string {
	return []string{
		"http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#prefLabel", "http://purl.org/dc/terms/title",
		"http://purl.org/dc/elements/1.1/title", "http://schema.org/name", "https://schema.org/name", "http://xmlns.com/foaf/0.1/name",
	}
}

// An entity is what a knowledge base says of an IRI.
type entity struct {
	known    bool // the subject of a statement
	literals []stated
	links    []string
}

// stated is a literal with its property.
type stated struct {
	property string
	value    rdf.Term
}

// add adds a statement about the entity. Numbers, dates and the like say nothing of what it is about.
func (e *entity) add(p, o rdf.Term) {
	e.known = true
	switch {
	case o.Kind == rdf.IRI && isURL(o.Value) && len(e.links) < maxLinks && !slices.Contains(e.links, o.Value):
		e.links = append(e.links, o.Value)
	case o.Kind == rdf.Literal && isText(o) && len(e.literals) < maxLiterals && strings.TrimSpace(o.Value) != "":
		e.literals = append(e.literals, stated{p.Value, o})
	}
}

func isText(o rdf.Term) bool {
	return o.Lang != "" || slices.Contains([]string{"", "http://www.w3.org/2001/XMLSchema#string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML"}, o.Datatype)
}

// lang returns the language of the entity's text: that of most of its characters, English among equals. Literals of
// other languages are left out.
func (e *entity) lang() (best string) {
	size := map[string]int{}
	for _, s := range e.literals {
		size[s.value.Lang] += len(s.value.Value)
	}
	delete(size, "")
	for lang, n := range size {
		if better := cmp.Or(cmp.Compare(n, size[best]), cmp.Compare(english(lang), english(best)), strings.Compare(best, lang)); best == "" || better > 0 {
			best = lang
		}
	}
	return best
}

// english returns 1 for English.
func english(lang string) int {
	if lang == "en" || strings.HasPrefix(lang, "en-") {
		return 1
	}
	return 0
}

// page writes the entity as HTML, the form in which a crawl keeps its items.
func (e *entity) page() []byte {
	lang := e.lang()
	title, rank := "", len(titles())
	var body strings.Builder
	for _, s := range e.literals {
		if s.value.Lang != "" && s.value.Lang != lang {
			continue
		}
		if at := slices.Index(titles(), s.property); at >= 0 && at < rank {
			title, rank = s.value.Value, at
		}
		fmt.Fprintf(&body, "<p>%s</p>\n", html.EscapeString(s.value.Value))
	}
	for _, link := range e.links {
		fmt.Fprintf(&body, "<p><a href=\"%s\"></a></p>\n", html.EscapeString(link))
	}
	head := "<!DOCTYPE html>\n<html"
	if lang != "" {
		head += fmt.Sprintf(" lang=%q", lang)
	}
	return fmt.Appendf(nil, "%s><head><title>%s</title></head><body><main>\n%s</main></body></html>\n", head, html.EscapeString(title), body.String())
}

// entityURL returns the URL of the page of an entity: its IRI, if that is on the Web.
func entityURL(iri string) string {
	if isURL(iri) {
		return iri
	}
	return ofFile + url.PathEscape(iri)
}

// entityPage reads an entity from an RDF file or the folder of a crawl. Errors wrap orbweaver.ErrInput.
func entityPage(ctx context.Context, iri, in string) ([]byte, error) {
	e := &entity{}
	read := e.fromFile
	if stat, err := os.Stat(in); err == nil && stat.IsDir() {
		read = e.fromCrawl
	}
	if err := read(ctx, iri, in); err != nil {
		return nil, fmt.Errorf("<%s> in %s: %w (%w)", iri, in, err, orbweaver.ErrInput)
	}
	switch {
	case !e.known:
		return nil, fmt.Errorf("<%s> is the subject of no statement in %s: check its spelling, name another file or crawl in entity_in, or, if it is a page, name that as item (%w)", iri, in, orbweaver.ErrInput)
	case len(e.literals) == 0:
		return nil, fmt.Errorf("<%s> has no label, description or other text in %s: name another item, or a file that describes it (%w)", iri, in, orbweaver.ErrInput)
	}
	return e.page(), nil
}

// fromFile reads the statements about an IRI from an RDF file.
func (e *entity) fromFile(ctx context.Context, iri, path string) error {
	in, err := rdffile.Open(ctx, path, nil)
	if err != nil {
		return err
	}
	defer in.Close()
	notation, err := in.Notation()
	if err != nil {
		return err
	}
	remote, err := contexts.NewRemote(ctx, nil)
	if err != nil {
		return err
	}
	return e.from(iri, notation.Quads(in.Text, syntax.Options{Name: path, Base: in.Base}, remote))
}

// from adds the statements about an IRI.
func (e *entity) from(iri string, quads iter.Seq2[rdf.Quad, error]) error {
	for q, err := range quads {
		if err != nil {
			return err
		}
		if q.S.Kind == rdf.IRI && q.S.Value == iri {
			e.add(q.P, q.O)
		}
	}
	return nil
}

// fromCrawl reads what the pages of a crawl state about an IRI. What the crawl knows of its pages itself is not among it.
func (e *entity) fromCrawl(_ context.Context, iri, folder string) (err error) {
	if err := crawlfolder.CheckCrawl(folder); err != nil {
		return err
	}
	l, err := ledger.Open(folder)
	if errors.Is(err, orbweaver.ErrBusy) {
		return fmt.Errorf("the crawl is running: %w: wait for its end, or export its data with orbweaver export --format nquads", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return e.from(iri, l.Quads(rdf.NewIRI(iri), rdf.Term{}, rdf.Term{}, rdf.Term{}))
}
