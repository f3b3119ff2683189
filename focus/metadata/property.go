package metadata

import (
	"fmt"
	"strings"

	"orbweaver/rdf"
)

// A property queries datasets for what relations lead to.
type property struct {
	name     string
	patterns []pattern
}

// Property is the paper's second processor: one UNION query to each dataset. Every branch has its own
// variable: ?vT_P is what pattern P leads to from term T. One query thus covers all terms of a stage, and its
// columns identify the statement behind each row.
func Property(relations ...Relation) Processor { return property{"property", patternsOf(relations)} }

// Name is "property".
func (p property) Name() string { return p.name }

// Follows returns the properties.
func (p property) Follows() (iris []string) {
	for _, one := range p.patterns {
		iris = append(iris, one.property)
	}
	return iris
}

// The levels of the processor's questions.
const (
	allAtOnce   = iota // a UNION of all patterns of all terms
	oneTerm            // a UNION of all patterns of one term
	onePattern         // one pattern of one term, without UNION
	pagePattern        // the same, page by page, after a truncated answer
)

// maxBranches bounds the branches of a UNION: Virtuoso 7 rejects a hundred.
const maxBranches = 80

// Ask returns one question for every group of terms that fits into 80 branches.
func (p property) Ask(terms []string) []Question {
	return batches(terms, max(1, maxBranches/len(p.patterns)))
}

// batches returns questions of level 0, each about at most atOnce terms.
func batches(terms []string, atOnce int) (all []Question) {
	for len(terms) > 0 {
		n := min(len(terms), atOnce)
		all = append(all, Question{Terms: terms[:n:n]})
		terms = terms[n:]
	}
	return all
}

// singles splits a batch into one question per term, at the next level.
func singles(q Question) (all []Question) {
	for _, t := range q.Terms {
		all = append(all, Question{Level: q.Level + 1, Terms: []string{t}})
	}
	return all
}

// Simpler returns one question per term, then one per pattern.
func (p property) Simpler(q Question) (all []Question) {
	switch {
	case q.Level == allAtOnce && len(q.Terms) > 1:
		return singles(q)
	case q.Level <= oneTerm: // for one term the first two levels are the same query
		for i := range p.patterns {
			all = append(all, Question{Level: onePattern, Terms: q.Terms, Pattern: i})
		}
	}
	return all
}

// Text returns the query.
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

// text returns a pattern in the syntax of a query.
func (p pattern) text(t, id string) (columns, where string) {
	switch {
	case p.sibling:
		return "?v" + id + " ?s" + id, fmt.Sprintf("<%s> <%s> ?s%s . ?v%s <%s> ?s%s", t, p.property, id, id, p.property, id)
	case p.inverse:
		return "?v" + id, fmt.Sprintf("?v%s <%s> <%s>", id, p.property, t)
	}
	return "?v" + id, fmt.Sprintf("<%s> <%s> ?v%s", t, p.property, id)
}

// Read returns what the rows relate to the question's terms, without the term itself, blank nodes, literals
// and invalid IRIs. A question has a next page, or a first one after a truncated answer that no simpler
// question can shorten.
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

// nextPage returns the next page's question unless a page is empty or repeats the previous one.
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

// firstOf returns the first value of a page, which identifies it.
func firstOf(r *rdf.Results) string {
	if len(r.Rows) == 0 || len(r.Vars) == 0 {
		return ""
	}
	return r.Rows[0][0].Value
}

// rows returns what a column of an answer relates to a term.
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
