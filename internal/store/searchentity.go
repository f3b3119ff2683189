package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"orbweaver"
	"orbweaver/internal/kind"
	"orbweaver/ledger"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/quads"
	"orbweaver/search"
	"orbweaver/text"
)

// Limits and weights of a search by entity.
const (
	mostEntities = 1000    // things with the same name
	mostMentions = 200_000 // statements and links with them
	namesLooked  = 200     // best names that share a word with the query
	EntityWeight = 0.5     // bonus of a page with an entity named in the query
)

// mentions holds the pages that mention an entity: those that state something with it as subject or
// object, those that link to it, and those in whose text the crawl's focus found it.
type mentions struct {
	name  string          // as asked for: an IRI, or a name in lower case
	iris  map[string]bool // things with that name
	pages map[string]int  // page → number of statements and links with one of them
	kinds kind.Registry   // map reasons to entities
}

// mentionsOf finds the pages that mention an entity: an IRI, or any thing with a name, ignoring case.
func mentionsOf(ctx context.Context, kinds kind.Registry, store quads.Reader, names search.Reader, entity string) (*mentions, error) {
	m := &mentions{kinds: kinds, name: normal(entity), iris: map[string]bool{}, pages: map[string]int{}}
	var meant []quads.ID
	if strings.Contains(entity, ":") && iri.Check(entity) == nil {
		id, known, err := store.Lookup(rdf.NewIRI(entity))
		if err != nil {
			return nil, err
		}
		m.iris[entity] = true
		if known {
			meant = append(meant, id)
		}
	} else if m.name != "" {
		named, err := thingsCalled(ctx, store, names, `"`+m.name+`"`, mostEntities, func(name string) bool { return name == m.name })
		if err != nil {
			return nil, err
		}
		meant = named
	}
	return m, m.find(ctx, store, meant)
}

// mentionsIn finds the pages with entities that words name; each name must occur as a whole.
func mentionsIn(ctx context.Context, store quads.Reader, names search.Reader, words string) (*mentions, error) {
	m := &mentions{iris: map[string]bool{}, pages: map[string]int{}}
	all := " " + normal(words) + " "
	meant, err := thingsCalled(ctx, store, names, words, namesLooked, func(name string) bool { return strings.Contains(all, " "+name+" ") })
	if err != nil {
		return nil, err
	}
	return m, m.find(ctx, store, meant)
}

// thingsCalled returns the things with a wanted name, among the best hits of a search for names. wanted
// gets names as normalized by normal.
func thingsCalled(ctx context.Context, store quads.Reader, names search.Reader, words string, most int, wanted func(name string) bool) (all []quads.ID, err error) {
	q, err := names.Parse(words)
	if err != nil {
		return nil, nil // a query without terms matches no name
	}
	res, err := names.Search(ctx, q, search.Options{Limit: most})
	if err != nil {
		return nil, err
	}
	naming, err := ledger.NamingIn(store)
	if err != nil {
		return nil, err
	}
	c := store.Cursor()
	defer func() { err = errors.Join(err, c.Close()) }()
	for _, hit := range res.Hits {
		texts, err := ledger.NamesOf(store, c, naming, quads.ID(hit.ID))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(texts, func(t search.Text) bool { name := normal(t.Text); return name != "" && wanted(name) }) {
			all = append(all, quads.ID(hit.ID))
		}
	}
	return all, nil
}

// normal normalizes a name: its words in lower case, separated by single spaces.
func normal(name string) string {
	words := strings.FieldsFunc(text.Key(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	return strings.Join(words, " ")
}

// find finds the pages that state something with things or link to them, and pages that are such a thing
// themselves.
func (m *mentions) find(ctx context.Context, store quads.Reader, meant []quads.ID) (err error) {
	graphs, left := map[quads.ID]int{}, mostMentions
	outlink, _, err := store.Lookup(rdf.NewIRI(describe.HasOutlink))
	if err != nil {
		return err
	}
	c := store.Cursor()
	defer func() { err = errors.Join(err, c.Close()) }()
	for _, id := range meant {
		thing, err := store.Term(id)
		if err != nil {
			return err
		}
		if thing.Kind == rdf.IRI {
			m.iris[thing.Value] = true
			m.pages[thing.Value]++
		}
		for _, p := range []quads.Pattern{{S: id, P: quads.Any, O: quads.Any, G: quads.Named}, {S: quads.Any, P: quads.Any, O: id, G: quads.Named}} {
			for c.Seek(p); left > 0 && c.Next(); left-- {
				graphs[c.Quad().G]++
			}
		}
		for c.Seek(quads.Pattern{S: quads.Any, P: outlink, O: id, G: quads.Default}); left > 0 && c.Next(); left-- {
			if err := m.note(store, c.Quad().S, 1); err != nil {
				return err
			}
		}
		if err := errors.Join(c.Err(), ctx.Err()); err != nil {
			return err
		}
	}
	return m.findGraphs(store, c, graphs)
}

// findGraphs records the pages that graphs belong to.
func (m *mentions) findGraphs(store quads.Reader, c quads.Cursor, graphs map[quads.ID]int) error {
	of, known, err := store.Lookup(rdf.NewIRI(describe.Graph))
	if err != nil || !known {
		return err
	}
	for g, times := range graphs { // the result does not depend on the order
		for c.Seek(quads.Pattern{S: quads.Any, P: of, O: g, G: quads.Default}); c.Next(); {
			if err := m.note(store, c.Quad().S, times); err != nil {
				return err
			}
		}
	}
	return c.Err()
}

func (m *mentions) note(store quads.Reader, page quads.ID, times int) error {
	node, err := store.Term(page)
	m.pages[node.Value] += times
	return err
}

// times counts the mentions of the entity on a page: its statements, its links, and the reasons of its
// judgement.
func (m *mentions) times(page string, reasons []orbweaver.Reason) int {
	n := m.pages[page]
	for _, r := range reasons {
		if m.concerns(r) {
			n++
		}
	}
	return n
}

// concerns reports whether a reason is about the entity, as the kind of focus that wrote it interprets it.
func (m *mentions) concerns(r orbweaver.Reason) bool {
	for _, one := range m.kinds {
		named := one.Names(r)
		if named.IRI != "" && m.iris[named.IRI] || slices.ContainsFunc(named.Names, func(name string) bool { return normal(name) == m.name }) {
			return true
		}
	}
	return false
}
