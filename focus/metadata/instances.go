package metadata

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver/kb/terms"
	"orbweaver/rdf"
	sparql "orbweaver/rdf/sparql/syntax"
)

// instances counts the instances of classes.
type instances struct{}

// Instances is the paper's third processor: the number of instances of each term in every dataset. Where a
// dataset cannot count, instances are retrieved page by page, in order, and counted here.
func Instances() Processor { return instances{} }

// InstancesName is the name of the Instances processor.
const InstancesName = "instances"

// Name is "instances".
func (instances) Name() string { return InstancesName }

// The levels of the processor's questions.
const (
	countAll = iota // a UNION of a count for each term
	countOne
	page
	smallPage // the same with fewer rows, where full pages failed
)

const (
	pageRows  = 1000 // rows per page
	smallRows = 100  // rows per small page
	maxPages  = 1000 // pages per class: bounds endpoints that always return another one
	maxPaged  = 1_000_000
)

// Ask returns one question for every twenty terms: a server that counts slowly gets another query with fewer.
func (instances) Ask(terms []string) []Question { return batches(terms, 20) }

// Simpler counts one term at a time, then pages, then smaller pages from the current position.
func (instances) Simpler(q Question) []Question {
	switch q.Level {
	case countAll:
		return singles(q)
	case countOne:
		return []Question{{Level: page, Terms: q.Terms}}
	case page:
		if q.Page+1 < maxPages {
			q.Level = smallPage
			return []Question{q}
		}
	}
	return nil
}

// Text returns the query.
func (instances) Text(q Question) string {
	count := func(t, name string) string {
		return "SELECT (COUNT(DISTINCT ?i) AS ?" + name + ") WHERE { ?i a <" + t + "> }"
	}
	switch q.Level {
	case countOne:
		return count(q.Terms[0], "n")
	case page, smallPage:
		return pageText(q)
	}
	var vars, branches []string
	for i, t := range q.Terms {
		name := "n" + strconv.Itoa(i)
		vars = append(vars, "?"+name)
		branches = append(branches, "{ "+count(t, name)+" }")
	}
	return "SELECT " + strings.Join(vars, " ") + " WHERE { " + strings.Join(branches, " UNION ") + " }"
}

// pageText requests the instances after the last one received. OFFSET is used after blank nodes only, which
// have no portable order: Virtuoso sorts at most 10 000 rows for an OFFSET.
func pageText(q Question) string {
	behind, offset := "", fmt.Sprintf(" OFFSET %d", q.Offset)
	if q.After != "" {
		behind, offset = fmt.Sprintf(" FILTER (STR(?i) > %s)", sparql.Text(rdf.NewString(q.After))), ""
	}
	return fmt.Sprintf("SELECT DISTINCT ?i WHERE { ?i a <%s>%s } ORDER BY ?i LIMIT %d%s", q.Terms[0], behind, rowsOf(q), offset)
}

// rowsOf returns the number of rows per page.
func rowsOf(q Question) int {
	if q.Level == smallPage {
		return smallRows
	}
	return pageRows
}

// Read returns counts. A page is followed by the next until one is empty, or until the first is neither full
// nor truncated.
func (n instances) Read(q Question, r *rdf.Results) (read Reading, more []Question) {
	if q.Level >= page {
		return n.readPage(q, r)
	}
	for column, name := range r.Vars {
		i := 0
		if q.Level == countAll {
			var err error
			if i, err = strconv.Atoi(strings.TrimPrefix(name, "n")); err != nil || i < 0 || i >= len(q.Terms) {
				continue
			}
		}
		for _, row := range r.Rows {
			if value, err := strconv.ParseInt(row[column].Value, 10, 64); err == nil && value >= 0 && row[column].Kind == rdf.Literal {
				read.Counts = append(read.Counts, terms.Count{Class: q.Terms[i], N: value, How: terms.Counted, AtLeast: r.Cut != ""})
				break
			}
		}
	}
	return read, nil
}

// readPage counts a page's rows. A page with fewer rows than requested counts as the last only if the number is not a
// likely server limit: not all servers report truncation.
func (instances) readPage(q Question, r *rdf.Results) (read Reading, more []Question) {
	first := firstOf(r)
	have := q.Offset + int64(len(r.Rows))
	again := first != "" && (first == q.Last || q.After != "" && first <= q.After) // the endpoint ignores OFFSET or FILTER
	if again {
		have = q.Offset
	}
	ends := len(r.Rows) == 0 || len(r.Rows) < rowsOf(q) && len(r.Rows)%10 != 0 && r.Cut == "" && q.Offset == 0
	enough := have >= maxPaged || q.Page+1 >= maxPages
	if !ends && !again && !enough {
		next := Question{Level: q.Level, Terms: q.Terms, Offset: have, Last: first, Page: q.Page + 1}
		if last := r.Rows[len(r.Rows)-1][0]; last.Kind == rdf.IRI {
			next.After = last.Value
		}
		return Reading{}, []Question{next}
	}
	count := terms.Count{Class: q.Terms[0], N: have, How: terms.Paged, AtLeast: !ends}
	return Reading{Counts: []terms.Count{count}}, nil
}
