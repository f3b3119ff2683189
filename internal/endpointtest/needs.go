package endpointtest

import (
	"regexp"
	"strings"
)

// Needs are what an endpoint has to be able to do for a query.
type Needs struct {
	Union, Distinct, Modern bool
}

// tokens are what a query is made of, as far as words are to be told from the rest of it.
var tokens = regexp.MustCompile(`(?s)<[^<>"{}|^` + "`" + `\\\x00-\x20]*>` + // an IRI
	`|""".*?"""|'''.*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'` +
	`|#[^\r\n]*` + // a comment
	`|[?$]\w+|@[A-Za-z-]+` +
	`|[\pL\d_.-]*:[\pL\d_.%:-]*` + // a prefixed name
	`|\w+`)

// NeedsOf returns what a query needs by its words. Paths, which SPARQL 1.0 does not have either, are no
// words: they pass.
func NeedsOf(query string) (n Needs) {
	selects := 0
	for _, token := range tokens.FindAllString(query, -1) {
		switch strings.ToUpper(token) {
		case "UNION":
			n.Union = true
		case "DISTINCT":
			n.Distinct = true
		case "SELECT":
			selects++
		case "AS", "BIND", "VALUES", "GROUP", "HAVING", "MINUS", "EXISTS", "SERVICE", "IN", "IF", "COALESCE",
			"COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT":
			n.Modern = true
		}
	}
	n.Modern = n.Modern || selects > 1
	return n
}

// Able reports whether an endpoint is able to answer a query that needs n. What it always does
// instead is not looked at.
func (p Profile) Able(n Needs) bool {
	return (p.Union || !n.Union) && (p.Distinct || !n.Distinct) && (p.Modern || !n.Modern)
}
