package metadata

import (
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/kb/relevance"
	"orbweaver/rdf"
)

// JoinedName is the processor of a judged expansion that asks which classes properties join to the given terms.
const JoinedName = "joined"

// joinedWith is the property of statements that say so, between this focus and its datasets alone.
const joinedWith = "http://orbweaver.example/terms#joinedWith"

// joined queries datasets for the classes at the other end of properties.
type joined struct{}

// Name is "joined".
func (joined) Name() string { return JoinedName }

const (
	joinedAtOnce = 100
	mostJoined   = 5000 // rows of an answer
)

// Ask returns one question for every hundred terms.
func (joined) Ask(terms []string) []Question { return batches(terms, joinedAtOnce) }

// Simpler returns questions for one term each, in SPARQL 1.0.
func (joined) Simpler(q Question) (all []Question) {
	if q.Level > 0 {
		return nil
	}
	for _, one := range batches(q.Terms, 1) {
		one.Level = 1
		all = append(all, one)
	}
	return all
}

// Text returns the query: ?c is a term, ?o a class that a property joins to it.
func (joined) Text(q Question) string {
	classes, c, vars := "VALUES ?c { <"+strings.Join(q.Terms, "> <")+"> } ", "?c", "?c ?o"
	if q.Level > 0 {
		classes, c, vars = "", "<"+q.Terms[0]+">", "?o"
	}
	var branches []string
	for _, ends := range relevance.Joiners() {
		for _, way := range [][2]string{ends, {ends[1], ends[0]}} {
			branches = append(branches, fmt.Sprintf("{ %s?p <%s> %s . ?p <%s> ?o }", classes, way[0], c, way[1]))
		}
	}
	return fmt.Sprintf("SELECT DISTINCT %s WHERE { %s FILTER (ISIRI(?o)) } LIMIT %d", vars, strings.Join(branches, " UNION "), mostJoined)
}

// Read returns the pairs of an answer as statements.
func (joined) Read(q Question, r *rdf.Results) (read Reading, more []Question) {
	term, other := -1, -1
	for i, v := range r.Vars {
		switch v {
		case "c":
			term = i
		case "o":
			other = i
		}
	}
	if other < 0 {
		return read, nil
	}
	for _, row := range r.Rows {
		s := rdf.NewIRI(q.Terms[0])
		if term >= 0 {
			s = row[term]
		}
		if o := row[other]; s.Kind == rdf.IRI && o.Kind == rdf.IRI && s != o {
			read.Said = append(read.Said, rdf.Quad{S: s, P: rdf.NewIRI(joinedWith), O: o})
		}
	}
	return read, nil
}

// describeBy adds a statement of a dataset to descriptions.
func describeBy(d *relevance.Descriptions, q rdf.Quad) {
	if q.P.Value == joinedWith {
		d.Link(q.S.Value, q.O.Value)
		return
	}
	d.Add(q)
}

// mostEnds bounds the statements about domain and range that are read of documents for one term.
const mostEnds = 2000

// join adds the properties that documents join a term to others by.
func join(d *relevance.Descriptions, known orbweaver.Known, term rdf.Term) error {
	for _, ends := range relevance.Joiners() {
		for _, way := range [][2]string{ends, {ends[1], ends[0]}} {
			read := 0
			for q, err := range known.Quads(rdf.Term{}, rdf.NewIRI(way[0]), term, rdf.Term{}) {
				if err != nil {
					return err
				}
				if read++; read > mostEnds || q.S.Kind != rdf.IRI {
					continue
				}
				d.Add(q)
				for other, err := range known.Quads(q.S, rdf.NewIRI(way[1]), rdf.Term{}, rdf.Term{}) {
					if err != nil {
						return err
					}
					d.Add(other)
				}
			}
		}
	}
	return nil
}
