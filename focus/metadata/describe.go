package metadata

import (
	"fmt"
	"strings"

	"orbweaver/kb/relevance"
	"orbweaver/rdf"
)

// The names of what a judged expansion asks beside.
const (
	DescribeName   = "describe"
	BackgroundName = "background"
)

// What classes are described by.
const (
	rdfType     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	owlClass    = owlNS + "Class"
	rdfsClass   = rdfsNS + "Class"
	rdfsLabel   = rdfsNS + "label"
	rdfsComment = rdfsNS + "comment"
)

// describers are the properties that say what a class is called and is, and what it stands next to.
func describers() []string {
	return []string{
		rdfsLabel, rdfsComment, skosNS + "prefLabel", skosNS + "definition", "http://purl.org/dc/terms/title",
		"http://purl.org/dc/terms/description", "http://schema.org/name", subClassOf, equivalentClass,
	}
}

// describe asks datasets what classes are called, and what they stand next to.
type describe struct{}

// Name is "describe".
func (describe) Name() string { return DescribeName }

const (
	describedAtOnce = 200
	unionAtOnce     = 8 // ten branches each
)

// Ask returns one question for each two hundred classes.
func (describe) Ask(terms []string) []Question { return batches(terms, describedAtOnce) }

// Simpler asks for a few at a time, in the words of SPARQL 1.0.
func (describe) Simpler(q Question) (all []Question) {
	if q.Level > 0 {
		return nil
	}
	for _, one := range batches(q.Terms, unionAtOnce) {
		one.Level = 1
		all = append(all, one)
	}
	return all
}

// Text is the question as a query: ?c is a class, ?p ?o its statements, ?s ?p the statements with it as object.
func (describe) Text(q Question) string {
	if q.Level == 0 {
		classes := "VALUES ?c { <" + strings.Join(q.Terms, "> <") + "> } "
		return "SELECT DISTINCT ?c ?p ?o ?s WHERE { { " + classes + "VALUES ?p { <" + strings.Join(describers(), "> <") + "> } ?c ?p ?o } UNION { " +
			classes + "VALUES ?p { <" + subClassOf + "> <" + equivalentClass + "> } ?s ?p ?c } }"
	}
	var vars, branches []string
	for t, class := range q.Terms {
		for i, p := range describers() {
			name := fmt.Sprintf("?o%d_%d", t, i)
			vars, branches = append(vars, name), append(branches, "{ <"+class+"> <"+p+"> "+name+" }")
		}
		name := fmt.Sprintf("?s%d", t)
		vars, branches = append(vars, name), append(branches, "{ "+name+" <"+subClassOf+"> <"+class+"> }")
	}
	return "SELECT DISTINCT " + strings.Join(vars, " ") + " WHERE { " + strings.Join(branches, " UNION ") + " }"
}

// Read returns the statements of an answer.
func (describe) Read(q Question, r *rdf.Results) (read Reading, more []Question) {
	if q.Level == 0 {
		return Reading{Said: statementsOf(r)}, nil
	}
	properties := describers()
	for column, name := range r.Vars {
		var t, i int
		below := false
		if n, _ := fmt.Sscanf(name, "o%d_%d", &t, &i); n != 2 {
			if n, _ = fmt.Sscanf(name, "s%d", &t); n != 1 {
				continue
			}
			below = true
		}
		if t < 0 || t >= len(q.Terms) || i < 0 || i >= len(properties) {
			continue
		}
		for _, row := range r.Rows {
			switch o := row[column]; {
			case o.IsZero():
			case below && o.Kind == rdf.IRI:
				read.Said = append(read.Said, rdf.Quad{S: o, P: rdf.NewIRI(subClassOf), O: rdf.NewIRI(q.Terms[t])})
			case !below:
				read.Said = append(read.Said, rdf.Quad{S: rdf.NewIRI(q.Terms[t]), P: rdf.NewIRI(properties[i]), O: o})
			}
		}
	}
	return read, nil
}

// statementsOf are rows of ?c ?p ?o ?s as statements.
func statementsOf(r *rdf.Results) (said []rdf.Quad) {
	at := map[string]int{"c": -1, "p": -1, "o": -1, "s": -1}
	for i, v := range r.Vars {
		at[v] = i
	}
	value := func(row []rdf.Term, name string) rdf.Term {
		if i := at[name]; i >= 0 {
			return row[i]
		}
		return rdf.Term{}
	}
	for _, row := range r.Rows {
		q := rdf.Quad{S: value(row, "c"), P: value(row, "p"), O: value(row, "o")}
		if s := value(row, "s"); !s.IsZero() {
			q.S, q.O = s, q.S
		}
		if q.S.Kind == rdf.IRI && q.P.Kind == rdf.IRI && !q.O.IsZero() {
			said = append(said, q)
		}
	}
	return said
}

// background asks datasets once for all their classes, so that it is known which words are frequent among
// classes at large.
type background struct{}

// Name is "background".
func (background) Name() string { return BackgroundName }

// Ask returns one question, whatever is asked about.
func (background) Ask(terms []string) []Question {
	if len(terms) == 0 {
		return nil
	}
	return []Question{{Terms: terms[:1]}}
}

// Simpler gives nothing: a dataset that does not answer is no part of the background.
func (background) Simpler(Question) []Question { return nil }

// Text asks in the words of SPARQL 1.0.
func (background) Text(Question) string {
	return "SELECT ?c ?p ?o WHERE { { ?c a <" + owlClass + "> } UNION { ?c a <" + rdfsClass + "> } ?c ?p ?o " +
		"FILTER (?p = <" + rdfsLabel + "> || ?p = <" + rdfsComment + "> || ?p = <" + subClassOf + ">) FILTER (ISIRI(?c)) } LIMIT 20000"
}

// Read returns the statements of an answer.
func (background) Read(_ Question, r *rdf.Results) (read Reading, more []Question) {
	return Reading{Said: statementsOf(r), Large: true}, nil
}

// maxBackground bounds the classes that one dataset adds.
const maxBackground = 20_000

// learnLarge adds the classes of statements to the background.
func learnLarge(b *relevance.Background, said []rdf.Quad) {
	d := relevance.NewDescriptions(maxBackground)
	for _, q := range said {
		d.Add(q)
	}
	for _, iri := range d.IRIs() {
		b.Add(d.Class(iri))
	}
}
