package metadata

import (
	"fmt"
	"strings"

	"orbweaver/rdf"
)

// A property asks datasets what relations lead to.
type property struct {
	name     string
	patterns []pattern
}

// Property is the paper's second processor: one UNION query over each dataset. Every branch has a variable
// of its own, ?vT_P being what pattern P leads to from term T, so that one query asks for all terms of a
// stage and its columns tell which statement each row is.
func Property(relations ...Relation) Processor { return property{"property", patternsOf(relations)} }

// Name is "property".
func (p property) Name() string { return p.name }

// Follows are the properties.
func (p property) Follows() (iris []string) {
	for _, one := range p.patterns {
		iris = append(iris, one.property)
	}
	return iris
}

// The levels of a property's questions.
const (
	allAtOnce   = iota // a UNION of all patterns of all terms
	oneTerm            // of one
	onePattern         // no UNION
	pagePattern        // the same, page by page, where an answer was cut
)

// maxBranches is how many branches a UNION has at most: Virtuoso 7 refuses a hundred.
const maxBranches = 80

// Ask returns one question for as many terms as 80 branches have room for.
func (p property) Ask(terms []string) []Question {
	return batches(terms, max(1, maxBranches/len(p.patterns)))
}

// batches are questions of level 0, about so many terms at once.
func batches(terms []string, atOnce int) (all []Question) {
	for len(terms) > 0 {
		n := min(len(terms), atOnce)
		all = append(all, Question{Terms: terms[:n:n]})
		terms = terms[n:]
	}
	return all
}

// singles are the questions of a batch, one a term, at the next level.
func singles(q Question) (all []Question) {
	for _, t := range q.Terms {
		all = append(all, Question{Level: q.Level + 1, Terms: []string{t}})
	}
	return all
}

// Simpler asks for one term at a time, then for one pattern at a time.
func (p property) Simpler(q Question) (all []Question) {
	switch {
	case q.Level == allAtOnce && len(q.Terms) > 1:
		return singles(q)
	case q.Level <= oneTerm: // of one term, both are the same query
		for i := range p.patterns {
			all = append(all, Question{Level: onePattern, Terms: q.Terms, Pattern: i})
		}
	}
	return all
}

// Text is the question as a query.
func (p property) Text(q Question) string {
	var vars, branches []string
	add := func(t, i int) {
		columns, where := p.patterns[i].text(q.Terms[t], fmt.Sprintf("%d_%d", t, i))
		vars = append(vars, columns)
		branches = append(branches, "{ "+where+" }")
	}
	if q.Level >= onePattern {
		add(0, q.Pattern)
		text := "SELECT DISTINCT " + vars[0] + " WHERE " + branches[0]
		if q.Level == pagePattern {
			text += fmt.Sprintf(" ORDER BY %s LIMIT %d OFFSET %d", vars[0], pageRows, q.Offset)
		}
		return text
	}
	for t := range q.Terms {
		for i := range p.patterns {
			add(t, i)
		}
	}
	return "SELECT DISTINCT " + strings.Join(vars, " ") + " WHERE { " + strings.Join(branches, " UNION ") + " }"
}

// text is a pattern as a query has it.
func (p pattern) text(t, id string) (columns, where string) {
	switch {
	case p.sibling:
		return "?v" + id + " ?s" + id, fmt.Sprintf("<%s> <%s> ?s%s . ?v%s <%s> ?s%s", t, p.property, id, id, p.property, id)
	case p.inverse:
		return "?v" + id, fmt.Sprintf("?v%s <%s> <%s>", id, p.property, t)
	}
	return "?v" + id, fmt.Sprintf("<%s> <%s> ?v%s", t, p.property, id)
}

// Read returns what the rows relate to the question's terms. Blank nodes, literals and what is no IRI are
// left out, and so is the term itself. More are the next page, or the first where an answer that can be
// put in no simpler words was cut.
func (p property) Read(q Question, r *rdf.Results) (read Reading, more []Question) {
	if q.Level >= onePattern && (q.Level == pagePattern || r.Cut != "") {
		more = nextPage(q, r)
	}
	columns := map[string]int{}
	for i, v := range r.Vars {
		columns[v] = i
	}
	for t, from := range q.Terms {
		for i := range p.patterns {
			id := fmt.Sprintf("%d_%d", t, i)
			column, ok := columns["v"+id]
			if !ok {
				continue
			}
			above, ok := columns["s"+id]
			if !ok {
				above = -1
			}
			read.Found = append(read.Found, p.patterns[i].rows(from, r.Rows, column, above)...)
		}
	}
	return read, more
}

// nextPage continues until a page is empty, or the same again.
func nextPage(q Question, r *rdf.Results) []Question {
	next := Question{Level: pagePattern, Terms: q.Terms, Pattern: q.Pattern}
	if q.Level == onePattern {
		return []Question{next}
	}
	next.Offset, next.Last = q.Offset+int64(len(r.Rows)), firstOf(r)
	if next.Last == "" || next.Last == q.Last || next.Offset > most {
		return nil
	}
	return []Question{next}
}

// firstOf is what identifies a page: its first value.
func firstOf(r *rdf.Results) string {
	if len(r.Rows) == 0 || len(r.Vars) == 0 {
		return ""
	}
	return r.Rows[0][0].Value
}

// rows is what a column of an answer relates to a term.
func (p pattern) rows(from string, rows [][]rdf.Term, column, above int) (found []Found) {
	for _, row := range rows {
		item, over := row[column], ""
		if item.Kind != rdf.IRI || !isTerm(item.Value) || item.Value == from {
			continue
		}
		if p.sibling {
			if above < 0 || row[above].Kind != rdf.IRI {
				continue
			}
			over = row[above].Value
		}
		found = append(found, p.found(from, item.Value, over))
		if len(found) == most {
			break
		}
	}
	return found
}
