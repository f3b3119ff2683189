package krs

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"

	"orbweaver/internal/database/kv"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
)

// A View is the RDF of a KRS at the time the view was taken. It is safe for concurrent use and must be
// closed.
//
// It answers the paper's listings, in SPARQL syntax:
//
//	SELECT (COUNT(DISTINCT ?doc) AS ?total) WHERE { ?s a sfwc:Entity . ?s nif:anchorOf "algol" . ?s sfwc:inDocument ?doc . }
//	SELECT (COUNT(DISTINCT ?doc) AS ?total) WHERE { ?doc a sfwc:Document . }
type View struct {
	quads.Reader
	snapshot  kv.Snapshot
	documents int64
}

// View returns the current RDF.
func (s *Store) View() (*View, error) {
	snapshot := s.db.NewSnapshot()
	var st state
	value, _, err := get(snapshot, []byte{tableState})
	if err == nil {
		err = json.Unmarshal(value, &st)
	}
	if err != nil {
		_ = snapshot.Close()
		return nil, fmt.Errorf("%s: %w: %w", s.dir, ErrDamaged, err)
	}
	return &View{s.rdf.Over(snapshot), snapshot, st.Documents}, nil
}

// Close releases the view.
func (v *View) Close() error { return v.snapshot.Close() }

// Magic returns the computed predicates for eval.Options: sfwc:idfValue of every entity, an xsd:double.
func (v *View) Magic() map[string]eval.Predicate {
	return map[string]eval.Predicate{IDFValue: v.idfValues}
}

// idfValues yields the triples of sfwc:idfValue with a subject, or all.
func (v *View) idfValues(_ context.Context, s, _ rdf.Term) iter.Seq2[[2]rdf.Term, error] {
	return func(yield func([2]rdf.Term, error) bool) {
		l, err := v.entities()
		if err != nil {
			yield([2]rdf.Term{}, err)
			return
		}
		if !s.IsZero() {
			id, known, err := v.Lookup(s)
			if err == nil && known {
				l.one(id, yield)
			} else if err != nil {
				yield([2]rdf.Term{}, err)
			}
			return
		}
		c := v.Cursor()
		defer c.Close()
		for c.Seek(quads.Pattern{S: quads.Any, P: l.typ, O: l.entity, G: quads.Default}); c.Next(); {
			if !l.one(c.Quad().S, yield) {
				return
			}
		}
		if err := c.Err(); err != nil {
			yield([2]rdf.Term{}, err)
		}
	}
}

// A lookup computes the IDF of entities.
type lookup struct {
	v                               *View
	typ, entity, anchorOf, identRef quads.ID // 0 if no quad has it
}

func (v *View) entities() (lookup, error) {
	l := lookup{v: v}
	for _, want := range [...]struct {
		id  *quads.ID
		iri string
	}{{&l.typ, rdfType}, {&l.entity, ClassEntity}, {&l.anchorOf, AnchorOf}, {&l.identRef, TaIdentRef}} {
		id, known, err := v.Lookup(rdf.NewIRI(want.iri))
		if err != nil {
			return l, err
		}
		if known {
			*want.id = id
		}
	}
	return l, nil
}

// one yields the IDF of an entity, if id is one; false if no more is wanted.
func (l *lookup) one(id quads.ID, yield func([2]rdf.Term, error) bool) bool {
	k, ok, err := l.key(id)
	if err != nil {
		return yield([2]rdf.Term{}, err)
	}
	if !ok {
		return true
	}
	s, err := l.v.Term(id)
	if err != nil {
		return yield([2]rdf.Term{}, err)
	}
	value, ok, err := l.v.idf(k)
	if err != nil || !ok {
		return err == nil || yield([2]rdf.Term{}, err)
	}
	return yield([2]rdf.Term{s, value}, nil)
}

// key returns the noun of an entity.
func (l *lookup) key(id quads.ID) (k Key, ok bool, err error) {
	if l.typ == 0 || l.entity == 0 || l.anchorOf == 0 {
		return k, false, nil
	}
	if _, ok, err = l.object(quads.Pattern{S: id, P: l.typ, O: l.entity, G: quads.Default}); !ok || err != nil {
		return k, false, err
	}
	lemma, ok, err := l.object(quads.Pattern{S: id, P: l.anchorOf, O: quads.Any, G: quads.Default})
	if !ok || err != nil {
		return k, false, err
	}
	k.Lemma = lemma.Value
	if l.identRef != 0 {
		ref, linked, err := l.object(quads.Pattern{S: id, P: l.identRef, O: quads.Any, G: quads.Default})
		if err != nil {
			return k, false, err
		}
		if linked {
			k.IRI = ref.Value
		}
	}
	return k, true, nil
}

// object returns the object of the first quad that matches a pattern.
func (l *lookup) object(p quads.Pattern) (t rdf.Term, found bool, err error) {
	c := l.v.Cursor()
	defer c.Close()
	if c.Seek(p); !c.Next() {
		return t, false, c.Err()
	}
	t, err = l.v.Term(c.Quad().O)
	return t, err == nil, err
}

// idf returns the IDF of a noun as a literal; false if no document has the noun.
func (v *View) idf(k Key) (rdf.Term, bool, error) {
	value, found, err := get(v.snapshot, nounKey(k))
	if err != nil || !found {
		return rdf.Term{}, false, err
	}
	e, err := readEntry(value)
	if err != nil {
		return rdf.Term{}, false, fmt.Errorf("noun %q: %w: %w", k.Lemma, ErrDamaged, err)
	}
	if e.n == 0 {
		return rdf.Term{}, false, nil
	}
	return rdf.NewTyped(strconv.FormatFloat(idf(v.documents, e.n), 'f', -1, 64), rdf.XSDDouble), true, nil
}

// Export yields all quads, including sfwc:idfValue, each after those of its entity.
func (v *View) Export() iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		l, err := v.entities()
		if err != nil {
			yield(rdf.Quad{}, err)
			return
		}
		predicate := rdf.NewIRI(IDFValue)
		say := func(pair [2]rdf.Term, err error) bool {
			return yield(rdf.Quad{S: pair[0], P: predicate, O: pair[1]}, err) && err == nil
		}
		c := v.Cursor()
		defer c.Close()
		last := quads.ID(0)
		for c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Default}); c.Next(); {
			ids := c.Quad()
			if last != 0 && ids.S != last && !l.one(last, say) {
				return
			}
			last = ids.S
			if q, err := quads.Terms(v, ids); !yield(q, err) || err != nil {
				return
			}
		}
		switch err := c.Err(); {
		case err != nil:
			yield(rdf.Quad{}, err)
		case last != 0:
			l.one(last, say)
		}
	}
}
