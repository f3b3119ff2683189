package metadata

import (
	"fmt"
	"strings"

	"orbweaver/kb/relevance"
	"orbweaver/rdf"
)

// The names of the additional processors of a judged expansion.
const (
	DescribeName   = "describe"
	BackgroundName = "background"
)

// The properties that describe classes.
const (
	rdfType     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	owlClass    = owlNS + "Class"
	rdfsClass   = rdfsNS + "Class"
	rdfsLabel   = rdfsNS + "label"
	rdfsComment = rdfsNS + "comment"
)

// describers are the properties that give the label, description and neighbours of a class.
func describers() []string {
	return []string{
		rdfsLabel, rdfsComment, skosNS + "prefLabel", skosNS + "definition", "http://purl.org/dc/terms/title",
		"http://purl.org/dc/terms/description", "http://schema.org/name", subClassOf, equivalentClass,
	}
}

// describe queries datasets for the labels and neighbours of classes.
type describe struct{}

// Name is "describe".
func (describe) Name() string { return DescribeName }

const (
	describedAtOnce = 200
	unionAtOnce     = 8 // ten branches each
)

// Ask returns one question for every two hundred classes.
func (describe) Ask(terms []string) []Question { return batches(terms, describedAtOnce) }

// Simpler returns questions for a few classes each, in SPARQL 1.0.
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

// Text returns the query: ?c is a class, ?p ?o its statements, ?s ?p the statements with it as object.
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

// statementsOf converts rows of ?c ?p ?o ?s to statements.
func statementsOf(r *rdf.Results) (statements []rdf.Quad) {
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
			statements = append(statements, q)
		}
	}
	return statements
}

// background queries each dataset once for all its classes, to learn which words are frequent in descriptions
// of classes in general.
type background struct{}

// Name is "background".
func (background) Name() string { return BackgroundName }

// Ask returns one question, whatever the terms.
func (background) Ask(terms []string) []Question {
	if len(terms) == 0 {
		return nil
	}
	return []Question{{Terms: terms[:1]}}
}

// Simpler returns nothing: a dataset that does not answer does not contribute to the background.
func (background) Simpler(Question) []Question { return nil }

// Text returns the query in SPARQL 1.0.
func (background) Text(Question) string {
	return "SELECT ?c ?p ?o WHERE { { ?c a <" + owlClass + "> } UNION { ?c a <" + rdfsClass + "> } ?c ?p ?o " +
		"FILTER (?p = <" + rdfsLabel + "> || ?p = <" + rdfsComment + "> || ?p = <" + subClassOf + ">) FILTER (ISIRI(?c)) } LIMIT 20000"
}

// Read returns the statements of an answer.
func (background) Read(_ Question, r *rdf.Results) (read Reading, more []Question) {
	return Reading{Said: statementsOf(r), Large: true}, nil
}

// maxBackground bounds the classes that one dataset contributes.
const maxBackground = 20_000

// learnLarge adds the classes described by statements to the background.
func learnLarge(b *relevance.Background, statements []rdf.Quad) {
	d := relevance.NewDescriptions(maxBackground)
	for _, q := range statements {
		d.Add(q)
	}
	for _, iri := range d.IRIs() {
		b.Add(d.Class(iri))
	}
}
